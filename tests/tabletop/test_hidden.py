"""What players see, what they may guess, and that guesses agree with what they see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

import ludens
from ludens.core import State, random_joint_move
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Element,
    FinishPlay,
    Move,
    Refuse,
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
from ludens.tabletop.hidden.coherence import make_legal, match_sights
from ludens.tabletop.hidden.evidence import Evidence
from ludens.tabletop.hidden.sampled_tables import Tables
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.hidden.view import PublicView, TableView
from ludens.tabletop.knowledge import blur
from ludens.tabletop.material.inventory import Inventory
from ludens.testing import CheckFailed, check_game
from tests.tabletop.rules import Backwards, HighCard, Suits


def dealt(rule: Rule, order: Iterable[str]) -> TabletopState:
    """The state after cards were dealt in this order, the last name first."""
    state = TabletopGame(rule).initial_state()
    role = state.game.rule.starting_player
    return state.play({role: f"{state.legal_moves(role)[0]} = {' '.join(order)}"})


def view_of(state: State, role: str) -> TableView:
    view = state.view(role)
    assert isinstance(view, TableView)
    return view


def hand(state: State, player: str) -> tuple[str, ...]:
    assert isinstance(state, TabletopState)
    return tuple(sorted(card.name for card in state.table[state.table.hand(player)]))


CARDS = [f"c{n}" for n in range(6)]
"""Dealt from the end: Anna gets c5 and c3, Bert c4 and c2, the deck keeps c0 and c1."""


def test_players_see_their_own_cards_and_backs_of_others() -> None:
    state = dealt(HighCard(), CARDS)

    seen = view_of(state, "Anna").observation["places"]

    assert seen["hand Anna"] == ("c3", "c5")
    assert seen["hand Bert"] == ("##", "##")
    assert seen["deck"] == ("##", "##")


def test_percepts_tell_what_a_player_may_see() -> None:
    state = dealt(HighCard(), CARDS)
    after = state.play({"Anna": "c5"})

    assert state.percepts("Anna") == ["Anna: shuffle + deal = ?", "c3 at hand Anna", "c5 at hand Anna"]
    assert state.percepts("Bert") == ["Anna: shuffle + deal = ?", "c2 at hand Bert", "c4 at hand Bert"]
    assert after.percepts("Bert") == ["Anna: c5", "c5 at played"]


def chi_square(counts: Counter[Any], expected: int, total: int) -> float:
    mean = total / expected
    return sum((count - mean) ** 2 / mean for count in counts.values()) + mean * (expected - len(counts))


def test_worlds_are_drawn_uniformly() -> None:
    view = view_of(dealt(HighCard(), CARDS), "Anna")
    rng = Random(11)

    counts = Counter(hand(view.sample(rng), "Bert") for _ in range(6000))

    # Six pairs out of c0, c1, c2, c4; the 99.9 % point of chi-square with 5 degrees of freedom is 20.5.
    assert len(counts) == 6
    assert chi_square(counts, 6, 6000) < 20.5


def test_worlds_keep_what_was_seen() -> None:
    state = dealt(HighCard(), CARDS).play({"Anna": "c5"})
    rng = Random(4)

    for world in (view_of(state, "Bert").sample(rng) for _ in range(50)):
        assert isinstance(world, TabletopState)
        assert [card.name for card in world.table["played"]] == ["c5"]
        assert hand(world, "Bert") == ("c2", "c4")
        assert hand(world, "Anna")[0] in ("c0", "c1", "c3")


SUITS = [f"{suit}{n}" for n in range(4) for suit in "RGB"]


def follow(state: State, moves: Iterable[tuple[str, str]]) -> State:
    for player, move in moves:
        state = state.play({player: move})
    return state


def test_who_does_not_follow_suit_has_none_of_it_in_any_world() -> None:
    # B has no R: hands are dealt in turn from the end.
    order = ["B3", "G3", "R3", "B2", "G2", "R2", "B1", "G1", "R1", "B0", "G0", "R0"]
    state: State = dealt(Suits(), order)
    assert hand(state, "A") == ("R0", "R1", "R2", "R3")
    state = follow(state, [("A", "R0"), ("B", "G0"), ("C", "B0"), ("A", "R1")])
    rng = Random(9)

    worlds = [view_of(state, "C").sample(rng) for _ in range(100)]

    assert all(not any(card.startswith("R") for card in hand(world, "B")) for world in worlds)
    assert len({hand(world, "B") for world in worlds}) == 1  # C has all of B, so B must have all of G


def test_evidence_excludes_no_world_that_could_be() -> None:
    order = ["B3", "G3", "R3", "B2", "G2", "R2", "R1", "G1", "B1", "B0", "G0", "R0"]
    state: State = dealt(Suits(), order)
    assert hand(state, "B") == ("G0", "G1", "G2", "G3")
    state = follow(state, [("A", "R0"), ("B", "G0")])
    rng = Random(2)

    held = Counter(hand(view_of(state, "C").sample(rng), "B") for _ in range(600))

    # C holds B0, B2, B3 and R1; the rest of R is with A then, and B has three of G1, G2, G3 and B1.
    assert len(held) == 4
    assert chi_square(held, 4, 600) < 16.3


@pytest.mark.parametrize("rule", [HighCard, Suits])
def test_tables_always_agree_with_what_their_owner_sees(rule: type[Rule]) -> None:
    for seed in range(10):
        rng = Random(seed)
        state: State = TabletopGame(rule()).initial_state()
        tables = {role: Tables(4, Random(seed)) for role in state.game.roles}
        while not state.is_terminal:
            for role, own in tables.items():
                view = view_of(state, role)
                own.observe(view)
                for world in own.states:
                    assert view_of(world, role).observation == view.observation
            state = state.sample(random_joint_move(state, rng), rng)


def test_repaired_tables_are_distributed_like_fresh_ones() -> None:
    before = dealt(HighCard(), CARDS)
    after = before.play({"Anna": "c5"})
    rng = Random(21)
    repaired: Counter[Any] = Counter()
    for _ in range(1500):
        tables = Tables(2, rng)
        tables.observe(view_of(before, "Bert"))
        tables.observe(view_of(after, "Bert"))
        repaired.update((hand(world, "Anna"), world.table["deck"][0].name) for world in tables.states)
        assert tables.resampled == 0

    # Six ways to lay c0, c1 and c3 in Anna's hand and the deck.
    assert len(repaired) == 6
    assert chi_square(repaired, 6, 3000) < 20.5


def test_tables_stay_as_they_are_until_they_are_reshuffled() -> None:
    tables = Tables(20, Random(5))
    tables.observe(view_of(dealt(HighCard(), CARDS), "Anna"))
    before = [hand(world, "Bert") for world in tables.states]

    kept = [hand(world, "Bert") for world in tables.states]
    tables.reshuffle()

    assert kept == before
    assert [hand(world, "Bert") for world in tables.states] != before


def test_a_table_is_repaired_for_a_move_that_is_illegal_on_it_as_in_the_paper() -> None:
    """Jane thinks that George holds two other cards when he plays his 3."""
    state = dealt(HighCard(), CARDS)
    rng = Random(1)
    guess = next(
        world for world in iter(lambda: view_of(state, "Bert").sample(rng), None) if "c5" not in hand(world, "Anna")
    )
    assert isinstance(guess, TabletopState)

    sampler = view_of(guess, "Bert").sampler
    repair = sampler.truth()

    assert make_legal(sampler, repair, "Anna", "c5", rng)
    repaired = sampler.world(repair)
    assert "c5" in hand(repaired, "Anna")
    assert hand(repaired, "Bert") == hand(guess, "Bert")
    kept = set(hand(guess, "Anna")) & set(hand(repaired, "Anna"))
    assert len(kept) == 1
    assert not make_legal(sampler, sampler.truth(), "Anna", "c2", rng)  # Bert holds it himself


def test_a_table_is_repaired_for_a_move_that_other_cards_forbid() -> None:
    """B does not follow suit, so all cards of the suit must leave its hand on a table where it has some."""
    order = [f"{suit}{n}" for suit in "RGB" for n in range(4)]
    state = dealt(Suits(), order)
    lead = state.legal_moves("A")[0]
    led = state.play({"A": lead})
    rng = Random(4)
    repaired = 0
    for _ in range(30):
        sampler = view_of(led, "A").sampler
        guess = sampler.draw(rng)
        before = sampler.world(guess)
        held = [card for card in hand(before, "B") if card[0] != lead[0]]
        if len(held) == 4 or not held:
            continue

        if make_legal(sampler, guess, "B", held[0], rng):
            world = sampler.world(guess)
            assert held[0] in world.legal_moves("B")
            assert not any(card.startswith(lead[0]) for card in hand(world, "B"))
            assert hand(world, "A") == hand(led, "A")
            repaired += 1

    assert repaired > 10


def test_a_table_is_repaired_for_a_card_that_was_seen_to_be_played() -> None:
    """On Bert's table Anna plays c3, but it was c1 that he saw."""
    state = dealt(HighCard(), CARDS)
    sampler = view_of(state, "Bert").sampler
    guess = sampler.truth()
    after = sampler.world(guess).play({"Anna": "c3"})

    assert match_sights(sampler, guess, Counter({("c1", "played"): 1}), after, Random(1))
    assert hand(sampler.world(guess), "Anna") == ("c1", "c5")
    assert not match_sights(sampler, guess, Counter({("c2", "played"): 1}), after, Random(1))  # Bert holds it himself


