from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Game, GameError, OutOfTimeError, PlayerError, State, random_joint_move
from ludens.players.minimax.solve import Solver
from ludens.players.registry import make_player
from ludens.players.table.build import build_table
from ludens.players.table.player import TablePlayer
from ludens.players.table.table import Table, read_table

GRAPH = """
(role left) (role right)
{facts}
(init (at {start}))
(<= (legal ?r (go ?y)) (true (at ?x)) (turn ?x ?r) (edge ?x ?y))
(<= (legal ?r noop) (role ?r) (true (at ?x)) (turn ?x ?s) (distinct ?r ?s))
(<= (next (at ?y)) (does ?r (go ?y)))
(<= terminal (true (at ?x)) (end ?x ?a ?b))
(<= (goal left ?a) (true (at ?x)) (end ?x ?a ?b))
(<= (goal right ?b) (true (at ?x)) (end ?x ?a ?b))
"""
"""A token on a graph: whose turn it is, and where the match ends, depends on the place alone."""

CHASE = """
(role cop) (role robber)
(step 1 2) (step 2 1) (step 2 3) (step 3 2) {closing}
(init (cop 1)) (init (robber 3)) (init (control cop))
(<= (at cop ?x) (true (cop ?x)))
(<= (at robber ?x) (true (robber ?x)))
(<= (legal ?r (go ?y)) (true (control ?r)) (at ?r ?x) (step ?x ?y))
(<= (legal cop noop) (true (control robber)))
(<= (legal robber noop) (true (control cop)))
(<= (next (cop ?y)) (does cop (go ?y)))
(<= (next (cop ?x)) (true (cop ?x)) (does cop noop))
(<= (next (robber ?y)) (does robber (go ?y)))
(<= (next (robber ?x)) (true (robber ?x)) (does robber noop))
(<= (next (control cop)) (true (control robber)))
(<= (next (control robber)) (true (control cop)))
(<= caught (true (cop ?x)) (true (robber ?x)))
(<= terminal caught)
(<= (goal cop 100) caught) (<= (goal robber 0) caught)
(<= (goal cop 0) (not caught)) (<= (goal robber 100) (not caught))
"""
"""Two move along a path of three places, or around a ring, and may not stay: on the ring the cop never arrives."""


def game_of(text: str, folder: Path) -> Game:
    sheet = folder / "sheet.kif"
    sheet.write_text(text, encoding="utf-8")
    return ludens.load(str(sheet), wait=True)


def table_of(state: State) -> Table:
    return build_table(state, 60, 100, lambda text: None)


def random_graph(rng: Random, places: int) -> tuple[str, dict[int, list[int]], dict[int, int], dict[int, int]]:
    """Rules, edges, turns and ends (what left gets of 100) of a graph in which all places are reachable from 0."""
    edges = {place: sorted({rng.randrange(places) for _ in range(rng.choice([1, 2, 2, 3]))}) for place in range(places)}
    edges[0] = list(range(1, places))
    turns = {place: rng.randrange(2) for place in range(places)}
    ends = {place: rng.choice([0, 30, 50, 70, 100]) for place in range(1, places) if rng.random() < 0.2}
    facts = [f"(edge {x} {y})" for x, found in edges.items() if x not in ends for y in found]
    facts += [f"(turn {place} {('left', 'right')[role]})" for place, role in turns.items()]
    facts += [f"(end {place} {goal} {100 - goal})" for place, goal in ends.items()]
    return GRAPH.format(facts="\n".join(facts), start=0), edges, turns, ends


def solve_graph(
    edges: Mapping[int, list[int]], turns: Mapping[int, int], ends: Mapping[int, int]
) -> dict[int, tuple[int, int]]:
    """The goal of left and the distance of each place from which an end with a winner can be forced, level by level."""
    found: dict[int, tuple[int, int]] = {}
    for winner, goals in ((0, (100, 70)), (1, (0, 30))):
        for goal in goals:
            level = 0
            found |= {place: (goal, 0) for place, end in ends.items() if end == goal}
            good = {100, goal} if winner == 0 else {0, goal}
            while True:
                level += 1
                sure = {place for place, (value, _) in found.items() if value in good}
                quantifier = {place: any if turns[place] == winner else all for place in edges}
                fresh = [
                    place
                    for place in edges
                    if place not in found and place not in ends and quantifier[place](y in sure for y in edges[place])
                ]
                if not fresh:
                    break
                found |= dict.fromkeys(fresh, (goal, level))
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_values_and_distances_on_graphs_with_cycles_are_those_of_a_plain_induction(seed: int, tmp_path: Path) -> None:
    text, edges, turns, ends = random_graph(Random(seed), 120)
    initial = game_of(text, tmp_path).initial_state()
    table = table_of(initial)
    expected = solve_graph(edges, turns, ends)
    chooser, other = ("left", "right") if turns[0] == 0 else ("right", "left")

    for place in edges[0]:
        entry = table.entry(initial.play({chooser: f"(go {place})", other: "noop"}))
        assert entry is not None
        if place in expected:
            assert (entry.goals[0], entry.distance) == expected[place]
        else:
            assert entry.goals == (50, 50)
    assert len({goal for goal, _ in expected.values()}) == 4


