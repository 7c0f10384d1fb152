"""Chance in the native search: drawn as the rules say, averaged, and proven only where all outcomes are."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Clock, Deadline, State
from ludens.gdl.read import read_rules
from ludens.players.minimax.solve import Solver
from ludens.players.registry import make_player
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.leaves import Leaves
from ludens.players.search.settings import RootMove, SearchSettings
from ludens.players.search.state_search import StateSearch

WAGERS = """
(role gambler) (init start)
(random coin 1 heads) (random coin 9 tails)
(random prize 3 high) (random prize 2 low) (random prize 5 none)
(<= (legal gambler (toss coin)) (true start))
(<= (legal gambler (spin coin prize)) (true start))
(<= (legal gambler keep) (true start))
(<= (next (won 100)) (does gambler (toss heads)))
(<= (next (won 20)) (does gambler (toss tails)))
(<= (next (won 100)) (does gambler (spin heads high)))
(<= (next (won 50)) (does gambler (spin tails high)))
(<= (next (won 40)) (does gambler (spin ?coin low)))
(<= (next (won 0)) (does gambler (spin ?coin none)))
(<= (next (won 27)) (does gambler keep))
(<= terminal (not (true start)))
(<= (goal gambler ?n) (true (won ?n)))
"""
"""Tossing is worth 28, keeping 27, spinning 24.5."""

NATURE = """
(role left) (role right) (role random) (init start)
(<= (legal left ?move) (true start) (move ?move))
(<= (legal right ?move) (true start) (move ?move))
(<= (legal random ?sky) (true start) (sky ?sky))
(move stay) (move go) (sky rain) (sky sun) (sky snow)
(<= (next (dry ?role)) (does ?role go) (does random sun))
(<= (next (dry ?role)) (does ?role stay) (does random rain))
(<= (next (dry ?role)) (does ?role stay) (does random snow))
(<= terminal (not (true start)))
(<= (goal ?role 90) (true (dry ?role)))
(<= (goal ?role 0) (role ?role) (distinct ?role random) (not (true (dry ?role))))
"""
"""Staying is worth 60, going 30, whatever the other does at the same time."""

MANY_DICE = """
(role thrower) (init start)
(<= (random one 1 ?n) (pips ?n)) (<= (random two 1 ?n) (pips ?n)) (<= (random three 1 ?n) (pips ?n))
(pips 1) (pips 2) (pips 3) (pips 4) (pips 5) (pips 6)
(<= (legal thrower (throw one two three)) (true start))
(<= (next (thrown ?a ?b ?c)) (does thrower (throw ?a ?b ?c)))
(<= terminal (not (true start)))
(even 2) (even 4) (even 6)
(<= (goal thrower 100) (true (thrown ?a ?b ?c)) (even ?a) (even ?b))
(<= (goal thrower 0) (true (thrown ?a ?b ?c)) (not (even ?a)))
(<= (goal thrower 0) (true (thrown ?a ?b ?c)) (not (even ?b)))
"""
"""A quarter of the 216 outcomes wins."""


def settings(memory: int = 16, exploration: float = 0.2, leaves: int = 0) -> SearchSettings:
    return SearchSettings(
        exploration=exploration, rave=0.0, grave=0, mast=False, cutoff=1000, lanes=0, leaves=leaves, memory=memory
    )


def compiled(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def searched(state: State, iterations: int, role: int = 0, exploration: float = 0.2) -> BlockSearch:
    assert isinstance(state.game, CircuitGame)
    search = BlockSearch(state.game, role, settings(exploration=exploration), seed=1)
    search.set_root(state)
    search.run(600.0, iterations)
    return search


def by_move(search: BlockSearch | StateSearch) -> dict[str, RootMove]:
    return {found.move: found for found in search.root_moves()}


def test_moves_are_worth_the_mean_of_their_outcomes_and_that_is_proven() -> None:
    found = by_move(searched(CircuitGame(read_rules(WAGERS)).initial_state(), 1_000))

    toss, spin, keep = found["(toss coin)"], found["(spin coin prize)"], found["keep"]
    assert (toss.low, toss.high) == (28, 28)
    assert (keep.low, keep.high) == (27, 27)
    assert spin.low <= 24.5 <= spin.high < 28


def test_the_role_random_moves_at_the_same_time_as_the_players() -> None:
    search = searched(CircuitGame(read_rules(NATURE)).initial_state(), 4_000)

    found = by_move(search)
    assert found["stay"].mean == pytest.approx(60, abs=4)
    assert found["stay"].visits > found["go"].visits
    assert found["stay"].share == pytest.approx(1, abs=0.05)


def drawn(search: BlockSearch, role: int) -> list[int]:
    """How often each outcome of a role that nobody plays was drawn at the root."""
    tree = search._tree
    return [int(tree.edges["tries"][edge]) for edge in tree.edges_of(tree.root, role)]


def chi_square(counts: list[int], weights: list[int]) -> float:
    expected = np.array(weights) * sum(counts) / sum(weights)
    return float((((np.array(counts) - expected) ** 2) / expected).sum())


def bound(outcomes: int) -> float:
    """What chi-square stays below in all but one of some thousand tests of a right distribution."""
    return outcomes - 1 + 4 * math.sqrt(2 * (outcomes - 1)) + 6


def test_outcomes_are_drawn_by_their_weights() -> None:
    rules = WAGERS.replace("(<= (legal gambler (toss coin)) (true start))", "")
    rules = rules.replace("(<= (legal gambler keep) (true start))", "")
    game = CircuitGame(read_rules(rules))
    coins, prizes = [0, 0], [0, 0, 0]
    for seed in range(40):
        search = BlockSearch(game, 0, settings(leaves=512), seed)
        search.set_root(game.initial_state())
        search.run(600.0, 512)  # after one round it is proven
        coins = [sum(pair) for pair in zip(coins, drawn(search, 1), strict=True)]
        prizes = [sum(pair) for pair in zip(prizes, drawn(search, 2), strict=True)]

    assert sum(coins) == sum(prizes) == 40 * 512
    assert chi_square(coins, [1, 9]) < bound(2)
    assert chi_square(prizes, [3, 2, 5]) < bound(3)  # high, low and none are in alphabetical order


def test_the_role_random_draws_uniformly() -> None:
    counts = drawn(searched(CircuitGame(read_rules(NATURE)).initial_state(), 20_000), 2)

    assert sum(counts) == 20_000
    assert chi_square(counts, [1, 1, 1]) < bound(3)


def test_of_very_many_outcomes_few_samples_are_searched_at_first() -> None:
    state = CircuitGame(read_rules(MANY_DICE)).initial_state()

    early, late = searched(state, 900), searched(state, 40_000)

    assert 60 < early.nodes <= 121  # 4 times the root of 900, and the root
    assert not early.is_settled
    assert late.nodes == 217
    assert late.is_settled
    assert late.root_moves()[0].low == 25


@dataclass
class Tree:
    """A random tree for two: some moves are sure, others are left to chance."""

    rng: Random
    facts: list[str] = field(default_factory=list)
    nodes: int = 0

    def grow(self, depth: int) -> float:
        """Add a node; what it is worth for the first role."""
        node, rng = self.nodes, self.rng
        self.nodes += 1
        if depth == 0 or rng.random() < 0.1:
            goal = rng.choice([0, 0, 30, 50, 100, 100])
            self.facts.append(f"(leaf {node} {goal} {100 - goal})")
            return goal
        turn = rng.randrange(2)
        self.facts.append(f"(turn {node} {'ab'[turn]})")
        weights = [rng.choice([1, 1, 2, 7]) for _ in range(rng.randint(1, 3))]
        values = []
        for move in range(2):
            if rng.random() < 0.5:
                self.facts.append(f"(sure {node} {move} {self.nodes})")
                values.append(self.grow(depth - 1))
                continue
            self.facts.append(f"(open {node} {move})")
            total = 0.0
            for event, weight in enumerate(weights):
                self.facts.append(f"(leads {node} {move} {event} {self.nodes})")
                total += weight * self.grow(depth - 1)
            values.append(total / sum(weights))
        if any(f"(open {node} " in fact for fact in self.facts):
            self.facts += [f"(weight {node} {weight} {event})" for event, weight in enumerate(weights)]
        return max(values) if turn == 0 else min(values)

    def rules(self) -> str:
        return (
            "\n".join(self.facts)
            + """
            (role a) (role b) (init (at 0))
            (<= (random way ?w ?e) (true (at ?n)) (weight ?n ?w ?e))
            (<= (legal ?r (go ?m)) (true (at ?n)) (turn ?n ?r) (sure ?n ?m ?c))
            (<= (legal ?r (toss ?m way)) (true (at ?n)) (turn ?n ?r) (open ?n ?m))
            (<= (legal ?r noop) (role ?r) (true (at ?n)) (not (turn ?n ?r)))
            (<= (next (at ?c)) (true (at ?n)) (does ?r (go ?m)) (sure ?n ?m ?c))
            (<= (next (at ?c)) (true (at ?n)) (does ?r (toss ?m ?e)) (leads ?n ?m ?e ?c))
            (<= terminal (true (at ?n)) (leaf ?n ?g ?h))
            (<= (goal a ?g) (true (at ?n)) (leaf ?n ?g ?h))
            (<= (goal b ?h) (true (at ?n)) (leaf ?n ?g ?h))
        """
        )


@pytest.mark.parametrize("seed", range(6))
def test_bounds_hold_in_random_trees_with_chance(seed: int) -> None:
    tree = Tree(Random(seed))
    value = tree.grow(5)
    state = CircuitGame(read_rules(tree.rules())).initial_state()

    for role, exact in enumerate([value, 100 - value]):
        search = searched(state, 30_000, role, exploration=1.0)
        found = search.root_moves()
        low, high = search._tree.bounds(search._tree.root, role)
        assert low <= exact + 1e-9
        assert high >= exact - 1e-9
        if len(found) > 1:
            assert max(found, key=lambda each: (each.low, each.visits)).mean == pytest.approx(exact, abs=2.5)


def pig(first: int, second: int, collected: int) -> State:
    game = compiled("pig:10")
    scores = [("score", "first", str(first)), ("score", "second", str(second))]
    return game.state([*scores, ("collected", str(collected)), ("control", "first")])


@pytest.mark.parametrize("position", [(0, 0, 2), (4, 8, 4), (2, 2, 6), (7, 9, 2)])
def test_native_and_contract_search_find_the_value_of_pig(position: tuple[int, int, int]) -> None:
    state = pig(*position)
    exact = Solver(state, 60).solve().values["first"]
    assert exact is not None

    native = max(by_move(searched(state, 30_000)).values(), key=lambda found: found.visits)
    contract = StateSearch(state.game, "first", settings(), 1, Leaves(state.game, Random(1), 1000))
    contract.set_root(state)
    contract.run(600.0, 1_500)
    other = max(by_move(contract).values(), key=lambda found: found.visits)

    assert native.low <= exact <= native.high
    assert native.mean == pytest.approx(exact, abs=3)
    assert other.mean == pytest.approx(exact, abs=6)
    assert native.move == other.move


def test_the_tree_is_found_again_after_what_chance_did() -> None:
    state = pig(0, 0, 2)
    search = searched(state, 4_000)

    search.set_root(state.play({"first": "(roll 5)", "second": "noop"}))

    assert sum(found.visits for found in search.root_moves()) > 300


def test_a_tree_with_chance_that_is_full_goes_on() -> None:
    search = BlockSearch(compiled("three_dice"), 0, settings(memory=1), 1)
    search.set_root(compiled("three_dice").initial_state())

    while search.iterations < 60_000:
        search.run(600.0, 60_000 - search.iterations)

    assert 0 < search.nodes < 2_000
    assert search.root_moves()[0].high > 22


def test_mcts_plays_games_with_chance_in_native_code() -> None:
    state = pig(2, 2, 6)
    player = make_player("mcts:iterations=3000")
    player.start(state.game, "first", 1, Clock(play=600.0, start=600.0))

    thinking = player.choose(state.view("first"), Deadline(600)).thinking

    assert thinking.extra["native"]
    assert thinking.moves[0].line[0] == thinking.moves[0].move
