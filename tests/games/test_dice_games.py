"""Games of dice and cards with random variables, against computations that know nothing of their rules in GDL."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest

import ludens
from ludens.core import GameError, State, joint_moves
from ludens.gdl.game import GdlGame, GdlState
from ludens.players.minimax.solve import Solver


def load(name: str) -> GdlGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, GdlGame)
    return game


def value_by_iteration(start: State) -> float:
    """What the first role gets if both play for the best, by value iteration over all states."""
    numbers, states = {start: 0}, [start]
    moves: list[tuple[bool, list[list[tuple[float, int]]]]] = []
    values: list[float] = []
    first, _ = start.game.roles
    while len(moves) < len(states):
        here = states[len(moves)]
        values.append(float(here.goals[first]) if here.is_terminal else 50.0)
        choices = []
        for joint_move in joint_moves(here):
            outcomes = []
            for outcome in here.chance_outcomes(joint_move):
                after = here.play(outcome.joint_move)
                if after not in numbers:
                    numbers[after] = len(states)
                    states.append(after)
                outcomes.append((outcome.probability, numbers[after]))
            choices.append(outcomes)
        moves.append((here.legal_moves(first) != ("noop",), choices))
    for _ in range(2000):
        change = 0.0
        for number in reversed(range(len(states))):
            maximise, choices = moves[number]
            if choices:
                each = [sum(p * values[after] for p, after in outcomes) for outcomes in choices]
                value = max(each) if maximise else min(each)
                change = max(change, abs(value - values[number]))
                values[number] = value
        if change < 1e-9:
            break
    return values[0]


def pig_value(target: int) -> float:
    """The first role's winning probability in pig under best play, by value iteration on scores alone."""
    win: dict[tuple[int, int, int], float] = {
        (own, other, turn): 0.5 for own in range(target) for other in range(target) for turn in range(target - own)
    }

    def value(own: int, other: int, turn: int) -> float:
        return 1.0 if own + turn >= target else win[own, other, turn]

    while True:
        change = 0.0
        for own, other, turn in list(win):
            roll = (1 - value(other, own, 0) + sum(value(own, other, turn + pips) for pips in range(2, 7))) / 6
            hold = 1 - value(other, min(target, own + turn), 0) if turn and own + turn < target else 0.0
            best = max(roll, hold)
            change = max(change, abs(best - win[own, other, turn]))
            win[own, other, turn] = best
        if change < 1e-12:
            return win[0, 0, 0]


def test_solving_pig_agrees_with_value_iteration_on_scores() -> None:
    solution = Solver(load("pig:8").initial_state(), 60).solve()
    assert solution.exact
    assert solution.values["first"] == pytest.approx(100 * pig_value(8), abs=1e-4)


@pytest.mark.slow
def test_solving_pig_to_15_agrees_with_value_iteration_on_scores() -> None:
    solution = Solver(load("pig:15").initial_state(), 120).solve()
    assert solution.exact
    assert solution.values["first"] == pytest.approx(100 * pig_value(15), abs=1e-4)


@pytest.mark.slow
def test_solving_a_small_game_of_cant_stop_agrees_with_value_iteration() -> None:
    state = load("cant_stop:2,2,1").initial_state()
    solution = Solver(state, 120).solve()
    assert solution.exact
    assert solution.values["first"] == pytest.approx(value_by_iteration(state), abs=1e-4)


@pytest.mark.parametrize("parameters", ["pig:1", "pig:1000", "pig:2,3", "cant_stop:7", "cant_stop:6,4", "mastermind:9"])
def test_parameters_out_of_range_are_refused(parameters: str) -> None:
    with pytest.raises(GameError, match="takes"):
        ludens.load(parameters, wait=True)


def test_a_1_loses_what_was_collected() -> None:
    state = load("pig").initial_state()
    for pips in (6, 5, 1):
        state = state.play({"first": f"(roll {pips})", "second": "noop"})
    assert ("score", "first", "0") in state.facts
    assert ("control", "second") in state.facts
    state = state.play({"first": "noop", "second": "(roll 4)"}).play({"first": "noop", "second": "hold"})
    assert ("score", "second", "4") in state.facts


def test_throws_of_four_dice_have_the_weights_of_all_1296() -> None:
    state = load("cant_stop").initial_state()
    pairings: Counter[frozenset[frozenset[int]]] = Counter()
    for dice in product(range(1, 7), repeat=4):
        sums = {frozenset({dice[a] + dice[b], sum(dice) - dice[a] - dice[b]}) for a, b in combinations(range(4), 2)}
        pairings[frozenset(sums)] += 1
    outcomes = state.chance_outcomes({"first": "(throw dice)", "second": "noop"})
    assert len(outcomes) == len(pairings)
    assert sorted(Fraction(o.probability).limit_denominator(2000) for o in outcomes) == sorted(
        Fraction(count, 1296) for count in pairings.values()
    )


