"""Sampled worlds replay to what their player perceived, and information is a player's history."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from benchmarks.worlds import GAMES, GDL_GAMES, measure

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Move,
    Pass,
    Rule,
    Set,
    Shuffle,
    Stage,
    Table,
    TabletopGame,
    TabletopState,
    Tell,
    alternate,
)
from ludens.tabletop.hidden.view import TableView
from ludens.testing import CheckFailed, check_game, contradiction, perceptions
from tests.tabletop.rules import HighCard
from tests.tabletop.test_hidden import chi_square, dealt, hand, view_of
from tests.thorough import part_of

POSITIONS = part_of(8)
ORDER = ["c4", "c5", "c0", "c1", "c2", "c3"]
"""Anna gets c3 and c1, Bert c2 and c0."""


class Guess(HighCard):
    """Anna asks whether Bert has a high card, and is told; Bert passes."""

    def card(self, table: Table) -> list[Action]:
        if table.current_player == "Anna":
            return [Do(self.ask).named("ask")]
        return [Pass()]

    def ask(self, table: Table) -> Action:
        return Tell("high" if max(card.rank for card in table[table.hand("Bert")]) > 3 else "low")

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(draw=True) if table.current_player == "Bert" else None


class EarlyGuess(Guess):
    """The same, but the answer is looked up when moves are listed."""

    def card(self, table: Table) -> list[Action]:
        if table.current_player == "Anna":
            return [self.ask(table).named("ask")]
        return [Pass()]


class Hints(Rule):
    """Players see all cards but their own, and tell each other which of the other's two cards are red."""

    name = "Hints"
    players = ("Anna", "Bert")

    def equipment(self, table: Table) -> None:
        cards = [Element(f"{colour}{n}", colour=colour) for colour in ("red", "blue") for n in range(3)]
        table.add(Assortment("deck", cards, visibility="hidden", stack=True))
        for player, other in zip(self.players, self.players[::-1], strict=True):
            table.add(Area(f"cards of {player}", [f"cards {player}"], owner=other, visibility="owner"))
        table.add(Area("table", ["pile"], visibility="public"))

    def setup(self, table: Table) -> Action:
        deck = table.assortment("deck")
        places = [table.position(f"cards {player}") for player in self.players]
        return (Shuffle(deck) + Distribute(deck, places, each=2)).named("deal")

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.act)

    def act(self, table: Table) -> list[Action]:
        player = table.current_player
        other = table[f"cards {table.next_player()}"]
        red = [number for number, card in enumerate(other) if card.colour == "red"]
        hint = Tell(f"red: {red}").named("hint")
        plays = [Do(self.play, number).named(f"play {number}") for number in range(len(table[f"cards {player}"]))]
        return [hint, *plays]

    def play(self, table: Table, number: int) -> Action:
        card = table[f"cards {table.current_player}"][number]
        return Move(card, to=table.position("pile"))

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(draw=True) if any(not table[f"cards {player}"] for player in self.players) else None


@pytest.mark.parametrize("rule", [Guess, EarlyGuess])
def test_worlds_agree_with_what_was_told_and_are_uniform_among_those_that_do(rule: type[Rule]) -> None:
    view = view_of(dealt(rule(), ORDER).play({"Anna": "ask"}), "Anna")
    rng = Random(5)

    counts = Counter(hand(view.sample(rng), "Bert") for _ in range(500))

    # Of c0, c2, c4, c5 only c0 and c2 are not high.
    assert counts == {("c0", "c2"): 500}
    high = view_of(dealt(rule(), ["c0", "c5", "c4", "c1", "c2", "c3"]).play({"Anna": "ask"}), "Anna")
    counts = Counter(hand(high.sample(rng), "Bert") for _ in range(2000))
    expected = [pair for pair in itertools.combinations(("c0", "c2", "c4", "c5"), 2) if max(pair) > "c3"]
    assert set(counts) == set(expected)
    assert chi_square(counts, len(expected), 2000) < 18.5  # the 99.9 % point with 4 degrees of freedom


def test_hints_refute_worlds() -> None:
    game = TabletopGame(Hints())
    for seed in range(part_of(30)):
        rng = Random(seed)
        state: State = game.initial_state()
        path = []
        while not state.is_terminal:
            path.append(state.resolve(random_joint_move(state, rng), rng))
            state = state.play(path[-1])
            for role in game.roles:
                perceived = perceptions(game, role, path)
                for world in (state.view(role).sample(rng) for _ in range(4)):
                    assert isinstance(world, TabletopState)
                    assert contradiction(perceived, world, role) is None


def test_worlds_after_a_hint_are_distributed_as_by_brute_force() -> None:
    order = ["red2", "blue2", "blue1", "red1", "blue0", "red0"]  # Anna: red0 red1, Bert: blue0 blue1
    state = dealt(Hints(), order).play({"Anna": "hint"}).play({"Bert": "hint"})
    rng = Random(3)

    counts = Counter(
        tuple(card.name for card in world.table["cards Anna"])
        for world in (view_of(state, "Anna").sample(rng) for _ in range(3000))
        if isinstance(world, TabletopState)
    )

    # Anna knows Bert's blue cards, and that both of her own are red: six ordered pairs of three red ones.
    assert set(counts) == set(itertools.permutations(("red0", "red1", "red2"), 2))
    assert chi_square(counts, 6, 3000) < 20.5


