"""Goofspiel: bidding for prizes that come in a fixed order or at random."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import Number, number_facts, read_numbers, successors

ORDERS = ("random", "descending", "ascending")
CARDS = Number("number of cards", 1, 13, 5)


def rules(*parameters: str) -> str:
    """The rules in KIF: the number of cards, and the order of the prizes.

    >>> "(role random)" in rules("4", "random"), "(role random)" in rules("4", "descending")
    (True, False)
    """
    order = parameters[-1] if parameters and parameters[-1] in ORDERS else ORDERS[0]
    words = parameters[:-1] if parameters[-1:] == (order,) else parameters
    try:
        (cards,) = read_numbers("goofspiel", words, CARDS)
    except GameError as error:
        raise GameError(f"{error} (and then {', '.join(ORDERS)})") from None
    total = cards * (cards + 1) // 2
    first, last, step = (
        (1, cards, "(succ ?prize ?after)") if order == "ascending" else (cards, 1, "(succ ?after ?prize)")
    )
    prizes = _AT_RANDOM if order == "random" else _IN_ORDER.format(order=order, first=first, last=last, step=step)
    return _SHEET.format(
        cards=cards, prizes=prizes, card_facts=number_facts("card", 1, cards), numbers=successors(0, max(total, 1))
    )


_AT_RANDOM = """\
; ---- prizes, in random order -------------------------------------------------------------------------------

; Chance turns up a prize before the first bids, and the next one with each bid.
(role random)

(<= (init (deck ?card)) (card ?card))

(<= (legal random (turn_up ?card)) (true (deck ?card)))
(<= (legal random noop) (not deck_left))
(<= deck_left (true (deck ?card)))

(<= (next (prize ?card)) (does random (turn_up ?card)))
(<= (next (deck ?card)) (true (deck ?card)) (not (does random (turn_up ?card))))

(<= terminal (not deck_left) (not at_stake))

(<= (base (deck ?card)) (card ?card))
(<= (input random (turn_up ?card)) (card ?card))
(input random noop)"""
_IN_ORDER = """\
; ---- prizes, in {order} order ----------------------------------------------------------------------------

(init (prize {first}))

(<= (next (prize ?after)) (true (prize ?prize)) {step} (card ?after))

(<= terminal (not at_stake))"""
_SHEET = """\
; Goofspiel with {cards} cards for each role.
;
; Both hold the cards from 1 to {cards}, and so do the prizes. For each prize both play a card at the same time; the
; higher one wins as many points as the prize shows. Equal cards win nothing, and the prize is lost. Whoever has more
; points at the end wins.

(role first)
(role second)
(opponent first second)
(opponent second first)

{card_facts}

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (hand first ?card)) (card ?card))
(<= (init (hand second ?card)) (card ?card))
(init (points first 0))
(init (points second 0))

{prizes}

; ---- bids --------------------------------------------------------------------------------------------------

(<= at_stake (true (prize ?card)))

(<= (legal ?role (bid ?card))
    at_stake
    (true (hand ?role ?card)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (not at_stake))

(<= (next (hand ?role ?card))
    (true (hand ?role ?card))
    (not (does ?role (bid ?card))))

(<= (wins ?role)
    (opponent ?role ?other)
    (does ?role (bid ?mine))
    (does ?other (bid ?theirs))
    (more ?mine ?theirs))
(<= (next (points ?role ?sum))
    (wins ?role)
    (true (points ?role ?n))
    (true (prize ?prize))
    (plus ?n ?prize ?sum))
(<= (next (points ?role ?n))
    (true (points ?role ?n))
    (not (wins ?role)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= (ahead ?role)
    (opponent ?role ?other)
    (true (points ?role ?mine))
    (true (points ?other ?theirs))
    (more ?mine ?theirs))
(<= uneven (ahead ?role))
(<= (goal ?role 100) (ahead ?role))
(<= (goal ?role 0) (opponent ?role ?other) (ahead ?other))
(<= (goal ?role 50) (opponent ?role ?other) (not uneven))

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (hand ?role ?card)) (opponent ?role ?other) (card ?card))
(<= (base (points ?role ?n)) (opponent ?role ?other) (number ?n))
(<= (base (prize ?card)) (card ?card))

(<= (input ?role (bid ?card)) (opponent ?role ?other) (card ?card))
(<= (input ?role noop) (opponent ?role ?other))

; ---- numbers -----------------------------------------------------------------------------------------------

(number 0)
(<= (number ?n) (succ ?m ?n))
(<= (more ?a ?b) (succ ?b ?a))
(<= (more ?a ?c) (more ?a ?b) (succ ?c ?b))
(<= (plus ?n 0 ?n) (number ?n))
(<= (plus ?a ?b ?c) (succ ?less ?b) (plus ?a ?less ?d) (succ ?d ?c))
{numbers}
"""
