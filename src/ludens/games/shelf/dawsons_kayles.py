"""Dawson's Kayles: knock down exactly two pins that stand side by side."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the number of pins.

    >>> "(place 7)" in rules("7")
    True
    """
    (pins,) = read_numbers("dawsons_kayles", parameters, Number("number of pins", 2, 40, 14))
    return _SHEET.format(pins=pins, places=number_facts("place", 1, pins), numbers=successors(1, pins))


_SHEET = """\
; Dawson's Kayles with {pins} pins in a row.
; In turn, a role knocks down two pins that stand side by side. Whoever cannot loses. This is Dawson's chess.

(role first)
(role second)
(opponent first second)
(opponent second first)

{places}
{numbers}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (pin ?n)) (place ?n))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (two ?n ?m)) (role ?role) (succ ?n ?m))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (pin ?n)) (place ?n))
(init (control first))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (pair ?n ?m) (succ ?n ?m) (true (pin ?n)) (true (pin ?m)))

(<= (legal ?role (two ?n ?m)) (true (control ?role)) (pair ?n ?m))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (falls ?n) (does ?role (two ?n ?m)))
(<= (falls ?m) (does ?role (two ?n ?m)))
(<= (next (pin ?n)) (true (pin ?n)) (not (falls ?n)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= mobile (pair ?n ?m))
(<= terminal (not mobile))

(<= (goal ?role 0) (true (control ?role)) (not mobile))
(<= (goal ?role 100) (opponent ?role ?other) (true (control ?other)) (not mobile))
(<= (goal ?role 50) (role ?role) mobile)
"""
