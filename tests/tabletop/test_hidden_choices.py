"""Choices that no hidden element tells: attributes that only one player knows, and endless elements laid face down."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ludens.core import GameError, State, View
from ludens.tabletop import (
    Action,
    Area,
    Assortment,
    Dice,
    Distribute,
    Do,
    Element,
    FinishPlay,
    Mark,
    Move,
    Roll,
    Rule,
    Score,
    Set,
    Shuffle,
    Stage,
    Table,
    TabletopGame,
    TabletopState,
    Tell,
    everybody,
    stage,
)
from ludens.tabletop.hidden.percept_view import TablePerceptView
from ludens.testing import check_game, contradiction, perceptions


class Guess(Rule):
    """Ann writes a number; Bob guesses, and hears whether it is higher or lower."""

    name = "Guess"
    players = ("Ann", "Bob")
    private = ("number",)

    def equipment(self, table: Table) -> None:
        table.add(Score("tries"))

    def turns(self) -> list[Stage]:
        return [stage("write", ("Ann", self.write, "guess")), stage("guess", ("Bob", self.guess, "guess"))]

    def write(self, table: Table) -> list[Action]:
        return [Set("Ann", number=n).named(f"write {n}") for n in range(1, 10)]

    def guess(self, table: Table) -> list[Action]:
        return [Do(self.guessed, n).named(f"guess {n}") for n in range(1, 10)]

    def guessed(self, table: Table, n: int) -> Action:
        number = table.get("number", of="Ann")
        word = "right" if n == number else "higher" if number > n else "lower"
        return Mark(table.score("tries"), 1) + Set(table, found=n == number) + Tell(word)

    def result(self, table: Table) -> FinishPlay | None:
        if table.get("found"):
            return FinishPlay(winners=["Bob"])
        return FinishPlay(winners=["Ann"]) if table.value(table.score("tries")) >= 3 else None


class Sealed(Rule):
    """Bids are chips laid face down, at most as high as the higher of two dice that only the bidder sees."""

    name = "Sealed"
    players = ("Ann", "Bob", "Cem")

    def equipment(self, table: Table) -> None:
        for player in self.players:
            table.add(Dice(f"dice {player}", 2, (1, 2, 3, 4), owner=player, visibility="owner"))
        table.add(Area.hands("bid", self.players))
        table.add(Assortment("chips", [Element(str(n), worth=n) for n in range(5)], endless=True))

    def setup(self, table: Table) -> Action:
        ann, bob, cem = (Roll(table.dice(f"dice {player}")) for player in self.players)
        return (ann + bob + cem).named("roll")

    def turns(self) -> list[Stage]:
        return [everybody("bid", self.players, self.bid, "open"), stage("open", ("Ann", self.open, "bid"), start=False)]

    def bid(self, table: Table) -> list[Action]:
        player = table.current_player
        high = max(table.value(table.dice(f"dice {player}")))
        to = table.hand(player, "bid")
        return [Move(table.element(name=str(n)), to=to).named(f"bid {n}") for n in range(high + 1)]

    def open(self, table: Table) -> list[Action]:
        return [Do(self.opened).named("open")]

    def opened(self, table: Table) -> Action:
        bids = {player: table[table.hand(player, "bid")][-1].worth for player in self.players}
        return Set(table, winner=max(bids, key=lambda player: bids[player])) + Tell(f"highest {max(bids.values())}")

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(winners=[table.get("winner")]) if table.get("winner") else None


class Vows(Rule):
    """Each player vows to lay one suit as long as it can, and says after each card whether it has more of it."""

    name = "Vows"
    players = ("Ann", "Bob", "Cem")
    private = ("vow",)

    def equipment(self, table: Table) -> None:
        cards = [Element(f"{rank}{suit}", suit=suit) for rank in "1234" for suit in "CDHS"]
        table.add(Assortment("deck", cards, visibility="hidden"))
        table.add(Area.hands("hand", self.players))
        table.add(Area.hands("laid", self.players, visibility="public"))

    def setup(self, table: Table) -> Action:
        deck = table.assortment("deck")
        return (Shuffle(deck) + Distribute(deck, table.area("hand"), each=4)).named("deal")

    def turns(self) -> list[Stage]:
        following = [*self.players[1:], self.players[0]]
        pairs = zip(self.players, following, strict=True)
        lays = [stage(f"{player} lays", (player, self.lay, f"{after} lays"), start=False) for player, after in pairs]
        return [everybody("vow", self.players, self.vow, "Ann lays"), *lays]

    def vow(self, table: Table) -> list[Action]:
        return [Do(self.vowed, suit).named(f"vow {suit}") for suit in "CDHS"]

    def vowed(self, table: Table, suit: str) -> Action:
        return Set(table.current_player, vow=suit)

    def lay(self, table: Table) -> list[Action]:
        hand = table[table.hand(table.current_player)]
        vowed = [card for card in hand if card.suit == table.get("vow", of=table.current_player)]
        return [Do(self.laid, card).named(f"lay {card}") for card in vowed or hand]

    def laid(self, table: Table, card: Element) -> Action:
        player = table.current_player
        left = [one for one in table[table.hand(player)] if one.suit == table.get("vow", of=player) and one is not card]
        return Move(card, to=table.hand(player, "laid")) + Tell("more" if left else "no more")

    def result(self, table: Table) -> FinishPlay | None:
        return None if any(table[table.hand(player)] for player in self.players) else FinishPlay(draw=True)


def worlds(state: State, role: str, count: int) -> list[TabletopState]:
    return sampled(state.view(role), count)


def sampled(view: View, count: int) -> list[TabletopState]:
    found = [view.sample(Random(number)) for number in range(count)]
    assert all(isinstance(world, TabletopState) for world in found)
    return [world for world in found if isinstance(world, TabletopState)]


def after(game: TabletopGame, *joint_moves: dict[str, str]) -> State:
    state: State = game.initial_state()
    for joint_move in joint_moves:
        state = state.play(joint_move)
    return state


def test_attributes_that_only_one_player_knows_are_hidden_though_nothing_else_is() -> None:
    game = TabletopGame(Guess())
    states = [after(game, {"Ann": f"write {n}"}) for n in range(1, 10)]

    assert game.hidden
    assert {str(state.percepts("Bob")) for state in states} == {"['Ann: set']"}
    assert len({state.view("Bob").information for state in states}) == 1
    assert len({state.view("Ann").information for state in states}) == 9


def test_what_only_one_player_knows_is_drawn_as_all_that_was_told_allows() -> None:
    state = after(TabletopGame(Guess()), {"Ann": "write 7"}, {"Bob": "guess 4"}, {"Bob": "guess 8"})

    drawn = Counter(world.table.get("number", of="Ann") for world in worlds(state, "Bob", 300))

    assert set(drawn) == {5, 6, 7}
    assert min(drawn.values()) > 60


def test_players_that_only_perceive_draw_the_same() -> None:
    game = TabletopGame(Guess())
    view = TablePerceptView(game, "Bob")
    state: State = game.initial_state()
    for role, move in (("Ann", "write 2"), ("Bob", "guess 6")):
        state = state.play({role: move})
        view = view.after(move if role == "Bob" else None, state.percepts("Bob"))

    drawn = {world.table.get("number", of="Ann") for world in sampled(view, 100)}

    assert drawn == {1, 2, 3, 4, 5}


def test_endless_elements_that_are_laid_face_down_are_not_told() -> None:
    game = TabletopGame(Sealed())
    rolled = {"Ann": "roll = 2 3 ; 1 2 ; 1 4"}
    state = after(game, rolled, {"Ann": "bid 0", "Bob": "bid 1", "Cem": "bid 3"})

    assert state.percepts("Bob") == ["Ann: 1 to bid Ann", "Bob: bid 1", "Cem: 1 to bid Cem"]
    bids = Counter(str(world.table.top(world.table.hand("Cem", "bid"))) for world in worlds(state, "Bob", 300))
    assert set(bids) == set("01234")
    assert bids["4"] < bids["0"]  # which takes a four


def test_dice_agree_with_the_bids_that_they_allowed() -> None:
    game = TabletopGame(Sealed())
    rolled = {"Ann": "roll = 2 3 ; 1 2 ; 1 4"}
    state = after(game, rolled, {"Ann": "bid 0", "Bob": "bid 1", "Cem": "bid 3"})

    for world in worlds(state, "Bob", 100):
        table = world.table
        for player in game.roles:
            top = table.top(table.hand(player, "bid"))
            assert top is not None
            assert top.worth <= max(table.value(table.dice(f"dice {player}")))


@pytest.mark.parametrize("rule", [Guess, Sealed, Vows])
def test_worlds_explain_all_that_was_perceived(rule: type[Rule]) -> None:
    game = TabletopGame(rule())
    rng = Random(3)
    path: list[dict[str, str]] = []
    state: State = game.initial_state()
    while not state.is_terminal:
        joint_move = {role: rng.choice(legal) for role in game.roles if (legal := state.legal_moves(role))}
        path.append(dict(state.resolve(joint_move, rng)))
        state = state.play(path[-1])
        if not state.is_terminal:
            role = rng.choice(game.roles)
            perceived = perceptions(game, role, path)
            assert [contradiction(perceived, world, role) for world in worlds(state, role, 5)] == [None] * 5
    check_game(game, matches=1)


class Lots(Rule):
    """A draw of lots whose chance follows from a choice, which is not possible."""

    name = "Lots"
    players = ("Ann",)

    def equipment(self, table: Table) -> None:
        table.add(Dice("dice", 1))

    def turns(self) -> list[Stage]:
        return [stage("draw", ("Ann", self.draw, "draw"))]

    def draw(self, table: Table) -> list[Action]:
        return [Do(self.drawn).named("draw")]

    def drawn(self, table: Table) -> Action:
        return Roll(table.dice("dice"))


def test_chance_that_a_method_returns_is_refused_with_a_way_out() -> None:
    with pytest.raises(GameError, match="into a stage of its own"):
        after(TabletopGame(Lots()), {"Ann": "draw"})


class Charge(Rule):
    """A die adds to an attribute, which the consequence of the roll reads."""

    name = "Charge"
    players = ("Ann",)

    def equipment(self, table: Table) -> None:
        table.add(Dice("dice", 1))
        table.add(Assortment("things", [Element("battery", charge=0)]))

    def turns(self) -> list[Stage]:
        return [stage("load", ("Ann", self.load, "load"))]

    def load(self, table: Table) -> list[Action]:
        return [(Roll(table.dice("dice")) + Do(self.loaded)).named("load")]

    def loaded(self, table: Table) -> Action:
        battery = table.element(name="battery")
        return Set(battery, charge=battery.charge + table.value(table.dice("dice"))[0])

    def result(self, table: Table) -> FinishPlay | None:
        return FinishPlay(winners=["Ann"]) if table.element(name="battery").charge > 9 else None


def test_consequences_of_chance_read_attributes_that_change() -> None:
    check_game(TabletopGame(Charge()), matches=3)