def test_a_chase_on_a_path_is_won_and_one_around_a_ring_never_ends(tmp_path: Path) -> None:
    path = game_of(CHASE.format(closing=""), tmp_path).initial_state()
    ring = game_of(CHASE.format(closing="(step 3 4) (step 4 3) (step 4 1) (step 1 4)"), tmp_path).initial_state()

    on_path, around = table_of(path), table_of(ring)

    entry = on_path.entry(path)
    assert entry is not None
    assert (entry.goals, entry.distance) == ((100, 0), 2)
    entry = around.entry(ring)
    assert entry is not None
    assert (entry.goals, entry.margin, entry.distance) == ((50, 50), 0, None)
    assert [tally.goals for tally in around.tally()] == [(100, 0), None]


@pytest.mark.parametrize(
    ("name", "goals", "positions"),
    [("tic_tac_toe", (50, 50), 5_478), ("nim:3,4,5", (100, 0), 232), ("nim:1,2,3", (0, 100), 40)],
)
def test_known_games_have_their_known_values(name: str, goals: tuple[int, int], positions: int) -> None:
    state = ludens.load(name, wait=True).initial_state()

    table = table_of(state)

    entry = table.entry(state)
    assert entry is not None
    assert (entry.goals, len(table)) == (goals, positions)


def test_all_positions_of_a_line_of_play_agree_with_the_solver() -> None:
    state: State = ludens.load("nim:3,4,5", wait=True).initial_state()
    table, rng = table_of(state), Random(3)
    while not state.is_terminal:
        found, entry = Solver(state, 60).solve(), table.entry(state)
        assert entry is not None
        assert tuple(found.values.values()) == entry.goals
        if found.best:
            assert {role: set(moves) for role, moves in found.best.items()} == {
                role: set(moves) for role, moves in table.keeping_moves(state).items()
            }
        state = state.play(random_joint_move(state, rng))


def test_distances_of_perfect_play_fall_one_by_one(tmp_path: Path) -> None:
    state: State = ludens.load("nim:2,3,4", wait=True).initial_state()
    table, distances = table_of(state), list[int]()
    while not state.is_terminal:
        entry = table.entry(state)
        assert entry is not None
        assert entry.distance is not None
        distances.append(entry.distance)
        role = next((role for role in table.roles if len(state.legal_moves(role)) > 1), table.roles[0])
        ratings = table.rate_moves(state, role)
        state = max(ratings, key=lambda rating: table.preference(rating.entry, role)).after

    assert distances == list(range(distances[0], 0, -1))


def test_a_table_from_a_file_is_the_one_that_was_written(tmp_path: Path) -> None:
    state: State = ludens.load("tic_tac_toe", wait=True).initial_state()
    table = table_of(state)
    table.write(tmp_path / "kept.table")

    again = read_table(tmp_path / "kept.table")

    assert again.tally() == table.tally()
    rng = Random(5)
    while not state.is_terminal:
        assert again.entry(state) == table.entry(state) is not None
        state = state.play(random_joint_move(state, rng))
    interpreted = ludens.load("tic_tac_toe", backend="interpreter").initial_state()
    assert again.entry(interpreted) == table.entry(interpreted) is not None


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept.table"
    table_of(ludens.load("nim:1,2", wait=True).initial_state()).write(path)
    whole = path.read_bytes()
    for content in (b"", whole[:20], whole[:-1], whole + b"x", whole.replace(b'"fluents"', b'"fluentz"')):
        path.write_bytes(content)
        with pytest.raises(PlayerError, match=r"not a table|is damaged"):
            read_table(path)


def seat(game: Game, role: str, path: Path, seed: int) -> TablePlayer:
    found = make_player(f"table:{path}")
    assert isinstance(found, TablePlayer)
    found.check(game)
    found.start(game, role, seed, Clock(1.0, 1.0))
    return found


