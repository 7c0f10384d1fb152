from __future__ import annotations

from random import Random

import pytest

from ludens.analysis.subgames.decompose import decompose
from ludens.analysis.subgames.parts import Composition
from ludens.compiler.batch.game import CircuitGame
from ludens.core import random_joint_move
from ludens.gdl.read import read_rules
from ludens.players.decomposition import dominance
from ludens.players.decomposition.solve import InOnePieceError, PartSolver, decompose_game, solve_by_parts
from ludens.players.minimax.solve import Solver
from ludens.players.space.graph import MOST_POSITIONS
from tests.analysis.games import compiled, shelf
from tests.players.decomposition.composites import composite_of, random_composite
from tests.players.decomposition.lamps import counted_lamps, weighed_lamps
from tests.players.decomposition.other_shapes import SHAPES, other_composite
from tests.players.decomposition.sheets import drop_boards
from tests.processes import PATIENCE

FEW = 40
ALL = 500


def check_composite(seed: int) -> bool:
    """Compare the value found by subgames with plain minimax's; False if the game has no subgames."""
    composite = random_composite(seed)
    game = CircuitGame(read_rules(composite.rules), f"{composite.kind} {seed}")
    state = game.initial_state()
    try:
        found = solve_by_parts(state, PATIENCE)
    except InOnePieceError:
        return False
    plain = Solver(state, PATIENCE).solve()
    if plain.exact:
        assert found.exact, composite
        for role in game.roles:
            assert found.bounds[role] == pytest.approx(plain.bounds[role]), composite
        for role, moves in plain.best.items():
            assert set(found.best.get(role, moves)) == set(moves), composite
    return True


def test_values_by_subgames_are_those_of_plain_search_on_some_composites() -> None:
    decomposed = sum(check_composite(seed) for seed in range(FEW))

    assert decomposed > FEW * 3 // 4


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, ALL, 100))
def test_values_by_subgames_are_those_of_plain_search(start: int) -> None:
    decomposed = sum(check_composite(seed) for seed in range(start, start + 100))

    assert decomposed > 75


def test_double_tic_tac_toe_is_drawn() -> None:
    found = solve_by_parts(shelf("double_tic_tac_toe").initial_state(), 120.0)

    assert found.exact
    assert found.values == {"xplayer": 50, "oplayer": 50}


def test_positions_visited_grow_with_the_largest_heap_not_with_the_product() -> None:
    visited = [solve_by_parts(shelf(f"nim:{size},{size}").initial_state(), PATIENCE).positions for size in (10, 20, 40)]

    assert visited == [22, 42, 82]


def test_a_later_position_is_solved_with_what_was_listed_before() -> None:
    game = shelf("nim:3,4,5")
    state = game.initial_state()
    solver = PartSolver(decompose_game(game), state)
    after = state.play({"first": "(reduce a 1)", "second": "noop"})

    found = solver.solve(after)

    assert found.bounds == ((100.0, 100.0), (0.0, 0.0))


def test_a_game_in_one_piece_is_refused() -> None:
    with pytest.raises(InOnePieceError, match="stays whole"):
        solve_by_parts(shelf("tic_tac_toe").initial_state(), PATIENCE)


def test_every_composite_of_the_shelf_is_found_to_be_one() -> None:
    for name in ("double_tic_tac_toe", "double_criss_cross", "nim"):
        assert len(decompose(shelf(name)).games) > 1


WILD = """
(role a) (role b)
(init (at 0 p4)) (init (at 1 p4)) (init (control a))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (legal b noop) (true (control a)))
(<= (legal a noop) (true (control b)))
(step p1 p0) (step p2 p0) (step p2 p1) (step p3 p2) (step p4 p0) (step p4 p3)
(<= (legal ?r (go ?g ?q)) (true (control ?r)) (true (at ?g ?p)) (step ?p ?q))
(<= (next (at ?g ?q)) (does ?r (go ?g ?q)))
(<= (next (at ?g ?p)) (true (at ?g ?p)) (not (moved ?g)))
(<= (moved ?g) (does ?r (go ?g ?q)))
(<= terminal (true (at 0 p0)) (true (at 1 p0)))
(<= (goal ?r 100) (true (control ?r)))
(<= (goal a 0) (true (control b)))
(<= (goal b 0) (true (control a)))
"""


def test_a_wild_sum_in_misere_play_is_searched_and_says_so() -> None:
    state = CircuitGame(read_rules(WILD), "wild").initial_state()

    found = solve_by_parts(state, PATIENCE)

    assert "wild" in found.note
    assert found.values == Solver(state, PATIENCE).solve().values