class Passing(Rule):
    """A gives one of two cards unseen to B, then the deck is shuffled with the rest: what is known gets lost."""

    name = "Passing"
    players = ("A", "B", "C")

    def equipment(self, table: Table) -> None:
        table.add(Assortment("deck", [Element(f"c{n}", rank=n) for n in range(5)], stack=True))
        table.add(Area.hands("hand", self.players))
        table.add(Area("pile", ["pile"], visibility="hidden", stack=True))

    def setup(self, table: Table) -> Action:
        deck = table.assortment("deck")
        return Move(deck.elements[:2], table.hand("A")) + Move(deck.elements[2:], table.position("pile"))

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.give)

    def give(self, table: Table) -> list[Action]:
        if table.current_player == "A":
            return [Move(card, to=table.hand("B")) for card in table[table.hand("A")]]
        return [Shuffle(table.position("pile"))]

    chance = True

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(draw=True) if table.current_player == "C" else None


def test_what_is_seen_to_go_out_of_sight_stays_known_until_it_is_mixed() -> None:
    state: State = TabletopGame(Passing()).initial_state()
    rng = Random(3)

    # All saw the cards go to A's hand and to the pile, from a deck that lay open.
    assert view_of(state, "C").sampler.unknown == []
    given = state.play({"A": "c1 to hand B"})

    # A and B know which card went; C does not.
    assert view_of(given, "A").sampler.unknown == view_of(given, "B").sampler.unknown == []
    held = Counter(hand(view_of(given, "C").sample(rng), "B") for _ in range(200))
    assert set(held) == {("c0",), ("c1",)}
    assert min(held.values()) > 60

    shuffled = given.sample({"B": "shuffle"}, rng)
    orders = set()
    for world in (view_of(shuffled, "A").sample(rng) for _ in range(200)):
        assert isinstance(world, TabletopState)
        assert (hand(world, "A"), hand(world, "B")) == (("c0",), ("c1",))
        orders.add(world.table["pile"])
    assert len(orders) == 6


