"""A competition as a Game: a race in which each move is the result of a due match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

from ludens.arena.formats.standings import Standing
from ludens.arena.schedule import Schedule, schedule
from ludens.arena.specification import Result, ScheduledMatch, Specification
from ludens.core import BEST_GOAL, Answer, Fact, Facts, Game, IllegalMoveError, JointMove, Move, OpenView, Role, State
from ludens.protocols.ggtp.chosen_rule import ChosenRule


class CompetitionGame(Game):
    """The matches of a schedule. The players to move race, since any match may end first.

    The move of a match belongs to the player on its first seat: ``1.2.1 100 0`` is the name of the match with the goals
    of its seats in order. Results come from outside, which is why the game is one of chance; the legal moves are
    only those with a single winner or none.
    """

    chance = True

    def __init__(
        self, players: tuple[str, ...], settings: Mapping[str, object], matches: ChosenRule, parallel: int
    ) -> None:
        self.name = "tournament"
        self.roles = players
        self.rules_text = f"{players} {sorted(settings.items())}"
        self._settings = settings
        self.matches = matches
        """The rule of the matches."""
        self.parallel = parallel
        """How many of them may be played at the same time."""

    @cached_property
    def facts(self) -> Facts:
        """Matches are played at the same time."""
        return CompetitionFacts(self)

    @cached_property
    def specification(self) -> Specification:
        """The specification of the competition. Raises `SpecificationError` if the options do not fit together."""
        return Specification(players=self.roles, **self._settings)  # type: ignore[arg-type]  # checked by its maker

    def initial_state(self) -> CompetitionState:
        """The state without results. Raises `SpecificationError`."""
        return CompetitionState(self, None, "", Result(()))


class CompetitionFacts(Facts):
    """The facts of every competition."""

    @cached_property
    def simultaneous(self) -> Fact:
        """Matches are played at the same time."""
        return Fact(Answer.YES, "declared: matches are played at the same time")


class CompetitionState(State):
    """The results so far, kept as a chain, since a play has as many states as there are matches."""

    __slots__ = ("_before", "_name", "_result", "due", "game", "is_over")

    def __init__(self, game: CompetitionGame, before: CompetitionState | None, name: str, result: Result) -> None:
        self.game: CompetitionGame = game
        self._before = before
        self._name = name
        self._result = result
        due = self.schedule().due
        self.is_over = not due
        self.due: tuple[ScheduledMatch, ...] = tuple(match for match in due if match.round == due[0].round)
        """The matches of the current round that have no result."""

    def results(self) -> dict[str, Result]:
        """All results so far, by the name of the match."""
        return dict(self._chain())

    def _chain(self) -> Iterator[tuple[str, Result]]:
        state: CompetitionState | None = self
        while state is not None and state._before is not None:
            yield state._name, state._result
            state = state._before

    def schedule(self) -> Schedule:
        """The schedule as far as the results determine it."""
        return schedule(self.game.specification, self.results())

    @property
    def is_terminal(self) -> bool:
        """True if all matches are played."""
        return self.is_over

    @property
    def is_race(self) -> bool:
        """Results come one by one."""
        return not self.is_over

    def legal_moves(self, role: Role) -> Sequence[Move]:
        """Results of the matches in which the player has the first seat: one of the seats wins, or none."""
        return [
            f"{match.name} {' '.join(goals)}"
            for match in self.due
            if match.seats[0] == role
            for goals in _plain_results(len(match.seats))
        ]

    def play(self, joint_move: JointMove) -> CompetitionState:
        """The state after a result, which may be any goals from 0 to 100."""
        if len(joint_move) != 1:
            raise IllegalMoveError("results are reported one by one")
        role, move = next(iter(joint_move.items()))
        name, *goals = move.split()
        match = next((match for match in self.due if match.name == name and match.seats[0] == role), None)
        if match is None:
            raise IllegalMoveError(f"{role} has no match {name!r} that is due")
        if len(goals) != len(match.seats) or not all(_is_goal(goal) for goal in goals):
            raise IllegalMoveError(f"the result of {name} needs {len(match.seats)} goals from 0 to {BEST_GOAL}")
        return CompetitionState(self.game, self, name, Result(tuple(map(float, goals))))

    @property
    def goals(self) -> Mapping[Role, int]:
        """100 for the first of the table, 0 for the last, the others between; those with the same rank share."""
        table = self.schedule().standings
        last = max(1, len(table) - 1)
        found: dict[Role, int] = {}
        for first, count, tied in _ranks(table):
            mean = first + (count - 1) / 2
            found |= {standing.player: round(BEST_GOAL * (1 - mean / last)) for standing in tied}
        return found

    @property
    def points(self) -> Mapping[Role, float]:
        """Scores."""
        return {standing.player: standing.score for standing in self.schedule().standings}

    def view(self, role: Role) -> OpenView:
        """Nothing is hidden."""
        return OpenView(self, role)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompetitionState) and self.game is other.game and self.results() == other.results()

    def __hash__(self) -> int:
        return hash(frozenset(self.results().items()))

    def __str__(self) -> str:
        return "\n".join(_table(self.schedule(), self.due))


def _table(found: Schedule, due: Sequence[ScheduledMatch]) -> Iterator[str]:
    width = max(len(standing.player) for standing in found.standings)
    yield f"{'':4} {'':{width}}  score    won  drawn   lost"
    places = [first + 1 for first, count, _ in _ranks(found.standings) for _ in range(count)]
    for place, one in zip(places, found.standings, strict=True):
        byes = f"  {one.byes} free" if one.byes else ""
        yield f"{place:3}. {one.player:{width}} {one.score:6g} {one.wins:6} {one.draws:6} {one.losses:6}{byes}"
    if due:
        yield f"round {due[0].round}: " + ", ".join(f"{match.name} {' - '.join(match.seats)}" for match in due)


def _ranks(table: Sequence[Standing]) -> Iterator[tuple[int, int, list[Standing]]]:
    """The players with the same rank: the place of the first, from 0, how many there are, and they."""
    place = 0
    for _, group in groupby(table, lambda one: (one.score, one.opposition)):
        tied = list(group)
        yield place, len(tied), tied
        place += len(tied)


def _plain_results(seats: int) -> Iterator[list[str]]:
    for winner in range(seats):
        yield [str(BEST_GOAL) if seat == winner else "0" for seat in range(seats)]
    yield ["50"] * seats


def _is_goal(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) <= BEST_GOAL
