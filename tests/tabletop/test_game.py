from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import GameError, IllegalMoveError, State, joint_moves, perft, random_joint_move
from ludens.tabletop import (
    Action,
    Area,
    FinishPlay,
    Move,
    Option,
    Pass,
    Rule,
    RuleError,
    Score,
    Table,
    TabletopGame,
    alternate,
    stage,
)
from ludens.tabletop.hidden.sampled_tables import OwnTable
from ludens.testing import CheckFailed, check_game
from tests.tabletop.masks import Masks
from tests.tabletop.rules import HighCard, Race, Suits, Together
from tests.thorough import part_of


class Walk(Rule):
    """One player walks along a track; the tests replace its methods."""

    name = "Walk"
    players: Any = ("Walker",)
    options = (Option("length", 3, "positions", 2, 9), Option("pace", "slow", "how", choices=("slow", "very fast")))

    def equipment(self, table: Table) -> None:
        table.add(Area.track("track", self.settings["length"]))

    def turns(self) -> Any:
        return alternate(self.players, self.walk)

    def walk(self, table: Table) -> Any:
        return [Pass().named("on")]

    def result(self, table: Table) -> Any:
        return FinishPlay(winners=["Walker"])


def test_check_game_finds_goals_that_do_not_add_up() -> None:
    class Generous(HighCard):
        zero_sum = True

        def result(self, table: Table) -> Any:
            return FinishPlay(winners=self.players) if super().result(table) else None

    assert TabletopGame(Generous()).facts.zero_sum.certain
    with pytest.raises(CheckFailed, match="says zero_sum"):
        check_game(TabletopGame(Generous()), matches=2, report=lambda line: None)


def random_end(game: TabletopGame, seed: int) -> State:
    state: State = game.initial_state()
    rng = Random(seed)
    while not state.is_terminal:
        state = state.sample(random_joint_move(state, rng), rng)
    return state


@pytest.mark.parametrize("rule", [HighCard, Suits, Race, Together, Walk])
def test_small_rules_keep_the_contract(rule: type[Rule]) -> None:
    check_game(TabletopGame(rule()), matches=part_of(20), report=lambda line: None)


# Turns


def test_an_idle_role_has_no_moves_and_is_absent() -> None:
    state = ludens.load("tic_tac_toe@tabletop").initial_state()

    assert state.legal_moves("Circle") == ()
    with pytest.raises(IllegalMoveError, match="Circle"):
        state.play({"Cross": "A1", "Circle": "A2"})
    with pytest.raises(IllegalMoveError, match="'Z9' is not a legal move of Cross"):
        state.play({"Cross": "Z9"})
    with pytest.raises(IllegalMoveError, match="not the move of Cross"):
        state.play({})


def test_who_begins_is_an_option_of_every_rule() -> None:
    state = ludens.load("tic_tac_toe:starting_player=circle@tabletop").initial_state()

    assert [len(state.legal_moves(role)) for role in ("Cross", "Circle")] == [0, 9]


def test_actions_choose_the_next_stage() -> None:
    class Stay(Walk):
        def turns(self) -> Any:
            return [stage("here", ("Walker", self.walk, "there")), stage("there", ("Walker", self.walk, "here"))]

        def walk(self, table: Table) -> Any:
            return [Pass().named("stay").then("here"), Pass().named("on")]

        def result(self, table: Table) -> Any:
            return None

    state = TabletopGame(Stay()).initial_state()

    assert state.play({"Walker": "stay"}).stage == "here"
    assert state.play({"Walker": "on"}).stage == "there"


def test_turns_written_as_in_the_paper_are_understood() -> None:
    class Paper(Walk):
        players = ("Cross", "Circle")

        def turns(self) -> Any:
            return [
                ("wait Cross", True, True, [("Cross", Paper.walk, "wait Circle")]),
                ("wait Circle", True, True, [("Circle", "walk", "wait Cross")]),
            ]

        def result(self, table: Table) -> Any:
            return FinishPlay(draw=True) if table.current_player == "Circle" else None

    state: State = TabletopGame(Paper()).initial_state()
    for player in ("Cross", "Circle"):
        state = state.play({player: "on"})

    assert state.goals == {"Cross": 50, "Circle": 50}


