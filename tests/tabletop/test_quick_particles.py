"""Worlds found in the quick form of a page: every one is played again on a table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from random import Random
from statistics import fmean
from typing import NoReturn

import pytest

import ludens
from ludens.core import Clock, Deadline, OutOfTimeError, State, random_joint_move
from ludens.players import make_player
from ludens.players.information.worlds_player import NOTHING
from ludens.tabletop import QuickForm, QuickTurn, Table, TabletopState
from ludens.tabletop.hidden import quick_particles, quick_search
from ludens.tabletop.hidden.particles import draw_particle
from ludens.tabletop.hidden.quick_search import Layer, Node, Step
from ludens.testing import contradiction, has_history, perceptions

WHITE = "White"


def random_match(name: str, turns: int, seed: int) -> tuple[TabletopState, list[dict[str, str]]]:
    """A position of a random match, with the moves that led there."""
    rng, path = Random(seed), []
    state: State = ludens.load(name).initial_state()
    for _ in range(turns):
        path.append(dict(random_joint_move(state, rng)))
        state = state.play(path[-1])
    assert isinstance(state, TabletopState)
    return state, path


def never(*_: object) -> NoReturn:
    """A search that time ends."""
    raise OutOfTimeError


class Walk(QuickForm):
    """Somebody walks along a line, one step up or down in each turn, and the observer hears some of its places."""

    def first(self, table: Table) -> int:
        return 0

    def replies(self, position: Hashable, turn: QuickTurn) -> tuple[Sequence[str], int]:
        return [move for move in ("up", "down") if self.play(position, move, turn) is not None], 2

    def play(self, position: Hashable, move: str, turn: QuickTurn) -> int | None:
        assert isinstance(position, int)
        after = position + (1 if move == "up" else -1)
        return after if not turn.percepts or turn.percepts == (str(after),) else None


def walk(*heard: str) -> list[Layer]:
    """The particles after each turn of a walk, of which the observer heard places or nothing."""
    turns = [QuickTurn("me", "it", None, (place,) if place else (), is_over=False) for place in ("", *heard)]
    layers = [Layer([Node(0)], [1.0], is_whole=True, is_done=True)]
    for number in range(1, len(turns)):
        layers.append(Layer())
        Step(Walk(), turns[: number + 1], layers[:number], layers[number], Random(number)).follow(Deadline(math.inf))
    return layers


def history(node: Node) -> list[Hashable]:
    return [one.position for one in node.path(1000)]


def test_few_positions_are_all_kept_with_their_probabilities() -> None:
    layer = walk("", "", "")[-1]

    found = {node.position: weight for node, weight in zip(layer.nodes, layer.weights, strict=True)}

    assert found == pytest.approx({-3: 1 / 8, -1: 3 / 8, 1: 3 / 8, 3: 1 / 8})
    assert layer.is_whole


def test_an_unlikely_class_of_positions_is_kept_at_its_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    class Signs(Walk):
        def classes_in(self, positions: Sequence[Hashable]) -> list[bool]:
            return [isinstance(one, int) and one > 0 for one in positions]

    monkeypatch.setattr(quick_search, "SIZE", 30)
    options = [(Node(-place), ["up", "down"], 1.0) for place in range(100)] + [(Node(1), ["up"], 0.1)]
    drawn = [Step(Signs(), [], [], Layer(), Random(seed))._draw(options) for seed in range(200)]

    likely, unlikely = (
        [sum(len(moves) * weight for node, moves, weight in one if (node.position == 1) is rare) for one in drawn]
        for rare in (False, True)
    )

    assert all(unlikely)
    assert fmean(unlikely) == pytest.approx(0.1, rel=0.1)
    assert fmean(likely) == pytest.approx(200, rel=0.1)


def test_particles_fit_what_was_heard() -> None:
    layers = walk("", "", "1", "", "3", "")

    assert {node.position for node in layers[-1].nodes} == {2, 4}
    assert all(history(node)[3::2] == [1, 3] for node in layers[-1].nodes)


def test_when_none_is_left_earlier_turns_are_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_search, "SIZE", 2)
    monkeypatch.setattr(quick_search, "CLIMBS", 0)
    heard = ("",) * 4 + ("5",)

    last = walk(*heard)[-1]

    assert last.attempts > 0
    assert history(last.nodes[0]) == list(range(6))


def test_when_none_is_left_moves_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_search, "SIZE", 2)
    monkeypatch.setattr(Step, "_play_again", lambda *_: [])
    heard = ("",) * 5 + ("6",)

    last = walk(*heard)[-1]

    assert last.attempts > 0
    assert history(last.nodes[0]) == list(range(7))


def test_what_never_fits_ends_with_the_budget() -> None:
    layers = walk("", "5", "")

    assert not layers[2].nodes
    assert layers[2].attempts == quick_search.ATTEMPTS
    assert not layers[3].nodes


def test_a_history_that_is_found_late_is_used_in_the_turn_after() -> None:
    layers = walk("", "2")
    layers[2].nodes = []  # as if it had not been found

    turns = [QuickTurn("me", "it", None, percepts, is_over=False) for percepts in ((), (), ("2",), ("3",))]
    found = Layer()
    Step(Walk(), turns, layers, found, Random(0)).follow(Deadline(math.inf))

    assert [history(node) for node in found.nodes] == [[0, 1, 2, 3]]


def test_worlds_of_kriegspiel_are_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quick_search, "SIZE", 30)
    state, path = random_match("kriegspiel", 14, 1)
    perceived = perceptions(state.game, WHITE, path)

    worlds = [draw_particle(state, WHITE, Random(number)) for number in range(3)]

    for world in worlds:
        assert isinstance(world, TabletopState)
        assert world.has_history
        assert contradiction(perceived, world, WHITE) is None


def test_a_quick_form_that_is_wrong_does_not_make_wrong_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    state, path = random_match("kriegspiel:60", 4, 1)
    form = state.game.quick_form
    assert form is not None
    honest = type(form).replies

    def careless(self: QuickForm, position: Hashable, turn: QuickTurn) -> tuple[Sequence[str], int]:
        moves, count = honest(self, position, turn)
        return [*moves, "a7a3"], count + 1

    accept = type(form).play

    def play(self: QuickForm, position: Hashable, move: str, turn: QuickTurn) -> Hashable | None:
        return position if move == "a7a3" else accept(self, position, move, turn)

    monkeypatch.setattr(type(form), "replies", careless)
    monkeypatch.setattr(type(form), "play", play)
    perceived = perceptions(state.game, WHITE, path)

    for number in range(5):
        world = draw_particle(state, WHITE, Random(number))
        assert isinstance(world, TabletopState)
        assert contradiction(perceived, world, WHITE) is None


@pytest.mark.parametrize("name", ["ismcts:iterations=2", "pimc:worlds=2,world=2"])
def test_without_a_history_in_time_players_search_partial_worlds_and_say_so(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, _ = random_match("kriegspiel:20", 10, 3)
    player = make_player(name)
    player.start(state.game, WHITE, 1, Clock(play=60, start=5))
    monkeypatch.setattr(Step, "follow", never)

    decision = player.choose(state.view(WHITE), Deadline(600))
    with Deadline(600).enforced():
        world = draw_particle(state, WHITE, Random(0))

    assert decision.move in state.legal_moves(WHITE)
    assert decision.thinking.note != NOTHING
    assert decision.thinking.extra["partial worlds"] > 0
    assert isinstance(world, TabletopState)
    assert not world.has_history
    assert world.table.contents != state.table.contents


@pytest.mark.parametrize("name", ["ismcts", "pimc"])
def test_a_move_without_a_search_is_reported(name: str) -> None:
    state, _ = random_match("kriegspiel:20", 10, 3)
    player = make_player(name)
    player.start(state.game, WHITE, 1, Clock(play=5, start=5))

    decision = player.choose(state.view(WHITE), Deadline(0))

    assert decision.move in state.legal_moves(WHITE)
    assert decision.thinking.note == NOTHING


def test_all_turns_are_followed_anew_if_no_particle_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    state, path = random_match("kriegspiel:30", turns=6, seed=1)
    failures: list[int] = []

    class Unlucky(Step):
        def follow(self, part: Deadline) -> None:
            super().follow(part)
            if len(self._turns) == 1 + len(path) and len(failures) < 2:
                failures.append(len(self._found.nodes))
                self._found.nodes, self._found.weights = [], []

    monkeypatch.setattr(quick_particles, "Step", Unlucky)

    world = draw_particle(state, WHITE, Random(1))

    assert len(failures) == 2
    assert isinstance(world, TabletopState)
    assert has_history(world)
    assert contradiction(perceptions(state.game, WHITE, path), world, WHITE) is None
