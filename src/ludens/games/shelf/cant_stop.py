"""Can't stop: climb columns with the sums of two dice, and stop in time."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from ludens.core import GameError

DEFAULTS = ("6", "3", "3")
LIMITS = ((2, 6), (1, 3), (1, 5))
RUNNERS = 3


def rules(*parameters: str) -> str:
    """The rules in KIF: the sides of a die, the columns that win, and the length of the shortest column.

    >>> "(length 7 13)" in rules()
    True
    """
    words = (*parameters, *DEFAULTS[len(parameters) :])
    if len(words) != 3 or not all(
        word.isdecimal() and low <= int(word) <= high for word, (low, high) in zip(words, LIMITS, strict=True)
    ):
        raise GameError(
            "cant_stop takes the sides of a die (2 to 6), the columns that win (1 to 3) and the length of the shortest "
            f"column (1 to 5), not {','.join(parameters)!r}"
        )
    sides, wanted, shortest = map(int, words)
    columns = range(2, 2 * sides + 1)
    lengths = {column: shortest + 2 * min(column - 2, 2 * sides - column) for column in columns}
    throws = Counter(_pairings(dice) for dice in product(range(1, sides + 1), repeat=4))
    numbers = {pairings: number for number, pairings in enumerate(sorted(throws), start=1)}
    most = max(*lengths.values(), RUNNERS, wanted)
    return _SHEET.format(
        dice="\n".join(f"(random dice {throws[pairings]} throw{n})" for pairings, n in numbers.items()),
        sums="\n".join(
            " ".join(f"(sums throw{n} {low} {high})" for low, high in pairings) for pairings, n in numbers.items()
        ),
        columns=" ".join(f"(length {column} {length})" for column, length in lengths.items()),
        claims=" ".join(f"(true (claimed ?c{n} ?role))" for n in range(wanted)),
        different=" ".join(f"(distinct ?c{a} ?c{b})" for a, b in combinations(range(wanted), 2)),
        numbers=" ".join(f"(succ {n} {n + 1})" for n in range(most)),
    )


def _pairings(dice: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The pairs of sums that four dice can make, each once; throws with the same ones are the same event."""
    total = sum(dice)
    sums = {dice[a] + dice[b] for a, b in combinations(range(4), 2)}
    return tuple(sorted({(min(one, total - one), max(one, total - one)) for one in sums}))


