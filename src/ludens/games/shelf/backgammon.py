"""Backgammon: bar, bearing off, doubles, gammons, and an optional doubling cube."""

from __future__ import annotations

from ludens.core import GameError

POINTS = range(1, 26)
"""Each role counts the points from its own side: 1 to 6 is home, 25 is the bar."""
BAR = 25
HIGHEST_CUBE = 8


def rules(*parameters: str) -> str:
    """The rules in KIF; with ``cube`` the stakes can be doubled.

    >>> "(minus 25 6 19)" in rules()
    True
    """
    if parameters not in ((), ("cube",)):
        raise GameError(f"backgammon takes no parameter but 'cube', not {','.join(parameters)!r}")
    has_cube = bool(parameters)
    most = 3 * (HIGHEST_CUBE if has_cube else 1)
    stakes = [1, 2, 4, 8] if has_cube else [1]
    rewards = [
        f"(reward {stake} {kind} {round(50 + 50 * stake * factor / most)} {round(50 - 50 * stake * factor / most)})"
        for stake in stakes
        for kind, factor in (("single", 1), ("gammon", 2), ("backgammon", 3))
    ]
    return _SHEET.format(
        cube=_CUBE if has_cube else _NO_CUBE,
        minus=" ".join(f"(minus {x} {d} {x - d})" for x in POINTS for d in range(1, 7) if x > d),
        mirror=" ".join(f"(mirror {x} {BAR - x})" for x in POINTS if x < BAR),
        far=" ".join(f"(far {x})" for x in POINTS if x > 6),
        home=" ".join(f"(home {x})" for x in range(1, 7)),
        deep=" ".join(f"(deep {x})" for x in POINTS if x > 18),
        above=" ".join(f"(above {z} {x})" for x in range(1, 7) for z in range(x + 1, 7)),
        more=" ".join(f"(more {b} {a})" for b in range(1, 7) for a in range(1, b)),
        at_most=" ".join(f"(at_most {a} {b})" for b in range(1, 7) for a in range(1, b + 1)),
        numbers=" ".join(f"(succ {n} {n + 1})" for n in range(15)),
        rewards=" ".join(rewards),
    )


_NO_CUBE = """\
(init (stake 1))
(<= (next (stake 1)) (true (stake 1)))
(<= (may_roll ?role) (to_roll ?role))
(<= (on_move ?role) (true (control ?role)))
"""

_CUBE = """\
; The cube starts in the middle. Whoever may turn it offers to double the stake before rolling; the other takes it,
; and is then the only one who may offer again, or drops out and loses the old stake.
(init (stake 1))
(<= (legal ?role offer) (may_roll ?role) (true (stake ?stake)) (twice ?stake ?more) (not (bound ?role)))
(<= (bound ?role) (opponent ?role ?other) (true (cube ?other)))
(<= (legal ?role take) (true (asked ?role)))
(<= (legal ?role drop) (true (asked ?role)))
(<= (next (asked ?other)) (does ?role offer) (opponent ?role ?other))
(<= somebody_is_asked (true (asked ?role)))
(<= (may_roll ?role) (to_roll ?role) (not somebody_is_asked))
(<= (next (stake ?more)) (does ?role take) (true (stake ?stake)) (twice ?stake ?more))
(<= (next (stake ?stake)) (true (stake ?stake)) (not taking))
(<= taking (does ?role take))
(<= (next (cube ?role)) (does ?role take))
(<= (next (cube ?role)) (true (cube ?role)) (not taking))
(<= (next (dropped_by ?role)) (does ?role drop))
(<= terminal (true (dropped_by ?role)))
(<= (result ?role single) (true (dropped_by ?other)) (opponent ?role ?other))
(<= (on_move ?role) (true (control ?role)) (not somebody_is_asked))
(<= (on_move ?role) (true (asked ?role)))
(twice 1 2) (twice 2 4) (twice 4 8)
"""

