"""Games that fall into subgames during play: found from the position, and solved by combinatorial values."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest

from ludens.analysis.report import report
from ludens.analysis.subgames.parts import Composition, Kind
from ludens.analysis.subgames.residual import find_residual
from ludens.core import Clock, Deadline, State, random_joint_move
from ludens.players.decomposition.player import DecompositionPlayer
from ludens.players.decomposition.preparation import Preparation
from ludens.players.decomposition.solve import InOnePieceError, solve_by_parts
from ludens.players.minimax.solve import Solver
from tests.analysis.games import compiled
from tests.players.decomposition.splitting_sheets import clobber, domineering

FEW = 8
MANY = 300


def random_position(seed: int) -> State:
    """A position of Domineering or Clobber on a random board, after some random moves."""
    rng = Random(seed)
    if rng.random() < 0.5:
        cells = [(x, y) for x in range(5) for y in range(4) if rng.random() < 0.85]
        state = compiled(domineering(cells or [(0, 0)])).initial_state()
    else:
        rows = ["".join(rng.choice("xo") if rng.random() < 0.8 else "." for _ in range(6)) for _ in range(3)]
        state = compiled(clobber(["xo", *rows])).initial_state()
    for _ in range(rng.randint(2, 6)):
        if not state.is_terminal:
            state = state.play(random_joint_move(state, rng))
    return state


def check_position(seed: int) -> str:
    """Compare a position solved by parts with plain search; returns how it was solved."""
    state = random_position(seed)
    if state.is_terminal:
        return "over"
    try:
        found = solve_by_parts(state, 600.0)
    except InOnePieceError:
        return "whole"
    plain = Solver(state, 600.0).solve()
    assert found.bounds == plain.bounds, seed
    assert {role: set(moves) for role, moves in found.best.items()} == {
        role: set(moves) for role, moves in plain.best.items()
    }, seed
    return "values" if "combinatorial values" in found.note else "parts"


def test_positions_that_split_have_the_values_of_plain_search() -> None:
    solved = Counter(map(check_position, range(FEW)))

    assert solved["values"] >= 2


@pytest.mark.slow
def test_many_positions_that_split_have_the_values_of_plain_search() -> None:
    solved = Counter(map(check_position, range(FEW, FEW + MANY)))

    assert solved["values"] > MANY // 4


def test_what_can_no_longer_change_is_settled() -> None:
    game = compiled(domineering([(x, y) for x in range(3) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 1 0) (c 1 1))", "right": "noop"})

    residual = find_residual(game, state)

    assert len(residual.settled) == 2  # the cells in the middle
    assert residual.moves == 4  # upright on either side, and noop of each role
    assert residual.state(state) == residual.game.initial_state()


def test_a_position_is_reported_with_the_values_of_its_subgames() -> None:
    game = compiled(domineering([(x, y) for x in range(5) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 2 0) (c 2 1))", "right": "noop"})

    found = report(game, state=state)

    assert report(game).subgames == 1
    assert found.subgames == 2
    assert [part.value for part in found.parts if part.value] == ["±1", "±1"]
    assert "normal play" in " ".join(found.notes)


def test_no_symmetries_are_reported_of_a_position_since_those_of_the_game_may_not_hold() -> None:
    """Two parts of three cells are left, one upright and one bent."""
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (3, 0), (3, 1), (4, 0)]
    state = compiled(domineering(cells)).initial_state()
    state = state.play({"left": "(place (c 0 1) (c 0 2))", "right": "noop"})
    state = state.play({"left": "noop", "right": "(place (c 1 0) (c 2 0))"})

    found = report(state.game, state=state)

    games = [part for part in found.parts if part.kind is Kind.GAME]
    assert not any(part.symmetric_moves for part in found.parts)
    assert [part.alike for part in games] == [None] * len(games)


BIDS = """
(role x) (role y) (init (round 0)) (board north) (board south)
(init (purse x north 2)) (init (purse x south 1)) (init (purse y north 1)) (init (purse y south 1))
(<= (init (score ?b even)) (board ?b))
(minus 2 0 2) (minus 2 1 1) (minus 2 2 0) (minus 1 0 1) (minus 1 1 0) (minus 0 0 0)
(less 0 1) (less 0 2) (less 1 2)
(<= (legal ?p (bid ?m ?n)) (true (purse ?p north ?a)) (minus ?a ?m ?u) (true (purse ?p south ?c)) (minus ?c ?n ?v))
(<= (pays ?p north ?m) (does ?p (bid ?m ?n))) (<= (pays ?p south ?n) (does ?p (bid ?m ?n)))
(<= (next (purse ?p ?b ?v)) (true (purse ?p ?b ?u)) (pays ?p ?b ?m) (minus ?u ?m ?v))
(<= (wins x ?b) (pays x ?b ?m) (pays y ?b ?n) (less ?n ?m))
(<= (wins y ?b) (pays x ?b ?m) (pays y ?b ?n) (less ?m ?n))
(<= (next (score ?b ?p)) (wins ?p ?b))
(<= (next (score ?b ?s)) (true (score ?b ?s)) (not (wins x ?b)) (not (wins y ?b)))
(<= (next (round 1)) (true (round 0))) (<= (next (round 2)) (true (round 1))) (<= terminal (true (round 2)))
(half x 50) (half even 25) (half y 0)
(sum 50 50 100) (sum 50 25 75) (sum 25 50 75) (sum 25 25 50) (sum 50 0 50) (sum 0 50 50) (sum 25 0 25) (sum 0 25 25)
(sum 0 0 0)
(<= (total ?g) (true (score north ?s)) (half ?s ?a) (true (score south ?t)) (half ?t ?b) (sum ?a ?b ?g))
(<= (goal x ?g) (total ?g)) (<= (goal y ?h) (total ?g) (sum ?g ?h 100))
"""
"""Two roles bid on two boards at once, from a purse for each."""


def test_a_purse_that_stays_empty_is_settled_whichever_bid_is_made() -> None:
    """Next to an empty purse every bid leaves it empty, which follows only from there being a bid."""
    game = compiled(BIDS)
    state = game.initial_state().play({"x": "(bid 1 0)", "y": "(bid 0 1)"})

    residual = find_residual(game, state)
    found = report(game, state=state)

    assert residual.settled[("purse", "y", "south", "0")]
    assert (found.subgames, found.composition) == (2, Composition.PARALLEL)
    assert not any(part.kind is Kind.IRRELEVANT for part in found.parts)


LINES = """
(role one) (role two) (init (control one)) (other one two) (other two one)
(side a n) (side a m) (side a w) (side a e) (side b e) (side b n2) (side b m2) (side b w2)
(line n) (line m) (line w) (line e) (line n2) (line m2) (line w2)
(<= (legal ?p (draw ?l)) (true (control ?p)) (line ?l) (not (true (drawn ?l))))
(<= (legal ?p noop) (true (control ?q)) (other ?q ?p))
(<= (next (drawn ?l)) (true (drawn ?l))) (<= (next (drawn ?l)) (does ?p (draw ?l)))
(<= (missing ?b ?l) (side ?b ?k) (line ?l) (distinct ?k ?l) (not (true (drawn ?k))))
(<= (closes ?b) (does ?p (draw ?l)) (side ?b ?l) (not (missing ?b ?l)))
(<= closing (closes ?b))
(<= (next (owner ?b ?p)) (does ?p (draw ?l)) (closes ?b)) (<= (next (owner ?b ?p)) (true (owner ?b ?p)))
(<= (next (control ?p)) (true (control ?p)) closing)
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not closing))
(<= open (line ?l) (not (true (drawn ?l)))) (<= terminal (not open))
(<= (goal ?p 100) (true (owner a ?p)) (true (owner b ?p)))
(<= (goal ?p 50) (true (owner ?a ?p)) (true (owner ?b ?q)) (distinct ?p ?q))
(<= (goal ?p 0) (other ?p ?q) (true (owner a ?q)) (true (owner b ?q)))
"""
"""Dots and Boxes with two boxes, whose common line is e."""


@pytest.mark.parametrize(
    ("joint_move", "note"),
    [
        (None, "whose turn it is depends on the moves ((control one), (control two))"),
        (
            {"one": "(draw e)", "two": "noop"},
            "joins 2 parts: (draw m) (draw n) (draw w); (draw m2) (draw n2) (draw w2)",
        ),
    ],
)
def test_a_turn_that_depends_on_the_moves_is_named_with_the_parts_that_it_joins(
    joint_move: dict[str, str] | None, note: str
) -> None:
    game = compiled(LINES)
    state = game.initial_state()

    found = report(game, state=state.play(joint_move) if joint_move else None)

    assert found.subgames == 1
    assert note in " ".join(found.notes)


def test_what_both_need_for_their_moves_is_no_turn() -> None:
    """Both roles may press as long as the lamp is on, and 3 switches it off."""
    game = compiled(
        """
        (role a) (role b) (init (lamp on)) (number 1) (number 2) (number 3)
        (<= (legal ?p (press ?n)) (role ?p) (number ?n) (true (lamp on)))
        (<= (legal ?p stay) (role ?p))
        (<= (next (pressed ?p ?n)) (does ?p (press ?n))) (<= (next (pressed ?p ?n)) (true (pressed ?p ?n)))
        (<= off (does ?p (press 3))) (<= (next (lamp on)) (true (lamp on)) (not off))
        (<= (next (lamp off)) (true (lamp off))) (<= (next (lamp off)) off)
        (<= terminal (true (lamp off)))
        (<= (goal ?p 100) (true (pressed ?p 1)) (true (pressed ?p 2)))
        (<= (goal ?p 0) (role ?p) (not (true (pressed ?p 1))))
        (<= (goal ?p 0) (role ?p) (not (true (pressed ?p 2))))
        """
    )

    found = report(game)

    assert found.subgames == 1
    assert "depends on the moves" not in " ".join(found.notes)


def test_the_preparation_is_waited_for_by_the_clock_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that stands still, as that of a process which gets no CPU time."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)

    preparation = Preparation(compiled(domineering([(x, y) for x in range(4) for y in range(2)])), 60.0)

    assert preparation.wait(1e-6)


def test_the_player_looks_again_when_the_board_splits() -> None:
    """Two squares of four cells are left; Right has played in one of them, and Left wins by playing in the other."""
    game = compiled(domineering([(x, y) for x in range(5) for y in range(2)]))
    state = game.initial_state().play({"left": "(place (c 2 0) (c 2 1))", "right": "noop"})
    state = state.play({"left": "noop", "right": "(place (c 0 0) (c 1 0))"})
    player = DecompositionPlayer()
    player.start(game, "left", 1, Clock(60.0, 60.0))

    decision = player.choose(state.view("left"), Deadline(60.0))
    player.stop()

    assert "combinatorial values" in decision.thinking.note
    assert decision.move in {"(place (c 3 0) (c 3 1))", "(place (c 4 0) (c 4 1))"}
    assert "the position has 2 subgames" in player.why
