"""How often each rule fires in play: marks on the rules of a sheet, traced lines for rules in Python."""

from __future__ import annotations

import inspect
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.backends import make_game
from ludens.compiler.circuit.circuit import Goal
from ludens.compiler.circuit.gates import FALSE
from ludens.compiler.circuit.invariants import improve
from ludens.compiler.circuit.turns import turn_phases
from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import CpuDeadline, Deadline, Game, GameError, JointMove, Move, OutOfTimeError, random_joint_move
from ludens.core.batch import Batch
from ludens.core.batch_game import BatchGame
from ludens.design.allowance import compile_within
from ludens.design.marked_rules import MarkedRule, MarkedSheet, mark_rules
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.write import kif
from ludens.tabletop import TabletopGame

_LANES = 1_024
_FEW_LANES = 64
_LEAST_STATES, _ENOUGH_STATES = 200_000, 20_000_000
"""States after which looking on is stopped if all rules have fired, and in any case."""
_MOST_TURNS = 500
_PROOF_SECONDS = 30.0
"""The longest induction, in seconds of the clock."""
_OTHER_MOVES = 8
"""How often moves that end the match are drawn again in play that puts off the end."""


@dataclass(slots=True)
class Coverage:
    """Which rules fired."""

    rules: tuple[MarkedRule, ...] = ()
    fired: Counter[int] = field(default_factory=Counter)
    """After how many turns each rule had fired, by its number."""
    impossible: frozenset[int] = frozenset()
    """Rules that the compiler proves to be impossible: no instance of them can ever fire."""
    never: frozenset[int] = frozenset()
    """Rules that induction proves never to fire in play."""
    was_induction_tried: bool = False
    """Whether induction looked at all rules that never fired, and came to an end."""
    states: int = 0
    matches: int = 0
    lines: Mapping[int, str] = field(default_factory=dict)
    """For rules in Python: the lines that never ran."""
    all_lines: int = 0
    note: str = ""
    """Why rules were not watched."""

    @property
    def dead(self) -> list[MarkedRule]:
        """The rules that never fired."""
        return [rule for rule in self.rules if not self.fired[rule.number]]


def watch_rules(
    game: Game, lines: Sequence[Sequence[JointMove]], seconds: Callable[[], float], seed: int, patience: float
) -> Coverage:
    """Watch rules in random play, and in the given lines of play, for so many CPU seconds after compiling.

    Wait for the compiler for ``patience`` seconds at most; with 0, compile in this process.
    """
    if isinstance(game, GdlGame):
        return _watch_sheet(game, lines, seconds, seed, patience)
    if isinstance(game, TabletopGame):
        return _watch_page(game, CpuDeadline(seconds()), Random(seed))
    return Coverage(note="the rules of this game cannot be watched")


# Rule sheets


def _watch_sheet(
    game: GdlGame, lines: Sequence[Sequence[JointMove]], seconds: Callable[[], float], seed: int, patience: float
) -> Coverage:
    marked = mark_rules(game.sheet)
    coverage = Coverage(marked.rules)
    try:
        name = f"{game.name} with marks"
        compiled: Game = make_game(marked.sheet, name, wait=True) if patience == 0 else make_game(marked.sheet, name)
        compiled = compile_within(compiled, patience)
        assert isinstance(compiled, GdlGame)
        if isinstance(compiled, BatchGame):
            _warm_up(compiled)
        deadline = CpuDeadline(seconds())
        with deadline.enforced():
            if isinstance(compiled, BatchGame):
                _name_impossible(compiled, coverage)
            for line in lines:
                _follow(compiled, marked, line, coverage)
                if deadline.remaining() <= 0:
                    break
            if isinstance(compiled, BatchGame):
                _watch_batch(compiled, marked.wait, coverage, deadline, seed)
            else:
                _watch_states(compiled, coverage, deadline, Random(seed))
        if isinstance(compiled, CircuitRules) and coverage.dead:
            _prove_dead(compiled, coverage)
    except OutOfTimeError:
        pass
    except GameError as error:
        coverage.note = f"rules were not watched: {str(error).partition(chr(10))[0]}"
    return coverage


def _warm_up(game: BatchGame) -> None:
    """Compile to machine code, which takes longer than watching a small game."""
    with suppress(GameError):  # a role may have no move
        batch = Batch(game, _FEW_LANES, seed=0)
        batch.fluent_flags([0])
        batch.advance()


def _name_impossible(game: BatchGame, coverage: Coverage) -> None:
    known = set(game.fluent_texts)
    coverage.impossible = frozenset(rule.number for rule in coverage.rules if rule.mark not in known)


def _follow(game: GdlGame, marked: MarkedSheet, line: Iterable[JointMove], coverage: Coverage) -> None:
    """Make the moves of a line, and wait at its end."""
    state = game.initial_state()
    for moves in line:
        state = state.play(moves)
        _count(state, coverage)
    if not state.is_terminal and all(marked.wait in state.legal_moves(role) for role in game.roles):
        waiting = dict.fromkeys(game.role_terms, marked.wait)
        _count(state.play(waiting), coverage)
    coverage.matches += 1


def _count(state: GdlState, coverage: Coverage) -> None:
    facts = set(map(kif, state.facts))
    coverage.states += 1
    coverage.fired.update(rule.number for rule in coverage.rules if rule.mark in facts)


