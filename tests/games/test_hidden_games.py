"""Games with hidden information, against computations that know nothing of their rules in GDL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import ludens
from ludens.analysis.probability import exact_probability
from ludens.core import PerceptView, Role, State, joint_moves, random_joint_move
from ludens.gdl.game import GdlGame, GdlState
from tests.games.kuhn import CARDS, equilibrium, expected_chips, information_set


def load(name: str) -> GdlGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, GdlGame)
    return game


@pytest.mark.parametrize(("move", "chance"), [("switch", 2 / 3), ("stay", 1 / 3)])
def test_switching_wins_in_two_of_three_cases(move: str, chance: float) -> None:
    def policy(state: State) -> Mapping[Role, Mapping[str, float]]:
        legal = state.legal_moves("candidate")
        return (
            {"candidate": {choice: 1.0 for choice in ("(choose 1)", move) if choice in legal}} if len(legal) > 1 else {}
        )

    state = load("monty_hall").initial_state()
    found = exact_probability(state, lambda last: last.goals["candidate"] == 100, policy=policy)
    assert found.value == pytest.approx(chance)


def test_the_host_opens_a_door_that_is_neither_chosen_nor_hides_the_car() -> None:
    state = load("monty_hall").initial_state().play({"random": "(hide 2)", "candidate": "noop"})
    state = state.play({"candidate": "(choose 1)"})
    assert list(state.legal_moves("random")) == ["(open 3)"]
    after = state.play({"random": "(open 3)", "candidate": "noop"})
    assert list(after.percepts("candidate")) == ["(opened 3)"]


def test_every_answer_of_mastermind_is_right() -> None:
    game = load("mastermind:3,3,2")
    colours = ("red", "green", "blue")
    for code in product(colours, repeat=3):
        state = game.initial_state().play({"random": f"(hide {' '.join(code)})", "player": "noop"})
        for guess in product(colours, repeat=3):
            hits = sum(a == b for a, b in zip(code, guess, strict=True))
            both = sum((Counter(code) & Counter(guess)).values())
            after = state.play({"player": f"(guess {' '.join(guess)})"})
            assert list(after.percepts("player")) == [f"(told {hits} {both - hits})"]
            assert after.is_terminal == (hits == 3)
    assert after.goals["player"] == 100


def test_beliefs_at_mastermind_are_the_codes_that_fit_all_answers() -> None:
    state = load("mastermind:3,3,4").initial_state().play({"random": "(hide red green blue)", "player": "noop"})
    state = state.play({"player": "(guess red red green)"})
    view = state.view("player")
    assert isinstance(view, PerceptView)
    expected = {
        code
        for code in product(("red", "green", "blue"), repeat=3)
        if sum(a == b for a, b in zip(code, ("red", "red", "green"), strict=True)) == 1
        and sum((Counter(code) & Counter(("red", "red", "green"))).values()) == 2
    }
    belief = view.belief(Random(0))
    assert len(belief) == len(expected)
    assert list(belief.values()) == pytest.approx([1 / len(expected)] * len(expected))
    assert state in belief


def test_a_taken_cell_is_told_and_another_one_tried() -> None:
    state = load("kriegspiel_tic_tac_toe").initial_state()
    state = state.play({"xplayer": "(try 2 2)", "oplayer": "noop"})
    assert list(state.percepts("oplayer")) == ["your_turn"]
    assert len(state.legal_moves("oplayer")) == 9
    state = state.play({"xplayer": "noop", "oplayer": "(try 2 2)"})
    assert (list(state.percepts("oplayer")), list(state.percepts("xplayer"))) == (["taken"], [])
    assert "(try 2 2)" not in state.legal_moves("oplayer")
    assert len(state.legal_moves("oplayer")) == 8


def test_beliefs_are_what_enumerating_all_histories_gives() -> None:
    game = load("kriegspiel_tic_tac_toe")
    rng = Random(4)
    state = game.initial_state()
    for _ in range(5):
        state = state.sample(random_joint_move(state, rng), rng)
    for role in game.roles:
        expected: dict[Hashable, float] = {}
        for weight, last in _histories(game.initial_state(), state, role):
            expected[last.position] = expected.get(last.position, 0.0) + weight
        total = sum(expected.values())
        view = state.view(role)
        assert isinstance(view, PerceptView)
        belief = {here.position: weight for here, weight in view.belief(rng).items()}
        assert set(belief) <= set(expected)
        if len(expected) <= 60:
            assert belief == pytest.approx({here: weight / total for here, weight in expected.items()})


def _histories(first: GdlState, last: GdlState, role: Role) -> Iterator[tuple[float, GdlState]]:
    """All states that a role can be in after what it did and was told, with the weights of their histories."""
    told = []
    while last.arrival is not None:
        told.append((last.arrival.turn.chosen[role], last.percepts(role), last.legal_moves(role)))
        last = last.arrival.before

    def go_on(state: GdlState, turn: int) -> Iterator[tuple[float, GdlState]]:
        if turn == len(told):
            yield 1.0, state
            return
        move, percepts, legal = told[::-1][turn]
        moves = [joint_move for joint_move in joint_moves(state) if joint_move[role] == move]
        for joint_move in moves:
            after = state.play(joint_move)
            if after.percepts(role) == percepts and after.legal_moves(role) == legal:
                for weight, end in go_on(after, turn + 1):
                    yield weight / len(moves), end

    return go_on(first, 0)


def test_phantom_connect_four_is_connect_four_with_the_same_drops() -> None:
    phantom, plain = load("phantom_connect_four"), load("connect_four")
    rng = Random(2)
    names = dict(zip(phantom.roles, plain.roles, strict=True))
    for _ in range(5):
        state, open_state = phantom.initial_state(), plain.initial_state()
        while not state.is_terminal:
            assert not open_state.is_terminal
            role = next(role for role in phantom.roles if state.legal_moves(role) != ("noop",))
            drop = rng.choice(state.legal_moves(role))
            joint_move = {other: drop if other == role else "noop" for other in phantom.roles}
            following = state.play(joint_move)
            if "full" not in following.percepts(role):
                column = str(drop).strip("()").split()[1]
                legal = open_state.legal_moves(names[role])
                chosen = next(move for move in legal if move.strip("()").split()[-1] == column)
                waiting = next(other for other in plain.roles if other != names[role])
                open_state = open_state.play({names[role]: chosen, waiting: "noop"})
                assert any(text.startswith(f"(landed {column} ") for text in following.percepts(role))
            state = following
        assert open_state.is_terminal
        assert [state.goals[role] for role in phantom.roles] == [open_state.goals[role] for role in plain.roles]


def test_kuhn_poker_is_worth_one_eighteenth_of_a_chip_to_the_second_role() -> None:
    game = load("kuhn_poker")
    for alpha in (Fraction(0), Fraction(1, 6), Fraction(1, 3)):
        assert expected_chips(game, equilibrium(alpha)) == pytest.approx(-1 / 18)


def test_kuhn_poker_has_twelve_information_sets() -> None:
    game = load("kuhn_poker")
    found = set()
    waiting: list[GdlState] = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        for joint_move in joint_moves(state):
            waiting += [state.play(outcome.joint_move) for outcome in state.chance_outcomes(joint_move)]
        for role in game.roles:
            if len(state.legal_moves(role)) > 1:
                found.add((role, information_set(state, role)))
    assert len(found) == 12
    assert {card for _, (card, _) in found} == set(CARDS)


def test_leduc_poker_has_the_information_sets_that_are_known() -> None:
    game = load("leduc_poker")
    found: Counter[Role] = Counter()
    seen = set()
    waiting: list[GdlState] = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        for role in game.roles:
            if len(state.legal_moves(role)) > 1:
                view = state.view(role)
                assert isinstance(view, PerceptView)
                # Suits do not matter for the count of information sets that the literature has.
                told = tuple(text.replace("_a", "").replace("_b", "") for v in view.history for text in v.percepts)
                if (role, told) not in seen:
                    seen.add((role, told))
                    found[role] += 1
        for joint_move in joint_moves(state):
            waiting += [state.play(outcome.joint_move) for outcome in state.chance_outcomes(joint_move)]
    assert dict(found) == {"first": 144, "second": 144}


def test_bids_are_hidden_and_the_higher_one_pays() -> None:
    state = load("sealed_bid_auction").initial_state()
    state = state.play({"random": "(worth 4 2)", "first": "noop", "second": "noop"})
    assert (list(state.percepts("first")), list(state.percepts("second"))) == (
        ["(worth_to_you 4)"],
        ["(worth_to_you 2)"],
    )
    after = state.play({"random": "(prefer first)", "first": "(bid 2)", "second": "(bid 1)"})
    assert dict(after.goals) == {"first": 70, "second": 50}
    tied = state.play({"random": "(prefer second)", "first": "(bid 3)", "second": "(bid 3)"})
    assert dict(tied.goals) == {"first": 50, "second": 40}


def test_bidding_half_of_the_value_earns_what_a_direct_computation_says() -> None:
    def policy(state: State) -> Mapping[Role, Mapping[str, float]]:
        assert isinstance(state, GdlState)
        values = {str(f[1]): int(str(f[2])) for f in state.facts if isinstance(f, tuple) and f[0] == "worth"}
        return {role: {f"(bid {value // 2})": 1.0} for role, value in values.items()}

    expected = (
        sum(
            (Fraction(1) if a // 2 > b // 2 else Fraction(1, 2))
            for a in range(6)
            for b in range(6)
            if a // 2 >= b // 2 and a - a // 2 == 2
        )
        / 36
    )
    state = load("sealed_bid_auction").initial_state()
    found = exact_probability(state, lambda last: last.goals["first"] == 70, policy=policy)
    assert found.value == pytest.approx(float(expected))