@pytest.mark.parametrize("first_ends", [False, True])
def test_boards_played_at_once_are_solved_over_all_combinations(
    first_ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plain search enumerates, since a proof shows one of the best moves only."""
    monkeypatch.setattr("ludens.players.minimax.solve.FEW_POSITIONS", MOST_POSITIONS)
    game = compiled(drop_boards(2, 3, 3, 3, style="parallel", first_ends=first_ends))
    solver = PartSolver(decompose_game(game), game.initial_state())
    rng = Random(1)
    state = game.initial_state()
    while not state.is_terminal:
        found, plain = solver.solve(state), Solver(state, PATIENCE).solve()
        assert found.bounds == tuple(plain.bounds[role] for role in game.roles)
        for role, moves in plain.best.items():
            assert set(found.best[game.roles.index(role)]) == set(moves)
        state = state.play(random_joint_move(state, rng))

    assert solver.method == "all combinations of subgames, tick by tick"


def test_of_moves_that_come_to_the_same_for_the_mover_those_are_sharp_that_leave_the_other_less() -> None:
    """After one more step on either side ``a`` has what it gets; on one of them ``b`` gets more."""
    game = compiled(
        """
        (role a) (role b) (init (control a)) (init (turn 0)) (init (at 1 x)) (init (at 2 x))
        (<= (legal a (go ?i ?q)) (true (control a)) (true (at ?i x)) (end ?q))
        (<= (legal a noop) (true (control b)))
        (legal b noop)
        (end y) (end z)
        (<= (next (at ?i ?q)) (does a (go ?i ?q)))
        (<= (next (at ?i ?p)) (true (at ?i ?p)) (not (moved ?i)))
        (<= (moved ?i) (does a (go ?i ?q)))
        (<= (next (control b)) (true (control a)))
        (<= (next (control a)) (true (control b)))
        (<= (next (turn 1)) (true (turn 0)))
        (<= (next (turn 2)) (true (turn 1)))
        (<= terminal (true (turn 2)))
        (goal a 50)
        (<= (goal b 100) (true (at 1 y)))
        (<= (goal b 50) (true (at 2 y)))
        (<= (goal b 0) (not (true (at 1 y))) (not (true (at 2 y))))
        """
    )
    found = PartSolver(decompose_game(game), game.initial_state()).solve(game.initial_state())

    assert set(found.best[0]) == {"(go 1 y)", "(go 1 z)", "(go 2 y)", "(go 2 z)"}
    assert set(found.sharp) == {"(go 1 z)", "(go 2 z)"}


@pytest.mark.parametrize("kind", ["series by clock", "series by state", "three roles"])
def test_games_of_other_kinds_are_taken_apart_and_have_the_values_of_plain_search(kind: str) -> None:
    for seed in range(3):
        state = compiled(composite_of(kind, seed).rules).initial_state()
        found, plain = solve_by_parts(state, PATIENCE), Solver(state, PATIENCE).solve()

        assert found.exact
        assert found.bounds == plain.bounds
        for role, moves in plain.best.items():
            assert set(found.best.get(role, moves)) == set(moves)


def test_the_second_of_two_games_may_wait_for_the_end_of_the_first() -> None:
    found = decompose(compiled(composite_of("series by state", 3).rules))

    assert found.composition is Composition.SERIAL
    assert [{move for _, move in part.moves} for part in found.games] == [
        {move for _, move in part.moves if move.startswith(f"(go {number} ")} for number, part in enumerate(found.games)
    ]


PINS_BEFORE_A_HEAP = """
(role a) (role b) (role c) (init (turn a)) (after a b) (after b c) (after c a)
(init (heap 3)) (less 3 2) (less 3 1) (less 2 1) (less 2 0) (less 1 0)
(beside 1 2) (beside 2 3) (beside 3 4) (beside 4 5) (beside 5 6)
(init (up 1)) (init (up 2)) (init (up 3)) (init (up 4)) (init (up 5)) (init (up 6))
(<= (pair ?m ?n) (beside ?m ?n) (true (up ?m)) (true (up ?n)))
(<= standing (pair ?m ?n))
(<= (legal ?p (knock ?m ?n)) (true (turn ?p)) (pair ?m ?n))
(<= (legal ?p (take ?n)) (true (turn ?p)) (not standing) (true (heap ?m)) (less ?m ?n))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
(<= (down ?m) (does ?p (knock ?m ?n))) (<= (down ?n) (does ?p (knock ?m ?n)))
(<= (next (up ?n)) (true (up ?n)) (not (down ?n)))
(<= taking (does ?p (take ?n)))
(<= (next (heap ?n)) (does ?p (take ?n))) (<= (next (heap ?n)) (true (heap ?n)) (not taking))
(<= (next (last ?p)) (does ?p (take 0)))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (last ?p)))
(<= (goal ?p 30) (true (last ?q)) (after ?q ?p)) (<= (goal ?p 0) (true (last ?q)) (after ?p ?q))
"""
"""Three roles knock down pins; when no two stand side by side, they take from a heap. Pins decide only who begins."""


def test_the_first_game_may_matter_only_by_when_it_ends() -> None:
    state = compiled(PINS_BEFORE_A_HEAP).initial_state()

    parts = decompose(state.game).games
    found, plain = solve_by_parts(state, PATIENCE), Solver(state, PATIENCE).solve()

    assert {move.split()[0] for part in parts for _, move in part.moves} == {"(take", "(knock"}
    assert len(parts) == 2
    assert found.exact
    assert found.bounds == plain.bounds
    for role, moves in plain.best.items():
        assert set(found.best.get(role, moves)) == set(moves)


def test_a_lid_that_opens_while_the_first_game_goes_on_is_no_series() -> None:
    """The second game's moves are possible from the second step of the first on."""
    rules = composite_of("series by state", 3).rules
    assert "(over 0) (true (at 1 ?p))" in rules

    found = decompose(compiled(rules.replace("(over 0) (true (at 1 ?p))", "(true (at 0 p1)) (true (at 1 ?p))")))

    assert len(found.games) == 1
    assert "stays whole" in found.note


