"""Moves on a board of Go, which GTP checks one by one, against the rule, which lists all of them."""

from __future__ import annotations

from random import Random

import pytest

import ludens
from ludens.core import IllegalMoveError
from ludens.protocols.gtp.go_board import GoBoard
from ludens.protocols.lent_player import Line
from ludens.tabletop.game import TabletopGame


@pytest.mark.parametrize("seed", range(3))
def test_moves_are_legal_and_lead_where_the_rule_says(seed: int) -> None:
    game, rng = ludens.load("go:3"), Random(seed)
    assert isinstance(game, TabletopGame)
    board = GoBoard(game)
    line = Line((game.initial_state(),))
    refused = 0
    while (role := line.mover) is not None:
        legal = line.state.legal_moves(role)
        for move in board._numbers:
            if move in legal:
                assert board.play(line, role, move).state == line.state.play({role: move})
            else:
                refused += 1
                with pytest.raises(IllegalMoveError):
                    board.play(line, role, move)
        assert board.mover(line) == role
        stones = [move for move in legal if move != "pass"]
        line = board.play(line, role, rng.choice(stones or legal))

    assert board.mover(line) is None
    assert refused
