"""Steps into arrays agree with the attributes of batches, whatever the form of the arrays and the number of lanes."""

from __future__ import annotations

import numpy as np
import pytest

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.core import GameError, IllegalMoveError
from ludens.core.batch import Batch
from ludens.core.plain_writer import PlainWriter
from ludens.core.step_arrays import StepArrays
from ludens.drawing.planes import find_planes
from ludens.gdl.read import read_rules
from tests.compiler.test_batch import ENDLESS
from tests.core.heap import Heap
from tests.peers import peer

GAMES = ["tic_tac_toe", "connect_four", "breakthrough", "rock_paper_scissors", "pig", "lights_out", "connect_four_3p"]


def make(name: str, lanes: int, **settings: bool) -> Batch:
    return Batch(ludens.load(name, backend="circuit"), lanes, seed=3, **settings)


def check(arrays: StepArrays, batch: Batch) -> None:
    """The arrays show what the batch shows."""
    over = batch.terminal
    assert (arrays.terminal == over).all()
    assert np.allclose(arrays.rewards, np.where(over[:, None], batch.goals / 100, 0))
    for role in batch.game.roles:
        assert (arrays.masks[role] == (batch.legal(role) | over[:, None])).all()


@pytest.mark.parametrize("name", GAMES)
def test_requested_moves_lead_where_advancing_leads(name: str) -> None:
    batch, twin = make(name, 520), make(name, 520)
    arrays = StepArrays(batch)
    players = len(batch.game.roles)
    for _ in range(12):
        moves = twin.random_moves()
        chance = twin.chance_roles
        arrays.step(moves)
        assert (arrays.moves == np.where(moves >= 0, moves, -1)).all()
        check(arrays, batch)
        assert (arrays.observation == batch.observation).all()
        if chance:  # chance draws differently in both: continue from the same states
            twin.set_states(batch.packed_states)
        else:
            twin.advance(moves[:, :players])
            assert (batch.packed_states == twin.packed_states).all()


@pytest.mark.parametrize("lanes", [1, 7, 64, 513, 1030])
@pytest.mark.parametrize("name", ["tic_tac_toe", "lights_out"])
def test_every_form_has_the_same_bits(name: str, lanes: int) -> None:
    batch = make(name, lanes, restart=True)
    forms = {form: StepArrays(batch, observation=form, masks=form) for form in ("flags", "floats", "packed")}
    for _ in range(4):
        forms["flags"].step()
        for arrays in forms.values():
            arrays.write()
        check(forms["flags"], batch)
        assert (forms["flags"].observation == batch.observation).all()
        assert (forms["floats"].observation == batch.observation).all()
        assert forms["floats"].observation.dtype == np.float32
        assert (forms["packed"].observation == batch.packed_states).all()
        for role, mask in forms["flags"].masks.items():
            assert (forms["floats"].masks[role] == mask).all()
            assert (forms["packed"].masks[role] == np.packbits(mask, axis=1, bitorder="little")).all()


@pytest.mark.parametrize("game", [None, Heap(9)])
def test_moves_that_nobody_requests_are_drawn_from_the_legal_ones(game: Heap | None) -> None:
    batch = Batch(game, 300, seed=4) if game else make("connect_four", 300)
    arrays = StepArrays(batch)
    for _ in range(6):
        legal = [batch.legal(role) for role in batch.game.roles]
        over = batch.terminal
        arrays.step()
        for role, own in enumerate(legal):
            made = arrays.moves[:, role]
            assert own[np.flatnonzero(~over), made[~over]].all()
            assert (made[over] == -1).all()
    assert len(np.unique(arrays.moves)) > 2


@pytest.mark.parametrize("name", ["tic_tac_toe", pytest.param("chess", marks=pytest.mark.slow)])
def test_an_illegal_move_changes_nothing_or_is_replaced(name: str) -> None:
    batch = make(name, 70)
    arrays = StepArrays(batch)
    arrays.write()
    before, seen = batch.packed_states, arrays.observation.copy()
    moves = np.full((70, 2), -1, np.int32)
    moves[69, 0] = 10**6
    with pytest.raises(IllegalMoveError, match="lane 69: 1000000 is not the number of a move"):
        arrays.step(moves)
    assert (batch.packed_states == before).all()
    assert (arrays.observation == seen).all()

    moves[3, 1] = int(np.flatnonzero(~batch.legal(batch.game.roles[1])[3])[0])
    arrays.step(moves, replace_illegal=True)

    assert np.argwhere(arrays.illegal).tolist() == [[3, 1], [69, 0]]
    assert not (batch.packed_states == before).all(axis=1).any()


