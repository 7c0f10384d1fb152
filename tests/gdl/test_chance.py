"""Chance in GDL games, on every backend: what may become of a joint move, how likely it is, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from ludens.compiler.backends import BACKENDS
from ludens.compiler.cxx import build
from ludens.core import GameError, IllegalMoveError, TooManyOutcomesError, random_joint_move
from ludens.gdl.game import GdlGame
from ludens.gdl.read import read_rules
from tests.compiler.cxx.agreement import QUICK_FLAGS
from tests.peers import with_peers

Load = Callable[[str], GdlGame]

DICE = """
(role p) (role q)
(init open)
(random dice 1 1) (random dice 1 2) (random dice 1 3) (random dice 1 4) (random dice 1 5) (random dice 1 6)
(random coin 3 heads) (random coin 1 (edge 2)) (random coin 0 tails)
(<= (legal ?p (roll dice coin dice)) (role ?p) (true open))
(<= (legal p pass) (true open))
(<= (next (got ?p ?d ?c ?e)) (does ?p (roll ?d ?c ?e)))
(<= (next (last ?p ?m)) (does ?p ?m))
(<= terminal (not (true open)))
(goal p 50) (goal q 50)
"""
ROLL = "(roll dice coin dice)"

CARDS = """
(role p)
(card ace) (card king) (card queen)
(init (left 0))
(<= (random draw 0 ?card) (card ?card) (true (drawn ?card)))
(<= (random draw 2 ?card) (card ?card) (not (true (drawn ?card))))
(<= (legal p (take draw)) (not (true (drawn ace))))
(<= (legal p stop) (true (drawn ace)))
(<= (next (drawn ?card)) (does p (take ?card)))
(<= (next (drawn ?card)) (true (drawn ?card)))
(<= (next over) (does p stop))
(<= terminal (true over))
(goal p 100)
"""

URN = """
(role random) (role p)
(init start)
(<= (legal random (draw ?ball)) (true start) (ball ?ball))
(<= (legal random noop) (not (true start)))
(<= (legal p noop) (true start))
(<= (legal p (guess ?ball)) (not (true start)) (ball ?ball))
(ball red) (ball blue) (ball green)
(<= (next (drawn ?ball)) (does random (draw ?ball)))
(<= (next (drawn ?ball)) (true (drawn ?ball)))
(<= (next (guessed ?ball)) (does p (guess ?ball)))
(<= (sees p warm) (does random (draw red)))
(<= (sees p (ball ?ball)) (does p (guess ?guess)) (true (drawn ?ball)))
(<= terminal (true (guessed ?ball)))
(<= (goal p 100) (true (guessed ?ball)) (true (drawn ?ball)))
(<= right (true (guessed ?ball)) (true (drawn ?ball)))
(<= (goal p 0) (not right))
"""


@pytest.fixture(scope="module", params=with_peers(BACKENDS))
def load(request: pytest.FixtureRequest) -> Iterator[Load]:
    """Loads rules once for all tests: a game is a value, and C++ takes seconds to compile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "FLAGS", QUICK_FLAGS)
        yield cache(lambda text: BACKENDS[request.param](read_rules(text), f"chance_{request.param}"))


def test_players_see_random_variables_in_their_legal_moves(load: Load) -> None:
    state = load(DICE).initial_state()
    assert list(state.legal_moves("p")) == ["pass", ROLL]


def test_outcomes_are_all_there_is_with_exact_probabilities(load: Load) -> None:
    state = load(DICE).initial_state()
    outcomes = state.chance_outcomes({"p": "pass", "q": ROLL})
    expected = {
        f"(roll {n} {side} {n})": p for n in range(1, 7) for side, p in (("heads", 1 / 8), ("(edge 2)", 1 / 24))
    }
    assert {outcome.joint_move["q"]: pytest.approx(outcome.probability) for outcome in outcomes} == expected
    assert {outcome.joint_move["p"] for outcome in outcomes} == {"pass"}


