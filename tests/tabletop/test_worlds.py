"""Sampled worlds replay to what their player perceived, and information is a player's history."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import pytest
from benchmarks.worlds import measure

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import Action, Do, FinishPlay, Move, Pass, Table, TabletopGame, TabletopState, Tell
from ludens.tabletop.hidden.view import TableView
from ludens.testing import CheckFailed, check_game, _perceived as perceived
from tests.tabletop.rules import HighCard
from tests.tabletop.test_hidden import chi_square, dealt, hand, view_of


class Guess(HighCard):
    """Anna asks whether Bert has a high card, and is told; Bert passes."""

    def card(self, table: Table) -> list[Action]:
        if table.current_player == "Anna":
            return [Do(self.ask).named("ask")]
        return [Pass()]

    def ask(self, table: Table) -> Action:
        ranks = [card.rank for card in table[table.hand("Bert")]]
        return Tell("high" if max(ranks) > 3 else "low")

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(draw=True) if table.current_player == "Bert" else None


ORDER = ["c4", "c5", "c0", "c1", "c2", "c3"]
"""Anna gets c3 and c1, Bert c2 and c0."""


def test_worlds_agree_with_what_was_told_and_are_uniform_among_those_that_do() -> None:
    view = view_of(dealt(Guess(), ORDER).play({"Anna": "ask"}), "Anna")
    rng = Random(5)

    counts = Counter(hand(view.sample(rng), "Bert") for _ in range(3000))

    # Of c0, c2, c4, c5 only c0 and c2 are not high.
    assert counts == {("c0", "c2"): 3000}
    high = view_of(dealt(Guess(), ["c0", "c5", "c4", "c1", "c2", "c3"]).play({"Anna": "ask"}), "Anna")
    counts = Counter(hand(high.sample(rng), "Bert") for _ in range(5000))
    unknown = ("c0", "c2", "c4", "c5")
    expected = [pair for pair in itertools.combinations(unknown, 2) if max(pair) > "c3"]
    assert set(counts) == set(expected)
    assert chi_square(counts, len(expected), 5000) < 18.5  # the 99.9 % point with 4 degrees of freedom


def test_check_game_names_the_turn_that_worlds_contradict() -> None:
    class Peeks(Guess):
        def ask(self, table: Table) -> Action:
            lying = table.contents[table.hand("Bert").index]  # past table[…], so the model does not know
            return Tell("high" if max(card.rank for card in lying) > 3 else "low")

    with pytest.raises(CheckFailed, match=r"contradicts what it perceived in turn 2 \(Anna: ask\)"):
        check_game(TabletopGame(Peeks()), matches=10, report=lambda line: None)


@pytest.mark.parametrize(
    "name", ["hearts", "skat", "holdem", "kuhn_poker@tabletop", "leduc_poker@tabletop", "liars_dice", "dominoes"]
)
def test_no_sampled_world_is_refuted_by_replay(name: str) -> None:
    row = measure(name, positions=6, worlds=5, seed=1)

    assert (row.positions, row.worlds, row.refuted) == (6, 30, 0)


@pytest.mark.parametrize("name", ["kuhn_poker@tabletop", "leduc_poker@tabletop", "liars_dice:dice=1"])
def test_information_is_equal_exactly_if_everything_perceived_was(name: str) -> None:
    game = ludens.load(name)
    by_history: dict[object, object] = {}
    for seed in range(150):
        rng = Random(seed)
        state: State = game.initial_state()
        seen: dict[str, tuple[str, ...]] = dict.fromkeys(game.roles, ())
        while not state.is_terminal:
            state = state.sample(random_joint_move(state, rng), rng)
            assert isinstance(state, TabletopState)
            for role in game.roles:
                percepts, observation, moves = perceived(state, role)
                text = f"{percepts} {sorted(map(str, observation.items()))} {sorted(moves)}"
                seen[role] = (*seen[role], text)
                information = state.view(role).information
                assert by_history.setdefault((role, seen[role]), information) == information
    assert len(set(map(str, by_history.values()))) == len(set(by_history.values())) == len(by_history)


def test_the_order_of_a_trick_is_part_of_the_information() -> None:
    class Open(HighCard):
        def card(self, table: Table) -> list[Action]:
            played = table.position("played")
            return [Move(card, to=played).named(card.name) for card in table[table.hand(table.current_player)]]

    one = dealt(Open(), ["c0", "c1", "c2", "c3", "c4", "c5"])
    first = one.play({"Anna": "c5"})
    view = first.view("Bert")
    assert isinstance(view, TableView)
    assert view.information != one.view("Bert").information
    assert view.information == one.play({"Anna": "c5"}).view("Bert").information
