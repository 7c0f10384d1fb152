"""What all backends of GDL games share: states as sets of facts, moves as terms with a text."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from ludens.core import (
    BEST_GOAL,
    Game,
    GameError,
    IllegalMoveError,
    JointMove,
    Move,
    OpenView,
    Outcome,
    PerceptView,
    Role,
    State,
    TooManyOutcomesError,
    View,
)
from ludens.core.facts import Facts
from ludens.core.pickled_games import PickledGames
from ludens.gdl.chance.dialect import dialect_of
from ludens.gdl.chance.outcomes import (
    RANDOM_ROLE,
    Distribution,
    Draw,
    RandomFact,
    all_outcomes,
    count_outcomes,
    distributions,
    draw_events,
    place_of_rule,
)
from ludens.gdl.chance.random_variables import RandomVariables, replace_terms
from ludens.gdl.facts import GdlFacts
from ludens.gdl.read import read_rules, read_term
from ludens.gdl.repetition import Past, Repetition
from ludens.gdl.rules import RuleSheet
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term, arguments, signature, sort_key
from ludens.gdl.write import kif, write_kif


class GdlMove(Move):
    """A move's KIF text that remembers its term."""

    __slots__ = ("term",)
    term: Term

    def __new__(cls, term: Term) -> GdlMove:
        """The move for a ground term."""
        move = super().__new__(cls, kif(term))
        move.term = term
        return move

    def __getnewargs__(self) -> tuple[Term]:  # type: ignore[override]  # str's is made from its text
        return (self.term,)


@dataclass(frozen=True, slots=True)
class ResolvedMove:
    """A legal move and its outcome of chance."""

    chosen: GdlMove
    """The legal move, as the role chose it."""
    drawn: Mapping[Term, Term]
    """The value of each random variable in it."""
    done: GdlMove
    """The move with these values, which is what the rules see."""


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """What the roles did and perceived in one turn of a game with hidden information."""

    chosen: Mapping[Role, GdlMove]
    """The moves that the roles chose; only percepts reveal the outcome of chance."""
    percepts: Mapping[Role, tuple[str, ...]]
    """The percepts of each role."""


class Arrival:
    """How a state was reached, in games with hidden information, where percepts matter."""

    __slots__ = ("before", "digest", "turn")

    def __init__(self, before: GdlState, turn: TurnTaken) -> None:
        self.before = before
        self.turn = turn
        known = *turn.chosen.items(), *sorted(turn.percepts.items())
        self.digest: int = hash((before.arrival.digest if before.arrival else 0, known))
        """A hash of all turns up to here, the same wherever the roles know the same."""


class GdlGame(Game):
    """A game whose rules are a rule sheet in GDL.

    The role ``random`` of GDL-II is not among the `roles`, since nobody plays it; its moves are part of resolved joint
    moves.
    """

    sheet: RuleSheet
    """The rules."""
    role_terms: Mapping[Role, Term]
    """The term of each role in the order of the rules, ``random`` included."""

    def __init__(self, sheet: RuleSheet, name: str) -> None:
        self.sheet = sheet
        self.name = name
        self.rules_text = sheet.source.text
        self.dialect = dialect_of(sheet)
        self.random_variables = RandomVariables.of(sheet)
        self.chance = bool(self.random_variables) or any(rule.head == ("role", RANDOM_ROLE) for rule in sheet.rules)
        self.hidden = any(signature(rule.head) == ("sees", 2) for rule in sheet.rules)

    def _set_roles(self, terms: Iterable[Term]) -> None:
        """Set all roles, in the order of the rules."""
        self.role_terms = {kif(term): term for term in terms}
        self.roles = tuple(role for role in self.role_terms if role != RANDOM_ROLE)
        if not self.roles:
            raise GameError(f"{self.name}: the rules define no role")

    @cached_property
    def facts(self) -> Facts:
        """What is known of the game for certain."""
        return GdlFacts(self)

    def by_rules_alone(self) -> GdlGame:
        """The game without what its card adds to the rules, for those who are sent the rules only."""
        if self.sheet.repetition is None:
            return self
        return type(self)(replace(self.sheet, repetition=None), self.name)

    def compiled(self, seconds: float = math.inf) -> GdlGame:
        """The fastest form of the game that is ready within so many seconds; see `Game.compiled`."""
        return self

    def convert(self, state: State) -> State:
        """The state of this game with the same facts."""
        return state.in_game(self) if isinstance(state, GdlState) and state.game is not self else state

    def _state_after(self, before: GdlState, turn: TurnTaken, facts: frozenset[Term]) -> GdlState:
        """The state with these fluents after a turn of a game with hidden information."""
        after = self.state(facts)
        after.arrival = Arrival(before, turn)
        return after

    @abstractmethod
    def initial_state(self) -> GdlState:
        """The state in which every match begins."""

    @abstractmethod
    def state(self, facts: Iterable[Term]) -> GdlState:
        """The state in which exactly these fluents are true."""

    @abstractmethod
    def declared_fluents(self) -> frozenset[Term]:
        """The fluents that ``base`` names; none if the rules leave it out or it is too large to list."""

    def __reduce__(self) -> tuple[object, ...]:
        text = self.rules_text or write_kif(self.sheet.rules)
        rules = type(self), text, self.name, self.sheet.repetition
        return _restore_game, (*rules, _games.token(self, rules))

    def read(self, text: str) -> Term:
        """The term of a text in KIF or infix, spelled as in the rule sheet. Raises `GdlError`."""
        return read_term(text, self.sheet.spelling)


