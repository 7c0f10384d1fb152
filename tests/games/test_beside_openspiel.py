"""Games of the shelf beside OpenSpiel's: legal moves of every state of random games, and results."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.games.openspiel import Moves, Peer, Theirs, by_name, column, compare, results
from tests.peers import peer

POINTS = [
    *("a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4"),
    *("e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"),
]
"""Their points of Nine Men's Morris."""


def morris_moves(state: Theirs) -> Moves:
    found: Moves = {}
    for action in state.legal_actions():
        kind, *numbers = state.action_to_string(state.current_player(), action).replace("-> ", "").split()
        points = " ".join(" ".join(POINTS[int(number)]) for number in numbers)
        # They do not say whether a point is for placing or taking; one's own men are never taken.
        word = "move" if kind == "Move" else "place" if is_free(state, int(numbers[0])) else "take"
        found[f"({word} {points})"] = (action,)
    return found


def is_free(state: Theirs, point: int) -> bool:
    marks = [mark for line in str(state).splitlines()[:13] for mark in line if mark in "WB."]
    return marks[point] == "."


def from_top(rows: int, first: int = 0) -> Callable[[str], str]:
    """A row that they count from the top, beginning with ``first``."""
    return lambda text: str(rows + first - int(text))


def amazons_moves(size: int) -> Callable[[Theirs], Moves]:
    def square(action: int) -> str:
        return f"{action % size + 1} {size - action // size}"

    def moves(state: Theirs) -> Moves:
        found: Moves = {}
        for action in state.legal_actions():
            if "From" not in state.action_to_string(state.current_player(), action):
                found[f"(shoot {square(action)})"] = (action,)
                continue
            chosen = state.child(action)
            for target in chosen.legal_actions():
                found[f"(move {square(action)} {square(target)})"] = (action, target)
        return found

    return moves


def ultimate_moves(state: Theirs) -> Moves:
    found: Moves = {}
    for action in state.legal_actions():
        if "Choose" in state.action_to_string(state.current_player(), action):
            for move, rest in ultimate_moves(state.child(action)).items():
                found[move] = (action, *rest)
        else:
            text = state.action_to_string(state.current_player(), action)
            board, row, across = (int(digit) for digit in text if digit.isdigit())
            found[f"(mark {board % 3 * 3 + across + 1} {9 - board // 3 * 3 - row})"] = (action,)
    return found


def dots_moves(rows: int) -> Callable[[Theirs], Moves]:
    def moves(state: Theirs) -> Moves:
        found: Moves = {}
        for action in state.legal_actions():
            kind, row, across = state.action_to_string(state.current_player(), action)[3:-1].split(",")
            level = rows - int(row)
            found[
                f"(draw across {int(across) + 1} {level + 1})"
                if kind == "h"
                else f"(draw upright {int(across) + 1} {level})"
            ] = (action,)
        return found

    return moves


def mnk_moves(rows: int) -> Callable[[Theirs], Moves]:
    name = "(mark {a} {b})"
    return by_name(r".\((?P<b>\d+),(?P<a>\d+)\)", name, a=lambda text: str(int(text) + 1), b=from_top(rows))


def quoridor_moves(size: int) -> Callable[[Theirs], Moves]:
    def moves(state: Theirs) -> Moves:
        found: Moves = {}
        for action in state.legal_actions():
            text = state.action_to_string(state.current_player(), action)
            x, row = column(text[0]), int(text[1])
            if text.endswith("v"):
                found[f"(build upright {x} {size - row})"] = (action,)
            elif text.endswith("h"):
                found[f"(build across {x} {size - row})"] = (action,)
            else:
                found[f"(go {x} {size + 1 - row})"] = (action,)
        return found

    return moves


def last_turn_counts(theirs: Theirs, ours: Mapping[str, int]) -> Mapping[str, int]:
    """Their result, but for a goal reached in the very last turn, which they draw."""
    is_last = theirs.move_number() == 4 * 5 * 5
    return ours if is_last and not any(theirs.returns()) else results(theirs, list(ours))


TURNS = dict(
    zip(
        "stuvwxyz",
        ["nw left", "nw right", "ne left", "ne right", "se left", "se right", "sw left", "sw right"],
        strict=True,
    )
)
PEERS = [
    Peer("nine_mens_morris", "nine_mens_morris", morris_moves),
    Peer("amazons", "amazons(board_size=6)", amazons_moves(6)),
    Peer("amazons:10", "amazons(board_size=10)", amazons_moves(10), games=50),
    Peer(
        "clobber", "clobber", by_name(r"(?P<a>.)(?P<b>.)(?P<c>.)(?P<d>.)", "(move {a} {b} {c} {d})", a=column, c=column)
    ),
    Peer("ultimate_tic_tac_toe", "ultimate_tic_tac_toe", ultimate_moves),
    Peer(
        "pentago",
        "pentago",
        by_name(r"(?P<a>.)(?P<b>.)(?P<c>.)", "(place {a} {b} {c})", a=column, b=from_top(7), c=TURNS.__getitem__),
    ),
    Peer(
        "lines_of_action:8,1000",
        "lines_of_action",
        by_name(r"(?P<a>.)(?P<b>.)[-x](?P<c>.)(?P<d>.)", "(move {a} {b} {c} {d})", a=column, c=column),
        repetition=True,
    ),
    Peer("dots_and_boxes", "dots_and_boxes(num_rows=3,num_cols=3)", dots_moves(3)),
    Peer("dots_and_boxes:2,4", "dots_and_boxes(num_rows=2,num_cols=4)", dots_moves(2)),
    Peer("hex:7", "hex(board_size=7)", by_name(r"(?P<a>.)(?P<b>\d+)", "(place {b} {a})", a=column)),
    Peer("y", "y(board_size=7)", by_name(r"(?P<a>.)(?P<b>\d+)", "(place {a} {b})", a=column)),
    Peer("mnk", "mnk(m=5,n=5,k=4)", mnk_moves(5)),
    Peer("mnk:4,3,3", "mnk(m=4,n=3,k=3)", mnk_moves(3)),
    Peer("connect_four", "connect_four", by_name(r".(?P<a>\d)", "(drop {a})", a=lambda text: str(int(text) + 1))),
    Peer("quoridor", "quoridor(board_size=5,wall_count=3)", quoridor_moves(5), last_turn_counts),
    Peer("kalaha", "mancala", by_name(r"(?P<a>\d+)", "(sow {a})", a=lambda text: str((int(text) - 1) % 7 + 1))),
]


@peer("openspiel")
@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer.games == 1000], ids=lambda peer: peer.ours)
def test_random_games_agree_with_openspiel(peer: Peer) -> None:
    assert compare(peer, 2) > 2


@peer("openspiel")
@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.ours)
def test_many_random_games_agree_with_openspiel(peer: Peer) -> None:
    assert compare(peer, peer.games) > peer.games