def test_joint_stages_take_everybodys_move() -> None:
    game = TabletopGame(Together())
    state = game.initial_state()

    assert game.facts.simultaneous.certain
    assert not game.facts.alternating.possible
    assert len(list(joint_moves(state))) == 9
    with pytest.raises(IllegalMoveError, match="B must move"):
        state.play({"A": "1"})
    assert state.play({"A": "1", "B": "3"}).points == {"A": 1, "B": 3}


def test_in_a_race_priorities_come_before_arrival() -> None:
    state = TabletopGame(Race()).initial_state()

    assert state.is_race
    assert state.race_winner({"A": "pass"}, ("B", "C")) is None
    assert state.race_winner({"B": "grab", "A": "grab"}, ("C",)) is None
    assert state.race_winner({"B": "grab", "A": "grab"}, ()) == "B"
    assert state.race_winner({"B": "grab", "C": "grab"}, ("A",)) == "C"
    assert state.play({"C": "grab"}).points == {"A": 0, "B": 0, "C": 1}
    with pytest.raises(IllegalMoveError, match="of one of A, B, C"):
        state.play({"A": "grab", "C": "grab"})


def test_random_joint_moves_honour_priorities() -> None:
    state = TabletopGame(Race()).initial_state()
    rng = Random(3)

    winners = Counter(next(iter(random_joint_move(state, rng))) for _ in range(400))

    assert winners["C"] > winners["A"] > 0
    assert winners["C"] > winners["B"] > 0


# Chance


def test_chance_at_the_beginning_is_the_starting_players_forced_move() -> None:
    state = TabletopGame(HighCard()).initial_state()

    assert state.legal_moves("Anna") == ("shuffle + deal",)
    with pytest.raises(IllegalMoveError, match="involves chance"):
        state.play({"Anna": "shuffle + deal"})
    resolved = state.resolve({"Anna": "shuffle + deal"}, Random(1))
    assert resolved["Anna"].startswith("shuffle + deal = c")
    assert len(state.play(resolved).legal_moves("Anna")) == 2


def test_outcomes_are_listed_with_probabilities() -> None:
    state: State = TabletopGame(Together()).initial_state().play({"A": "1", "B": "1"})

    outcomes = state.chance_outcomes({"A": state.legal_moves("A")[0]})

    assert len(outcomes) == 21
    assert sum(outcome.probability for outcome in outcomes) == pytest.approx(1)
    assert all(state.play(outcome.joint_move).is_terminal for outcome in outcomes)


def test_an_outcome_that_cannot_be_is_an_illegal_move() -> None:
    state = TabletopGame(Together()).initial_state().play({"A": "1", "B": "1"})
    move = state.legal_moves("A")[0]

    with pytest.raises(IllegalMoveError, match="cannot have this outcome"):
        state.play({"A": f"{move} = 9 9"})


# Results


@pytest.mark.parametrize(
    ("finish", "goals"),
    [
        (FinishPlay(winners=["A"]), (100, 0, 0)),
        (FinishPlay(winners=["A", "C"]), (100, 0, 100)),
        (FinishPlay(losers=["B"]), (100, 0, 100)),
        (FinishPlay(draw=True), (33, 33, 33)),
        (FinishPlay(ranks=["B", ["A", "C"]]), (25, 100, 25)),
        (FinishPlay(points={"A": 3, "B": 9, "C": 4}), (0, 100, 50)),
    ],
)
def test_goals_follow_from_how_a_play_finishes(finish: FinishPlay, goals: tuple[int, ...]) -> None:
    class End(Walk):
        players = ("A", "B", "C")

        def result(self, table: Table) -> Any:
            return finish

    state = TabletopGame(End()).initial_state().play({"A": "on"})

    assert tuple(state.goals.values()) == goals