_games: PickledGames[GdlGame] = PickledGames()


def _restore_game(kind: type[GdlGame], text: str, name: str, repetition: Repetition | None, token: str) -> GdlGame:
    def make() -> GdlGame:
        return kind(replace(read_rules(text, name=name), repetition=repetition), name)

    return _games.find(token, (kind, text, name, repetition), make)


class GdlState(State):
    """A position of a GDL game: the set of fluents that are true."""

    game: GdlGame
    facts: frozenset[Term]
    """The true fluents, such as ``("cell", "1", "1", "b")``."""

    @property
    @abstractmethod
    def _legal(self) -> Mapping[Role, Sequence[GdlMove]]:
        """The legal moves of every role, sorted; empty if the game is over."""

    def legal_moves(self, role: Role) -> Sequence[GdlMove]:
        """All legal moves of the role, sorted; empty if the game is over."""
        return self._legal.get(role, ())

    @abstractmethod
    def play(self, joint_move: JointMove) -> GdlState:
        """The state after a joint move. Raises `IllegalMoveError`."""

    @abstractmethod
    def goal_values(self, role: Role) -> Sequence[int]:
        """Every value that the rules give the role here; well-formed rules give exactly one in terminal states."""

    @property
    def goals(self) -> Mapping[Role, int]:
        """The goal value of each role; 0 where the rules give none, several, or one that is not from 0 to 100."""
        values = {role: self.goal_values(role) for role in self.game.roles}
        return {role: found[0] if len(found) == 1 and found[0] <= BEST_GOAL else 0 for role, found in values.items()}

    # Repetition

    _past: Past | None = None

    @property
    def past(self) -> Past | None:
        """The positions that may occur again, in games that end by repetition; None in others."""
        if self._past is None and (rule := self.game.sheet.repetition) is not None:
            self._past = Past.beginning(rule, self.facts)
        return self._past

    @property
    def is_repeated(self) -> bool:
        """True if the match is over because the position occurred too often."""
        return self._past is not None and self._past.is_over

    def _note_past(self, before: GdlState) -> None:
        """Continue the past of the state before."""
        if (past := before.past) is not None:
            self._past = past.after(self.facts)

    def repetitions(self, turns: int) -> Sequence[GdlState]:
        """States that would end the match within ``turns`` because their positions came up too often before."""
        past = self.past
        found: list[GdlState] = []
        for facts in () if past is None else past.last_times(self.facts, turns):
            try:
                found.append(self.game.state(facts))
            except GameError:  # its counters end the match before
                continue
        return found

    # Hidden information

    arrival: Arrival | None = None
    """How the state was reached; kept only in games with hidden information, and None in the initial state."""

    def _note_arrival(
        self, before: GdlState, moves: Iterable[ResolvedMove], percepts: Iterable[tuple[Term, Term]]
    ) -> None:
        """Record how this state was reached: the moves chosen, in the order of roles, and the percepts."""
        by_role: dict[Role, list[Term]] = {}
        for role, percept in percepts:
            if role != RANDOM_ROLE:
                by_role.setdefault(kif(role), []).append(percept)
        texts = {role: tuple(map(kif, sorted(found, key=sort_key))) for role, found in by_role.items()}
        chosen = dict(zip(self.game.role_terms, (move.chosen for move in moves), strict=True))
        chosen.pop(RANDOM_ROLE, None)
        self.arrival = Arrival(before, TurnTaken(chosen, texts))

    def percepts(self, role: Role) -> Sequence[str]:
        """The role's percepts by ``sees`` on the way into this state, sorted."""
        return () if self.arrival is None else self.arrival.turn.percepts.get(role, ())

    def view(self, role: Role) -> View:
        """The whole state, or what follows from the role's own moves and percepts."""
        if not self.game.hidden:
            return OpenView(self, role)
        for state in self._states_since(lambda earlier: role in earlier._views):
            if state.arrival is None:
                state._views[role] = PerceptView(self.game, role, state, state.legal_moves(role))
            elif role not in state._views:
                before, turn = state.arrival.before._views[role], state.arrival.turn
                state._views[role] = before.after(turn.chosen[role], state.percepts(role), state.legal_moves(role))
        return self._views[role]

    @cached_property
    def _views(self) -> dict[Role, PerceptView]:
        return {}

    def _states_since(self, is_first: Callable[[GdlState], bool]) -> list[GdlState]:
        """The states of the match up to this one, from the last for which ``is_first`` holds, or from the beginning."""
        found: list[GdlState] = [self]
        while (arrival := found[-1].arrival) is not None and not is_first(found[-1]):
            found.append(arrival.before)
        return found[::-1]

    def _knows_as(self, other: GdlState) -> bool:
        """Whether all roles know the same in both states: the same beginning, and the same turns since."""
        one: GdlState = self
        while one is not other:
            this, that = one.arrival, other.arrival
            if this is None or that is None:
                return this is that and one.position == other.position
            if this.digest != that.digest or this.turn != that.turn:
                return False
            one, other = this.before, that.before
        return True

    # Chance

    def _random_facts(self) -> Iterable[RandomFact]:
        """The facts of ``random`` in this state; none unless a backend supports random variables."""
        return ()

    @cached_property
    def weights(self) -> Mapping[Term, Distribution]:
        """The events of each random variable that can happen here, with their weights. Raises `GameError` where the
        rules give wrong ones."""
        return distributions(self._random_facts(), self.game.sheet)

    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        """All ways in which chance can resolve the joint move. Raises `TooManyOutcomesError` above ``limit``."""
        chosen = self._parse_joint_move(joint_move)
        draws = self._draws(chosen)
        count = count_outcomes(draws)
        if count > limit:
            raise TooManyOutcomesError(f"{count:,} outcomes, where at most {limit:,} are allowed")
        return [
            Outcome(probability, self._insert_events(chosen, draws, events))
            for probability, events in all_outcomes(draws)
        ]

    def resolve(self, joint_move: JointMove, rng: Random) -> JointMove:
        """The joint move with every random variable drawn by ``rng``, and a move of the role ``random``."""
        if not self.game.chance:
            return joint_move
        chosen = self._parse_joint_move(joint_move)
        draws = self._draws(chosen)
        return self._insert_events(chosen, draws, draw_events(draws, rng))

    def sample(self, joint_move: JointMove, rng: Random) -> GdlState:
        """The state after a joint move, chance resolved by ``rng``."""
        return self.play(self.resolve(joint_move, rng))

    def _parse_joint_move(self, joint_move: JointMove) -> dict[Role, GdlMove]:
        return {role: self.move(role, joint_move) for role in self.game.roles}

    def _draws(self, chosen: Mapping[Role, GdlMove]) -> list[Draw]:
        """The draws that chance has to make after the roles have chosen."""
        draws = []
        for role, move in chosen.items():
            for variable in self.game.random_variables.within(move.term):
                events = self.weights.get(variable, {})
                if not events:
                    place = place_of_rule(self.game.sheet, ("legal", self.game.role_terms[role], move.term))
                    raise GameError(
                        f"{place or f'{self.game.name}: '}{role} can do {move}, but no event of the random variable "
                        f"{kif(variable)} has a weight above 0 in this state"
                    )
                draws.append(Draw(role, variable, events))
        if RANDOM_ROLE in self.game.role_terms:
            moves = self.legal_moves(RANDOM_ROLE)
            if not moves:
                raise GameError(f"{self.game.name}: the role random has no legal move in a state that is not terminal")
            draws.append(Draw(RANDOM_ROLE, None, dict.fromkeys((move.term for move in moves), 1)))
        return draws

    def _insert_events(
        self, chosen: Mapping[Role, GdlMove], draws: Sequence[Draw], events: Sequence[Term]
    ) -> dict[Role, GdlMove]:
        """The joint move with events in place of random variables, in the order of the rules."""
        values: dict[Role, dict[Term, Term]] = {}
        random_move: Term = ""
        for draw, event in zip(draws, events, strict=True):
            if draw.variable is None:
                random_move = event
            else:
                values.setdefault(draw.role, {})[draw.variable] = event
        done = {}
        for role in self.game.role_terms:
            if role == RANDOM_ROLE:
                done[role] = GdlMove(random_move)
            else:
                done[role] = GdlMove(replace_terms(chosen[role].term, values[role])) if role in values else chosen[role]
        return done

    # Moves by their texts

    def move(self, role: Role, joint_move: JointMove) -> GdlMove:
        """The role's legal move in a joint move, found by text in either syntax. Raises `IllegalMoveError`."""
        text = self._text(role, joint_move)
        legal = self.legal_moves(role)
        found = next((move for move in legal if move == text), None)
        if found is None:
            term = self._term(text)
            found = next((move for move in legal if move.term == term), None)
        if found is None:
            raise self._illegal(role, text)
        return found

    def resolve_move(self, role: Role, joint_move: JointMove) -> ResolvedMove:
        """The role's move in a resolved joint move, by text. Raises `IllegalMoveError`, also if a random variable is
        left in it."""
        names = self.game.random_variables
        if not names or role == RANDOM_ROLE:
            move = self._random_move(joint_move) if role == RANDOM_ROLE else self.move(role, joint_move)
            return ResolvedMove(move, {}, move)
        text = self._text(role, joint_move)
        term = self._term(text)
        for move in self.legal_moves(role):
            variables = names.within(move.term)
            if not variables and move.term == term:
                return ResolvedMove(move, {}, move)
            drawn: dict[Term, Term] = {}
            if variables and self._is_instance(term, move.term, variables, drawn):
                return ResolvedMove(move, drawn, GdlMove(term))
        if names.within(term):
            raise IllegalMoveError(
                f"{text!r} of {role} leaves {kif(names.within(term)[0])} to chance, which has to be resolved before it "
                f"is played (State.sample does both)"
            )
        raise self._illegal(role, text)

    def _random_move(self, joint_move: JointMove) -> GdlMove:
        """The move of the role ``random``, which may be left out where it has only one."""
        legal = self.legal_moves(RANDOM_ROLE)
        if RANDOM_ROLE not in joint_move and len(legal) == 1:
            return legal[0]
        return self.move(RANDOM_ROLE, joint_move)

    def _is_instance(self, term: Term, pattern: Term, variables: Sequence[Term], drawn: dict[Term, Term]) -> bool:
        """Whether a term is a move with possible events for its random variables, which are put into ``drawn``."""
        if pattern in variables:
            return term in self.weights.get(pattern, {}) and drawn.setdefault(pattern, term) == term
        if not isinstance(pattern, tuple) or not isinstance(term, tuple):
            return term == pattern
        return signature(term) == signature(pattern) and all(
            self._is_instance(part, other, variables, drawn)
            for part, other in zip(arguments(term), arguments(pattern), strict=True)
        )

    @staticmethod
    def _text(role: Role, joint_move: JointMove) -> Move:
        text = joint_move.get(role)
        if text is None:
            raise IllegalMoveError(f"the joint move has no move for role {role!r}")
        return text

    def _term(self, text: Move) -> Term:
        if isinstance(text, GdlMove):
            return text.term
        try:
            return self.game.read(text)
        except GdlError:
            return ""

    def _illegal(self, role: Role, text: Move) -> IllegalMoveError:
        return IllegalMoveError(
            f"{text!r} is not a legal move of {role} here ({len(self.legal_moves(role))} others are)"
        )

    # Values

    @property
    def position(self) -> Hashable:
        """The true fluents."""
        return self.facts

    def in_game(self, game: GdlGame) -> GdlState:
        """The same state of another game with the same rules, with all that roles know."""
        return _restore_state(game, *self._history(), self._past)

    def _history(self) -> tuple[list[frozenset[Term]], list[TurnTaken]]:
        """The fluents of every state from the beginning to this one, and the turns between."""
        states = self._states_since(lambda _: False)
        return [state.facts for state in states], [state.arrival.turn for state in states if state.arrival is not None]

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_state, (self.game, *self._history(), self._past)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, GdlState) or self.game is not other.game or self.position != other.position:
            return False
        return self.is_repeated == other.is_repeated and (not self.game.hidden or self._knows_as(other))

    def __hash__(self) -> int:
        return hash(self.position) if self.arrival is None else hash((self.position, self.arrival.digest))

    def __str__(self) -> str:
        return "\n".join(sorted(map(kif, self.facts)))


def _restore_state(
    game: GdlGame, fluents: Sequence[frozenset[Term]], turns: Sequence[TurnTaken], past: Past | None
) -> GdlState:
    """The last state of a match whose states have these fluents."""
    state = game.state(fluents[0])
    for facts, turn in zip(fluents[1:], turns, strict=True):
        state = game._state_after(state, turn, facts)
    state._past = past
    return state
