"""Uno for its engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from ludens.games.tabletop.twins import PACKAGE
from ludens.tabletop import EngineTwin, Rule, Table

MOST_PLAYERS, CARDS, KINDS, WILD = 10, 108, 54, 52
COLOURS = ("red", "yellow", "green", "blue")
FACES = (*map(str, range(10)), "draw two", "skip", "reverse")
WILDS = ("wild", "wild draw four")
KIND_NAMES = (*(f"{colour} {face}" for colour in COLOURS for face in FACES), *WILDS)
KIND = {name: number for number, name in enumerate(KIND_NAMES)}
WORDS = {1000: "draw", 1003: "wait", 1004: "accept", 1005: "challenge"}
KEEP, JUMP = 1001, 1002
DECK_SIZE, DECK, PILE, HANDS = 8, 10, 10 + CARDS, 10 + 2 * CARDS
"""Where positions have the sizes of deck and pile, the deck, the pile, and hands."""
FRESH = 5


def uno_twin(rule: Rule) -> EngineTwin:
    """The twin of a page."""
    settings = [len(rule.players), *(int(rule.settings[name]) for name in ("jump_in", "must_play", "challenge"))]
    return EngineTwin(package=PACKAGE, engine="uno", settings=settings, position=position, move=move, settled=settled)


def position(table: Table) -> list[int] | None:
    """Who is to act and how, the colour, the direction, what is noted, deck, pile and hands."""
    kinds = [KIND[card.name] for card in table.inventory.elements]
    deck, pile = (
        [kinds[card.index] for card in table.contents[place.index]]
        for place in (table.assortment("deck"), table.position("pile"))
    )
    if not pile:
        return None
    word, _, mover = table.stage.partition(" ")
    drawn, is_answer = table.get("drawn"), word == "answer"
    hands = [[kinds[card.index] for card in table.contents[table.hand(player).index]] for player in table.players]
    seat = table.players.index(mover)
    found = [
        seat, int(is_answer), COLOURS.index(table.get("colour")), table.get("step"), int(drawn),
        hands[seat][-1] if drawn else 0,
        COLOURS.index(table.get("before")) if is_answer else 0,
        table.players.index(table.get("by")) if is_answer else 0,
        len(deck), len(pile), *deck, *[0] * (CARDS - len(deck)), *pile, *[0] * (CARDS - len(pile)),
    ]  # fmt: skip
    for hand in hands:
        counts = [0] * KINDS
        for kind in hand:
            counts[kind] += 1
        found += counts
    return found + [0] * KINDS * (MOST_PLAYERS - len(hands))


def settled(numbers: Sequence[int]) -> Hashable:
    """All but which cards of a shuffled deck are where."""
    deck = numbers[DECK : DECK + numbers[DECK_SIZE]]
    hands = [numbers[first : first + KINDS] for first in range(HANDS, len(numbers), KINDS)]
    cards = Counter(deck)
    for hand in hands:
        cards.update({kind: count for kind, count in enumerate(hand) if count})
    plain = [*numbers[:FRESH], *numbers[FRESH + 1 : DECK], *numbers[PILE:HANDS]]
    return tuple(plain), tuple(map(sum, hands)), tuple(sorted(cards.items()))


def move(table: Table, player: str, number: int) -> str:
    """A card, or a word."""
    if number == KEEP:
        return "keep" if table.get("drawn") else "pass"
    if number == JUMP:
        return f"jump in with {table.contents[table.position('pile').index][-1].name}"
    if number in WORDS:
        return WORDS[number]
    kind, colour = divmod(number, len(COLOURS))
    return KIND_NAMES[kind] if kind < WILD else f"{KIND_NAMES[kind]} for {COLOURS[colour]}"
