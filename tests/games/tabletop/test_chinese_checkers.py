from __future__ import annotations

from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State
from ludens.tabletop import TabletopState
from tests.games.tabletop.contract import check_contract
from tests.games.tabletop.openspiel import open_spiel
from tests.peers import peer


@pytest.mark.parametrize("name", ["chinese_checkers:2,2,20", "chinese_checkers:5,4,10"])
def test_chinese_checkers_keeps_the_contract(name: str) -> None:
    check_contract(ludens.load(name), matches=2)


def position(pegs: dict[str, str], name: str = "chinese_checkers") -> TabletopState:
    """A position with these pegs, player1 to move."""
    first = ludens.load(name).initial_state()
    assert isinstance(first, TabletopState)
    table = first.table.copy()
    for place in table.inventory.positions:
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


def ends(theirs: Any) -> dict[tuple[str, str], tuple[int, ...]]:
    """Where OpenSpiel's pegs can go in one turn, all jumps together, and the actions that this takes."""
    mover = theirs.current_player()
    found: dict[tuple[str, str], tuple[int, ...]] = {}
    pending: list[tuple[Any, tuple[str, str], tuple[int, ...]]] = [(theirs, ("", ""), ())]
    seen = set()
    for state, so_far, before in pending:
        for action in state.legal_actions():
            text = state.action_to_string(action)
            actions = (*before, action)
            if text == "Pass":  # ends a chain of jumps
                found.setdefault(so_far, actions)
                continue
            first, last = text.replace("=>", "->").split("->")
            way = (so_far[0] or first, last)
            child = state.child(action) if "=>" in text else None
            if child is None or child.is_terminal() or child.current_player() != mover:
                found[way] = actions
            elif way not in seen:
                seen.add(way)
                pending.append((child, way, actions))
    return {way: actions for way, actions in found.items() if way[0] != way[1]}


def played_alike(players: int, turns: int, match: int) -> int:
    """Play a random match beside OpenSpiel and assert that they agree; returns the number of positions."""
    theirs = open_spiel().load_game("chinese_checkers", {"players": players}).new_initial_state()
    game: Any = ludens.load(f"chinese_checkers:{players},4,{turns}")
    order = sorted(game.rule.holes, key=lambda hole: (-hole.coordinates[1], hole.coordinates[0]))
    rng = Random(match)
    state: State = game.initial_state()
    positions = 1
    while not state.is_terminal:
        role = game.roles[theirs.current_player()]
        target = game.rule.target[role]
        ways = {(order[int(first)], order[int(last)]): actions for (first, last), actions in ends(theirs).items()}
        # There, pegs may leave the point in which they have arrived.
        named = {f"{way[0]} {way[1]}": ways[way] for way in ways if way[0] not in target or way[1] in target}
        assert set(named) == set(state.legal_moves(role)), str(theirs)
        move = rng.choice(sorted(named))
        state = state.play({role: move})
        for action in named[move]:
            theirs.apply_action(action)
        positions += 1
    return positions


@peer("openspiel")
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize(("matches", "positions"), [(1, 36), pytest.param(250, 120, marks=pytest.mark.slow)])
def test_random_matches_go_as_in_open_spiel(matches: int, positions: int, players: int) -> None:
    assert sum(played_alike(players, positions // players, match) for match in range(matches)) > matches