@pytest.mark.parametrize(("players", "goals"), [(("A",), (50,)), (("A", "B"), (50, 50)), (("A", "B", "C"), (33,) * 3)])
def test_a_draw_is_a_draw_whatever_the_scores_say(players: tuple[str, ...], goals: tuple[int, ...]) -> None:
    class Drawn(Walk):
        def equipment(self, table: Table) -> None:
            super().equipment(table)
            for worth, player in enumerate(self.players):
                table.add(Score(f"score {player}", owner=player, start=worth))

        def result(self, table: Table) -> Any:
            return FinishPlay(draw=True)

    Drawn.players = players

    state = TabletopGame(Drawn()).initial_state().play({"A": "on"})

    assert tuple(state.goals.values()) == goals


def test_points_map_to_goals_in_proportion_where_the_rule_gives_a_range() -> None:
    class Money(Walk):
        players = ("A", "B")
        points_range = (0, 200)

        def result(self, table: Table) -> Any:
            return FinishPlay(points={"A": 150, "B": 50})

    state = TabletopGame(Money()).initial_state().play({"A": "on"})

    assert state.points == {"A": 150, "B": 50}
    assert state.goals == {"A": 75, "B": 25}


# Values


def test_positions_are_equal_however_they_came_about() -> None:
    start = ludens.load("tic_tac_toe@tabletop").initial_state()
    lines = [("A1", "B2", "C3"), ("C3", "B2", "A1")]
    ends = []
    for moves in lines:
        state = start
        for role, move in zip(("Cross", "Circle", "Cross"), moves, strict=True):
            state = state.play({role: move})
        ends.append(state)

    assert ends[0] == ends[1]
    assert hash(ends[0]) == hash(ends[1])
    assert ends[0] != start


@pytest.mark.parametrize("rule", [HighCard, Suits, Together])
def test_states_travel_between_processes(rule: type[Rule]) -> None:
    game = TabletopGame(rule())
    rng = Random(2)
    state: State = game.initial_state()
    for _ in range(2):
        state = state.sample(random_joint_move(state, rng), rng)

    copy = pickle.loads(pickle.dumps(state))

    assert copy == state
    assert copy.game is game
    assert [copy.legal_moves(role) for role in game.roles] == [state.legal_moves(role) for role in game.roles]


def test_the_same_seed_gives_the_same_match() -> None:
    game = TabletopGame(Suits())

    assert random_end(game, 5) == random_end(game, 5)


def test_tic_tac_toe_has_the_known_counts_of_lines() -> None:
    state = ludens.load("tic_tac_toe@tabletop").initial_state()

    assert [perft.perft(state, plies) for plies in (1, 2, 3, 4)] == [9, 72, 504, 3024]


def test_a_players_table_simulates_and_undoes() -> None:
    start = ludens.load("tic_tac_toe@tabletop").initial_state()
    table = OwnTable(start, Random(1))  # type: ignore[arg-type]

    for number, cell in enumerate(("A1", "B1", "A2", "B2", "A3")):
        table.simulate({("Cross", "Circle")[number % 2]: cell})

    assert table.evaluation() == {"Cross": 100, "Circle": 0}
    assert table.choices() == {}
    for _ in range(5):
        table.undo()
    assert table.state == start
    with pytest.raises(IllegalMoveError, match="nothing to undo"):
        table.undo()


# Errors that help


