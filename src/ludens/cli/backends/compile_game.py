"""``ludens compile``: compile a game and report each stage, or write its rules as C++."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ludens.cli.terminal.console import GameArgument, JsonOption, console, print_json
from ludens.compiler.batch.improve import improve_playouts
from ludens.compiler.batch.playout import PlayoutProgram, playout_program
from ludens.compiler.batch.tiers import IMPROVEMENT_SECONDS
from ludens.compiler.circuit.circuit import Circuit
from ludens.compiler.compile import Stage, compile_rules
from ludens.compiler.cxx.grounded.project import generate_grounded
from ludens.compiler.cxx.prepare import prepare
from ludens.compiler.cxx.project import CodeOptions, CxxProject, Project, generate
from ludens.compiler.cxx.usage import read_profile, sample_relations
from ludens.compiler.cxx.usage_measurement import measure_profile
from ludens.compiler.native.target import host_architecture_flag
from ludens.compiler.native.truth_tables import WORDS
from ludens.core import GameError
from ludens.core.files import make_folder, write_file
from ludens.games import library


class Emit(StrEnum):
    """What `ludens compile` can write."""

    CXX = "c++"


class Memo(StrEnum):
    """What generated code memoises."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


def compile_game(
    game: GameArgument,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each stage did, and how long it took.")] = False,
    emit: Annotated[Emit | None, typer.Option("--emit", help="Write the rules as a C++ library.")] = None,
    folder: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where --emit puts the files.")
    ] = None,
    memo: Annotated[
        Memo, typer.Option("--memo", help="What the C++ memoises; auto decides by the profile.")
    ] = Memo.AUTO,
    transpositions: Annotated[
        int,
        typer.Option(
            "--transpositions",
            min=0,
            max=100_000_000,
            metavar="N",
            help="Default size of the C++ transposition table, in states.",
        ),
    ] = 0,
    profile: Annotated[
        Path | None,
        typer.Option(
            "--profile", metavar="FILE", help="Read the profile; measure and write it if FILE does not exist."
        ),
    ] = None,
    grounded: Annotated[
        bool, typer.Option("--grounded", help="Write the C++ from the circuit: bits, and 512 states at once.")
    ] = False,
    single_header: Annotated[
        bool, typer.Option("--single-header", help="Write the C++ as one header and nothing else.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compile a game to gates and print the size; with --emit c++, write it as a C++ library."""
    if emit is None:
        if folder or profile or grounded or single_header:
            raise GameError("-o, --profile, --grounded and --single-header go with --emit c++")
        _compile_to_gates(game, explain=explain, as_json=as_json)
        return
    if folder is None:
        raise GameError("--emit needs a folder for the files: -o DIR")
    if grounded:
        if profile or transpositions or memo is not Memo.AUTO:
            raise GameError("--profile, --memo and --transpositions are for rules that are not --grounded")
        _write_project(game, folder, _grounded_project(game), single=single_header, as_json=as_json)
        return
    options = CodeOptions(memo=memo, transpositions=transpositions)
    _write_project(game, folder, _cxx_project(game, profile, options), single=single_header, as_json=as_json)


def _cxx_project(game: str, profile: Path | None, options: CodeOptions) -> Project:
    choice = library.find(game)
    sheet = choice.playable_sheet()
    prepared = prepare(sheet, _plain_name(choice.text), everything=True)
    if profile is None:
        measured = sample_relations(prepared)
    elif profile.exists():
        measured = read_profile(profile)
    else:
        measured = measure_profile(prepared)
        make_folder(profile.parent)
        write_file(profile, measured.as_json())
    return generate(prepared, measured, options)


def _grounded_project(game: str) -> Project:
    choice = library.find(game)
    sheet = choice.playable_sheet()
    return generate_grounded(compile_rules(sheet).circuit, sheet, _plain_name(choice.text))


def _plain_name(text: str) -> str:
    """The name of a game without parameters and version."""
    return text.partition("@")[0].partition(":")[0]


def _write_project(game: str, folder: Path, project: Project, *, single: bool, as_json: bool) -> None:
    files = {f"{project.namespace}.hpp": project.single_header()} if single else project.files()
    for file, text in files.items():
        make_folder((folder / file).parent)
        write_file(folder / file, text)
    if as_json:
        print_json({"namespace": f"ludens::{project.namespace}", "files": [str(folder / name) for name in files]})
        return
    console.print(f"{library.find(game).text}: {', '.join(files)} in {folder}", markup=False)
    if single:
        return
    flags = "-O2" if isinstance(project, CxxProject) else f"-O2 {host_architecture_flag()}"
    console.print(f"g++ -std=c++20 {flags} {folder}/*.cpp -o playouts && ./playouts", style="dim", markup=False)


def _compile_to_gates(game: str, *, explain: bool, as_json: bool) -> None:
    choice = library.find(game)
    compilation = compile_rules(choice.playable_sheet())
    stages = list(compilation.stages)
    program = _explain_playouts(compilation.circuit, stages)
    if explain:
        stages.append(_explain_invariants(program))
    if as_json:
        print_json([{"stage": stage.name, "seconds": stage.seconds, "result": stage.result} for stage in stages])
        return
    if explain:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for heading in ("stage", "seconds", "result"):
            table.add_column(heading, justify="right" if heading == "seconds" else "left")
        for stage in stages:
            table.add_row(stage.name, f"{stage.seconds:.3f}", stage.result)
        console.print(table)
        return
    sizes = f"{len(compilation.circuit.fluents)} fluents, {program.operations} operations for a joint move"
    console.print(f"{choice.text}: {sizes}")


def _explain_playouts(circuit: Circuit, stages: list[Stage]) -> PlayoutProgram:
    """Build the playout program, and append the stages to the list."""

    def finish(name: str, result: str) -> None:
        stages.append(Stage(name, time.monotonic() - started, result))

    started = time.monotonic()
    program = playout_program(circuit)
    gates = sum(len(step.gates) for step in program.steps)
    finish("select", f"{len(program.steps)} phases of the turn order, {gates} nodes with random moves chosen")
    started = time.monotonic()
    depth = max(step.cover.depth for step in program.steps)
    finish("cover", f"{program.operations} operations a phase, depth {depth}")
    started = time.monotonic()
    plans = [step.schedule(in_runs=True) for step in program.steps]
    slots = max(plan.slots for plan in plans)
    runs = sum(len(segment.runs) for plan in plans for segment in plan.segments)
    finish("schedule", f"{slots} slots, {slots * WORDS * 8} bytes of values, {runs} runs of the interpreter")
    if program.is_compiled:
        started = time.monotonic()
        code = program.machine_code()
        slots = max(step.slots for step in code)
        how = "written directly" if program.is_assembled else "by LLVM"
        finish(
            "code", f"{sum(step.size for step in code)} bytes {how}, {slots} slots, {slots * WORDS * 8} bytes of values"
        )
    return program


def _explain_invariants(program: PlayoutProgram) -> Stage:
    """Find the invariants that playouts use in the background, and report what they save."""
    started = time.monotonic()
    better, found = improve_playouts(program, IMPROVEMENT_SECONDS)
    kinds = (
        f"{len(found.groups)} mutex groups, {len(found.growing)} fluents only grow, {len(found.shrinking)} only shrink"
    )
    moves = f"{found.shrinking_moves} moves only become illegal"
    size = f"{found.equal} equal nodes, {better.operations} operations each"
    return Stage("invariants", time.monotonic() - started, f"{kinds}, {moves}, {size}")