class Phantom(Rule):
    """Two players put stones on four points that the other does not see; three tries each."""

    name = "Phantom"
    players = ("X", "O")

    def equipment(self, table: Table) -> None:
        table.add(Area.track("row", ["a", "b", "c", "d"], visibility="secret"))
        table.add(Assortment("stones", [Element("x", player="X"), Element("o", player="O")], endless=True))

    def turns(self) -> list[Stage]:
        return alternate(self.players, self.put)

    def put(self, table: Table) -> list[Action]:
        own = table.element(player=table.current_player)
        points = [point for point in table.area("row").positions if own not in table[point]]
        return [
            (Refuse("taken", point) if table[point] else Move(own, to=point) + Tell("a stone")).named(point.name)
            for point in points
        ]

    def result(self, table: Table) -> FinishPlay | None:
        return None if table.positions(empty=True) else FinishPlay(draw=True)


def test_a_refused_move_is_told_to_its_player_who_moves_again_and_knows() -> None:
    state = TabletopGame(Phantom()).initial_state().play({"X": "b"})

    refused = state.play({"O": "b"})

    assert refused.refused == ("O", "taken")
    assert refused.percepts("O") == ["O: b", "refused: taken"]
    assert refused.percepts("X") == ["O: is refused"]
    assert len(refused.legal_moves("O")) == 4
    assert view_of(refused, "O").observation["places"]["b"] == ("x",)
    assert view_of(state, "O").observation["places"].get("b") is None
    assert state.percepts("O") == ["X: moves, tell", "a stone"]
    rng = Random(1)
    assert all(str(view_of(refused, "O").sample(rng)) == str(refused) for _ in range(20))


