"""``ludens replay``: a recorded match, turn by turn, and whether the rules give the same."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ludens.cli.matches.record_rules import recorded_game
from ludens.cli.terminal.answers import put
from ludens.cli.terminal.console import Backend, BackendOption, JsonOption, console, print_json, printable, warn
from ludens.cli.terminal.painter import Painter
from ludens.cli.terminal.pictures import draw_turn, write_film, write_turns
from ludens.core import Game, LudensError, State
from ludens.core.files import write_file
from ludens.drawing.notation import is_wait
from ludens.protocols.exchange.exporting import export_record
from ludens.protocols.exchange.formats import foreign_format
from ludens.protocols.exchange.opening import open_foreign
from ludens.protocols.exchange.pgn import PgnError
from ludens.protocols.gtp.sgf import SgfError
from ludens.referee.reading import Record, RecordedEvent, RecordedTurn, parse_record, write_record
from ludens.referee.verify import Difference, replay, verify


class Format(StrEnum):
    """Formats in which a match can be written."""

    PGN = "pgn"
    SGF = "sgf"
    SVG = "svg"
    GIF = "gif"
    JSONL = "jsonl"


def replay_command(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a match, or a PGN or SGF file.")],
    turn: Annotated[
        int | None, typer.Option("--turn", min=0, metavar="N", help="Only this turn; 0 is the start.")
    ] = None,
    check: Annotated[bool, typer.Option("--verify", help="Recompute everything; exit with 1 if it differs.")] = False,
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="GAME", help="Name or path of the game, if the record's name is not found."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FOLDER", help="Write every position as a drawing into FOLDER.")
    ] = None,
    gif: Annotated[
        Path | None, typer.Option("--gif", metavar="FILE", help="Write the match as a film to FILE.")
    ] = None,
    as_format: Annotated[
        Format | None,
        typer.Option(
            "--format", help="Print the match in another format: pgn (chess), sgf (Go), svg (one position) or jsonl."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="With --format: write it to FILE; gif needs it.")
    ] = None,
    backend: BackendOption = Backend.AUTO,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded match turn by turn, recompute it, draw it, or write it as PGN, SGF or pictures."""
    found = open_record(record)
    game = recorded_game(found, rules, backend)
    if as_format is not None:
        _write_as(as_format, found, game, turn, out)
        return
    if svg is not None or gif is not None:
        _draw(found, game, svg, gif)
        return
    differences = list(verify(found, game)) if check else []
    if turn is not None and turn != 0 and turn not in found.turns:
        raise LudensError(f"{record} has no turn {turn} (it has {len(found.turns)})")
    is_whole = not differences and not any(check or not problem.is_cut for problem in found.problems)
    if as_json:
        print_json(_as_json(found, turn, check, differences))
    else:
        if not check or turn is not None:
            is_whole &= _show(found, game, turn)
        _report(found, check, differences)
    if not is_whole:
        raise typer.Exit(1)


