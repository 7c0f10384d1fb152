"""Chicken, several rounds."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, shares, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the number of rounds.

    >>> "(worth 5 100)" in rules("1")
    True
    """
    (rounds,) = read_numbers("chicken", parameters, Number("number of rounds", 1, 20, 10))
    return _SHEET.format(
        rounds=rounds,
        round_facts=number_facts("round", 0, rounds),
        worth=shares("worth", 5 * rounds),
        numbers=successors(0, 5 * rounds),
    )


_SHEET = """\
; Chicken, {rounds} rounds: both roles choose at the same time, and know all earlier rounds.
; Payoffs in a round: both swerve 3 each; one swerves 1, the other, who drives straight on, 5; both straight on 0.
; The goal is the share of the most one can get, five in each round.

(role left)
(role right)
(opponent left right)
(opponent right left)

(choice swerve)
(choice straight)

; (payoff mine theirs points)
(payoff swerve swerve 3)
(payoff swerve straight 1)
(payoff straight swerve 5)
(payoff straight straight 0)

{round_facts}

; ---- base and inputs ---------------------------------------------------------------------------------------

(<= (base (played ?n)) (round ?n))
(<= (base (points ?role ?n)) (role ?role) (worth ?n ?goal))
(<= (input ?role ?choice) (role ?role) (choice ?choice))

; ---- the start ---------------------------------------------------------------------------------------------

(init (played 0))
(<= (init (points ?role 0)) (role ?role))

; ---- moves -------------------------------------------------------------------------------------------------

(<= (legal ?role ?choice) (role ?role) (choice ?choice))

(<= (next (points ?role ?sum))
    (opponent ?role ?other)
    (does ?role ?mine)
    (does ?other ?theirs)
    (payoff ?mine ?theirs ?gain)
    (true (points ?role ?points))
    (plus ?points ?gain ?sum))
(<= (next (played ?n)) (true (played ?m)) (succ ?m ?n))

; ---- the end -----------------------------------------------------------------------------------------------

(<= terminal (true (played {rounds})))
(<= (goal ?role ?value) (true (points ?role ?points)) (worth ?points ?value))

; ---- numbers -----------------------------------------------------------------------------------------------

(<= (plus ?n 0 ?n) (worth ?n ?goal))
(<= (plus ?n 1 ?sum) (succ ?n ?sum))
(<= (plus ?n 3 ?sum) (succ ?n ?a) (succ ?a ?b) (succ ?b ?sum))
(<= (plus ?n 5 ?sum) (plus ?n 3 ?a) (succ ?a ?b) (succ ?b ?sum))
{numbers}
{worth}
"""
