from __future__ import annotations

import numpy as np
import pytest

from ludens.core.batch import Batch
from ludens.players.neural.encoding import Encoding, symmetries_of
from ludens.players.neural.positions import Rules
from tests.players.neural.test_network_search import compiled


@pytest.mark.parametrize(("name", "count"), [("tic_tac_toe", 8), ("connect_four:5,4", 2), ("breakthrough:5", 2)])
def test_symmetries_of_boards_are_found_and_take_legal_moves_to_legal_moves(name: str, count: int) -> None:
    game = compiled(name)
    encoding, rules = Encoding.of(game), Rules(game)
    batch = Batch(game, 64, seed=3)
    for _ in range(5):
        batch.advance()
    symmetries = symmetries_of(game, encoding)
    assert len(symmetries) == count
    legal = np.concatenate([batch.legal(role) for role in game.roles], axis=1)

    for symmetry in symmetries:
        bits = batch.observation.copy()
        bits[:, encoding.fluents] = bits[:, encoding.fluents][:, symmetry.inputs]
        seen = rules.at(np.packbits(bits, axis=1, bitorder="little"))

        assert seen.over.tolist() == batch.terminal.tolist()
        going = ~seen.over
        places = np.zeros_like(legal)
        lanes = np.repeat(np.arange(len(seen)), seen.counts)
        places[lanes, encoding.first_places[seen.chooser[lanes]] + seen.moves] = True
        idle = legal.sum(axis=1) == seen.counts + len(game.roles) - 1
        assert idle[going].all()
        assert (legal[:, symmetry.policy] >= places)[going].all()


def test_a_network_does_not_see_what_never_changes() -> None:
    encoding = Encoding.of(compiled("connect_four_3p"))

    assert (
        len(encoding.fluents) == len(set(encoding.fluents.tolist())) <= len(compiled("connect_four_3p").circuit.fluents)
    )
    assert encoding.inputs(Rules(compiled("connect_four_3p")).initial(2).packed).shape == (2, len(encoding.fluents))