def test_draws_of_two_roles_are_independent_and_one_variable_has_one_value(load: Load) -> None:
    state = load(DICE).initial_state()
    outcomes = state.chance_outcomes({"p": ROLL, "q": ROLL})
    assert len(outcomes) == 144
    assert sum(outcome.probability for outcome in outcomes) == pytest.approx(1)
    after = state.play(next(o.joint_move for o in outcomes if o.joint_move["p"] == "(roll 6 heads 6)"))
    assert ("got", "p", "6", "heads", "6") in after.facts
    assert ("last", "p", ("roll", "6", "heads", "6")) in after.facts


def test_what_was_not_left_to_chance_is_seen_by_the_same_rules(load: Load) -> None:
    after = load(DICE).initial_state().play({"p": "pass", "q": "(roll 1 heads 1)"})
    assert after.facts == {
        ("last", "p", "pass"),
        ("last", "q", ("roll", "1", "heads", "1")),
        ("got", "q", "1", "heads", "1"),
    }


@pytest.mark.parametrize("move", [ROLL, "(roll 1 heads 2)", "(roll 1 tails 1)", "(roll 7 heads 7)"])
def test_moves_that_chance_cannot_have_made_are_illegal(load: Load, move: str) -> None:
    state = load(DICE).initial_state()
    with pytest.raises(IllegalMoveError):
        state.play({"p": move, "q": "(roll 1 heads 1)"})


def test_a_move_with_a_variable_left_in_it_tells_what_to_do(load: Load) -> None:
    with pytest.raises(IllegalMoveError, match=r"leaves dice to chance.*State\.sample"):
        load(DICE).initial_state().play({"p": ROLL, "q": ROLL})


def test_weights_depend_on_the_state(load: Load) -> None:
    state = load(CARDS).initial_state()
    assert [o.probability for o in state.chance_outcomes({"p": "(take draw)"})] == pytest.approx([1 / 3] * 3)
    state = state.play({"p": "(take king)"})
    outcomes = {o.joint_move["p"]: o.probability for o in state.chance_outcomes({"p": "(take draw)"})}
    assert outcomes == pytest.approx({"(take ace)": 0.5, "(take queen)": 0.5})
    with pytest.raises(IllegalMoveError):
        state.play({"p": "(take king)"})


def test_more_outcomes_than_asked_for_are_refused_but_can_be_drawn(load: Load) -> None:
    state = load(DICE).initial_state()
    with pytest.raises(TooManyOutcomesError, match="144 outcomes"):
        state.chance_outcomes({"p": ROLL, "q": ROLL}, limit=100)
    assert state.sample({"p": ROLL, "q": ROLL}, Random(1)).is_terminal


def test_resolving_follows_the_weights(load: Load) -> None:
    state = load(DICE).initial_state()
    rng = Random(7)
    drawn = Counter(state.resolve({"p": "pass", "q": ROLL}, rng)["q"] for _ in range(2400))
    heads = sum(count for move, count in drawn.items() if "heads" in move)
    assert heads == pytest.approx(1800, abs=100)
    assert len(drawn) == 12


def test_nobody_plays_the_role_random(load: Load) -> None:
    game = load(URN)
    assert game.roles == ("p",)
    assert game.chance
    assert game.hidden
    outcomes = game.initial_state().chance_outcomes({"p": "noop"})
    assert [o.probability for o in outcomes] == pytest.approx([1 / 3] * 3)
    assert [list(o.joint_move.items()) for o in outcomes] == [
        [("random", f"(draw {ball})"), ("p", "noop")] for ball in ("blue", "green", "red")
    ]


