"""Ludo on a short ring: a race of four with one die."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors

ROLES = ("red", "green", "yellow", "blue")
SIDE = 6
"""Squares of the ring for each role."""


def rules(*parameters: str) -> str:
    """The rules in KIF: the men of each role, and the throws after which the match ends.

    >>> "(square green 1 7)" in rules()
    True
    """
    men, limit = read_numbers(
        "ludo", parameters, Number("number of men", 1, 4, 2), Number("number of throws", 20, 1000, 300)
    )
    ring = len(ROLES) * SIDE
    return _SHEET.format(
        men=men,
        limit=limit,
        ring=ring,
        men_facts=number_facts("man", 1, men),
        squares=facts(
            f"(square {role} {place} {(place - 1 + n * SIDE) % ring + 1})"
            for n, role in enumerate(ROLES)
            for place in range(1, ring + 1)
        ),
        further=facts(
            f"(further {place} {pips} {place + pips if place + pips <= ring else 'home'})"
            for place in range(1, ring + 1)
            for pips in range(1, 7)
        ),
        counts=number_facts("count", 0, limit),
        worth=facts(f"(worth {n} {n * 24 // men})" for n in range(men + 1)),
        numbers=successors(0, max(limit, men)),
    )


_SHEET = """\
; Ludo for four on a ring of {ring} squares, with {men} men each.
;
; A man enters on the first square of its role with a 6 and runs once around the ring; beyond the last square it is
; home. Each throw moves one man, if any can move: not onto another man of its role. A man of another role on that
; square goes back to its yard. A 6 gives another throw. First with all men home wins; after {limit} throws the match
; ends without a winner, and each role gets something for its men at home.

(role red)
(role green)
(role yellow)
(role blue)
(turn_after red green)
(turn_after green yellow)
(turn_after yellow blue)
(turn_after blue red)

(pips 1) (pips 2) (pips 3) (pips 4) (pips 5) (pips 6)
(<= (random die 1 ?pips) (pips ?pips))

{men_facts}
(limit {limit})

; (square role place n): the place that a role counts so is the n-th square of the ring.
{squares}
; (further place pips to): where a man gets by a throw.
{further}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (place ?place) (square red ?place ?n))
(<= (base (at ?role ?man yard)) (role ?role) (man ?man))
(<= (base (at ?role ?man home)) (role ?role) (man ?man))
(<= (base (at ?role ?man ?place)) (role ?role) (man ?man) (place ?place))
(<= (base (thrown ?pips)) (pips ?pips))
(<= (base (control ?role)) (role ?role))
(<= (base (throws ?n)) (count ?n))

(<= (input ?role (throw ?pips)) (role ?role) (pips ?pips))
(<= (input ?role (run ?man)) (role ?role) (man ?man))
(<= (input ?role pass) (role ?role))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (at ?role ?man yard)) (role ?role) (man ?man))
(init (control red))
(init (throws 0))

; ---- moves -------------------------------------------------------------------------------------------------

(<= waiting (true (thrown ?pips)))

(<= (runs ?man 1)
    (true (control ?role))
    (true (thrown 6))
    (true (at ?role ?man yard))
    (not (own_man ?role 1)))
(<= (runs ?man ?to)
    (true (control ?role))
    (true (thrown ?pips))
    (true (at ?role ?man ?place))
    (further ?place ?pips ?to)
    (not (own_man ?role ?to)))
(<= (own_man ?role ?place) (place ?place) (true (at ?role ?man ?place)))
(<= mobile (runs ?man ?to))

(<= (legal ?role (throw die)) (true (control ?role)) (not waiting))
(<= (legal ?role (run ?man)) (true (control ?role)) (runs ?man ?to))
(<= (legal ?role pass) (true (control ?role)) waiting (not mobile))
(<= (legal ?role noop) (role ?role) (true (control ?other)) (distinct ?role ?other))

(<= (next (thrown ?pips)) (does ?role (throw ?pips)))
(<= (next (throws ?n)) (true (throws ?m)) (not waiting) (succ ?m ?n))
(<= (next (throws ?n)) (true (throws ?n)) waiting)

(<= (moved ?role ?man ?to) (does ?role (run ?man)) (runs ?man ?to))
(<= (left ?role ?man) (moved ?role ?man ?to))
(<= (reached ?n) (moved ?role ?man ?to) (square ?role ?to ?n))
(<= (sent_back ?other ?man)
    (reached ?n)
    (true (control ?role))
    (square ?other ?place ?n)
    (distinct ?role ?other)
    (true (at ?other ?man ?place)))

(<= (next (at ?role ?man ?to)) (moved ?role ?man ?to))
(<= (next (at ?other ?man yard)) (sent_back ?other ?man))
(<= (next (at ?role ?man ?place))
    (true (at ?role ?man ?place))
    (not (left ?role ?man))
    (not (sent_back ?role ?man)))

(<= (next (control ?role)) (true (control ?role)) (not waiting))
(<= (next (control ?role)) (true (control ?role)) (true (thrown 6)))
(<= (next (control ?after)) (true (control ?role)) waiting (not (true (thrown 6))) (turn_after ?role ?after))

; ---- the end -----------------------------------------------------------------------------------------------

(<= (away ?role) (role ?role) (true (at ?role ?man ?place)) (distinct ?place home))
(<= (won ?role) (role ?role) (not (away ?role)))
(<= decided (won ?role))

(<= terminal decided)
(<= terminal (true (throws ?n)) (limit ?n) (not waiting))

; (home_men role n k): of the first n men k are home.
(<= (home_men ?role 0 0) (role ?role))
(<= (home_men ?role ?n ?k) (man ?n) (succ ?m ?n) (true (at ?role ?n home)) (home_men ?role ?m ?l) (succ ?l ?k))
(<= (home_men ?role ?n ?k) (man ?n) (succ ?m ?n) (not (true (at ?role ?n home))) (home_men ?role ?m ?k))

(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (role ?role) decided (not (won ?role)))
(<= (goal ?role ?value) (not decided) (home_men ?role {men} ?k) (worth ?k ?value))

{counts}
{worth}
{numbers}
"""
