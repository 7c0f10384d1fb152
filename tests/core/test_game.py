from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from ludens.core import (
    Game,
    GameError,
    IllegalMoveError,
    JointMove,
    LudensError,
    Move,
    OpenView,
    Outcome,
    PlayerError,
    Role,
    State,
    TooManyOutcomesError,
    View,
    joint_moves,
    random_joint_move,
)


class Table(Game):
    """A game given as a table: what each role may do in the only state before the end."""

    def __init__(self, moves: Mapping[Role, Sequence[Move]]) -> None:
        self.name = "table"
        self.roles = tuple(moves)
        self.moves = moves

    def initial_state(self) -> TableState:
        return TableState(self)


@dataclass(frozen=True)
class TableState(State):
    game: Table
    over: bool = False
    played: Mapping[Role, Move] = field(default_factory=dict, hash=False)

    @property
    def is_terminal(self) -> bool:
        return self.over

    def legal_moves(self, role: Role) -> Sequence[Move]:
        return () if self.over else self.game.moves[role]

    @property
    def goals(self) -> Mapping[Role, int]:
        return dict.fromkeys(self.game.roles, 50)

    def play(self, joint_move: JointMove) -> TableState:
        return TableState(self.game, over=True, played=dict(joint_move))

    def view(self, role: Role) -> View:
        return OpenView(self, role)


def test_joint_moves_are_all_combinations_in_a_fixed_order() -> None:
    state = Table({"a": ["1", "2"], "b": ["x"], "c": ["y", "z"]}).initial_state()
    assert list(joint_moves(state)) == [
        {"a": "1", "b": "x", "c": "y"},
        {"a": "1", "b": "x", "c": "z"},
        {"a": "2", "b": "x", "c": "y"},
        {"a": "2", "b": "x", "c": "z"},
    ]


def test_idle_roles_are_absent_from_joint_moves() -> None:
    state = Table({"a": [], "b": ["x", "y"]}).initial_state()
    assert list(joint_moves(state)) == [{"b": "x"}, {"b": "y"}]


def test_there_is_no_joint_move_when_the_game_is_over() -> None:
    over = Table({"a": ["1"], "b": ["x"]}).initial_state().play({"a": "1", "b": "x"})
    assert list(joint_moves(over)) == []


def test_there_is_no_joint_move_when_nobody_can_move() -> None:
    assert list(joint_moves(Table({"a": [], "b": []}).initial_state())) == []


def test_joint_moves_come_one_at_a_time() -> None:
    many = Table({name: [str(number) for number in range(100)] for name in "abcdefgh"}).initial_state()
    assert next(joint_moves(many)) == dict.fromkeys("abcdefgh", "0")


def test_game_without_chance_is_deterministic() -> None:
    game = Table({"a": ["1"]})
    assert (game.chance, game.hidden, game.deterministic) == (False, False, True)


def test_sampling_without_chance_is_playing_and_draws_nothing() -> None:
    rng = Random(1)
    before = rng.getstate()
    state = Table({"a": ["1"]}).initial_state()
    assert state.sample({"a": "1"}, rng) == state.play({"a": "1"})
    assert rng.getstate() == before


def test_joint_move_without_chance_has_one_outcome() -> None:
    state = Table({"a": ["1"]}).initial_state()
    joint_move = {"a": "1"}
    [outcome] = state.chance_outcomes(joint_move)
    assert outcome == Outcome(1.0, {"a": "1"})
    joint_move["a"] = "2"
    assert outcome.joint_move == {"a": "1"}


def test_no_outcomes_fit_into_a_limit_of_zero() -> None:
    with pytest.raises(TooManyOutcomesError):
        Table({"a": ["1"]}).initial_state().chance_outcomes({"a": "1"}, limit=0)


def test_points_are_the_goals_where_a_game_keeps_no_other_score() -> None:
    state = Table({"a": ["1"], "b": ["2"]}).initial_state()
    assert state.points == state.goals == {"a": 50, "b": 50}


def test_nobody_is_told_anything_where_nothing_is_hidden() -> None:
    state = Table({"a": ["1"]}).initial_state()
    assert state.percepts("a") == ()


def test_open_view_shows_the_state_itself() -> None:
    state = Table({"a": ["1", "2"], "b": ["x"]}).initial_state()
    view = state.view("b")
    assert (view.game, view.role, view.legal_moves) == (state.game, "b", ["x"])
    assert view.sample(Random(0)) is state


@pytest.mark.parametrize("kind", [GameError, IllegalMoveError, TooManyOutcomesError, PlayerError])
def test_all_errors_are_one_family(kind: type[Exception]) -> None:
    assert issubclass(kind, LudensError)


@dataclass(frozen=True)
class RaceState(TableState):
    @property
    def is_race(self) -> bool:
        return not self.over


def test_in_a_race_one_role_moves_at_a_time() -> None:
    state = RaceState(Table({"a": ["1", "2"], "b": ["x"], "c": []}))

    assert list(joint_moves(state)) == [{"a": "1"}, {"a": "2"}, {"b": "x"}]
    drawn = {tuple(random_joint_move(state, Random(seed)).items()) for seed in range(50)}
    assert drawn == {(("a", "1"),), (("a", "2"),), (("b", "x"),)}


def test_the_first_answer_wins_a_race_unless_the_rules_say_otherwise() -> None:
    state = RaceState(Table({"a": ["1"], "b": ["x"]}))

    assert state.race_winner({"b": "x", "a": "1"}, ()) == "b"
    assert state.race_winner({}, ("a", "b")) is None


class ChanceTable(Table):
    chance = True


@dataclass(frozen=True)
class ChanceState(TableState):
    def chance_outcomes(self, joint_move: JointMove, limit: int = 10_000) -> Sequence[Outcome]:
        return [Outcome(0.75, {"a": "heads"}), Outcome(0.25, {"a": "tails"})]


def test_chance_is_resolved_by_the_probabilities_of_its_outcomes() -> None:
    state = ChanceState(ChanceTable({"a": ["toss"]}))
    rng = Random(1)

    drawn = [state.resolve({"a": "toss"}, rng)["a"] for _ in range(2_000)]

    assert 1_400 < drawn.count("heads") < 1_600
    assert state.sample({"a": "toss"}, rng).played in ({"a": "heads"}, {"a": "tails"})  # type: ignore[attr-defined]
