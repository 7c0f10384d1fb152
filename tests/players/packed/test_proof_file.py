from __future__ import annotations

from pathlib import Path

import pytest

import ludens
from ludens.core import GameError, State
from ludens.core.batch_game import BatchGame
from ludens.players.packed.proof_file import read_proof, write_proof
from ludens.players.packed.prover import Prover


def prover(state: State, megabytes: int = 10) -> Prover:
    assert isinstance(state.game, BatchGame)
    return Prover(state.game, state, 100, megabytes)


def initial(name: str) -> State:
    return ludens.load(name, wait=True).initial_state()


@pytest.mark.parametrize("megabytes", [10, 1])
def test_a_proof_goes_on_in_another_process_where_it_stopped(megabytes: int, tmp_path: Path) -> None:
    state = initial("connect_four:4,4")
    first = prover(state)
    first.run(1_000)
    write_proof(first, tmp_path / "kept.proof")

    second = prover(state, megabytes)
    read_proof(second, tmp_path / "kept.proof")

    assert (second.low, second.high, second.nodes, second.stored) == (first.low, first.high, 1_000, first.stored)
    while not second.is_solved:
        second.run()
        first.run()
    assert second.bounds == first.bounds == (50, 50)
    assert second.nodes == first.nodes


def test_a_finished_proof_is_read_as_such(tmp_path: Path) -> None:
    state = initial("nim:1,2")
    first = prover(state)
    while not first.is_solved:
        first.run()
    write_proof(first, tmp_path / "kept.proof")

    second = prover(state)
    read_proof(second, tmp_path / "kept.proof")

    assert second.is_solved
    assert second.deciding_move() == first.deciding_move()


def test_files_of_other_proofs_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    path, state = tmp_path / "kept.proof", initial("nim:1,2")
    write_proof(prover(state), path)
    with pytest.raises(GameError, match="proof of another game"):
        read_proof(prover(initial("nim:1,3")), path)
    later = state.play({"first": "(reduce b 1)", "second": "noop"})
    with pytest.raises(GameError, match="proof of another position"):
        read_proof(prover(later), path)
    whole = path.read_bytes()
    for content in (b"", whole[:30], whole[:-1], whole + b"x"):
        path.write_bytes(content)
        with pytest.raises(GameError, match=r"is not a proof|is damaged"):
            read_proof(prover(state), path)