def test_tables_keep_unseen_stones_where_they_still_may_lie() -> None:
    def point_of_x(world: TableState) -> str:
        (point,) = [place.name for place in world.table.positions(empty=False) if world.table[place][-1].name == "x"]
        return point

    state = TabletopGame(Phantom()).initial_state().play({"X": "b"})
    tables = Tables(60, Random(2))
    tables.observe(view_of(state, "O"))
    before = [point_of_x(world) for world in tables.states]
    after = state.play({"O": "d"})

    tables.observe(view_of(after, "O"))

    points = [point_of_x(world) for world in tables.states]
    assert set(before) == {"a", "b", "c", "d"}
    assert set(points) == {"a", "b", "c"}
    assert [point for point, was in zip(points, before, strict=True) if was != "d"] == [
        was for was in before if was != "d"
    ]
    assert tables.resampled == 0


def test_known_elements_that_are_mixed_with_others_may_lie_where_any_of_them_lies() -> None:
    table = Table(Inventory(("X", "O")))
    table.add(Assortment("deck", [Element(f"c{n}") for n in range(4)], visibility="hidden"))
    known, also_known, unknown, apart = table.assortment("deck").elements
    table.known[0] = known.bit | also_known.bit | apart.bit
    mixed = known.bit | also_known.bit | unknown.bit

    blur(table, 0, mixed)

    assert table.within[0] == {known: mixed, also_known: mixed}
    assert table.known == [apart.bit, 0]


def test_spectators_see_what_all_players_see() -> None:
    state = dealt(HighCard(), CARDS)
    played = state.play({"Anna": "c5"})

    assert PublicView(state).observation["places"]["hand Anna"] == ("##", "##")
    assert PublicView(played).observation["places"]["played"] == ("c5",)
    assert PublicView(played).legal_moves == ()


def test_spectators_learn_attributes_only_of_what_lies_open() -> None:
    class Marking(HighCard):
        def card(self, table: Table) -> list[Action]:
            hand, played = table[table.hand(table.current_player)], table.position("played")
            bending: list[Action] = [(Set(card, bent=True) + Move(card, to=played)).named(card.name) for card in hand]
            return [*bending, Set(hand[0], bent=True).named("bend")]

    state = dealt(Marking(), CARDS)
    bent = state.play({"Anna": "bend"})
    played = state.play({"Anna": "c5"})

    assert not any(".bent" in name for name in PublicView(bent).observation["attributes"])
    assert PublicView(played).observation["attributes"]["c5.bent"] is True