def open_record(path: Path) -> Record:
    """The record in a file, also one of another program. Raises `LudensError`."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LudensError(f"cannot read the record {path}: {error.strerror or error}") from None
    wanted = foreign_format(content, path.name)
    try:
        return parse_record(path, open_foreign(content, wanted) if wanted else content)
    except (PgnError, SgfError) as error:
        raise LudensError(f"{path} cannot be opened: {error}") from None


def _write_as(wanted: Format, record: Record, game: Game, turn: int | None, out: Path | None) -> None:
    """Write a match in another format, to a file or to standard output."""
    match wanted:
        case Format.PGN | Format.SGF:
            text = export_record(record, game, wanted.value)
        case Format.JSONL:
            text = write_record(record)
        case Format.SVG:
            _need_positions(record, game)
            text = draw_turn(record, game, record.last if turn is None else turn).svg
        case Format.GIF:
            if out is None:
                raise LudensError("a film needs a file: --out match.gif")
            _draw(record, game, None, out)
            return
    if out is None:
        put(text, end="")
    else:
        write_file(out, text)
        console.print(f"The match as {wanted.value.upper()}: {printable(str(out))}")


def _draw(record: Record, game: Game, folder: Path | None, film: Path | None) -> None:
    if folder is not None:
        _need_positions(record, game)
        written = write_turns(record, game, folder)
        console.print(f"{len(written)} drawings in {printable(str(folder))}")
    if film is not None:
        _need_positions(record, game)
        write_film(record, game, film)
        console.print(f"The match as a film: {printable(str(film))}")


def _need_positions(record: Record, game: Game) -> None:
    """Raise `LudensError` unless the position after every turn can be computed."""
    states = [state for _, state, _ in replay(record, game)]
    known = sum(state is not None for state in states)
    if known < len(states):
        differ = record.start.rules_hash != game.rules_hash
        why = "the rules are not those of the record; name them with --rules" if differ else "--verify shows why"
        raise LudensError(f"only {known} of {len(states)} turns can be computed, and nothing was drawn: {why}")


def _as_json(record: Record, turn: int | None, check: bool, differences: list[Difference]) -> dict[str, Any]:
    entries = [entry for entry in record.entries if isinstance(entry, RecordedTurn)]
    result: dict[str, Any] = {
        "record": str(record.path),
        "start": dict(record.start.data),
        "turns": [dict(entry.data) for entry in entries if turn in {None, entry.id}],
        "end": None if record.end is None else dict(record.end),
        "problems": [{"line": problem.line, "message": problem.message} for problem in record.problems],
    }
    if check:
        result["ok"] = not differences and not record.problems
        result["differences"] = [
            {
                "line": found.line,
                "turn": found.turn,
                "what": found.what,
                "recorded": found.recorded,
                "computed": found.computed,
            }
            for found in differences
        ]
    return result


def _show(record: Record, game: Game, wanted: int | None) -> bool:
    """Show the turns; whether all their positions can be computed."""
    painter = Painter(game)
    start = record.start
    if wanted in {None, 0}:
        who = ", ".join(f"{role}: {player}" for role, player in start.players.items())
        console.print(f"[bold]{printable(start.game)}[/bold]  {printable(who)}  [dim]seed {start.seed}[/dim]\n")
        console.print(printable(painter.draw(game.initial_state())) + "\n")
    states = {0: game.initial_state(), **{turn.id: state for turn, state, _ in replay(record, game)}}
    for entry in record.entries:
        if isinstance(entry, RecordedTurn):
            if wanted in {None, entry.id}:
                _show_turn(entry, states.get(entry.parent), states[entry.id], painter)
        elif wanted is None:
            _show_event(entry)
    return None not in states.values()


def _show_turn(turn: RecordedTurn, before: State | None, state: State | None, painter: Painter) -> None:
    branch = "" if turn.parent == turn.id - 1 else f" [dim](after turn {turn.parent})[/dim]"
    thinking = turn.data["thinking"]
    for role, move in turn.moves.items():
        if turn.data["seconds"] and role not in turn.data["seconds"]:
            continue
        if not turn.data["seconds"] and before is not None and is_wait(before, role, move):
            continue  # records of other programs have no seconds
        thought = thinking.get(role, {})
        note = thought.get("note", "") if isinstance(thought, dict) else ""
        text = move if before is None else painter.move_text(before, role, move, state)
        console.print(
            f"[bold]{turn.id:>3}. {printable(role)}[/bold] {printable(text)}{branch}  [dim]{printable(str(note))}[/dim]"
        )
    for error in turn.data["errors"]:
        text = f"{error['role']} erred ({error.get('kind')}): {error.get('message')}"
        console.print(f"     {printable(text)}", style="yellow")
    drawn = painter.draw(state) if state is not None else "(this position cannot be computed; --verify shows why)"
    console.print("\n" + printable(drawn) + "\n")


def _show_event(event: RecordedEvent) -> None:
    data = event.data
    match event.kind:
        case "message":
            console.print(f"     {printable(data['from'] + ' to ' + ', '.join(data['to']))}: {printable(data['text'])}")
        case "take_back":
            console.print(f"     {printable(str(data.get('role')))} takes back, to turn {data['turn']}\n")
        case "end":
            outcome = ", ".join(f"{role} {goal}" for role, goal in data["goals"].items())
            console.print(f"[bold]Result after {data['turns']} turns ({data['reason']}):[/bold] {printable(outcome)}")


def _report(record: Record, check: bool, differences: list[Difference]) -> None:
    for problem in record.problems:
        warn(f"{record.path}, line {problem.line}: {problem.message}")
    if record.end is None:
        warn(f"{record.path}: the record has no end; the match was cut off")
    for difference in differences:
        console.print(printable(str(difference)), style="red")
    if check and not differences and not record.problems:
        console.print(f"{len(record.turns)} turns recomputed: everything agrees")
