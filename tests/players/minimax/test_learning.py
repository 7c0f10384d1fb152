from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

import ludens
from ludens.core import Deadline
from ludens.players.evaluation import choose
from ludens.players.evaluation.choose import evaluation_of, learnt_weights
from ludens.players.evaluation.evaluators import GoalNearness
from ludens.players.evaluation.fit import learn
from ludens.players.evaluation.weights import FluentWeights, expected_share, fit_weights
from ludens.players.packed.self_play import learn_by_self_play
from ludens.players.space.choose import space_of
from ludens.players.space.compiled import CompiledSpace


def compiled(name: str) -> CompiledSpace:
    space = space_of(ludens.load(name, wait=True))
    assert isinstance(space, CompiledSpace)
    return space


def test_sums_by_bytes_are_sums_over_fluents() -> None:
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(25, 2))
    bits = rng.random((50, 24)) < 0.4

    found = FluentWeights.of(weights)(np.packbits(bits, axis=1, bitorder="little"))

    assert found == pytest.approx(bits @ weights[:-1] + weights[-1])


@pytest.mark.parametrize("roles", [1, 2, 3])
def test_fitting_finds_which_fluents_matter(roles: int) -> None:
    rng = np.random.default_rng(2)
    bits = rng.random((4_000, 16)) < 0.5
    truth = np.zeros((17, roles))
    truth[3], truth[9], truth[16] = 3.0, -3.0, 0.5
    packed = np.packbits(bits, axis=1, bitorder="little")
    shares = (rng.random((4_000, roles)) < expected_share(FluentWeights.of(truth)(packed))).astype(float)

    weights = fit_weights(packed, shares, np.zeros_like(truth), lambda: True)

    others = np.delete(weights, [3, 9, 16], axis=0)
    assert (weights[3] > 1.5).all()
    assert (weights[9] < -1.5).all()
    assert (np.abs(others) < 0.5).all()


def test_a_piece_more_is_worth_more_after_learning_checkers() -> None:
    space = compiled("checkers")
    weights = next(islice(learn(space, lambda: True), 2, None))
    state = space.game.initial_state()
    bits = np.unpackbits(space.game.pack([state]), axis=1, count=len(space.game.fluent_texts), bitorder="little")
    pieces = [n for n, fluent in enumerate(space.game.fluent_texts) if bits[0, n] and "white_man" in fluent]
    assert len(pieces) == 12
    without = np.repeat(bits, len(pieces), axis=0)
    without[np.arange(len(pieces)), pieces] = False

    sums = weights(np.packbits(np.concatenate([bits, without]), axis=1, bitorder="little"))

    white = space.roles.index("white")
    assert sums[0, white] > sums[1:, white].mean()


def test_weights_are_learnt_once_for_a_game() -> None:
    space = compiled("connect_four")

    first = learnt_weights(space, Deadline(3600))

    assert first is not None
    assert learnt_weights(space_of_same(space), Deadline(3600)) is first


def space_of_same(space: CompiledSpace) -> CompiledSpace:
    return CompiledSpace(space.game)


def test_a_player_without_time_gets_what_another_has_learnt_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    space = compiled("connect_four")
    deadline = Deadline(600)

    def stop_early(*arguments: Any) -> Iterator[FluentWeights]:
        yield from islice(learn_by_self_play(*arguments), choose.FEWEST_ROUNDS)
        monkeypatch.setattr(deadline, "remaining", lambda: 0.0)

    monkeypatch.setattr(choose, "learn_by_self_play", stop_early)

    unfinished = learnt_weights(space, deadline)

    assert unfinished is not None
    assert learnt_weights(space_of_same(space), Deadline(0)) is unfinished
    monkeypatch.undo()
    assert learnt_weights(space_of_same(space), Deadline(3600)) is not unfinished


def test_without_time_to_learn_mobility_judges() -> None:
    space = compiled("connect_four")

    assert learnt_weights(space, Deadline(0)) is None
    assert type(evaluation_of(space, "auto", Deadline(0))).__name__ == "Mobility"


def test_what_is_nearer_to_a_line_is_nearer_to_the_goal() -> None:
    space = compiled("tic_tac_toe")
    found = space.expand([space.key(space.game.initial_state())])

    judged = GoalNearness(space.game).child_values(found)

    x, o = judged.T
    assert (x > o).all()
