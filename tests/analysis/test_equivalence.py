"""Whether two games are the same."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from benchmarks.equivalence import mutate

import ludens
from ludens.analysis.equivalence.compare import DIFFERENT, EQUIVALENT, UNDECIDED, Verdict, compare_games
from ludens.compiler.backends import make_game
from ludens.core import Game, GameError
from ludens.games import library
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from ludens.gdl.scramble import scramble_sheet

TOGGLE = """
(role a) (role b) (init (light off)) (init (step 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r press) (role ?r)) (<= (legal ?r leave) (role ?r))
(<= (next (light on)) (does a press)) (<= (next (light off)) (does a leave))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 2)))
(<= (goal a 100) (true (light on))) (<= (goal a 0) (true (light off)))
(<= (goal b 100) (true (light off))) (<= (goal b 0) (true (light on)))
"""


def game(text: str) -> Game:
    return make_game(read_rules(text), "rules", backend="interpreter")


def compared(one: str, other: str) -> Verdict:
    return compare_games(game(one), game(other), seconds=20)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker@gdl", "pig", "goofspiel", "lights_out", "othello"])
def test_scrambled_games_are_recognised(name: str) -> None:
    original = ludens.load(name, backend="interpreter")
    scrambled = ludens.load(f"scrambled:5:{name}", backend="interpreter")
    assert isinstance(original, GdlGame)
    assert isinstance(scrambled, GdlGame)

    verdict = compare_games(original, scrambled)

    assert verdict.answer == EQUIVALENT
    assert [verdict.roles[role] for role in original.roles] == list(scrambled.roles)
    assert not set(original.roles) & set(scrambled.roles)


def test_scrambling_is_repeatable_and_hides_the_card() -> None:
    sheet = library.find("tic_tac_toe").playable_sheet()

    assert scramble_sheet(sheet, 1) == scramble_sheet(sheet, 1)
    assert scramble_sheet(sheet, 1) != scramble_sheet(sheet, 2)
    assert "tic" not in library.find("scrambled:1:tic_tac_toe").card.title.lower()
    with pytest.raises(GameError, match="only games in GDL"):
        library.find("scrambled:1:uno")


def test_a_shortest_play_shows_the_difference() -> None:
    other = TOGGLE.replace("(<= (next (light off)) (does a leave))", "(<= (next (light off)) (does b leave))")

    verdict = compared(TOGGLE, other)

    assert verdict.answer == DIFFERENT
    assert verdict.difference is not None
    assert verdict.difference.shortest
    assert len(verdict.difference.play) == 2  # only goals tell the states apart


def test_other_rules_for_the_same_game_are_equivalent() -> None:
    other = TOGGLE.replace("(does a leave)", "(not (does a press))").replace("(init (light off))", "(init (lamp dark))")

    verdict = compared(TOGGLE, other)

    assert verdict.answer == EQUIVALENT
    assert "reachable states agree" in verdict.how


def test_games_with_other_words_are_matched_by_what_can_happen() -> None:
    """The rules differ in more than names, so roles and moves have to be found from the states."""
    other = TOGGLE.replace("(does a leave)", "(not (does a press))")
    for old, new in (
        ("press", "zip"),
        ("leave", "zap"),
        (" a)", " left)"),
        (" b)", " right)"),
        ("goal a", "goal left"),
    ):
        other = other.replace(old, new)
    other = other.replace("goal b", "goal right").replace("(does a zip)", "(does left zip)")

    verdict = compared(TOGGLE, other)

    assert verdict.answer == EQUIVALENT
    assert verdict.roles == {"a": "left", "b": "right"}
    assert verdict.moves["press"] == "zip"


def test_a_different_game_with_other_words_is_told_apart() -> None:
    other = TOGGLE.replace("press", "zip").replace("leave", "zap").replace("(goal a 100)", "(goal a 90)")

    assert compared(TOGGLE, other).answer == DIFFERENT


def test_large_games_end_undecided_and_say_how_far() -> None:
    chess = library.find("connect_four").playable_sheet()
    reordered = replace(chess, rules=(*chess.rules, *read_rules("(unused 1)").rules))

    verdict = compare_games(
        make_game(chess, "one", backend="interpreter"), make_game(reordered, "two", backend="interpreter"), 1.0, 100
    )

    assert verdict.answer == UNDECIDED
    assert "no difference within" in verdict.how


def test_numbers_of_roles_decide() -> None:
    assert compared(TOGGLE, TOGGLE + "(role c) (goal c 0)").answer == DIFFERENT


@pytest.mark.parametrize("seed", range(6))
def test_mutants_are_told_apart_or_proved_equivalent(seed: int) -> None:
    sheet = read_rules(TOGGLE)
    mutant = mutate(sheet, Random(seed))
    assert mutant is not None

    verdict = compare_games(
        make_game(sheet, "one", backend="interpreter"), make_game(mutant, "two", backend="interpreter"), 20
    )

    assert verdict.answer != UNDECIDED
    assert verdict.answer == EQUIVALENT or verdict.difference is not None