def test_percepts_are_what_sees_says(load: Load) -> None:
    state = load(URN).initial_state()
    red = state.play({"random": "(draw red)", "p": "noop"})
    blue = state.play({"random": "(draw blue)", "p": "noop"})
    assert (list(red.percepts("p")), list(blue.percepts("p"))) == (["warm"], [])
    assert red.facts == {("drawn", "red")}
    assert list(blue.play({"p": "(guess red)"}).percepts("p")) == ["(ball blue)"]


def test_a_view_has_only_states_that_fit_the_percepts(load: Load) -> None:
    state = load(URN).initial_state()
    red = state.play({"random": "(draw red)", "p": "noop"})
    blue = state.play({"random": "(draw blue)", "p": "noop"})
    rng = Random(0)
    assert {red.view("p").sample(rng) for _ in range(50)} == {red}
    seen = Counter(blue.view("p").sample(rng) for _ in range(400))
    assert set(seen) == {blue, state.play({"random": "(draw green)", "p": "noop"})}
    assert seen[blue] == pytest.approx(200, abs=50)


def test_all_backends_play_the_same_chance_games(load: Load) -> None:
    for text in (DICE, CARDS, URN):
        oracle, game = BACKENDS["reference"](read_rules(text), "oracle"), load(text)
        rng = Random(3)
        for _ in range(5):
            expected, state = oracle.initial_state(), game.initial_state()
            while not expected.is_terminal:
                joint_move = random_joint_move(expected, rng)
                outcomes = expected.chance_outcomes(joint_move)
                assert [(o.probability, o.joint_move) for o in outcomes] == [
                    (o.probability, o.joint_move) for o in state.chance_outcomes(joint_move)
                ]
                resolved = rng.choice(outcomes).joint_move
                expected, state = expected.play(resolved), state.play(resolved)
                assert expected.facts == state.facts
                assert [expected.percepts(role) for role in game.roles] == [state.percepts(role) for role in game.roles]
            assert state.is_terminal


FAULTY = """
(role p)
(init (weight one)) (init (weight two))
(<= (random die 1 six) (true (weight one)))
(<= (random die 2 six) (true (weight two)))
(<= (legal p (roll die)) (role p))
(<= (next (rolled ?x)) (does p (roll ?x)))
(<= terminal (true (rolled six)))
(goal p 100)
"""


def test_two_weights_that_only_a_state_shows_are_an_error_with_a_place(load: Load) -> None:
    state = load(FAULTY).initial_state()
    with pytest.raises(GameError, match=r":\d+:\d+: random variable die: event six has two weights"):
        state.chance_outcomes({"p": "(roll die)"})


def test_all_weights_0_in_a_state_is_an_error_when_it_is_drawn(load: Load) -> None:
    text = FAULTY.replace("die 1 six", "die 0 six").replace("die 2 six", "die 0 seven")
    state = load(text).initial_state()
    with pytest.raises(GameError, match="no event of the random variable die has a weight above 0"):
        state.resolve({"p": "(roll die)"}, Random(0))


def test_random_variables_may_have_arguments(load: Load) -> None:
    text = """
    (role p) (init start) (number 1) (number 2) (side a) (side b)
    (<= (random (die ?n) ?n ?s) (number ?n) (side ?s))
    (<= (random (die 1) 1 c) (role p))
    (<= (legal p (roll (die ?n))) (number ?n))
    (<= (legal p (both (die 1) (die 2))) (role p))
    (<= (next (rolled ?m)) (does p ?m))
    (<= terminal (not (true start)))
    (goal p 100)
    """
    state = load(text).initial_state()
    one = {
        o.joint_move["p"]: Fraction(o.probability).limit_denominator(60)
        for o in state.chance_outcomes({"p": "(roll (die 1))"})
    }
    assert one == {"(roll a)": Fraction(1, 3), "(roll b)": Fraction(1, 3), "(roll c)": Fraction(1, 3)}
    assert len(state.chance_outcomes({"p": "(both (die 1) (die 2))"})) == 6
    assert state.play({"p": "(both c a)"}).facts == {("rolled", ("both", "c", "a"))}
