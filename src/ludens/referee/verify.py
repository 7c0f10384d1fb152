"""Verifies a record against the rules: every move, draw, percept and goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludens.core import Game, LudensError, Role, State
from ludens.referee.draws import resolve_chance, substitute
from ludens.referee.match import forfeit_goals
from ludens.referee.reading import Record, RecordedTurn


@dataclass(frozen=True, slots=True)
class Difference:
    """An entry of a record that contradicts the rules."""

    line: int
    """The line of the record."""
    turn: int
    """The turn; 0 for the start."""
    what: str
    recorded: Any
    computed: Any

    def __str__(self) -> str:
        return f"line {self.line}, turn {self.turn}: {self.what}: recorded {self.recorded}, computed {self.computed}"


def replay(record: Record, game: Game) -> Iterator[tuple[RecordedTurn, State | None, tuple[Difference, ...]]]:
    """Each turn, the state after it as far as it can be computed, and what differs."""
    states: dict[int, State | None] = {0: game.initial_state()}
    for turn in record.turns.values():
        before = states.get(turn.parent)
        if before is None:
            unknown = Difference(turn.line, turn.id, "parent", turn.parent, "a turn whose state is not known")
            yield turn, None, (unknown,)
            continue
        states[turn.id], differences = _replay_turn(record, turn, before)
        yield turn, states[turn.id], differences


def verify(record: Record, game: Game) -> Iterator[Difference]:
    """All contradictions between the record and the rules."""
    yield from check_start(record, game)
    if record.start.roles != game.roles:
        return
    states: dict[int, State | None] = {0: game.initial_state()}
    for turn, state, differences in replay(record, game):
        states[turn.id] = state
        yield from differences
    yield from check_end(record, states.get(record.last))


def check_start(record: Record, game: Game) -> Iterator[Difference]:
    """Contradictions between the first line and the game."""
    if record.start.rules_hash != game.rules_hash:
        yield Difference(1, 0, "rules", record.start.rules_hash, game.rules_hash)
    if record.start.roles != game.roles:
        yield Difference(1, 0, "roles", list(record.start.roles), list(game.roles))


def check_end(record: Record, last: State | None) -> Iterator[Difference]:
    """Contradictions between the end of the record and the last state, if it is known."""
    for entry in record.entries:
        if not isinstance(entry, RecordedTurn) and entry.kind == "end" and last is not None:
            yield from _check_end(record, entry.line, entry.data, last)


def _replay_turn(record: Record, turn: RecordedTurn, before: State) -> tuple[State | None, tuple[Difference, ...]]:
    try:
        found = list(_check_turn(record, turn, before))
        after = before.play(turn.moves)
        for role in before.game.roles:
            computed = list(after.percepts(role))
            if computed != list(turn.percepts.get(role, [])):
                found.append(
                    Difference(turn.line, turn.id, f"percepts of {role}", turn.percepts.get(role, []), computed)
                )
    except LudensError as error:
        return None, (Difference(turn.line, turn.id, "moves", dict(turn.moves), f"an error: {error}"),)
    return after, tuple(found)


def _check_turn(record: Record, turn: RecordedTurn, before: State) -> Iterator[Difference]:
    if before.is_terminal:
        yield Difference(turn.line, turn.id, "turn", "played", "the match was over before it")
        return
    legal = {role: moves for role in before.game.roles if (moves := before.legal_moves(role))}
    if turn.earlier:
        return  # only the resolved moves are known, and playing them is the check
    offered: Mapping[Role, str] = turn.arrivals or turn.chosen
    for role, move in offered.items():
        if move not in legal.get(role, ()):
            yield Difference(
                turn.line, turn.id, f"move of {role}", move, f"not one of {len(legal.get(role, ()))} legal"
            )
            return
    if before.is_race and turn.arrivals:
        waiting = [role for role in legal if role not in turn.arrivals and role not in turn.failed]
        winner = before.race_winner(turn.arrivals, waiting)
        if list(turn.chosen) != [winner]:
            yield Difference(turn.line, turn.id, "winner of the race", list(turn.chosen), winner)
    drawn = dict(resolve_chance(record.start.seed, turn.id, before, turn.chosen))
    if drawn != dict(turn.moves):
        yield Difference(turn.line, turn.id, "chance", dict(turn.moves), drawn)
    for role in turn.substituted:
        expected = substitute(record.start.seed, turn.id, role, legal.get(role, [""]))
        if offered.get(role) != expected:
            yield Difference(turn.line, turn.id, f"substitute of {role}", offered.get(role), expected)


def _check_end(record: Record, line: int, end: Mapping[str, Any], last: State) -> Iterator[Difference]:
    number = record.last
    forfeited = end.get("forfeited")
    goals = forfeit_goals(last.game, forfeited) if isinstance(forfeited, str) else dict(last.goals)
    points = goals if isinstance(forfeited, str) else dict(last.points)
    turns = len(record.line_to(number))
    for what, computed in (("goals", goals), ("points", points), ("turns", turns)):
        if end[what] != computed:
            yield Difference(line, number, what, end[what], computed)
    if (end["reason"] == "terminal") != last.is_terminal:
        stands = "terminal" if last.is_terminal else "a state that is not terminal"
        yield Difference(line, number, "reason", end["reason"], stands)
