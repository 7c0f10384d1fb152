"""Pig: roll as long as you dare; a 1 loses the points of the turn."""

from __future__ import annotations

from ludens.core import GameError

DEFAULT_TARGET = "100"
MAX_TARGET = 200


def rules(*parameters: str) -> str:
    """The rules in KIF: the score that wins.

    >>> "(target 15)" in rules("15")
    True
    """
    word = (parameters or (DEFAULT_TARGET,))[0]
    if len(parameters) > 1 or not word.isdecimal() or not 2 <= int(word) <= MAX_TARGET:
        raise GameError(f"pig takes one number, the score that wins (2 to {MAX_TARGET}), not {','.join(parameters)!r}")
    numbers = "\n".join(f"(succ {number} {number + 1})" for number in range(int(word)))
    return _SHEET.format(target=word, numbers=numbers)


_SHEET = """\
; Pig, in the stochastic dialect: the die is a random variable, drawn by the Referee.
(role first)
(role second)
(opponent first second)
(opponent second first)

(random die 1 1) (random die 1 2) (random die 1 3) (random die 1 4) (random die 1 5) (random die 1 6)

(init (score first 0))
(init (score second 0))
(init (collected 0))
(init (control first))

(<= (legal ?role (roll die))
    (true (control ?role)))
(<= (legal ?role hold)
    (true (control ?role))
    (not (true (collected 0))))
(<= (legal ?role noop)
    (true (control ?other))
    (opponent ?other ?role))

; What is collected in a turn; more than is needed to win counts as that much.
(<= (next (collected ?sum))
    (does ?role (roll ?pips))
    (distinct ?pips 1)
    (true (collected ?before))
    (plus ?before ?pips ?sum))
(<= (next (collected 0)) turn_ends)
(<= turn_ends (does ?role (roll 1)))
(<= turn_ends (does ?role hold))

(<= (next (score ?role ?sum))
    (does ?role hold)
    (true (score ?role ?before))
    (true (collected ?more))
    (plus ?before ?more ?sum))
(<= (next (score ?role ?score))
    (true (score ?role ?score))
    (not (does ?role hold)))

(<= (next (control ?other))
    turn_ends
    (true (control ?role))
    (opponent ?role ?other))
(<= (next (control ?role))
    (not turn_ends)
    (true (control ?role)))

(<= terminal (won ?role))
(<= (won ?role) (target ?target) (true (score ?role ?target)))
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (role ?role) (not (won ?role)))

; Sums, up to the target.
(target {target})
(<= (plus ?a 0 ?a) (number ?a))
(<= (plus ?a ?b ?c) (succ ?less ?b) (plus ?a ?less ?d) (one_more ?d ?c))
(<= (one_more ?a ?b) (succ ?a ?b))
(<= (one_more ?target ?target) (target ?target))
(number 0)
(<= (number ?n) (succ ?before ?n))
{numbers}
"""