@pytest.mark.parametrize(
    ("name", "role"), [("tic_tac_toe", "xplayer"), ("tic_tac_toe", "oplayer"), ("nim:1,2,4", "first")]
)
def test_the_player_never_gets_less_than_the_value_of_any_position_it_meets(
    name: str, role: str, tmp_path: Path
) -> None:
    game = ludens.load(name, wait=True)
    table = table_of(game.initial_state())
    table.write(tmp_path / "kept.table")
    number = game.roles.index(role)
    for seed in range(10):
        player, rng, state, least = (
            seat(game, role, tmp_path / "kept.table", seed),
            Random(seed),
            game.initial_state(),
            0.0,
        )
        while not state.is_terminal:
            entry = table.entry(state)
            assert entry is not None
            assert entry.goals[number] >= least
            least = entry.goals[number]
            joint = random_joint_move(state, rng)
            if len(state.legal_moves(role)) > 1:
                joint[role] = player.choose(state.view(role), Deadline(60)).move
            state = state.play(joint)
        assert state.goals[role] >= least


def test_a_won_chase_is_over_after_as_many_moves_as_the_table_says(tmp_path: Path) -> None:
    text, _, turns, _ = random_graph(Random(4), 60)
    game = game_of(text, tmp_path)
    table = table_of(game.initial_state())
    table.write(tmp_path / "kept.table")
    role = ("left", "right")[turns[0]]
    player = seat(game, role, tmp_path / "kept.table", 1)
    state, rng, turn = game.initial_state(), Random(9), 0
    entry = table.entry(state)
    assert entry is not None
    assert entry.distance is not None
    while not state.is_terminal:
        joint = random_joint_move(state, rng)
        if len(state.legal_moves(role)) > 1:
            joint[role] = player.choose(state.view(role), Deadline(60)).move
        state, turn = state.play(joint), turn + 1

    assert turn <= entry.distance
    assert state.goals[role] == 100


def test_the_player_prefers_draws_in_which_the_opponent_can_err(tmp_path: Path) -> None:
    facts = (
        "(turn 0 left) (edge 0 1) (edge 0 2) (turn 1 right) (edge 1 3) (edge 1 4) (turn 2 right) (edge 2 3) (edge 2 5)"
    )
    ends = "(end 3 50 50) (end 4 50 50) (end 5 100 0)"
    game = game_of(GRAPH.format(facts=facts + ends, start=0), tmp_path)
    table_of(game.initial_state()).write(tmp_path / "kept.table")
    for seed in range(4):
        player = seat(game, "left", tmp_path / "kept.table", seed)
        decision = player.choose(game.initial_state().view("left"), Deadline(60))
        assert decision.move == "(go 2)"
        assert decision.thinking is not None
        assert [(report.value, report.plies) for report in decision.thinking.moves] == [(50, 2), (50, 2)]


def test_the_player_moves_at_random_where_its_table_ends(tmp_path: Path) -> None:
    game = ludens.load("tic_tac_toe", wait=True)
    late = game.initial_state().play({"xplayer": "(mark 1 1)", "oplayer": "noop"})
    table_of(late).write(tmp_path / "kept.table")
    player = seat(game, "oplayer", tmp_path / "kept.table", 1)
    elsewhere = game.initial_state().play({"xplayer": "(mark 2 2)", "oplayer": "noop"})

    decision = player.choose(elsewhere.view("oplayer"), Deadline(60))

    assert decision.move in elsewhere.legal_moves("oplayer")
    assert decision.thinking is not None
    assert "not in the table" in decision.thinking.note


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("rock_paper_scissors", "both roles choose at once"),
        ("three_dice", "without chance"),
        ("kuhn_poker", "hidden information"),
        ("criss_cross", "not opposed"),
    ],
)
def test_games_of_another_kind_are_refused(name: str, problem: str) -> None:
    with pytest.raises(GameError, match=problem):
        table_of(ludens.load(name, wait=True).initial_state())


def test_limits_of_memory_and_time_are_kept() -> None:
    state = ludens.load("connect_four", wait=True).initial_state()

    with pytest.raises(GameError, match="within 10 MB"):
        build_table(state, 60, 10, lambda text: None)
    with pytest.raises(OutOfTimeError, match="within 0 seconds"):
        build_table(state, 0, 100, lambda text: None)


def test_a_role_without_a_move_is_reported_with_the_way_there(tmp_path: Path) -> None:
    facts = "(turn 0 left) (edge 0 1) (edge 0 2) (turn 1 right) (edge 1 3) (turn 2 left) (end 3 100 0)"
    game = game_of(GRAPH.format(facts=facts, start=0), tmp_path)

    with pytest.raises(GameError, match=r"cannot move .* after \(go 2\) noop"):
        table_of(game.initial_state())


def test_one_role_gets_its_best_goal_by_the_shortest_way() -> None:
    state = ludens.load("hanoi:3", wait=True).initial_state()

    entry = table_of(state).entry(state)

    assert entry is not None
    assert (entry.goals, entry.distance) == ((100,), 7)