@pytest.mark.parametrize("game", [None, Heap(4)])
def test_lanes_restart_at_once_and_keep_their_last_observation(game: Heap | None) -> None:
    batch = Batch(game, 600, seed=4) if game else make("tic_tac_toe", 600)
    first = Batch(batch.game, 1).observation[0]
    arrays = StepArrays(batch, restart_at_once=True, final=True)
    ended = 0
    for _ in range(9):
        arrays.step()
        over = arrays.terminal
        ended += int(over.sum())
        assert not batch.terminal.any()
        assert (arrays.observation[over] == first).all()
        assert (arrays.final_observations["state"][~over] == arrays.observation[~over]).all()
        if over.any():
            assert (arrays.final_observations["state"][over] != first).any(axis=1).all()
            assert (arrays.rewards[over].sum(axis=1) == 1).all()
        assert not arrays.rewards[~over].any()
        for role in batch.game.roles:
            assert (arrays.masks[role] == batch.legal(role)).all()
    assert ended >= 600


def test_lanes_that_are_over_restart_a_step_later_if_the_batch_does_so() -> None:
    batch = make("tic_tac_toe", 100, restart=True)
    arrays = StepArrays(batch)
    for _ in range(12):
        over = arrays.terminal.copy()
        arrays.step()
        assert not arrays.terminal[over].any()
        assert (arrays.moves[over] == -1).all()
        check(arrays, batch)


def test_a_stuck_lane_is_refused_and_nothing_changes() -> None:
    batch = Batch(CircuitGame(read_rules(ENDLESS), "endless"), 100, seed=1)
    arrays = StepArrays(batch)
    while not batch.stuck.any():
        arrays.step()
    before = batch.packed_states
    with pytest.raises(GameError, match="r no legal move"):
        arrays.step()

    assert (batch.packed_states == before).all()


def test_rollouts_are_views_of_one_array() -> None:
    batch = make("tic_tac_toe", 5)
    rollout = StepArrays(batch, observation="floats", steps=3)
    for n in range(3):
        rollout[n].step()

    assert rollout.observation.shape == (3, 5, len(batch.fluents))
    assert rollout[2].observation.base is not None
    assert (rollout.observation[2] == batch.observation).all()
    assert [int(rollout.observation[n].sum()) for n in range(3)] == [50] * 3
    with pytest.raises(GameError, match=r"arrays\[n\]"):
        rollout.step()
    with pytest.raises(GameError, match="steps=N"):
        rollout[0][0]


def test_planes_show_the_board() -> None:
    game = ludens.load("connect_four")
    planes = find_planes(game)
    batch = Batch(game, 2, seed=1)
    arrays = StepArrays(batch, fluents=planes.fluents)
    drop = batch.move_numbers["red"]["(drop 3)"]
    arrays.step(np.full((2, 2), [drop, -1]))

    assert arrays.observation.shape == (2, len(planes.names), 6, 7)
    red = planes.names.index("red")
    assert np.argwhere(arrays.observation[0, red]).tolist() == [[5, 2]]
    turn = planes.names.index("(control black)")
    assert arrays.observation[0, turn].all()


def test_games_without_a_board_have_no_planes() -> None:
    with pytest.raises(GameError, match="no board"):
        find_planes(ludens.load("rock_paper_scissors"))


def test_roles_of_hidden_games_observe_their_percepts() -> None:
    batch = make("kuhn_poker", 300)
    arrays = StepArrays(batch)
    arrays.step()

    for number, role in enumerate(batch.game.roles):
        percepts = list(batch.game.percept_fluents(number).values())
        assert (arrays.observations[role] == batch.observation[:, percepts]).all()
    assert any(seen.any() for seen in arrays.observations.values())
    with pytest.raises(GameError, match="several observations"):
        _ = arrays.observation


def test_the_plain_writer_writes_the_same() -> None:
    batch = make("connect_four", 40)
    arrays = StepArrays(batch, observation="packed", fluents=np.array([[3, -1], [5, 9]]))
    for _ in range(4):
        arrays.step()
    expected = {name: array.copy() for name, array in arrays.observations.items()}
    arrays.observation[:] = 99

    PlainWriter(batch.lanes, batch.game, arrays._plan).write()

    assert (arrays.observation == expected["state"]).all()
    check(arrays, batch)


def test_arguments_are_checked() -> None:
    batch = make("tic_tac_toe", 3)
    with pytest.raises(GameError, match="no form"):
        StepArrays(batch, observation="bits")  # type: ignore[arg-type]
    with pytest.raises(GameError, match="numbers of fluents, -1 to 28"):
        StepArrays(batch, fluents=[29])
    with pytest.raises(IllegalMoveError, match=r"shape \(3, 2\)"):
        StepArrays(batch).step([[0, 0]])


@peer("torch")
def test_torch_shares_the_memory() -> None:
    import torch  # noqa: PLC0415 - an extra

    batch = make("tic_tac_toe", 8)
    arrays = StepArrays(batch, observation="floats")
    tensor = torch.from_dlpack(arrays.observation)
    arrays.step()

    assert tensor.data_ptr() == arrays.observation.ctypes.data
    assert (tensor.numpy() == batch.observation).all()
    assert torch.from_dlpack(arrays.masks["xplayer"]).dtype == torch.bool
