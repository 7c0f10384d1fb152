"""Three dice: a solitaire in the manner of Yahtzee, with rolls, dice that are kept, and a sheet to fill in."""

from __future__ import annotations

from itertools import product

CATEGORIES = {"pair": 10, "high": 15, "low": 20, "straight": 25, "three": 30}
"""The points of each line of the sheet."""


def rules() -> str:
    """The rules in KIF.

    >>> "(roll ?a die2 ?c)" in rules()
    True
    """
    throws = []
    for kept in product((False, True), repeat=3):
        dice = " ".join(f"?{'abc'[n]}" if keep else f"die{n + 1}" for n, keep in enumerate(kept))
        throws.append(f"(<= (legal player (roll {dice}))\n    (true (dice ?a ?b ?c))\n    again)")
    hands = []
    for hand in product(range(1, 7), repeat=3):
        hands += [f"(fits {name} {' '.join(map(str, hand))})" for name in CATEGORIES if _fits(name, hand)]
    points = range(0, sum(CATEGORIES.values()) + 1, 5)
    sums = [f"(plus {a} {b} {a + b})" for a in points for b in CATEGORIES.values() if a + b <= points[-1]]
    return _SHEET.format(
        throws="\n".join(throws[:-1]),
        categories=" ".join(f"(worth {name} {value})" for name, value in CATEGORIES.items()),
        hands="\n".join(hands),
        sums=" ".join(sums),
    )


def _fits(category: str, hand: tuple[int, ...]) -> bool:
    low, middle, high = sorted(hand)
    match category:
        case "pair":
            return middle in (low, high)
        case "three":
            return low == high
        case "straight":
            return (middle - low, high - middle) == (1, 1)
        case "high":
            return sum(hand) >= 13
        case _:
            return sum(hand) <= 8


_SHEET = """\
; Three dice, in the stochastic dialect. A roll names the dice that are kept by their values, the others by variables.
(role player)

(side 1) (side 2) (side 3) (side 4) (side 5) (side 6)
(<= (random die1 1 ?side) (side ?side))
(<= (random die2 1 ?side) (side ?side))
(<= (random die3 1 ?side) (side ?side))

(init (rolls 3))
(init (points 0))

; The first roll of a round is with all dice; after it there are two more, with those that are not kept.
(<= (legal player (roll die1 die2 die3))
    (true (rolls 3)))
{throws}
(<= again (true (rolls ?n)) (succ ?fewer ?n))
; The dice count for a line of the sheet that is still free.
(<= (legal player (enter ?category))
    (true (dice ?a ?b ?c))
    (worth ?category ?points)
    (not (true (entered ?category))))

(<= (next (dice ?a ?b ?c))
    (does player (roll ?a ?b ?c)))
(<= (next (rolls ?fewer))
    (does player (roll ?a ?b ?c))
    (true (rolls ?n))
    (succ ?fewer ?n))
(<= (next (rolls 3)) (does player (enter ?category)))
(<= (next (entered ?category)) (does player (enter ?category)))
(<= (next (entered ?category)) (true (entered ?category)))

(<= (gains ?points)
    (does player (enter ?category))
    (true (dice ?a ?b ?c))
    (fits ?category ?a ?b ?c)
    (worth ?category ?points))
(<= gains_something (gains ?points))
(<= (next (points ?sum)) (gains ?more) (true (points ?before)) (plus ?before ?more ?sum))
(<= (next (points ?points)) (true (points ?points)) (not gains_something))

(<= open (worth ?category ?points) (not (true (entered ?category))))
(<= terminal (not open))
(<= (goal player ?points) (true (points ?points)))

{categories}
(succ 0 1) (succ 1 2) (succ 2 3)
{sums}
{hands}
"""
