from __future__ import annotations

import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import State
from ludens.gdl.write import kif
from ludens.players.one_role.compiled import CompiledSpace
from ludens.players.one_role.conserved import conserved_numbers, implied_literals
from ludens.players.packed.graph_search import DEAD, GraphSearch, GraphSettings, Outcome, Policy
from ludens.players.packed.relaxation import goal_parts, relax

LOST = "sokoban:######,#$-.-#,#-$@.#,#----#,######"
"""One of two boxes is in a corner."""


def load(name: str) -> CircuitGame:
    game = ludens.load(name, wait=True)
    assert isinstance(game, CircuitGame)
    return game


def search(
    game: CircuitGame, policy: Policy, root: State | None = None, mobility: int = 0, most_nodes: int = 2**31
) -> GraphSearch:
    relaxed = None if policy is Policy.BREADTH else relax(game, 100)
    settings = GraphSettings(policy, 20, mobility=mobility, most_nodes=most_nodes)
    return GraphSearch(game, root or game.initial_state(), settings, relaxed)


def run(graph: GraphSearch, goal: int = 101) -> Outcome:
    while (outcome := graph.run()) in (Outcome.GOING_ON, Outcome.BETTER):
        if graph.goal >= goal:
            break
    return outcome


def reachable(game: CircuitGame) -> int:
    """The number of positions, found one state at a time, without step counters."""
    keep = ~game.counting_fluents
    seen = {bytes(game.bits_of(game.initial_state())[keep])}
    waiting: list[State] = [game.initial_state()]
    for state in waiting:
        if not state.is_terminal:
            for move in state.legal_moves(game.roles[0]):
                after = state.play({game.roles[0]: move})
                key = bytes(game.bits_of(after)[keep])
                if key not in seen:
                    seen.add(key)
                    waiting.append(after)
    return len(seen)


@pytest.mark.parametrize("name", ["hanoi:4", "sokoban:level1"])
def test_breadth_first_search_finds_every_position_once(name: str) -> None:
    game = load(name)
    graph = search(game, Policy.BREADTH)

    assert run(graph) is Outcome.EXHAUSTED
    assert len(graph) == reachable(game)


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("mobility", [-1, 0, 1])
def test_lines_lead_to_the_goal(policy: Policy, mobility: int) -> None:
    game = load("sokoban:level2")
    graph = search(game, policy, mobility=mobility)

    run(graph, goal=100)

    state: State = game.initial_state()
    for move in graph.line():
        assert not state.is_terminal
        state = state.play({"man": move})
    assert state.is_terminal
    assert state.goals["man"] == 100
    if policy in (Policy.BREADTH, Policy.DISTANCE):
        assert len(graph.line()) == 20


def test_relaxed_distances_are_never_too_long() -> None:
    game = load("sokoban:level2")
    graph = search(game, Policy.BREADTH)
    run(graph, goal=100)
    line = graph.line()

    state: State = game.initial_state()
    for left in range(len(line), 0, -1):
        distance = search(game, Policy.DISTANCE, state).root_distance
        assert distance is not None
        assert distance <= left
        assert distance > 0
        state = state.play({"man": line[-left]})


def test_no_box_is_elsewhere_where_the_goal_holds() -> None:
    game = load(LOST)

    parts = goal_parts(game.circuit, 100)
    found = implied_literals(game, conserved_numbers(game, parts, seed=1), parts)

    absent = {kif(game.circuit.fluents[game.circuit.fluent_inputs.index(literal ^ 1)]) for literal in found}
    assert absent >= {text for text in game.fluent_texts if text.endswith("box)")}
    assert not any(text.endswith("done)") for text in absent)


def test_a_lost_box_is_a_dead_end() -> None:
    game = load(LOST)
    settings = GraphSettings(Policy.GREEDY, 20)

    assert search(game, Policy.DISTANCE).root_distance is not None  # the other box may fill both places
    assert GraphSearch(game, game.initial_state(), settings, CompiledSpace(game, 1).guiding_rules).root_distance is None


