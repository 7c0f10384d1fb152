"""Worlds are weighed by the rule's model of how players choose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from ludens.tabletop import Action, FinishPlay, Pass, RuleError, Table, TabletopGame, TabletopState
from tests.tabletop.rules import HighCard
from tests.tabletop.test_hidden import dealt, hand, view_of

ORDER = ["c4", "c5", "c0", "c1", "c2", "c3"]
"""Anna gets c3 and c1, Bert c2 and c0."""


class Boast(HighCard):
    """Players say whether their cards are good; those with the highest card mostly say so."""

    share = 0.9

    def card(self, table: Table) -> list[Action]:
        return [Pass().named("good"), Pass().named("bad")]

    def likelihood(self, table: Table, move: str, moves: Sequence[str]) -> float:
        is_good = "c5" in [card.name for card in table[table.hand(table.current_player)]]
        return self.share if is_good == (move == "good") else 1 - self.share

    def result(self, table: Table) -> FinishPlay | None:
        return None


def after_boast(rule: type[HighCard]) -> TabletopState:
    return dealt(rule(), ORDER).play({"Anna": "bad"}).play({"Bert": "good"})


def test_what_others_choose_makes_worlds_more_or_less_likely() -> None:
    state = after_boast(Boast)
    shares = {}
    for is_weighed in (True, False):
        worlds = state.game.worlds("Anna", Random(1))
        worlds.models_opponents = is_weighed
        worlds.observe(view_of(state, "Anna"))
        hands = Counter("c5" in hand(worlds.draw(), "Bert") for _ in range(256))
        shares[is_weighed] = hands[True] / 256

    # Bert has two of c0, c2, c4, c5, so c5 in one half of all worlds; boasting makes that 0.9, less for few candidates.
    assert abs(shares[False] - 0.5) < 0.12
    assert abs(shares[True] - 0.86) < 0.08


def test_own_choices_say_nothing_about_worlds() -> None:
    state = dealt(Boast(), ORDER).play({"Anna": "bad"})
    worlds = state.game.worlds("Anna", Random(1))
    worlds.observe(view_of(state, "Anna"))

    count = sum("c5" in hand(worlds.draw(), "Bert") for _ in range(256))

    assert abs(count / 256 - 0.5) < 0.12


def test_a_likelihood_that_is_no_probability_is_an_error() -> None:
    class Wrong(Boast):
        share = 1.5

    state = after_boast(Wrong)
    worlds = TabletopGame(Wrong()).worlds("Anna", Random(1))
    worlds.observe(view_of(state, "Anna"))

    with pytest.raises(RuleError, match="must return a probability"):
        worlds.draw()
