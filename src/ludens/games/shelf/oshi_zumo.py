"""Oshi-Zumo: two wrestlers' backers bid coins to push."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the coins of each role, and the squares on each side of the middle.

    >>> "(init (wrestler 3))" in rules("10", "2")
    True
    """
    coins, side = read_numbers(
        "oshi_zumo", parameters, Number("number of coins", 1, 50, 15), Number("size of half the ring", 1, 6, 3)
    )
    middle = side + 1
    return _SHEET.format(
        coins=coins,
        side=side,
        middle=middle,
        coin_facts=number_facts("amount", 0, coins),
        squares=number_facts("square", 0, 2 * middle),
        halves=facts(
            [f"(half second {n})" for n in range(middle)]
            + [f"(half first {n})" for n in range(middle + 1, 2 * middle + 1)]
        ),
        edge=2 * middle,
        numbers=successors(0, max(coins, 2 * middle)),
    )


_SHEET = """\
; Oshi-Zumo with {coins} coins each, and {side} squares on each side of the middle.
;
; A wrestler stands in the middle. In each round both roles bid at the same time, at least one coin while they have any,
; and pay what they bid; the higher bid pushes the wrestler one square towards the other role. The match ends when
; the wrestler is out of the ring, or both are out of coins; whoever has pushed him into the other's half wins.

(role first)
(role second)
(opponent first second)
(opponent second first)

{coin_facts}
; Squares from the left; first pushes to the right. The first and the last square are outside the ring.
{squares}
; (half role square): squares where that role is winning.
{halves}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (coins ?role ?n)) (role ?role) (amount ?n))
(<= (base (wrestler ?square)) (square ?square))
(<= (input ?role (bid ?n)) (role ?role) (amount ?n))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (coins ?role {coins})) (role ?role))
(init (wrestler {middle}))

; ---- bids --------------------------------------------------------------------------------------------------

(<= (legal ?role (bid ?n))
    (true (coins ?role ?coins))
    (at_most ?n ?coins)
    (distinct ?n 0))
(<= (legal ?role (bid 0))
    (true (coins ?role 0)))

(<= (next (coins ?role ?left))
    (true (coins ?role ?coins))
    (does ?role (bid ?n))
    (sum ?n ?left ?coins))

(<= (pushes ?role)
    (opponent ?role ?other)
    (does ?role (bid ?mine))
    (does ?other (bid ?theirs))
    (at_most ?theirs ?mine)
    (distinct ?theirs ?mine))
(<= moved (pushes ?role))
(<= (next (wrestler ?to)) (pushes first) (true (wrestler ?from)) (succ ?from ?to))
(<= (next (wrestler ?to)) (pushes second) (true (wrestler ?from)) (succ ?to ?from))
(<= (next (wrestler ?square)) (true (wrestler ?square)) (not moved))

; ---- the end -----------------------------------------------------------------------------------------------

(<= terminal (true (wrestler 0)))
(<= terminal (true (wrestler {edge})))
(<= terminal (true (coins first 0)) (true (coins second 0)))

(<= (goal ?role 100) (half ?role ?square) (true (wrestler ?square)))
(<= (goal ?role 0) (opponent ?role ?other) (half ?other ?square) (true (wrestler ?square)))
(<= (goal ?role 50) (role ?role) (true (wrestler {middle})))

; ---- numbers -----------------------------------------------------------------------------------------------

(<= (at_most ?n ?n) (amount ?n))
(<= (at_most ?a ?c) (at_most ?a ?b) (succ ?b ?c) (amount ?c))
(<= (sum 0 ?n ?n) (amount ?n))
(<= (sum ?a ?b ?c) (succ ?less ?a) (sum ?less ?b ?d) (succ ?d ?c) (amount ?c))
{numbers}
"""
