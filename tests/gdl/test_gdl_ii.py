"""From random variables to moves of the role random: the same positions with the same probabilities."""

from __future__ import annotations

from random import Random

import pytest

from ludens.core import GameError, JointMove, random_joint_move
from ludens.games.library import find
from ludens.gdl.chance.gdl_ii import to_gdl_ii
from ludens.gdl.check import check_rules
from ludens.gdl.game import GdlMove, GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.source import Level
from ludens.gdl.terms import Term
from ludens.gdl.write import write_kif
from tests.gdl.test_chance import CARDS, DICE
from tests.thorough import slow_among

MIXED = """
(role random) (role p) (role q)
(init (turn 1)) (succ 1 2) (succ 2 3)
(number 1) (number 2)
(<= (random (die ?n) ?n up) (number ?n))
(<= (random (die ?n) 1 (down ?n)) (number ?n))
(<= (legal random (shuffle ?n)) (number ?n) (true (turn ?n)))
(<= (legal random rest) (true (turn ?n)) (not (true (was ?n q wait))))
(<= (legal p (roll (die ?n) (die ?n) (die 2))) (number ?n) (true (turn ?n)))
(<= (legal ?r wait) (role ?r) (distinct ?r random) (true (turn ?n)) (legal random rest))
(<= (legal q (roll (die 1))) (true (turn ?n)))
(<= (next (was ?n ?r ?m)) (true (turn ?n)) (does ?r ?m))
(<= (next (shuffled ?n)) (does random (shuffle ?n)))
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
(<= terminal (true (turn 3)))
(goal p 30) (goal q 60) (goal random 0)
"""
"""Random variables and a role ``random`` with moves of its own, whose legality others ask for."""
SEEN = MIXED + "(<= (sees p (saw ?a)) (does p (roll ?a ?b ?c))) (<= (sees q (luck ?m)) (does random ?m))"
SHEETS = {"dice": DICE, "cards": CARDS, "mixed": MIXED, "seen": SEEN}
GAMES = ("pig:8", "twenty_one", "cant_stop:2,1,1", "three_dice")


def text_of(name: str) -> str:
    return find(name).rule_sheet().source.text


def both(text: str) -> tuple[ReferenceGame, ReferenceGame]:
    sheet = read_rules(text)
    return ReferenceGame(sheet, "variables"), ReferenceGame(read_rules(write_kif(to_gdl_ii(sheet))), "gdl-ii")


def distribution(state: GdlState, joint_move: JointMove) -> dict[frozenset[Term], float]:
    found: dict[frozenset[Term], float] = {}
    for outcome in state.chance_outcomes(joint_move, 100_000):
        facts = state.play(outcome.joint_move).facts
        found[facts] = found.get(facts, 0.0) + outcome.probability
    return found


def percepts(state: GdlState, joint_move: JointMove) -> set[tuple[frozenset[Term], tuple[tuple[str, ...], ...]]]:
    """The states after a joint move, with what was told on the way."""
    after = [state.play(outcome.joint_move) for outcome in state.chance_outcomes(joint_move, 100_000)]
    return {(s.facts, tuple(tuple(s.percepts(role)) for role in s.game.roles)) for s in after}


def wrapped(other: GdlState, joint_move: JointMove) -> dict[str, str]:
    """The same joint move where moves with random variables are wrapped."""
    found: dict[str, str] = {}
    for role, move in joint_move.items():
        assert isinstance(move, GdlMove)
        found[role] = next(
            text
            for text in other.legal_moves(role)
            if move.term in (text.term, *(text.term[1:2] if isinstance(text.term, tuple) else ()))
        )
    return found


@pytest.mark.parametrize("text", slow_among([*SHEETS.values(), *map(text_of, GAMES)], {text_of("three_dice")}))
def test_outcomes_have_the_same_probabilities(text: str) -> None:
    one, two = both(text)
    rng = Random(9)
    state, other = one.initial_state(), two.initial_state()
    for _ in range(12):
        if state.is_terminal:
            break
        assert other.facts == state.facts
        joint_move = random_joint_move(state, rng)
        expected = distribution(state, joint_move)
        assert distribution(other, wrapped(other, joint_move)) == pytest.approx(expected)
        assert percepts(other, wrapped(other, joint_move)) == percepts(state, joint_move) or not one.hidden
        facts = rng.choice(sorted(expected, key=repr))
        state, other = one.state(facts), two.state(facts)
    assert other.is_terminal == state.is_terminal
    assert other.goals == state.goals


def test_converted_rules_are_valid_and_tell_everybody_what_was_done() -> None:
    sheet = read_rules(write_kif(to_gdl_ii(read_rules(DICE))))
    assert not [problem for problem in check_rules(sheet) if problem.level is Level.ERROR]
    game = ReferenceGame(sheet)
    assert game.hidden
    state = game.initial_state()
    after = state.sample({role: state.legal_moves(role)[-1] for role in game.roles}, Random(2))
    assert after.percepts("p") == after.percepts("q")
    assert [text.split()[:2] for text in after.percepts("p")] == [["(did", "p"], ["(did", "q"]]


def test_names_that_are_taken_are_not_used_again() -> None:
    text = DICE + "(drawn x) (done y)"
    rules = write_kif(to_gdl_ii(read_rules(text)))
    assert "(drawn_ " in rules
    assert "(done_ " in rules


@pytest.mark.parametrize(
    "text",
    [
        "(role p)",
        "(role p) (role random) (random die 1 1) (init a) (<= (legal random (roll die)) (true a))",
    ],
)
def test_what_cannot_be_converted_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="random"):
        to_gdl_ii(read_rules(text))