def test_tokens_cost_the_pushes_to_each_place() -> None:
    game = load("sokoban:#######,#@$--.#,#--$--#,#----.#,#######")

    tokens = CompiledSpace(game, 1).tokens

    assert tokens is not None
    (group,) = tokens.groups
    names = [kif(game.circuit.fluents[n]) for n in group.members]
    costs = {name: sorted(row) for name, row in zip(names, group.costs.tolist(), strict=True)}
    assert costs["(cell 4 3 box)"] == [3, 3]
    assert costs["(cell 4 4 box)"] == [2, DEAD]  # along the wall to one place, never to the other
    assert costs["(cell 2 4 box)"] == [DEAD, DEAD]  # in the corner


@pytest.mark.parametrize(
    ("rows", "pushes"),
    [
        ("#######,#@$--.#,#--$--#,#----.#,#######", 3 + 3),
        ("########,#@-----#,#-$--$-#,#-.--.-#,#------#,########", 1 + 1),
        ("########,#@--.--#,#-$$---#,#---.--#,#------#,########", 2 + 3),
    ],
)
def test_the_distance_of_tokens_is_the_cheapest_assignment(rows: str, pushes: int) -> None:
    game = load(f"sokoban:{rows}")
    space, settings = CompiledSpace(game, 1), GraphSettings(Policy.GREEDY, 20)

    graph = GraphSearch(game, game.initial_state(), settings, space.guiding_rules, space.tokens)

    assert graph.root_distance == pushes


def test_two_boxes_along_the_same_wall_are_a_dead_end_for_tokens_only() -> None:
    game = load("sokoban:#######,#-$-$.#,#@-$--#,#--.--#,#-.---#,#-----#,#######")
    space, settings = CompiledSpace(game, 1), GraphSettings(Policy.GREEDY, 20)
    root = game.initial_state()

    assert GraphSearch(game, root, settings, space.guiding_rules).root_distance is not None
    assert GraphSearch(game, root, settings, space.guiding_rules, space.tokens).root_distance is None


def test_boxes_that_never_move_are_left_out() -> None:
    game = load("sokoban:######,#@$-.#,#-*###,####-#,######")

    tokens = CompiledSpace(game, 1).tokens

    assert tokens is not None
    assert [group.costs.shape[1] for group in tokens.groups] == [1]


def test_moved_tiles_are_tokens() -> None:
    game = load("eight_puzzle")

    tokens = CompiledSpace(game, 1).tokens

    assert tokens is not None
    assert sum(group.costs.shape[1] for group in tokens.groups) >= 8


def test_a_search_stops_when_memory_is_full() -> None:
    game = load("sokoban:level4")
    graph = search(game, Policy.BREADTH, most_nodes=1_000)

    assert run(graph) is Outcome.FULL
    assert 1_000 <= len(graph) <= 6_000


@pytest.mark.parametrize(("level", "steps"), [("level1", 5), ("level2", 20), ("level3", 25)])
def test_best_first_search_that_reopens_finds_a_line_where_no_step_is_to_spare(level: str, steps: int) -> None:
    space = CompiledSpace(load(f"sokoban:{level},{steps}"), seed=1)
    assert space.tokens is not None
    root = space.game.initial_state()
    settings = GraphSettings(Policy.GREEDY, 20)

    graph = GraphSearch(space.game, root, settings, space.guiding_rules, space.tokens)
    run(graph, goal=100)

    assert graph.goal == 100
    assert len(graph.line()) == steps


@pytest.mark.parametrize("name", ["hanoi:4", "sokoban:level1"])
def test_best_first_search_that_does_not_reopen_expands_every_position_once(name: str) -> None:
    game = load(name)
    breadth = search(game, Policy.BREADTH)
    run(breadth)

    graph = GraphSearch(game, game.initial_state(), GraphSettings(Policy.GREEDY, 20, reopens=False), None)

    assert run(graph) is Outcome.EXHAUSTED
    assert len(graph) == reachable(game)
    assert graph.states == breadth.states


@pytest.mark.parametrize("name", ["sokoban:level4", "sokoban:level5"])
def test_lines_of_tokens_lead_to_the_goal_without_reopening(name: str) -> None:
    space = CompiledSpace(load(name), seed=1)
    assert space.tokens is not None
    settings = GraphSettings(Policy.GREEDY, 50, reopens=False)

    graph = GraphSearch(space.game, space.game.initial_state(), settings, space.guiding_rules, space.tokens)
    run(graph, goal=100)

    state: State = space.game.initial_state()
    for move in graph.line():
        state = state.play({space.game.roles[0]: move})
    assert state.goals[space.game.roles[0]] == 100
