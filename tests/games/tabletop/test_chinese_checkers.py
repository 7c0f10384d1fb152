from __future__ import annotations

from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from ludens.testing import check_game
from tests.games.tabletop.openspiel import open_spiel


@pytest.mark.parametrize("name", ["chinese_checkers:2,2,20", "chinese_checkers:5,4,10"])
def test_chinese_checkers_keeps_the_contract(name: str) -> None:
    check_game(ludens.load(name), matches=2, report=lambda line: None)


def position(pegs: dict[str, str], name: str = "chinese_checkers") -> TabletopState:
    """A position with these pegs, player1 to move."""
    first = ludens.load(name).initial_state()
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    for place in table.kit.positions:
        table.contents[place.index] = ()
    for hole, player in pegs.items():
        table.contents[table.position(hole).index] = (table.element(player=player),)
    return TabletopState(first.game, table)


@pytest.mark.parametrize(("players", "pegs"), [(2, 20), (3, 30), (4, 40), (5, 50), (6, 60)])
def test_everybody_fills_a_point_and_the_opposite_one_is_its_target(players: int, pegs: int) -> None:
    state = ludens.load(f"chinese_checkers:{players}").initial_state()

    assert isinstance(state, TabletopState)
    assert len(state.table.positions(area="board")) == 121
    assert len(state.table.positions(empty=False)) == pegs
    rule: Any = state.game
    for home, target in zip(rule.rule.home.values(), rule.rule.target.values(), strict=True):
        assert not set(home) & target
        assert len(home) == len(target) == 10


def test_jumps_are_chained_over_anybodys_pegs() -> None:
    state = position({"I9": "player1", "J9": "player2", "K10": "player1", "A13": "player2"})

    moves = {move.split()[1] for move in state.legal_moves("player1") if move.startswith("I9")}
    assert "K9" in moves  # over J9
    assert "K11" in moves  # and on over K10
    assert "J9" not in moves


def test_a_jump_goes_over_one_peg_only() -> None:
    state = position({"I9": "player1", "J9": "player2", "K9": "player2"})

    assert "I9 L9" not in state.legal_moves("player1")


def test_a_peg_that_has_arrived_does_not_leave() -> None:
    rule: Any = ludens.load("chinese_checkers")
    target = sorted(hole.name for hole in rule.rule.target["player1"])
    state = position({target[0]: "player1"})

    assert all(move.split()[1] in target for move in state.legal_moves("player1"))


def test_who_fills_the_opposite_point_wins() -> None:
    rule: Any = ludens.load("chinese_checkers:2,1")
    (target,) = rule.rule.target["player1"]
    state = position({target.neighbours[0].name: "player1"}, "chinese_checkers:2,1")

    won = state.play({"player1": f"{target.neighbours[0]} {target}"})

    assert won.goals == {"player1": 100, "player2": 0}


def test_pegs_that_have_arrived_are_counted_in_the_end() -> None:
    state: State = ludens.load("chinese_checkers:2,4,1").initial_state()
    for role in ("player1", "player2"):
        state = state.play({role: state.legal_moves(role)[0]})

    assert state.is_terminal
    assert state.points == {"player1": 0, "player2": 0}
    assert state.goals == {"player1": 50, "player2": 50}


def ends(theirs: Any, start: Any, mover: int) -> dict[tuple[str, str], Any]:
    """Where OpenSpiel's pegs can go in one turn, all jumps together, and the states that these lead to."""
    found: dict[tuple[str, str], Any] = {}
    pending = [(theirs, start)]
    seen = set()
    while pending:
        state, source = pending.pop()
        for action in state.legal_actions():
            text = state.action_to_string(action)
            child = state.child(action)
            if "=>" not in text and "->" not in text:
                found.setdefault(source, child)
                continue
            first, last = text.replace("=>", "->").split("->")
            way = (source[0] if source else first, last)
            if child.is_terminal() or child.current_player() != mover or "hopping" not in str(child):
                found[way] = child
            elif way not in seen:
                seen.add(way)
                pending.append((child, way))
    return {way: child for way, child in found.items() if way[0] != way[1]}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("games", [1, pytest.param(250, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_open_spiel(games: int, players: int) -> None:
    other = open_spiel().load_game("chinese_checkers", {"players": players})
    game: Any = ludens.load(f"chinese_checkers:{players},4,{12 if games == 1 else 50}")
    order = sorted(game.rule.holes, key=lambda hole: (-hole.coordinates[1], hole.coordinates[0]))
    rng = Random(1)
    for _ in range(games):
        theirs = other.new_initial_state()
        state: State = game.initial_state()
        while not state.is_terminal:
            mover = theirs.current_player()
            ways = ends(theirs, None, mover)
            target = game.rule.target[game.roles[mover]]
            # There, pegs may leave the point in which they have arrived.
            staying = [way for way in ways if order[int(way[0])] not in target or order[int(way[1])] in target]
            named = {" ".join(order[int(hole)].name for hole in way): way for way in staying}
            assert set(named) == set(state.legal_moves(game.roles[mover])), str(theirs)
            move = rng.choice(sorted(named))
            state = state.play({game.roles[mover]: move})
            theirs = ways[named[move]]