_SHEET = """\
; Backgammon, in the stochastic dialect. Each role counts the points from its own side: its checkers go from 24 down,
; 1 to 6 are its home, and 25 is the bar.
(role white)
(role black)
(opponent white black)
(opponent black white)

(side 1) (side 2) (side 3) (side 4) (side 5) (side 6)
(<= (random die ?one ?side) (side ?side) (one ?one))
(<= (random die1 ?one ?side) (side ?side) (one ?one))
(<= (random die2 ?one ?side) (side ?side) (one ?one))
(one 1)

(init opening)
(<= (init (at ?role 24 2)) (role ?role))
(<= (init (at ?role 13 5)) (role ?role))
(<= (init (at ?role 8 3)) (role ?role))
(<= (init (at ?role 6 5)) (role ?role))
(<= (init (off ?role 0)) (role ?role))

; To begin, both throw a die; the higher one moves by both, and equal ones are thrown again.
(<= (legal ?role (throw die)) (role ?role) (true opening))
(<= (next opening) (does white (throw ?side)) (does black (throw ?side)))
(<= (next (control ?role))
    (does ?role (throw ?high))
    (opponent ?role ?other)
    (does ?other (throw ?low))
    (more ?high ?low))
(<= (next (dice ?high ?low)) (does ?role (throw ?high)) (does ?other (throw ?low)) (more ?high ?low))

; Later a turn begins with a roll of two dice; a double is moved four times.
(<= (to_roll ?role) (true (control ?role)) (not dice_lie))
(<= dice_lie (true (dice ?a ?b)))
(<= dice_lie (true (last ?a)))
(<= dice_lie (true (double ?a ?n)))
(<= (legal ?role (roll die1 die2)) (may_roll ?role))
(<= (next (dice ?a ?b)) (does ?role (roll ?a ?b)) (more ?a ?b))
(<= (next (dice ?b ?a)) (does ?role (roll ?a ?b)) (more ?b ?a))
(<= (next (double ?a 4)) (does ?role (roll ?a ?a)))

{cube}
; The checkers of the role that is to move.
(<= (own ?x ?n) (true (control ?role)) (true (at ?role ?x ?n)))
(<= (has ?x) (own ?x ?n))
(<= (many ?x) (own ?x ?n) (distinct ?n 1))
(<= (closed ?y) (true (control ?role)) (opponent ?role ?other) (mirror ?y ?z) (true (at ?other ?z ?n)) (distinct ?n 1))
(<= outside (has ?z) (far ?z))
(<= (higher ?x) (has ?z) (above ?z ?x))

; One checker by one die: from the bar first, not to a point that is held, and off the board only when all are home.
(<= (lies ?d) (true (dice ?d ?e)))
(<= (lies ?d) (true (dice ?e ?d)))
(<= (lies ?d) (true (last ?d)))
(<= (lies ?d) (true (double ?d ?n)))
(<= (movable 25) (has 25))
(<= (movable ?x) (has ?x) (not (has 25)))
(<= (can ?x ?d) (lies ?d) (movable ?x) (minus ?x ?d ?y) (not (closed ?y)))
(<= (can ?x ?d) (lies ?d) (movable ?x) (home ?x) (not outside) (bears ?x ?d))
(<= (bears ?x ?x) (home ?x))
(<= (bears ?x ?d) (has ?x) (side ?d) (home ?x) (more ?d ?x) (not (higher ?x)))

; What is left after a first move, as far as the second die needs to know.
(<= (other ?a ?b) (true (dice ?a ?b)))
(<= (other ?b ?a) (true (dice ?a ?b)))
(<= (first ?x ?d) (other ?d ?e) (can ?x ?d))
(<= (left ?x ?d ?z) (first ?x ?d) (has ?z) (distinct ?x ?z))
(<= (left ?x ?d ?x) (first ?x ?d) (many ?x))
(<= (left ?x ?d ?y) (first ?x ?d) (minus ?x ?d ?y))
(<= (still_in 25) (many 25))
(<= (second ?x ?d) (other ?d ?e) (left ?x ?d ?z) (not (still_in ?x)) (minus ?z ?e ?w) (not (closed ?w)))
(<= (second 25 ?d) (other ?d ?e) (first 25 ?d) (many 25) (minus 25 ?e ?w) (not (closed ?w)))
(<= (outside_then ?x ?d) (left ?x ?d ?z) (far ?z))
(<= (higher_then ?x ?d ?z) (home ?z) (left ?x ?d ?w) (above ?w ?z))
(<= (second ?x ?d) (other ?d ?e) (left ?x ?d ?e) (not (outside_then ?x ?d)))
(<= (second ?x ?d)
    (other ?d ?e)
    (left ?x ?d ?z)
    (home ?z)
    (more ?e ?z)
    (not (outside_then ?x ?d))
    (not (higher_then ?x ?d ?z)))

; Both dice must be used if that is possible, else the higher one, else the other.
(<= both (second ?x ?d))
(<= the_higher (true (dice ?a ?b)) (can ?x ?a))
(<= (legal ?role (move ?x ?d)) (true (control ?role)) (first ?x ?d) (second ?x ?d))
(<= (legal ?role (move ?x ?a)) (true (control ?role)) (true (dice ?a ?b)) (can ?x ?a) (not both))
(<= (legal ?role (move ?x ?b)) (true (control ?role)) (true (dice ?a ?b)) (can ?x ?b) (not both) (not the_higher))
(<= (legal ?role (move ?x ?d)) (true (control ?role)) (true (last ?d)) (can ?x ?d))
(<= (legal ?role (move ?x ?d)) (true (control ?role)) (true (double ?d ?n)) (can ?x ?d))
(<= possible (can ?x ?d))
(<= (legal ?role pass) (true (control ?role)) dice_lie (not possible))
(<= (legal ?role noop) (role ?role) (not (true opening)) (not (on_move ?role)))

; The dice that are left, and the end of the turn.
(<= (next (last ?e)) (does ?role (move ?x ?d)) (other ?d ?e))
(<= (next (double ?d ?fewer)) (does ?role (move ?x ?d)) (true (double ?d ?n)) (succ ?fewer ?n) (distinct ?fewer 0))
(<= turn_ends (does ?role pass))
(<= turn_ends (does ?role (move ?x ?d)) (true (last ?d)))
(<= turn_ends (does ?role (move ?x ?d)) (true (double ?d 1)))
(<= (next (control ?other)) turn_ends (true (control ?role)) (opponent ?role ?other))
(<= (next (control ?role)) (true (control ?role)) (not turn_ends))

; The checkers after a move; one that stood alone where the checker arrives goes to the bar.
(<= (leaves ?role ?x) (does ?role (move ?x ?d)))
(<= (arrives ?role ?y) (does ?role (move ?x ?d)) (minus ?x ?d ?y))
(<= (hit ?other ?z) (arrives ?role ?y) (opponent ?role ?other) (mirror ?y ?z) (true (at ?other ?z 1)))
(<= (is_hit ?other) (hit ?other ?z))
(<= (next (at ?role ?x ?fewer)) (leaves ?role ?x) (true (at ?role ?x ?n)) (succ ?fewer ?n) (distinct ?fewer 0))
(<= (next (at ?role ?y ?more)) (arrives ?role ?y) (true (at ?role ?y ?n)) (succ ?n ?more))
(<= (next (at ?role ?y 1)) (arrives ?role ?y) (not (holds ?role ?y)))
(<= (holds ?role ?y) (true (at ?role ?y ?n)))
(<= (next (at ?role 25 ?more)) (is_hit ?role) (true (at ?role 25 ?n)) (succ ?n ?more))
(<= (next (at ?role 25 1)) (is_hit ?role) (not (holds ?role 25)))
(<= (next (at ?role ?x ?n)) (true (at ?role ?x ?n)) (not (changes ?role ?x)))
(<= (changes ?role ?x) (leaves ?role ?x))
(<= (changes ?role ?x) (arrives ?role ?x))
(<= (changes ?role ?x) (hit ?role ?x))
(<= (changes ?role 25) (is_hit ?role))
(<= (bears_off ?role) (does ?role (move ?x ?d)) (at_most ?x ?d))
(<= (next (off ?role ?more)) (bears_off ?role) (true (off ?role ?n)) (succ ?n ?more))
(<= (next (off ?role ?n)) (true (off ?role ?n)) (not (bears_off ?role)))

; A loser who has borne off nothing loses twice the stake, and three times if a checker is on the bar or at the other's
; home.
(<= (won ?role) (true (off ?role 15)))
(<= terminal (won ?role))
(<= (behind ?role) (true (at ?role ?x ?n)) (deep ?x))
(<= (result ?role single) (won ?role) (opponent ?role ?other) (not (true (off ?other 0))))
(<= (result ?role gammon) (won ?role) (opponent ?role ?other) (true (off ?other 0)) (not (behind ?other)))
(<= (result ?role backgammon) (won ?role) (opponent ?role ?other) (true (off ?other 0)) (behind ?other))
(<= (goal ?role ?points) (result ?role ?kind) (true (stake ?stake)) (reward ?stake ?kind ?points ?loss))
(<= (goal ?role ?loss)
    (opponent ?role ?other)
    (result ?other ?kind)
    (true (stake ?stake))
    (reward ?stake ?kind ?points ?loss))
(<= (goal ?role 50) (role ?role) (not terminal))

{rewards}
{minus}
{mirror}
{far}
{home}
{deep}
{above}
{more}
{at_most}
{numbers}
"""
