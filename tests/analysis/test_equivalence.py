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
from ludens.gdl.repetition import Repetition
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


def test_large_games_with_other_names_end_undecided_and_say_how_far() -> None:
    sheet = library.find("connect_four").playable_sheet()
    other = scramble_sheet(replace(sheet, rules=(*sheet.rules, *read_rules("(unused 1)").rules)), 1)

    verdict = compare_games(
        make_game(sheet, "one", backend="interpreter"), make_game(other, "two", backend="interpreter"), 1.0, 100
    )

    assert verdict.answer == UNDECIDED
    assert "no difference within" in verdict.how


LOCK = """
(role a) (init (at 0)) (init (step 0))
(<= (legal a (press ?d)) (digit ?d))
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(key 0 7 1) (key 1 1 2) (key 2 8 3) (key 3 2 4) (key 4 8 5) (key 5 1 6) (key 6 8 7) (key 7 2 8) (key 8 8 9)
(<= (next (at ?m)) (true (at ?n)) (does a (press ?d)) (key ?n ?d ?m))
(<= right (true (at ?n)) (does a (press ?d)) (key ?n ?d ?m))
(<= (next (at 0)) (not right))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 10)))
(<= (goal a 100) (true (at 9))) (<= (goal a 0) (not (true (at 9))))
"""


def test_a_difference_that_chance_would_not_find_is_found_by_the_solver() -> None:
    """One of ten billion plays opens the lock."""
    verdict = compared(LOCK, LOCK.replace("(goal a 100)", "(goal a 99)"))

    assert verdict.answer == DIFFERENT
    assert verdict.difference is not None
    assert verdict.difference.shortest
    assert [turn["a"][-2] for turn in verdict.difference.play][-9:] == list("718281828")


def test_a_difference_late_in_long_matches_is_found() -> None:
    """Random play ends with eight pegs or more; matches whose end is put off come down to four."""
    sheet = library.find("peg_solitaire").playable_sheet()
    rules = tuple(rule for rule in sheet.rules if rule.head != ("one_less", "5", "4"))

    verdict = compare_games(
        make_game(sheet, "one", backend="interpreter"),
        make_game(replace(sheet, rules=rules), "other", backend="interpreter"),
        same_names=True,
    )

    assert verdict.answer == DIFFERENT
    assert verdict.difference is not None
    assert len(verdict.difference.play) == 28


def test_rules_that_can_never_matter_are_proved_to_be_equivalent() -> None:
    """No state has the lock at 10, and no play at both 3 and 4."""
    rest = "(<= (goal a 50) (true (at 10))) (<= (legal a cheat) (true (at 3)) (true (at 4)))"

    verdict = compared(LOCK, LOCK + rest)

    assert verdict.answer == EQUIVALENT
    assert verdict.difference is None


def test_rules_that_compile_to_the_same_gates_are_equivalent() -> None:
    sheet = library.find("chess").playable_sheet()
    other = replace(sheet, rules=(*sheet.rules, *read_rules("(<= (legal white castle_twice) (unused 1))").rules))

    games = [make_game(one, "chess", backend="interpreter") for one in (sheet, other)]
    verdict = compare_games(games[0], games[1], 60)

    assert verdict.answer == EQUIVALENT
    assert "gate for gate" in verdict.how


PEEK = """
(role a) (role random) (init start)
(<= (legal random (flip heads)) (true start)) (<= (legal random (flip tails)) (true start))
(<= (legal a wait) (true start)) (<= (legal random idle) (not (true start)))
(<= (legal a (call ?side)) (not (true start)) (side ?side))
(side heads) (side tails)
(<= (next (coin ?side)) (does random (flip ?side)))
(<= (next (done ?right)) (does a (call ?side)) (true (coin ?other)) (same ?side ?other ?right))
(same heads heads yes) (same tails tails yes) (same heads tails no) (same tails heads no)
(<= terminal (true (done ?right)))
(<= (goal a 100) (true (done yes))) (<= (goal a 0) (not (true (done yes))))
(<= (sees a dealt) (does random (flip ?side)))
"""


def test_games_that_differ_in_what_roles_see_are_told_apart() -> None:
    seeing = PEEK.replace("(<= (sees a dealt)", "(<= (sees a ?side)")

    verdict = compared(PEEK, seeing)

    assert verdict.answer == DIFFERENT
    assert verdict.difference is not None
    assert "a sees" in verdict.difference.what
    assert compared(PEEK, PEEK + "(side nowhere) ").answer == DIFFERENT


@pytest.mark.parametrize("answer", [EQUIVALENT, DIFFERENT])
def test_positions_have_to_be_the_same_where_repetition_ends_the_match(answer: str) -> None:
    """A fluent that nothing reads makes a new position of an old one."""
    sheet = replace(read_rules(LOCK), repetition=Repetition(2, counters=()))
    changes = "(init (mark on)) (<= (next (mark off)) (true (mark on))) (<= (next (mark on)) (true (mark off)))"
    steps = "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
    text = LOCK.replace(steps, "(<= (next (step 0)) (true (step 0)))")
    one, other = read_rules(text), read_rules(text + (changes if answer == DIFFERENT else "(unused 1)"))
    games = [
        make_game(replace(rules, repetition=sheet.repetition), "rules", backend="interpreter") for rules in (one, other)
    ]

    assert compare_games(games[0], games[1], 20).answer == answer


def test_names_can_be_taken_at_their_word() -> None:
    """Without this, a sheet whose moves have other names is the same game."""
    one, other = game(TOGGLE), game(TOGGLE.replace("press", "zip"))

    assert compare_games(one, other, 20).answer == EQUIVALENT
    assert compare_games(one, other, 20, same_names=True).answer == DIFFERENT


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