def test_a_place_found_empty_is_known_until_something_moves_out_of_sight() -> None:
    table = Table(Inventory(("X", "O")))
    table.add(Area("field", ["dark", "den"], visibility="secret"))
    table.add(Area("yard", ["light"]))
    table.add(Assortment("stones", [Element("stone")], endless=True))
    (stone,) = table.assortment("stones").elements
    table.play_state[:2] = ["X", "X"]

    table.do(Refuse("nothing there", table.position("dark")))
    found = table.revealed[0]
    table.do(Move(stone, to=table.position("light")))

    assert found
    assert table.revealed == [found, 0]
    table.do(Move(stone, to=table.position("den")))
    assert table.revealed == [0, 0]


def test_unseen_stones_may_lie_anywhere_that_is_not_seen() -> None:
    state = TabletopGame(Phantom()).initial_state().play({"X": "b"})
    rng = Random(8)

    places = Counter(
        point.name
        for _ in range(400)
        if isinstance(world := view_of(state, "O").sample(rng), TabletopState)
        for point in world.table.positions(empty=False, area="row")
    )

    assert set(places) == {"a", "b", "c", "d"}
    assert chi_square(places, 4, 400) < 16.3


@pytest.mark.parametrize("rule", [Passing, Phantom])
def test_rules_with_secrets_keep_the_contract(rule: type[Rule]) -> None:
    check_game(TabletopGame(rule()), matches=20, report=lambda line: None)


def test_check_game_finds_a_rule_that_gives_secrets_away() -> None:
    class Leaky(HighCard):
        def card(self, table: Table) -> list[Action]:
            other = table.hand("Bert" if table.current_player == "Anna" else "Anna")
            allowed = super().card(table)
            return [action for action in allowed if table[other] and table[other][0].rank < 4] or allowed[:1]

    with pytest.raises(CheckFailed, match="it learns what is hidden"):
        check_game(TabletopGame(Leaky()), matches=20, report=lambda line: None)


def test_cards_turned_face_up_are_seen_wherever_they_lie() -> None:
    class Open(HighCard):
        def card(self, table: Table) -> list[Action]:
            own = table[table.hand(table.current_player)]
            return [Set(own[0], face="up").named("show"), *super().card(table)]

        def turns(self) -> list[Stage]:
            return alternate(self.players, self.card)

    state = dealt(Open(), CARDS).play({"Anna": "show"})

    assert view_of(state, "Bert").observation["places"]["hand Anna"] == ("##", "c5")
    assert "c5 at hand Anna" in state.percepts("Bert")


def test_what_a_player_could_not_do_says_nothing_about_cards_in_the_deck() -> None:
    """Who draws has nothing to play, whatever lies in the deck, though the rule looks whether there is a card."""
    rng = Random(3)
    state: State = ludens.load("uno:3").initial_state()
    for _ in range(25):
        state = state.sample(random_joint_move(state, rng), rng)
    assert isinstance(state, TabletopState)
    evidence_so_far = [evidence for one in state.history for evidence in Evidence.of_turn(one)]
    drawing = [evidence for evidence in evidence_so_far if evidence.move == "draw"]
    deck = state.table.assortment("deck")
    everything = (1 << len(deck.elements)) - 1

    assert drawing
    for evidence in drawing:
        masks, _ = evidence.constraints()
        assert masks.get(deck, everything) == everything
        assert masks[state.table.hand(evidence.role)] != everything


def test_a_place_that_everybody_but_the_owner_sees() -> None:
    game = TabletopGame(Backwards())
    rng = Random(2)
    first = game.initial_state()
    state = first.sample(random_joint_move(first, rng), rng)
    hands = {name: {card.name for card in state.table[state.table.hand(name)]} for name in game.roles}

    for name in game.roles:
        view = state.view(name)
        assert isinstance(view, TableView)
        for other in game.roles:
            seen = view.lying(state.table.hand(other))
            assert [card is None for card in seen] == [other == name] * 2
        worlds = [view.sampler.world(view.sampler.draw(rng)) for _ in range(60)]
        assert all(
            {card.name for card in world.table[world.table.hand(other)]} == hands[other]
            for world in worlds
            for other in game.roles
            if other != name
        )
        assert len({world.table[world.table.hand(name)] for world in worlds}) > 6  # of 4 * 3 that are possible
    check_game(game)
