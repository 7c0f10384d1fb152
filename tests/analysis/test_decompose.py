from __future__ import annotations

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.subgames.parts import Composition, Kind
from ludens.gdl.chance.core_form import NOTHING
from ludens.gdl.terms import functor
from tests.analysis.games import TWO_SWITCHES, compiled, shelf
from tests.peers import RULES, peer


def kinds(name: str) -> dict[Kind, int]:
    found = [part.kind for part in decompose(shelf(name)).components]
    return {kind: found.count(kind) for kind in set(found)}


@pytest.mark.parametrize("heaps", [2, 3, 6])
def test_nim_has_a_subgame_for_each_heap_beside_control_and_noop(heaps: int) -> None:
    sizes = ",".join(["3"] * heaps)

    assert kinds(f"nim:{sizes}") == {Kind.GAME: heaps, Kind.CONTROL: 1, Kind.NOOP: 1}


def test_boards_of_double_tic_tac_toe_are_two_subgames() -> None:
    first, second = decompose(shelf("double_tic_tac_toe")).games

    assert {functor(fluent) for fluent in first.fluents} == {"cell1"}
    assert {functor(fluent) for fluent in second.fluents} == {"cell2"}
    assert {move for _, move in first.moves} == {f"(mark1 {x} {y})" for x in "123" for y in "123"}


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        pytest.param("connect_four", marks=pytest.mark.slow),
        pytest.param("connect_four_3p", marks=pytest.mark.slow),
        "breakthrough",
        pytest.param("checkers", marks=pytest.mark.slow),
        "othello",
        "hex",
        "criss_cross",
        "eight_puzzle",
        "peg_solitaire",
        "lights_out",
        "rock_paper_scissors",
        "prisoners_dilemma",
        pytest.param("gomoku", marks=pytest.mark.slow),
        pytest.param("chess", marks=pytest.mark.slow),
    ],
)
def test_games_in_one_piece_stay_in_one_piece(name: str) -> None:
    assert len(decompose(shelf(name)).games) == 1


@peer("rules")
@pytest.mark.parametrize(
    ("name", "subgames", "composition"),
    [
        ("doubletictactoe", 2, Composition.CHOICE),
        ("dualConnect4", 2, Composition.CHOICE),
        ("ticTacToeParallel", 2, Composition.PARALLEL),
        ("asteroidsParallel", 2, Composition.PARALLEL),
        ("blocksWorldParallel", 2, Composition.PARALLEL),
        ("lightsOnParallel", 4, Composition.CHOICE),
        ("lightsOnSimultaneous", 4, Composition.MIXED),
        ("nim1", 4, Composition.CHOICE),
        ("nim2", 4, Composition.CHOICE),
        ("factoringEasyTurtleBrain", 3, Composition.SERIAL),
        ("tictactoex9", 1, Composition.CHOICE),
        ("connectFour", 1, Composition.CHOICE),
        ("queens08ug", 1, Composition.CHOICE),
    ],
)
def test_rule_sheets_of_others_decompose_as_listed(name: str, subgames: int, composition: Composition) -> None:
    found = decompose(shelf(str(RULES / "rules" / f"{name}.kif")))

    assert len(found.games) == subgames
    assert found.composition == composition


def test_counters_and_moves_without_effect_are_told_apart() -> None:
    found = decompose(compiled(TWO_SWITCHES))

    assert [part.kind for part in found.components] == [Kind.GAME, Kind.GAME, Kind.COUNTER, Kind.NOOP]
    assert found.components[-1].moves == (("robot", "wait"),)


def test_a_subgame_that_nothing_depends_on_is_irrelevant() -> None:
    found = decompose(
        compiled(TWO_SWITCHES.replace("(<= (goal robot 0) (not (true (on b))))", "").replace("(true (on b))", ""))
    )

    assert [part.kind for part in found.parts] == [Kind.GAME, Kind.IRRELEVANT]
    assert "another part decides neither goals nor the end" in found.note


def test_a_game_that_moves_do_not_decide_has_no_subgames_and_says_so() -> None:
    rules = [line for line in TWO_SWITCHES.splitlines() if "goal" not in line]

    found = decompose(compiled("\n".join([*rules, "(goal robot 50)"])))

    assert not found.games
    assert found.note == "the game stays whole: no fluent that moves change decides the goals or the end"


def test_a_helper_that_needs_both_joins_nothing_either() -> None:
    joined = TWO_SWITCHES.replace("(true (on a)) (true (on b))", "both").replace(
        "(<= (goal robot 0)", "(<= both (true (on a)) (true (on b)))\n(<= (goal robot 0)", 1
    )

    assert len(decompose(compiled(joined)).games) == 2


def test_a_helper_that_only_says_this_or_that_joins_nothing() -> None:
    rules = TWO_SWITCHES.replace("(true (on a)) (true (on b))", "some").replace(
        "(<= (goal robot 0)", "(<= some (true (on a)))\n(<= some (true (on b)))\n(<= (goal robot 0)", 1
    )

    assert len(decompose(compiled(rules)).games) == 2


def test_a_move_that_acts_in_two_places_joins_them() -> None:
    rules = TWO_SWITCHES.replace(
        "(<= (legal robot (press ?x)) (true (off ?x)))", "(legal robot (press a)) (legal robot both)"
    )
    rules += "(<= (next (on a)) (does robot both)) (<= (next (on b)) (does robot both))"
    rules = rules.replace("(not (does robot (press ?x)))", "(not (does robot (press ?x))) (not (does robot both))")

    assert len(decompose(compiled(rules)).games) == 1


def test_giving_up_is_no_subgame_of_its_own() -> None:
    rules = TWO_SWITCHES.replace("(legal robot wait)", "(legal robot stop)")
    rules += "(<= (next stopped) (does robot stop)) (<= terminal (true stopped))"
    both = rules.replace("(<= (goal robot 0) (not (true (on b))))", "").replace("(true (on b))", "")
    relevant = decompose(compiled(both))

    assert len(relevant.games) == 1


@pytest.mark.parametrize("name", [pytest.param("pig", marks=pytest.mark.slow), "monty_hall", "kuhn_poker"])
def test_games_with_chance_are_taken_apart_and_told(name: str) -> None:
    found = report(shelf(name))

    assert found.subgames == 1
    moves = {move for part in found.parts for move in part.moves}
    assert moves <= {str(move) for own in shelf(name).move_texts for move in own}
    assert NOTHING not in moves