_SHEET = """\
; Can't stop, in the stochastic dialect. A throw of four dice is one event: what matters are the pairs of sums that it
; can make, and its weight is the number of throws that make just these.
(role first)
(role second)
(opponent first second)
(opponent second first)

{dice}
{sums}

(init (control first))
(init (free 3))

; Roll, or stop and keep what the runners have climbed.
(<= (legal ?role (throw dice)) (true (control ?role)) (not dice_lie))
(<= (legal ?role stop) (true (control ?role)) (not dice_lie) running)
(<= dice_lie (true (thrown ?throw)))
(<= running (true (runner ?column ?height)))
(<= (legal ?role noop) (true (control ?other)) (opponent ?other ?role))

; A column can be climbed if nobody has claimed it, its runner is not at the top, and there is a runner for it.
(<= (height ?column ?height) (true (runner ?column ?height)))
(<= (height ?column ?height)
    (true (control ?role)) (true (position ?role ?column ?height)) (not (has_runner ?column)))
(<= (height ?column 0)
    (true (control ?role)) (length ?column ?top) (not (has_runner ?column)) (not (begun ?role ?column)))
(<= (begun ?role ?column) (true (position ?role ?column ?height)))
(<= (has_runner ?column) (true (runner ?column ?height)))
(<= (is_claimed ?column) (true (claimed ?column ?role)))
(<= (climbs ?column) (open ?column) (has_runner ?column))
(<= (climbs ?column) (open ?column) (not (has_runner ?column)) (not (true (free 0))))
(<= (open ?column) (length ?column ?top) (not (is_claimed ?column)) (not (on_top ?column)))
(<= (on_top ?column) (true (runner ?column ?top)) (length ?column ?top))

; Both sums if that is possible, else one of them.
(<= (together ?a ?b) (asked ?a ?b) (distinct ?a ?b) (climbs ?a) (climbs ?b) (not (one_runner_for ?a ?b)))
(<= (one_runner_for ?a ?b) (asked ?a ?b) (true (free 1)) (not (has_runner ?a)) (not (has_runner ?b)))
(<= (asked ?a ?b) (true (thrown ?throw)) (sums ?throw ?a ?b))
(<= (twice ?a) (asked ?a ?a) (climbs ?a) (height ?a ?height) (succ ?height ?more) (succ ?more ?most) (length ?a ?top)
    (at_most ?most ?top))
(<= (once ?a) (asked ?a ?a) (climbs ?a) (not (twice ?a)))
(<= (once ?a) (asked ?a ?b) (distinct ?a ?b) (climbs ?a) (not (together ?a ?b)))
(<= (once ?b) (asked ?a ?b) (distinct ?a ?b) (climbs ?b) (not (together ?a ?b)))
(<= (legal ?role (climb ?a ?b)) (true (control ?role)) (together ?a ?b))
(<= (legal ?role (climb_twice ?a)) (true (control ?role)) (twice ?a))
(<= (legal ?role (climb_once ?a)) (true (control ?role)) (once ?a))
(<= possible (together ?a ?b))
(<= possible (twice ?a))
(<= possible (once ?a))
(<= (legal ?role bust) (true (control ?role)) dice_lie (not possible))

(<= (next (thrown ?throw)) (does ?role (throw ?throw)))

(<= (steps ?a 1) (does ?role (climb ?a ?b)))
(<= (steps ?b 1) (does ?role (climb ?a ?b)))
(<= (steps ?a 1) (does ?role (climb_once ?a)))
(<= (steps ?a 2) (does ?role (climb_twice ?a)))
(<= (moves ?column) (steps ?column ?n))
(<= (next (runner ?column ?more)) (steps ?column 1) (height ?column ?height) (succ ?height ?more))
(<= (next (runner ?column ?most)) (steps ?column 2) (height ?column ?height) (succ ?height ?more) (succ ?more ?most))
(<= (next (runner ?column ?height)) (true (runner ?column ?height)) (not (moves ?column)) (not turn_ends))

(<= (starts ?column) (moves ?column) (not (has_runner ?column)))
(<= two_start (starts ?a) (starts ?b) (distinct ?a ?b))
(<= some_start (starts ?a))
(<= (next (free 3)) turn_ends)
(<= (next (free ?n)) (true (free ?n)) (not some_start) (not turn_ends))
(<= (next (free ?fewer)) (true (free ?n)) some_start (not two_start) (succ ?fewer ?n))
(<= (next (free ?least)) (true (free ?n)) two_start (succ ?fewer ?n) (succ ?least ?fewer))

(<= turn_ends (does ?role stop))
(<= turn_ends (does ?role bust))
(<= (next (position ?role ?column ?height)) (does ?role stop) (true (runner ?column ?height)))
(<= (next (position ?role ?column ?height))
    (true (position ?role ?column ?height))
    (not (moved_on ?role ?column)))
(<= (moved_on ?role ?column) (does ?role stop) (has_runner ?column))
(<= (next (claimed ?column ?role)) (does ?role stop) (on_top ?column))
(<= (next (claimed ?column ?role)) (true (claimed ?column ?role)))
(<= (next (control ?other)) turn_ends (true (control ?role)) (opponent ?role ?other))
(<= (next (control ?role)) (not turn_ends) (true (control ?role)))

(<= (won ?role) {claims} {different})
(<= terminal (won ?role))
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (role ?role) (not (won ?role)))

{columns}
{numbers}
(number 0)
(<= (number ?n) (succ ?before ?n))
(<= (at_most ?n ?n) (number ?n))
(<= (at_most ?a ?c) (at_most ?a ?b) (succ ?b ?c))
"""