def test_check_game_names_the_turn_that_worlds_contradict() -> None:
    class Peeks(Guess):
        def ask(self, table: Table) -> Action:
            lying = table.contents[table.hand("Bert").index]  # past table[…], so the model does not know
            return Tell("high" if max(card.rank for card in lying) > 3 else "low")

    with pytest.raises(CheckFailed, match=r"contradicts what it perceived in turn 2 \(Anna: ask\)"):
        check_game(TabletopGame(Peeks()), matches=10, report=lambda line: None)


def test_check_game_names_the_turn_that_a_wrong_test_of_possible_tables_lets_pass() -> None:
    class Lax(Guess):
        """What was told is compared with the wrong rank, in favour of tables that are impossible."""

        def ask(self, table: Table) -> Action:
            lying = table.contents[table.hand("Bert").index]
            answer = "high" if max(card.rank for card in lying) > 3 else "low"
            return Set(table, said=answer) + Tell(answer)

        def possible(self, table: Table) -> bool:
            said = table.get("said", default=None)
            best = max((card.rank for card in table.contents[table.hand("Bert").index]), default=0)
            return said is None or (best > 2 if said == "high" else best < 5)

    with pytest.raises(CheckFailed, match=r"contradicts what it perceived in turn 2 \(Anna: ask\)"):
        check_game(TabletopGame(Lax()), matches=10, report=lambda line: None)


def test_check_game_names_the_way_to_a_table_that_a_wrong_test_calls_impossible() -> None:
    class Strict(Guess):
        def possible(self, table: Table) -> bool:
            return not table.contents[table.hand("Bert").index]

    with pytest.raises(CheckFailed, match=r"not possible which came up in a match\n  after: .*deal"):
        check_game(TabletopGame(Strict()), matches=1, report=lambda line: None)


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("kriegspiel", "phantom_go", "stratego")])
def test_no_sampled_world_is_refuted_by_replay(name: str) -> None:
    row = measure(name, positions=POSITIONS, worlds=4, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (4 * POSITIONS, 0, 0)


def test_no_sampled_world_of_a_game_like_hanabi_is_refuted() -> None:
    row = measure(str(Path(__file__).with_name("fireworks.py")), positions=8, worlds=8, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (64, 0, 0)


def test_no_sampled_world_is_refuted_where_moves_tell_the_order_of_hands() -> None:
    page = str(Path(__file__).with_name("lanterns.py"))
    row = measure(page, positions=6, worlds=8, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (48, 0, 0)
    check_game(ludens.load(page), matches=1)


@pytest.mark.parametrize("name", ["kriegspiel:30", "phantom_go:3", "stratego:small,40"])
def test_no_sampled_world_of_short_matches_with_secrets_is_refuted(name: str) -> None:
    row = measure(name, positions=POSITIONS, worlds=4, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (4 * POSITIONS, 0, 0)


@pytest.mark.parametrize("name", GDL_GAMES)
def test_no_sampled_world_of_a_game_in_gdl_is_refuted(name: str) -> None:
    row = measure(name, positions=POSITIONS, worlds=10, seed=1)

    assert (row.worlds, row.refuted) == (10 * POSITIONS, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kriegspiel:120", "phantom_go", "stratego"])
def test_no_sampled_world_of_long_matches_with_secrets_is_refuted(name: str) -> None:
    row = measure(name, positions=8, worlds=10, seed=1)

    assert (row.worlds, row.refuted, row.unknown) == (80, 0, 0)


@pytest.mark.parametrize("name", [name for name in GAMES if name not in ("kriegspiel", "phantom_go")])
def test_information_is_the_same_in_a_world_and_after_pickling(name: str) -> None:
    rng = Random(6)
    game = ludens.load(name)
    state: State = game.initial_state()
    for _ in range(6):
        if not state.is_terminal:
            state = state.sample(random_joint_move(state, rng), rng)
    role = game.roles[0]
    information = state.view(role).information

    copy = pickle.loads(pickle.dumps(state))

    assert copy == state
    assert copy.view(role).information == information
    assert str(copy.view(role).information) == str(information)
    assert state.view(role).sample(rng).view(role).information == information


def test_the_order_of_a_trick_is_part_of_the_information() -> None:
    class Open(HighCard):
        def card(self, table: Table) -> list[Action]:
            played = table.position("played")
            return [Move(card, to=played).named(card.name) for card in table[table.hand(table.current_player)]]

        def result(self, table: Table) -> FinishPlay | None:
            return FinishPlay(draw=True) if len(table["played"]) == 4 else None

    def after(*moves: str) -> TableView:
        state: TabletopState = dealt(Open(), ["c0", "c1", "c2", "c3", "c4", "c5"])
        for player, move in zip(("Anna", "Bert", "Anna"), moves, strict=True):
            state = state.play({player: move})
        return view_of(state, "Bert")

    assert after("c5", "c4", "c3").information != after("c3", "c4", "c5").information
    assert after("c5", "c4", "c3").information == after("c5", "c4", "c3").information


@pytest.mark.parametrize("page", ["fleet.py", "fleet.py:visibility=owner", "liar.py:4"])
def test_worlds_of_new_pages_agree_with_what_was_perceived(page: str) -> None:
    row = measure(str(Path(__file__).parent / page), positions=6, worlds=5, seed=2)
    assert (row.positions, row.worlds, row.refuted) == (6, 30, 0)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["fleet.py:8,4", "liar.py"])
def test_worlds_of_long_matches_of_new_pages_agree_with_what_was_perceived(page: str) -> None:
    row = measure(str(Path(__file__).parent / page), positions=8, worlds=5, seed=3)
    assert (row.positions, row.worlds, row.refuted) == (8, 40, 0)
