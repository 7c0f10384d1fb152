"""What each unknown element may be, found by asking about whole arrangements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from benchmarks.worlds import measure

import ludens
from ludens.core import State
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Element,
    Pass,
    Rule,
    Shuffle,
    Stage,
    Table,
    TabletopState,
    alternate,
)
from ludens.tabletop.hidden.determinisation import Sampler
from ludens.tabletop.hidden.narrowing import Narrowing
from tests.tabletop.test_hidden import chi_square, dealt

Images = Mapping[Element, Element]
AMBUSH = str(Path(__file__).with_name("ambush.py"))


def elements(*names: str) -> list[Element]:
    """Elements of an inventory, numbered in this order."""
    found = [Element(name) for name in names]
    for number, element in enumerate(found):
        element.index, element.bit = number, 1 << number
    return found


def narrowing(unknown: list[Element], forbidden: dict[int, set[str]], seed: int) -> Narrowing:
    """With a test that forbids names in some slots."""

    def fits(faces: Images) -> bool:
        return not any(faces.get(unknown[at], unknown[at]).name in names for at, names in forbidden.items())

    return Narrowing(unknown, {}, fits, Random(seed))


@pytest.mark.parametrize("seed", range(5))
def test_names_are_excluded_where_the_test_forbids_them_and_nowhere_else(seed: int) -> None:
    # Both captains have moved, so no swap of two pieces brings one of them to the place of the flag or a bomb.
    unknown = elements("captain", "captain", "flag", "bomb", "bomb", "scout", "scout", "miner")
    fixed = {"flag", "bomb"}
    found = narrowing(unknown, {0: fixed, 1: fixed, 5: fixed}, seed)

    assert found.probe(unknown)
    assert found.is_complete(12)
    assert found.excluded == {unknown[0]: fixed, unknown[1]: fixed, unknown[5]: fixed}


def test_trials_find_a_place_that_matters_and_was_not_probed() -> None:
    unknown = elements(*"abcdefgh")
    found = narrowing(unknown, {6: {"a", "b", "c"}}, 1)

    assert found.is_complete(40)
    assert found.excluded == {unknown[6]: {"a", "b", "c"}}


def test_a_test_about_pairs_is_not_taken_for_one_about_single_elements() -> None:
    unknown = elements(*"abcdefgh")

    def fits(faces: Images) -> bool:
        return sum("abcdefgh".index(faces.get(slot, slot).name) for slot in unknown[:3]) < 9

    found = Narrowing(unknown, {}, fits, Random(2))

    assert not (found.probe(unknown) and found.is_complete(20))


def test_no_world_of_a_board_with_hidden_ranks_is_refuted() -> None:
    row = measure(AMBUSH, positions=4, worlds=10, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (40, 0, 0)


def test_pieces_that_moved_are_sampled_uniformly_among_those_that_can() -> None:
    state: State = ludens.load(AMBUSH).initial_state()
    for title in ("rock", "rock", "guard", "guard", "hunter", "hunter", "chief", "chief"):
        state = state.play({"Anna": title, "Bert": title})
    state = state.play({"Anna": "A2 to A3"}).play({"Bert": "D5 to D4"})
    rng = Random(3)

    worlds = [state.view("Anna").sample(rng) for _ in range(300)]

    tables = [world.table for world in worlds if isinstance(world, TabletopState)]
    moved = Counter(table["D4"][0].title for table in tables)
    stayed = Counter(table["C5"][0].title for table in tables)
    assert set(moved) == {"guard", "hunter", "chief"}
    assert chi_square(moved, 3, 300) < 13.9  # the 99.9 % point with 2 degrees of freedom
    assert set(stayed) == {"rock", "guard", "hunter", "chief"}
    assert 2 / 7 - 0.1 < stayed["rock"] / 300 < 2 / 7 + 0.1  # four standard deviations


def test_a_turn_that_depends_on_single_pieces_is_not_played_again_in_each_sample() -> None:
    state: State = ludens.load(AMBUSH).initial_state()
    for title in ("rock", "rock", "guard", "guard", "hunter", "hunter", "chief", "chief"):
        state = state.play({"Anna": title, "Bert": title})
    state = state.play({"Anna": "A2 to A3"}).play({"Bert": "D5 to D4"})
    assert isinstance(state, TabletopState)

    constraints = Sampler(state, "Anna")._constraints

    assert not constraints.doubtful
    assert max(constraints.doubtful_turns, default=0) <= 9  # the deployment, in which Bert chose unseen
    assert constraints.allowed[state.table["D4"][0]] & state.table["D6"][0].bit == 0  # a rock


class Columns(Rule):
    """Sixteen cards lie face down in four columns, each with the ranks of its own; nobody could tell from the moves."""

    name = "Columns"
    players = ("Anna", "Bert")

    def equipment(self, table: Table) -> None:
        table.add(Assortment("deck", [Element(f"c{n}", rank=n) for n in range(16)], visibility="hidden"))
        table.add(Area("row", [f"place {n}" for n in range(16)], visibility="hidden"))

    def setup(self, table: Table) -> Action:
        return Shuffle(table.assortment("deck")) + Distribute(table.assortment("deck"), table.area("row"), 1)

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.nothing)

    def nothing(self, table: Table) -> list[Action]:
        return [Pass()]

    def possible(self, table: Table) -> bool:
        lying = [(table.contents[place.index], n) for n, place in enumerate(table.area("row").positions)]
        return all(card.rank % 4 == n % 4 for cards, n in lying for card in cards)


def test_a_test_of_the_rule_about_single_cards_needs_no_luck() -> None:
    state = dealt(Columns(), [f"c{n}" for n in reversed(range(16))])  # one arrangement in 60 million is possible
    sampler = Sampler(state, "Anna")

    drawn = [sampler.draw(Random(seed)) for seed in range(5)]

    assert state.game.is_possible(state.table)
    assert sampler.misses == 0
    assert all(sampler.agrees(sample) for sample in drawn)
    assert len({tuple(sample.faces.values()) for sample in drawn}) > 1