def _watch_batch(game: BatchGame, wait: Move, coverage: Coverage, deadline: Deadline, seed: int) -> None:
    """Watch rounds of random play and, as long as some rule has not fired, in turn with them rounds of play that puts
    off the end: full boards and captures to the last piece are rare otherwise."""
    numbers = {text: number for number, text in enumerate(game.fluent_texts)}
    possible = [rule for rule in coverage.rules if rule.mark in numbers]
    fluents = [numbers[rule.mark] for rule in possible]
    counts = np.array([coverage.fired[rule.number] for rule in possible], np.int64)
    before = counts.copy()
    waiting = game.move_numbers[0].get(wait)
    for number in count():
        if deadline.remaining() <= 0 or coverage.states >= _ENOUGH_STATES:
            break
        late = number % 2 == 1 and waiting is not None and bool((counts == 0).any())
        batch = Batch(game, _FEW_LANES if number < 2 else _LANES, seed=seed + number, restart=True)
        if not _watch_round(batch, waiting if late else None, fluents, counts, coverage, deadline):
            break
        if coverage.states >= _LEAST_STATES and (counts > 0).all():
            break
    found = zip(possible, (counts - before).tolist(), strict=True)
    coverage.fired.update({rule.number: times for rule, times in found})


def _watch_round(
    batch: Batch,
    waiting: int | None,
    fluents: Sequence[int],
    counts: NDArray[np.int64],
    coverage: Coverage,
    deadline: Deadline,
) -> bool:
    """Watch a batch for some turns, and put off the end if the number of the move that waits there is given; False if
    time ran out, or play got stuck."""
    for _ in range(_MOST_TURNS):
        if deadline.remaining() <= 0:
            return False
        stuck = batch.stuck
        if stuck.any():
            batch.restart(stuck)
            if batch.stuck.any():
                return False
        coverage.matches += int(batch.terminal.sum())
        if waiting is None:
            batch.advance()
        else:
            _advance_but_not_to_the_end(batch, waiting)
        coverage.states += batch.size
        counts += batch.fluent_flags(fluents).sum(axis=0)
    return True


def _advance_but_not_to_the_end(batch: Batch, waiting: int) -> None:
    """Make random moves; where they end the match, others, a few times."""
    role = batch.game.roles[0]
    before, was_over = batch.packed_states.copy(), batch.legal(role)[:, waiting]
    batch.advance()
    for _ in range(_OTHER_MOVES):
        ended = batch.legal(role)[:, waiting] & ~was_over & ~batch.terminal
        if not ended.any():
            break
        after = batch.packed_states.copy()
        batch.set_states(before)
        batch.advance()
        batch.set_states(np.where(ended[:, None], batch.packed_states, after))


def _prove_dead(game: CircuitRules, coverage: Coverage) -> None:
    """Try to prove by induction that the rules which never fired cannot: that their marks stay false."""
    circuit, dead = game.circuit, [rule for rule in coverage.dead if rule.number not in coverage.impossible]
    place_of = {kif(fluent): place for fluent, place in zip(circuit.fluents, circuit.fluent_inputs, strict=True)}
    asked = replace(circuit, goals=tuple(Goal(0, 0, place_of[rule.mark]) for rule in dead))
    began, no_states = time.monotonic(), np.zeros((len(circuit.fluents), 0), np.uint64)
    phases = improve(turn_phases(asked), no_states, _PROOF_SECONDS).phases
    coverage.was_induction_tried = time.monotonic() - began < _PROOF_SECONDS
    coverage.never = frozenset(
        rule.number for number, rule in enumerate(dead) if all(phase.goals[number].literal == FALSE for phase in phases)
    )


def _watch_states(game: GdlGame, coverage: Coverage, deadline: Deadline, rng: Random) -> None:
    while deadline.remaining() > 0 and coverage.states < _ENOUGH_STATES:
        state = game.initial_state()
        for _ in range(_MOST_TURNS):
            if state.is_terminal or deadline.remaining() <= 0:
                break
            moves = random_joint_move(state, rng)
            if len(moves) < len(game.roles):
                break
            after = state.sample(moves, rng)
            assert isinstance(after, GdlState)
            state = after
            _count(state, coverage)
        coverage.matches += 1


# Rules in Python


def _watch_page(game: TabletopGame, deadline: Deadline, rng: Random) -> Coverage:
    """Trace which lines of the page run in random matches."""
    kind = type(game.rule)
    try:
        file = str(game.source or inspect.getfile(kind))
        source = Path(file).read_text(encoding="utf-8")
    except (OSError, TypeError):
        return Coverage(note="the source of these rules is not available")
    wanted = set(_function_lines(compile(source, file, "exec"), is_module=True))
    ran: set[int] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            ran.add(frame.f_lineno)
        return trace

    coverage = Coverage(all_lines=len(wanted))
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with deadline.enforced():
            TabletopGame(kind(**game.rule.settings), game.name, game.source)  # equipment and turns are made once
            while deadline.remaining() > 0:
                _trace_match(game, rng, deadline, coverage)
    except OutOfTimeError:
        pass
    finally:
        sys.settrace(before)
    text = source.splitlines()
    coverage.lines = {line: text[line - 1].strip() for line in sorted(wanted - ran)}
    return coverage


def _trace_match(game: Game, rng: Random, deadline: Deadline, coverage: Coverage) -> None:
    state = game.initial_state()
    for _ in range(_MOST_TURNS):
        if state.is_terminal or deadline.remaining() <= 0:
            break
        moves = random_joint_move(state, rng)
        if not moves:
            break
        state = state.sample(moves, rng)
        coverage.states += 1
    if state.is_terminal:
        dict(state.goals)
    coverage.matches += 1


def _function_lines(code: CodeType, *, is_module: bool) -> Iterable[int]:
    """The lines of all functions in a module: what stands outside of them runs when it is loaded."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _function_lines(constant, is_module=False)
    if not is_module and code.co_flags & inspect.CO_NEWLOCALS and code.co_flags & inspect.CO_OPTIMIZED:
        yield from {line for _, _, line in code.co_lines() if line and line > code.co_firstlineno}
