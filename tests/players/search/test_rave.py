"""RAVE: moves count that were made anywhere below a node, in the tree and in playouts."""

from itertools import product

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.compiler.batch.lane_kernel import lane_kernel
from ludens.compiler.batch.transpose import block_rows, lane_flags
from ludens.compiler.twins.stones import Stones
from ludens.core import Clock, Deadline, State
from ludens.core.batch import Batch
from ludens.core.block import LANES, row_array
from ludens.players.mcts import MctsPlayer
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.settings import SearchSettings
from ludens.players.search.state_search import StateSearch
from ludens.players.search.tree_search import TreeSearch
from ludens.tabletop.twin import StonesPosition

SEED = 5
LONG = 200
REPLAYED = 24
"""Lanes: the reference reasoner takes its time."""


def compiled(name: str) -> CircuitGame:
    game = ludens.load(name).compiled()
    assert isinstance(game, CircuitGame)
    return game


def settings(leaves: int = 1, rave: float = 10.0) -> SearchSettings:
    return SearchSettings(
        exploration=0.2, rave=rave, grave=0, mast=False, cutoff=LONG, lanes=0, leaves=leaves, memory=16
    )


def moves_by_replay(name: str) -> list[set[tuple[int, str]]]:
    """The moves of some lanes' playouts: those by which the reference reasoner gets from state to state."""
    game = compiled(name)
    states: list[State] = [ludens.load(name).initial_state()] * REPLAYED
    made: list[set[tuple[int, str]]] = [set() for _ in states]
    length = 0
    while not all(state.is_terminal for state in states):
        length += 1
        last = Batch(game, LANES, seed=SEED).playouts(length, keep_last=True).last
        assert last is not None
        for lane, state in enumerate(states):
            if state.is_terminal:
                continue
            for moves in product(*(state.legal_moves(role) for role in game.roles)):
                after = state.play(dict(zip(game.roles, moves, strict=True)))
                if (game.pack([after])[0] == last[lane]).all():
                    states[lane] = after
                    made[lane] |= set(enumerate(moves))
                    break
            else:
                raise AssertionError("no move leads there")
    return made


def moves_by_playouts(name: str) -> list[set[tuple[int, str]]]:
    """The moves that the same playouts report."""
    game = compiled(name)
    steps = game.batch_steps
    playouts = steps.playouts_with_moves
    fluents = block_rows(1, steps.fluent_rows)
    fluents[:] = steps.initial
    begins = block_rows(1, len(playouts.absent))
    begins[:] = playouts.beginning(fluents)
    code = playouts.step.code
    values = row_array(code.slots)
    results = block_rows(1, steps.first_legal)
    lane_kernel().play_out(
        values.ctypes.data,
        code.address,
        len(code.entries),
        game.block_code(SEED).rng.ctypes.data,
        fluents.ctypes.data,
        begins.ctypes.data,
        LONG,
        results.ctypes.data,
        1,
    )
    made: list[set[tuple[int, str]]] = [set() for _ in range(REPLAYED)]
    for role, moves in enumerate(game.move_texts):
        for n, move in enumerate(moves):
            row = values[playouts.first_made + steps.first_moves[role] + n]
            for lane in np.flatnonzero(lane_flags(row[None], LANES)[:REPLAYED]):
                made[lane].add((role, move))
    return made


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim:1,2,3", "double_tic_tac_toe"])
def test_playouts_report_the_moves_that_they_made(name: str) -> None:
    assert moves_by_playouts(name) == moves_by_replay(name)


def averages(search: TreeSearch) -> dict[str, tuple[float, float]]:
    """The tries and totals of the root's moves for RAVE."""
    tree = search._tree
    edges = tree.edges_of(tree.root, search._role)
    amaf = tree.structure["amaf"]
    return {search._text_at(search._role, edge): tuple(amaf[edge].tolist()) for edge in edges}


def test_a_leaf_counts_by_the_share_of_its_playouts_in_which_a_move_was_made() -> None:
    game = compiled("tic_tac_toe")
    search = BlockSearch(game, 0, settings(), SEED)
    search.set_root(ludens.load("tic_tac_toe").initial_state())
    search.run(60, 1)
    edges = search._tree.edges
    found = averages(search)
    tried = next(edge for edge in search._tree.edges_of(search._tree.root, 0) if edges[edge]["tries"])
    first = search._text_at(0, tried)
    value = edges[tried]["total"]
    assert found.pop(first) == pytest.approx((1, value), rel=1e-5)
    # In a playout from there, the first player makes up to four of the eight moves that are left.
    for tries, total in found.values():
        assert 0.25 < tries < 0.5
        assert 0 < total < 100 * tries
    # All together they are worth about what the leaf is.
    mean = sum(total for _, total in found.values()) / sum(tries for tries, _ in found.values())
    assert mean == pytest.approx(value, abs=12)


def test_the_averages_of_both_searches_agree() -> None:
    game, rounds = ludens.load("tic_tac_toe"), 400
    slow = StateSearch(game, "xplayer", settings(), SEED)
    fast = BlockSearch(compiled("tic_tac_toe"), 0, settings(), SEED)
    means = []
    for search in (slow, fast):
        search.set_root(game.initial_state())
        search.run(60, rounds)
        means.append({move: total / tries for move, (tries, total) in averages(search).items()})
        assert all(tries <= rounds + 1 for tries, _ in averages(search).values())
    assert means[0] == pytest.approx(means[1], abs=15)


def test_a_search_without_rave_has_no_averages() -> None:
    search = BlockSearch(compiled("tic_tac_toe"), 0, settings(rave=0.0), SEED)
    assert search._tree.structure["amaf"] is None
    assert search._code.first_made < 0


def test_stones_report_where_they_were_placed() -> None:
    near = [[1, 2], [0, 3], [0, 3], [1, 2]]
    empty = StonesPosition([-1] * 4, 1, 0, 8)

    _, _, first = Stones(near).play_out(empty, 1, SEED, 50)
    _, _, both = Stones(near).play_out(empty, 2, SEED, 50)

    assert (first.sum(axis=2) == [0, 1]).all()
    assert (both.sum(axis=2) == 1).all()
    assert not both.all(axis=1).any()
    assert (first.sum(axis=0)[1] > 0).all()


def test_go_is_searched_with_the_moves_of_its_playouts() -> None:
    game = ludens.load("go:5")
    player = MctsPlayer(iterations=40)
    player.start(game, game.roles[0], SEED, Clock(60.0, 60.0))
    player.choose(game.initial_state().view(game.roles[0]), Deadline(60.0))

    (search,) = player._searches
    assert isinstance(search, StateSearch)
    found = averages(search)
    player.stop()

    assert found.pop("pass")[0] < 40
    assert len(found) == 25
    for tries, total in found.values():
        assert tries > 5
        assert 0 < total < 100 * tries