def test_runners_climb_and_a_throw_that_helps_none_loses_the_turn() -> None:
    state = load("cant_stop:2,2,3").initial_state()
    throws = {move: _sums(state, move) for move in _throws(state)}
    low = next(move for move, sums in throws.items() if sums == {(2, 2)})
    for _ in range(2):
        state = state.play({"first": low, "second": "noop"})
        state = state.play({"first": state.legal_moves("first")[0], "second": "noop"})
    assert ("runner", "2", "3") in state.facts
    state = state.play({"first": low, "second": "noop"})
    assert list(state.legal_moves("first")) == ["bust"]
    state = state.play({"first": "bust", "second": "noop"})
    assert state.facts == {("control", "second"), ("free", "3")}


def _throws(state: State) -> list[str]:
    return [o.joint_move["first"] for o in state.chance_outcomes({"first": "(throw dice)", "second": "noop"})]


def _sums(state: State, move: str) -> set[tuple[int, int]]:
    after = state.play({"first": move, "second": "noop"})
    found = set()
    for climb in after.legal_moves("first"):
        words = climb.strip("()").split()
        found.add((int(words[1]), int(words[-1])))
    return found


def test_hands_of_twenty_one_are_equally_likely_in_any_order() -> None:
    state = load("twenty_one").initial_state()
    chances: dict[GdlState, Fraction] = {state: Fraction(1)}
    for _ in range(3):
        following: dict[GdlState, Fraction] = {}
        for here, chance in chances.items():
            for outcome in here.chance_outcomes({"first": "(take drawCard)", "second": "noop"}):
                after = here.play(outcome.joint_move)
                share = chance * Fraction(outcome.probability).limit_denominator(100)
                following[after] = following.get(after, Fraction(0)) + share
        chances = following
    busts = Fraction(sum(sum(hand) > 21 for hand in permutations(range(1, 12), 3)), 990)
    # A hand of three cards goes bust only with the third, since two are at most 21.
    assert sum(chance for here, chance in chances.items() if ("total", "first", "bust") in here.facts) == busts


@cache
def chance_of(fits: str, rolls: int, hand: tuple[int, ...]) -> Fraction:
    """How likely a line of three_dice is to be fulfilled with so many rolls left, all aimed at it."""
    low, middle, high = sorted(hand)
    done = {
        "pair": middle in (low, high),
        "three": low == high,
        "straight": (middle - low, high - middle) == (1, 1),
        "high": sum(hand) >= 13,
        "low": sum(hand) <= 8,
    }[fits]
    if done or not rolls:
        return Fraction(done)
    best = Fraction(0)
    for kept in product((False, True), repeat=3):
        free = kept.count(False)
        total = Fraction(0)
        for new in product(range(1, 7), repeat=free):
            fresh = iter(new)
            after = tuple(sorted(pips if keep else next(fresh) for pips, keep in zip(hand, kept, strict=True)))
            total += chance_of(fits, rolls - 1, after)
        best = max(best, total / 6**free)
    return best


def test_kept_dice_stay_and_the_others_are_rolled() -> None:
    game = load("three_dice")
    state = game.initial_state().play({"player": "(roll 2 5 5)"})
    outcomes = state.chance_outcomes({"player": "(roll die1 5 5)"})
    assert [o.joint_move["player"] for o in outcomes] == [f"(roll {n} 5 5)" for n in range(1, 7)]
    assert len(state.chance_outcomes({"player": "(roll die1 die2 5)"})) == 36
    after = state.play({"player": "(roll 5 5 5)"})
    assert after.facts == {("dice", "5", "5", "5"), ("rolls", "1"), ("points", "0")}
    assert after.play({"player": "(enter three)"}).facts == {("rolls", "3"), ("points", "30"), ("entered", "three")}


def test_one_round_of_three_dice_is_worth_what_aiming_at_a_line_gives() -> None:
    game = load("three_dice")
    entered = [("entered", name) for name in ("pair", "high", "low", "straight")]
    state = game.state([("dice", "1", "2", "6"), ("rolls", "1"), ("points", "0"), *entered])
    solution = Solver(state, 60).solve()
    assert solution.values["player"] == pytest.approx(30 * float(chance_of("three", 1, (1, 2, 6))), abs=1e-4)
