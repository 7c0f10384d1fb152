"""The figures of the paper (Waugh 2009, tables 1 and 2), beside which ours are printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ludens.experiments.gdlcc.engines import EngineName

CLOCK = 5.0
"""Seconds for one move in the paper."""

PLAYERS = {EngineName.PROLOG: "YAP", EngineName.CXX: "gdlcc", EngineName.CXX_TT: "gdlcc tt"}
"""The paper's names of the players that our engines reproduce."""


class Row(NamedTuple):
    """Early, middle and end."""

    early: int
    middle: int
    end: int


@dataclass(frozen=True, slots=True)
class PaperGame:
    """A game of the paper."""

    title: str
    shelf: str
    """Its rule sheet in the library."""
    sheets: tuple[str, ...]
    """Other names of its rule sheet; the first that exists is used."""
    memo: str
    """Whether gdlcc memoised."""
    states: dict[EngineName, Row]
    simulations: dict[EngineName, Row]


_YAP, _GDLCC, _TT = EngineName.PROLOG, EngineName.CXX, EngineName.CXX_TT

GAMES = (
    PaperGame(
        "Tic-Tac-Toe",
        "tic_tac_toe",
        ("ticTacToe", "tic_tac_toe", "tictactoe"),
        "off",
        {_YAP: Row(50935, 54197, 52663), _GDLCC: Row(839772, 896903, 980867), _TT: Row(1197720, 1324552, 1426093)},
        {_YAP: Row(7309, 13212, 18553), _GDLCC: Row(134932, 194602, 194602), _TT: Row(164348, 268363, 370144)},
    ),
    PaperGame(
        "Chess",
        "chess",
        ("chess_200", "chess"),
        "on",
        {_YAP: Row(3240, 3170, 3190), _GDLCC: Row(5189, 5634, 5963), _TT: Row(5091, 5353, 5611)},
        {_YAP: Row(22, 31, 62), _GDLCC: Row(28, 41, 63), _TT: Row(28, 39, 58)},
    ),
    PaperGame(
        "Checkers",
        "checkers",
        ("checkers",),
        "on",
        {_GDLCC: Row(9853, 10159, 11268), _TT: Row(9879, 9888, 54312)},
        {_GDLCC: Row(108, 217, 1419), _TT: Row(108, 208, 12961)},
    ),
    PaperGame(
        "Connect4",
        "connect_four",
        ("connectFour", "connect_four", "connect4"),
        "on",
        {_GDLCC: Row(65683, 57376, 53842), _TT: Row(65683, 64764, 65683)},
        {_GDLCC: Row(3308, 4612, 6881), _TT: Row(3536, 5367, 8156)},
    ),
)

DOUBTFUL = (
    (1, "Connect4", EngineName.CXX, "early"),
    (1, "Connect4", EngineName.CXX_TT, "early"),
    (1, "Connect4", EngineName.CXX_TT, "end"),
    (2, "Tic-Tac-Toe", EngineName.CXX, "middle"),
    (2, "Tic-Tac-Toe", EngineName.CXX, "end"),
)
"""Cells that look like misprints: table, game, player, third."""
DOUBTS = {
    1: "65683 appears three times; two players, or two thirds of a match, are unlikely to have equal counts.",
    2: "194602 appears twice; by Table 1 and the length of playouts, the end should be well above 200,000.",
}
"""Why, for each table."""
