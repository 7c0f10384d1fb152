"""Nim: heaps of any number and size, normal or misère play."""

from __future__ import annotations

from string import ascii_lowercase

from ludens.core import GameError

DEFAULT_HEAPS = ("3", "4", "5")
MAX_HEAPS = 40
MAX_SIZE = 1000


def rules(*parameters: str) -> str:
    """The rules in KIF: the sizes of the heaps, then ``normal`` (the default) or ``misere``.

    >>> "(size c 5)" in rules("3", "4", "5", "misere")
    True
    """
    sizes, misere = _parse(parameters)
    return _SHEET.format(
        ending="Whoever takes the last object loses." if misere else "Whoever takes the last object wins.",
        heaps="\n".join(f"(size {_heap_name(number)} {size})" for number, size in enumerate(sizes)),
        to_move=100 if misere else 0,
        just_moved=0 if misere else 100,
        numbers="\n".join(f"(succ {number} {number + 1})" for number in range(max(sizes))),
    )


def _parse(parameters: tuple[str, ...]) -> tuple[list[int], bool]:
    """The heap sizes, and whether play is misère."""
    misere = parameters[-1:] == ("misere",)
    words = parameters[:-1] if parameters[-1:] in (("misere",), ("normal",)) else parameters
    words = words or DEFAULT_HEAPS
    if len(words) > MAX_HEAPS:
        raise GameError(f"nim has at most {MAX_HEAPS} heaps, not {len(words)}")
    return [_size(word) for word in words], misere


def _size(word: str) -> int:
    # The length comes first because Python refuses to convert very long numbers.
    known = word.isascii() and word.isdecimal() and len(word) <= len(str(MAX_SIZE))
    if not known or int(word) > MAX_SIZE:
        raise GameError(f"nim takes heap sizes from 0 to {MAX_SIZE}, then 'normal' or 'misere', not {word!r}")
    return int(word)


def _heap_name(number: int) -> str:
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"h{number + 1}"


_SHEET = """\
; Nim, after example 2 of Zhao, Schiffel and Thielscher, "Decomposition of Multi-Player Games".
; Two roles take turns; the role to move makes one heap smaller. {ending}

(role first)
(role second)

; The heaps, and how many objects each begins with.
{heaps}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (heap ?heap ?n)) (within ?heap ?n))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (reduce ?heap ?n)) (role ?role) (within ?heap ?m) (succ ?n ?m))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (heap ?heap ?n)) (size ?heap ?n))
(init (control first))

; ---- moves -------------------------------------------------------------------------------------------------

; (reduce heap n): leave n objects in the heap.
(<= (legal ?role (reduce ?heap ?n))
    (true (control ?role))
    (more ?heap ?n))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))

(<= (next (heap ?heap ?n))
    (does ?role (reduce ?heap ?n)))
(<= (next (heap ?heap ?n))
    (true (heap ?heap ?n))
    (does ?role (reduce ?other ?m))
    (distinct ?heap ?other))
(<= (next (control first)) (true (control second)))
(<= (next (control second)) (true (control first)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= objects_left
    (true (heap ?heap ?n))
    (distinct ?n 0))

(<= terminal (not objects_left))

(<= (goal ?role {to_move})
    (true (control ?role))
    (not objects_left))
(<= (goal first {just_moved})
    (true (control second))
    (not objects_left))
(<= (goal second {just_moved})
    (true (control first))
    (not objects_left))
(<= (goal ?role 50)
    (role ?role)
    objects_left)

; ---- numbers -----------------------------------------------------------------------------------------------

; Step by step, and not by a relation between any two numbers: large heaps would have half a million pairs.
; (within heap n): the heap may have n objects; (more heap n): it has more than n.
(<= (within ?heap ?n) (size ?heap ?n))
(<= (within ?heap ?n) (within ?heap ?m) (succ ?n ?m))
(<= (more ?heap ?n) (true (heap ?heap ?m)) (succ ?n ?m))
(<= (more ?heap ?n) (more ?heap ?m) (succ ?n ?m))
{numbers}
"""