@pytest.mark.parametrize("rules", [counted_lamps(20, 15, turns=16), weighed_lamps((7, 11, 13, 17, 19, 23), 60, 4)])
def test_turns_are_allotted_to_many_lamps(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dominance, "MOST_ENDS", 3)
    state = compiled(rules).initial_state()
    found, plain = solve_by_parts(state, PATIENCE), Solver(state, PATIENCE).solve()

    assert "turns allotted to" in found.note
    assert found.exact
    assert found.bounds == plain.bounds


@pytest.mark.parametrize("seed", range(6))
def test_joined_subgames_have_the_values_of_plain_search(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there are too many combinations of values to list them."""
    state = compiled(composite_of("joined", seed).rules).initial_state()
    plain = Solver(state, PATIENCE).solve()
    for most in (dominance.MOST_ENDS, 3):
        monkeypatch.setattr(dominance, "MOST_ENDS", most)
        found = solve_by_parts(state, PATIENCE)

        assert (found.exact, found.bounds) == (plain.exact, plain.bounds)
        for role, moves in plain.best.items():
            assert set(found.best.get(role, moves)) == set(moves)


def test_interchangeable_subgames_are_searched_as_one_position() -> None:
    """Two roles switch 18 lamps in turn: more than two million positions, but few numbers of lamps that are on."""
    rules = counted_lamps(18, 9, turns=8).replace("(role solo)", "(role solo) (role other) (init (turn solo))")
    rules = rules.replace(
        "(<= (legal solo (press ?n)) (lamp ?n))", "(<= (legal ?r (press ?n)) (true (turn ?r)) (lamp ?n))"
    )
    rules = rules.replace("(does solo ", "(does ?r ").replace("(not (does ?r (press ?n)))", "(not (pressed ?n))")
    rules += """
        (<= (pressed ?n) (does ?r (press ?n)))
        (<= (legal solo noop) (true (turn other))) (<= (legal other noop) (true (turn solo)))
        (<= (next (turn solo)) (true (turn other))) (<= (next (turn other)) (true (turn solo)))
        (<= (goal other 0) good) (<= (goal other 100) (not good))
    """
    found = solve_by_parts(compiled(rules).initial_state(), PATIENCE)

    assert found.exact
    assert found.bounds["solo"] == (0.0, 0.0)
    assert found.positions < 200


@pytest.mark.parametrize("shape", SHAPES)
def test_games_written_in_other_ways_are_taken_apart_and_have_the_values_of_plain_search(shape: str) -> None:
    for seed in range(2):
        state = compiled(other_composite(shape, seed)).initial_state()
        found, plain = solve_by_parts(state, PATIENCE), Solver(state, PATIENCE).solve()

        assert (found.exact, found.bounds) == (plain.exact, plain.bounds)
        for role, moves in plain.best.items():
            assert set(found.best.get(role, moves)) == set(moves)
