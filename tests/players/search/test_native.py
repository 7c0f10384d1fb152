from __future__ import annotations

import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Clock, Deadline
from ludens.gdl.read import read_rules
from ludens.players.registry import make_player
from ludens.players.search.block_search import BlockSearch
from ludens.players.search.settings import SearchSettings

SMALL = SearchSettings(exploration=0.2, rave=0.0, grave=0, mast=False, cutoff=1000, lanes=0, leaves=0, memory=1)


@pytest.fixture(scope="module")
def game() -> CircuitGame:
    game = ludens.load("connect_four", wait=True)
    assert isinstance(game, CircuitGame)
    return game


@pytest.fixture
def full(game: CircuitGame) -> BlockSearch:
    search = BlockSearch(game, 0, SMALL, 1)
    search.set_root(game.initial_state())
    assert search.seconds_to_make_room == 0
    while not search.seconds_to_make_room:
        search.run(600.0, 1_000)
    return search


def visits(search: BlockSearch) -> int:
    return sum(found.visits for found in search.root_moves())


def test_a_full_tree_stops_the_search_so_that_room_is_made_when_there_is_time(full: BlockSearch) -> None:
    nodes, iterations = full.nodes, full.iterations

    full.run(600.0, 1)

    assert full.iterations > iterations
    assert full.nodes < nodes
    assert full.seconds_to_make_room == 0


def test_room_is_made_at_the_beginning_of_a_move(full: BlockSearch, game: CircuitGame) -> None:
    nodes, before = full.nodes, visits(full)

    full.set_root(game.initial_state())

    assert 1 < full.nodes < nodes
    assert visits(full) == before
    assert full.seconds_to_make_room == 0


def test_a_full_tree_is_forgotten_where_the_clock_is_too_short_to_tidy_it(full: BlockSearch, game: CircuitGame) -> None:
    full.set_root(game.initial_state(), seconds=0.0)

    assert full.nodes == 1
    assert full.seconds_to_make_room == 0


def test_a_player_whose_tree_was_full_goes_on(game: CircuitGame) -> None:
    player = make_player("mcts:memory=1,ponder=off,lookahead=off")
    player.start(game, "red", 1, Clock(play=0.1, start=600.0))
    view = game.initial_state().view("red")
    player.choose(view, Deadline(0.3))

    found = player.choose(view, Deadline(0.3))

    assert found.move in view.legal_moves
    assert found.thinking.moves[0].visits > 1


def test_every_move_is_reported_and_the_best_ones_with_a_line() -> None:
    state = ludens.load("nim:9,9,9", wait=True).initial_state()
    player = make_player("mcts:iterations=3000")
    player.start(state.game, state.game.roles[0], 1, Clock(play=600.0, start=600.0))

    moves = player.choose(state.view(state.game.roles[0]), Deadline(600)).thinking.moves

    assert len(moves) == 27
    assert [bool(found.line) for found in moves] == [True] * 12 + [False] * 15
    assert all(found.line[0] == found.move for found in moves[:12])


DUEL = """(role one) (role two) (init (stage ask))
(<= (legal one ?answer) (true (stage ask)) (answer ?answer)) (answer leave) (answer fight)
(<= (legal two wait) (true (stage ask)))
(<= (legal ?role ?side) (role ?role) (true (stage duel)) (side ?side)) (side left) (side right)
(<= (next (stage left_it)) (does one leave)) (<= (next (stage duel)) (does one fight))
(<= (next (stage same)) (does one ?side) (does two ?side))
(<= (next (stage other)) (does one ?side) (does two ?else) (side ?side) (side ?else) (distinct ?side ?else))
(<= terminal (not (true (stage ask))) (not (true (stage duel))))
(<= (goal one 60) (true (stage left_it))) (<= (goal two 40) (true (stage left_it)))
(<= (goal one 100) (true (stage same))) (<= (goal two 0) (true (stage same)))
(<= (goal one 0) (true (stage other))) (<= (goal two 100) (true (stage other)))
"""


def test_a_game_whose_roles_choose_at_once_later_has_a_table_for_joint_moves() -> None:
    game = CircuitGame(read_rules(DUEL), "duel")

    assert len(BlockSearch(game, 0, SMALL, 1)._tree.structure["link_nodes"]) > 2


def test_a_game_with_turns_needs_no_table_for_joint_moves(game: CircuitGame) -> None:
    assert len(BlockSearch(game, 0, SMALL, 1)._tree.structure["link_nodes"]) == 2


FORCED = """(role one) (role two) (init (stage first))
(<= (legal ?role wait) (role ?role) (true (stage first)))
(<= (legal one ?end) (true (stage then)) (end ?end ?goal)) (<= (legal two wait) (true (stage then)))
(<= (next (stage then)) (true (stage first))) (<= (next (ended ?end)) (does one ?end) (end ?end ?goal))
(<= terminal (true (ended ?end)))
(<= (goal one ?goal) (true (ended ?end)) (end ?end ?goal))
(<= (goal two ?goal) (true (ended ?end)) (end ?end ?other) (pair ?other ?goal))
"""
WON = "(end a 100) (end b 0) (pair 100 0) (pair 0 100)"
OPEN = "(end a 30) (end b 10) (pair 30 70) (pair 10 90)"


@pytest.mark.parametrize("role", [0, 1])
def test_a_forced_move_is_as_good_as_what_follows_whoever_makes_it(role: int) -> None:
    game = CircuitGame(read_rules(FORCED + WON), "forced")
    search = BlockSearch(game, role, SMALL, 1)
    search.set_root(game.initial_state())

    search.run(600.0, 100)

    (only,) = search.root_moves()
    assert (only.proven, only.mean) == (True, [100, 0][role])
    assert search.plies_to_end("wait") == 2


@pytest.mark.parametrize("role", [0, 1])
def test_a_forced_move_has_a_mean_before_anything_is_proven(role: int) -> None:
    game = CircuitGame(read_rules(FORCED + OPEN), "forced")
    search = BlockSearch(game, role, SMALL, 1)
    search.set_root(game.initial_state())

    search.run(600.0, 1)

    (only,) = search.root_moves()
    assert only.visits == 16
    assert [10, 70][role] <= only.mean <= [30, 90][role]
