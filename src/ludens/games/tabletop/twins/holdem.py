"""Texas Hold'em for its engine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.games.tabletop.twins.chinese_poker import card_numbers
from ludens.tabletop import Element, EngineTwin, Rule, Table

MOST_PLAYERS, DECK, BOARD = 9, 52, 5
MOST_CHIPS = 4000
"""The most chips of all players together that the engine lists raises for."""
CALL, NEXT, RAISE = 1, 2, 3
STAGE, HAND = 0, 2
CARDS = 9 + 2 * (1 + MOST_PLAYERS) + 3 * MOST_PLAYERS
"""The numbers of a position before the cards."""


def holdem_twin(rule: Rule, most_bets: int, chips: int, cards: tuple[Element, ...]) -> EngineTwin | None:
    """The twin of a page; None if there are too many chips or other cards."""
    if chips > MOST_CHIPS or len(cards) != DECK:
        return None
    settings = [len(rule.players), most_bets, *(int(rule.settings[name]) for name in ("blind", "hands", "rise"))]
    return EngineTwin(
        package=PACKAGE, engine="holdem", position=position, move=move, settled=settled,
        settings=[*settings, *card_numbers(cards)],
    )  # fmt: skip


def position(table: Table) -> list[int] | None:
    """Who is to act and how, the betting, chips, and all cards."""
    seats = table.get("seats")
    if seats is None:
        return None
    players = table.players
    missing = [0] * (MOST_PLAYERS - len(players))
    is_deal = table.stage.startswith("deal")
    numbers = {player: number for number, player in enumerate(players)}
    found = [int(is_deal), numbers[table.current_player]]
    found += [table.get(name) for name in ("hand", "street", "raised", "bets", "high")]
    found += [sum(1 << numbers[player] for player in table.get("folded")), table.value(table.score("pot"))]
    for names in (seats, () if is_deal else table.get("pending")):
        found += [len(names), *(numbers[name] for name in names), *[0] * (MOST_PLAYERS - len(names))]
    found += [*table.get("stacks"), *missing]
    for score in ("chips", "bet"):
        found += [*(table.value(table.score(f"{score} {player}")) for player in players), *missing]
    deck = [card.index for card in table.contents[table.assortment("deck").index]]
    found += [len(deck), *deck, *[0] * (DECK - len(deck))]
    for player in players:
        cards = [card.index for card in table.contents[table.hand(player).index]]
        found += [*cards, *[0] * (2 - len(cards))]
    board = [card.index for card in table.contents[table.position("board").index]]
    return [*found, *missing, *missing, len(board), *board, *[0] * (BOARD - len(board))]


def settled(numbers: Sequence[int]) -> Hashable:
    """All but the cards; of a hand that was over as soon as it was dealt only its number."""
    return numbers[HAND] if numbers[STAGE] else tuple(numbers[:CARDS])


def move(table: Table, player: str, number: int) -> str:
    """A bet."""
    if number >= RAISE:
        return f"raise to {number - RAISE}"
    if number == NEXT:
        return "deal"
    owes = table.get("high") > table.value(table.score(f"bet {player}"))
    return ("call" if owes else "check") if number == CALL else "fold"