@pytest.mark.parametrize(
    ("method", "returned", "message"),
    [
        ("walk", None, r"Walk\.walk\(\) in stage 'wait Walker' must return a list of actions"),
        ("walk", [3], "not a list with 3"),
        ("walk", Pass(), "must return a list of actions"),
        ("walk", [], "nobody can act in stage 'wait Walker'"),
        ("walk", [Pass(), Pass()], "two actions in stage 'wait Walker' are called 'pass'; tell them apart"),
        ("result", True, r"Walk\.result\(\) must return FinishPlay"),
        ("result", FinishPlay(winners=["Nobody"]), "'Nobody', who is no player"),
        ("turns", None, r"Walk\.turns\(\) must return a list of stages"),
        ("turns", [], "returns no stage"),
        ("turns", [("here", [("Walker", "fly", "here")])], "not a method of the rule"),
        ("turns", [("here", [("Walker", "walk", "there")])], "leads to 'there', not a stage"),
        ("turns", [("here", [("Runner", "walk", "here")])], "'Runner', who is no player"),
        ("turns", ["here"], "a stage is"),
        ("setup", 7, "must return one action or None"),
    ],
)
def test_a_method_that_returns_the_wrong_thing_is_told_so(
    method: str, returned: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(self: Rule, *table: Table) -> Any:
        return returned

    wrong.__name__ = method
    monkeypatch.setattr(Walk, method, wrong)

    with pytest.raises(RuleError, match=message):
        random_end(TabletopGame(Walk()), 1)


def test_an_exception_in_a_rule_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(self: Rule, table: Table) -> list[Action]:
        return [Move(1 / 0, table.position("1"))]  # type: ignore[arg-type]

    monkeypatch.setattr(Walk, "walk", walk)

    with pytest.raises(RuleError, match=r"Walk\.walk\(\) in stage 'wait Walker' failed at test_game\.py:\d+: ZeroDiv"):
        TabletopGame(Walk()).initial_state().legal_moves("Walker")


def test_a_wrong_question_to_the_table_is_told_with_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(self: Rule, table: Table) -> list[Action]:
        return [Move(table.hand("Nobody"), to=table.position("1"))]

    monkeypatch.setattr(Walk, "walk", walk)

    with pytest.raises(RuleError, match=r"Nobody owns 0 positions of area 'hand', not one at test_game\.py:\d+$"):
        TabletopGame(Walk()).initial_state().legal_moves("Walker")


def test_actions_that_count_what_others_chose_are_checked_after_theirs() -> None:
    check_game(TabletopGame(Masks()), matches=5, report=lambda line: None)


def test_last_action_cannot_be_used_where_it_would_make_equal_positions_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def walk(self: Rule, table: Table) -> list[Action]:
        return [] if table.last_action else [Pass()]

    monkeypatch.setattr(Walk, "walk", walk)

    with pytest.raises(RuleError, match="only result\\(\\) may read"):
        TabletopGame(Walk()).initial_state().legal_moves("Walker")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (("length=99",), "between 2 and 9"),
        (("colour=red",), "no option for 'colour=red'"),
        (("pace=quick",), "one of slow, very fast"),
        (("3", "slow", "Walker", "more"), "no option for 'more'"),
    ],
)
def test_wrong_options_are_told(parameters: tuple[str, ...], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        Walk.from_parameters(parameters)


def test_options_are_given_by_name_or_in_order() -> None:
    assert Walk.from_parameters(("pace=Very-Fast",)).settings["pace"] == "very fast"
    assert Walk.from_parameters(("5", "slow")).settings["length"] == 5


def test_a_range_of_players_is_an_option() -> None:
    class Many(Walk):
        players: Any = range(2, 5)

        def result(self, table: Table) -> Any:
            return FinishPlay(winners=[table.players[-1]])

    assert TabletopGame(Many()).roles == ("player1", "player2")
    assert len(TabletopGame(Many.from_parameters(("players=4",))).roles) == 4
    with pytest.raises(RuleError, match="between 2 and 4"):
        Many(players=7)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ("Ann", r"write \('Ann',\) with the comma"),
        (("Ann", "Bob", "Ann"), "has a name twice"),
        ((), "names no players"),
    ],
)
def test_players_that_are_no_list_of_names_are_told(
    players: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Walk, "players", players)

    with pytest.raises(RuleError, match=message):
        Walk()


@pytest.mark.parametrize("goals", [100, [101], ["all"], [1, 2], None])
def test_goals_that_are_no_numbers_are_told(goals: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Walk, "goals", lambda self, points: goals)

    with pytest.raises(RuleError, match=r"Walk\.goals\(\) must return a number from 0 to 100"):
        TabletopGame(Walk()).goals_of({"Walker": 1.0})


def test_a_rule_that_cannot_be_made_is_told_with_its_file(tmp_path: Path) -> None:
    rules = tmp_path / "odd.py"
    rules.write_text(
        "from ludens.tabletop import Rule\nclass Odd(Rule):\n    players = ('A',)\n    options = ('size',)\n"
    )

    with pytest.raises(GameError, match=r"the rule Odd in odd\.py cannot be set up: AttributeError"):
        ludens.load(rules)
