"""Kayles: knock down one pin or two that stand side by side."""

from __future__ import annotations

from ludens.core import GameError
from ludens.games.generating import Number, number_facts, read_numbers, successors

CONVENTIONS = ("normal", "misere")


def rules(*parameters: str) -> str:
    """The rules in KIF: the number of pins, then ``normal`` (the default) or ``misere``.

    >>> "(place 7)" in rules("7")
    True
    """
    words = parameters[:-1] if parameters[-1:] and parameters[-1] in CONVENTIONS else parameters
    try:
        (pins,) = read_numbers("kayles", words, Number("number of pins", 1, 40, 12))
    except GameError as error:
        raise GameError(f"{error} (and then {' or '.join(CONVENTIONS)})") from None
    misere = parameters[-1:] == ("misere",)
    return _SHEET.format(
        pins=pins,
        ending="Whoever knocks down the last pin loses." if misere else "Whoever knocks down the last pin wins.",
        places=number_facts("place", 1, pins),
        numbers=successors(1, max(pins, 2)),
        to_move=100 if misere else 0,
        just_moved=0 if misere else 100,
    )


_SHEET = """\
; Kayles with {pins} pins in a row.
; In turn, a role knocks down one pin, or two that stand side by side. {ending}

(role first)
(role second)
(opponent first second)
(opponent second first)

{places}
{numbers}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (pin ?n)) (place ?n))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (one ?n)) (role ?role) (place ?n))
(<= (input ?role (two ?n ?m)) (role ?role) (place ?n) (place ?m) (succ ?n ?m))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (pin ?n)) (place ?n))
(init (control first))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal ?role (one ?n))
    (true (control ?role))
    (true (pin ?n)))
(<= (legal ?role (two ?n ?m))
    (true (control ?role))
    (succ ?n ?m)
    (true (pin ?n))
    (true (pin ?m)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (falls ?n) (does ?role (one ?n)))
(<= (falls ?n) (does ?role (two ?n ?m)))
(<= (falls ?m) (does ?role (two ?n ?m)))
(<= (next (pin ?n)) (true (pin ?n)) (not (falls ?n)))
(<= (next (control ?role))
    (opponent ?role ?other)
    (true (control ?other)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= standing (true (pin ?n)))
(<= terminal (not standing))

(<= (goal ?role {to_move}) (true (control ?role)) (not standing))
(<= (goal ?role {just_moved}) (opponent ?role ?other) (true (control ?other)) (not standing))
(<= (goal ?role 50) (role ?role) standing)
"""
