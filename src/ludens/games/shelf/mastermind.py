"""Mastermind: a hidden code, guesses, and the feedback on each."""

from __future__ import annotations

from itertools import pairwise

from ludens.core import GameError

COLOURS = ("red", "green", "blue", "white", "black", "yellow")
DEFAULTS = ("3", "4", "6")
LIMITS = ((1, 4), (2, 6), (1, 10))


def rules(*parameters: str) -> str:
    """The rules in KIF: the length of the code, the number of colours, and the number of guesses.

    >>> "(position 4)" in rules("4", "6")
    True
    """
    words = (*parameters, *DEFAULTS[len(parameters) :])
    if len(words) != 3 or not all(
        word.isdecimal() and low <= int(word) <= high for word, (low, high) in zip(words, LIMITS, strict=True)
    ):
        raise GameError(
            "mastermind takes the length of the code (1 to 4), the number of colours (2 to 6) and of guesses (1 to "
            "10), "
            f"not {','.join(parameters)!r}"
        )
    length, colours, guesses = map(int, words)
    pegs = [f"?p{n}" for n in range(1, length + 1)]
    names = COLOURS[:colours]
    step = 100 // guesses
    return _SHEET.format(
        pegs=" ".join(pegs),
        colours_of_pegs=" ".join(f"(colour {peg})" for peg in pegs),
        code="\n".join(
            f"(<= (next (code {n} ?p{n})) (does random (hide {' '.join(pegs)})))\n"
            f"(<= (guessed {n} ?p{n}) (does player (guess {' '.join(pegs)})))"
            for n in range(1, length + 1)
        ),
        length=length,
        colours=" ".join(f"(colour {name})" for name in names),
        order=" ".join(f"(after {before} {name})" for before, name in pairwise(("none", *names))),
        last=names[-1],
        guesses=guesses,
        positions=" ".join(f"(position {n})" for n in range(1, length + 1)),
        numbers=" ".join(f"(succ {n} {n + 1})" for n in range(max(guesses, length))),
        rewards=" ".join(f"(reward {left} {100 - step * (guesses - left)})" for left in range(1, guesses + 1)),
    )


_SHEET = """\
; Mastermind, in GDL-II: chance hides a code, and the player learns how close each guess is.
(role player)
(role random)

(init hiding)
(init (guesses {guesses}))

(<= (legal random (hide {pegs})) (true hiding) {colours_of_pegs})
(<= (legal random noop) (not (true hiding)))
(<= (legal player noop) (true hiding))
(<= (legal player (guess {pegs})) (not (true hiding)) {colours_of_pegs})

{code}
(<= (next (code ?n ?colour)) (true (code ?n ?colour)))
(<= (next (guesses ?n)) (true hiding) (true (guesses ?n)))
(<= (next (guesses ?fewer)) (not (true hiding)) (true (guesses ?n)) (succ ?fewer ?n))
(<= (next (found ?n)) (hits {length} {length}) (true (guesses ?n)))

; Pegs of the right colour in the right place, counted from the first position on.
(<= (hit ?n) (guessed ?n ?colour) (true (code ?n ?colour)))
(hits 0 0)
(<= (hits ?n ?count) (succ ?before ?n) (position ?n) (hits ?before ?count) (not (hit ?n)))
(<= (hits ?n ?more) (succ ?before ?n) (position ?n) (hits ?before ?count) (hit ?n) (succ ?count ?more))

; How often a colour is in the code, and in the guess.
(<= (in_code ?colour 0 0) (colour ?colour))
(<= (in_code ?colour ?n ?more)
    (succ ?before ?n) (position ?n) (in_code ?colour ?before ?count) (true (code ?n ?colour)) (succ ?count ?more))
(<= (in_code ?colour ?n ?count)
    (succ ?before ?n) (position ?n) (in_code ?colour ?before ?count) (not (true (code ?n ?colour))))
(<= (in_guess ?colour 0 0) (colour ?colour))
(<= (in_guess ?colour ?n ?more)
    (succ ?before ?n) (position ?n) (in_guess ?colour ?before ?count) (guessed ?n ?colour) (succ ?count ?more))
(<= (in_guess ?colour ?n ?count)
    (succ ?before ?n) (position ?n) (in_guess ?colour ?before ?count) (not (guessed ?n ?colour)))

; Pegs of the right colour, wherever they are: for each colour the lesser of both numbers, added up.
(<= (common ?colour ?a) (in_code ?colour {length} ?a) (in_guess ?colour {length} ?b) (at_most ?a ?b))
(<= (common ?colour ?b) (in_code ?colour {length} ?a) (in_guess ?colour {length} ?b) (at_most ?b ?a))
(commons none 0)
(<= (commons ?colour ?sum) (after ?before ?colour) (commons ?before ?a) (common ?colour ?b) (plus ?a ?b ?sum))

(<= (sees player (told ?hits ?others))
    (not (true hiding))
    (hits {length} ?hits)
    (commons {last} ?all)
    (plus ?hits ?others ?all))

(<= terminal (true (guesses 0)))
(<= terminal is_found)
(<= is_found (true (found ?n)))
(<= (goal player ?reward) (true (found ?n)) (reward ?n ?reward))
(<= (goal player 0) (not is_found))

{positions}
{colours}
{order}
{rewards}
{numbers}
(number 0)
(<= (number ?n) (succ ?before ?n))
(<= (at_most ?n ?n) (number ?n))
(<= (at_most ?a ?c) (at_most ?a ?b) (succ ?b ?c))
(<= (plus ?a 0 ?a) (number ?a))
(<= (plus ?a ?b ?c) (succ ?less ?b) (plus ?a ?less ?d) (succ ?d ?c))
"""
