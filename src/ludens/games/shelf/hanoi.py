"""The tower of Hanoi: move the tower, disc by disc, never a larger one onto a smaller."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the number of discs, and the number of moves allowed beyond the shortest solution.

    >>> "(limit 7)" in rules("3", "0")
    True
    """
    discs, spare = read_numbers(
        "hanoi", parameters, Number("number of discs", 1, 8, 4), Number("number of moves to spare", 0, 200, 5)
    )
    limit = 2**discs - 1 + spare
    return _SHEET.format(
        discs=discs,
        limit=limit,
        all_discs=number_facts("disc", 1, discs),
        below=facts(f"(smaller {n} {m})" for n in range(1, discs) for m in range(n + 1, discs + 1)),
        worth=facts(f"(worth {n} {80 * n // discs})" for n in range(discs)),
        numbers=successors(0, max(limit, discs)),
    )


_SHEET = """\
; The tower of Hanoi with {discs} discs, disc 1 being the smallest, on three pegs; {limit} moves at most.
; The goal is 100 for the whole tower on peg c, and otherwise counts the largest discs that are in place.

(role mover)

(peg a) (peg b) (peg c)
(limit {limit})
{all_discs}
{below}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (on ?disc ?peg)) (disc ?disc) (peg ?peg))
(<= (base (moves 0)) (limit ?n))
(<= (base (moves ?n)) (succ ?m ?n))

(<= (input mover (move ?disc ?from ?to)) (disc ?disc) (peg ?from) (peg ?to) (distinct ?from ?to))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (on ?disc a)) (disc ?disc))
(init (moves 0))

; ---- moves -------------------------------------------------------------------------------------------------

; A disc may move if no smaller one is on its peg, to a peg that has no smaller one.
(<= (legal mover (move ?disc ?from ?to))
    (true (on ?disc ?from))
    (peg ?to)
    (distinct ?from ?to)
    (not (smaller_on ?disc ?from))
    (not (smaller_on ?disc ?to)))
(<= (smaller_on ?disc ?peg) (smaller ?other ?disc) (true (on ?other ?peg)))

(<= (next (on ?disc ?to)) (does mover (move ?disc ?from ?to)))
(<= (next (on ?disc ?peg)) (true (on ?disc ?peg)) (not (moved ?disc)))
(<= (moved ?disc) (does mover (move ?disc ?from ?to)))
(<= (next (moves ?n)) (true (moves ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

; (in_place disc): it and all larger ones are on peg c.
(<= (in_place {discs}) (true (on {discs} c)))
(<= (in_place ?disc) (succ ?disc ?larger) (disc ?disc) (in_place ?larger) (true (on ?disc c)))

(<= solved (in_place 1))
(<= terminal solved)
(<= terminal (true (moves ?n)) (limit ?n))

; The largest disc that is not in place tells how many are.
(<= (missing ?disc) (disc ?disc) (not (in_place ?disc)))
(<= (larger_is_missing ?disc) (missing ?disc) (smaller ?disc ?larger) (missing ?larger))
(<= (goal mover 100) solved)
(<= (goal mover ?value)
    (missing ?disc)
    (not (larger_is_missing ?disc))
    (sum ?disc ?done {discs})
    (worth ?done ?value))

; (sum a b c): a and b are c.
(<= (sum {discs} 0 {discs}) (disc {discs}))
(<= (sum ?a ?b {discs}) (succ ?a ?next) (succ ?less ?b) (sum ?next ?less {discs}) (disc ?a))
{worth}
{numbers}
"""
