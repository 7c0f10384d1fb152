"""Tic-tac-toe in which the roles bid for each move."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the chips that each role begins with.

    >>> "(init (chips xplayer 4))" in rules("4")
    True
    """
    (chips,) = read_numbers("bidding_tic_tac_toe", parameters, Number("number of chips", 0, 20, 8))
    return _SHEET.format(
        chips=chips, amounts=number_facts("amount", 0, 2 * chips), numbers=successors(0, max(2 * chips, 3))
    )


_SHEET = """\
; Bidding tic-tac-toe, each role beginning with {chips} chips.
;
; Before each mark both roles bid chips at the same time. The higher bid is paid to the other role, and who paid it
; marks a cell. Equal bids are won by the role that has the token, which it then hands to the other with the chips.

(role xplayer)
(role oplayer)
(opponent xplayer oplayer)
(opponent oplayer xplayer)
(mark_of xplayer x)
(mark_of oplayer o)

(index 1) (index 2) (index 3)
{amounts}

(<= (line ?x 1 ?x 2 ?x 3) (index ?x))
(<= (line 1 ?y 2 ?y 3 ?y) (index ?y))
(line 1 1 2 2 3 3)
(line 1 3 2 2 3 1)

; ---- base and inputs ---------------------------------------------------------------------------------------

(content b) (content x) (content o)
(<= (base (cell ?x ?y ?content)) (index ?x) (index ?y) (content ?content))
(<= (base (chips ?role ?n)) (role ?role) (amount ?n))
(<= (base (token ?role)) (role ?role))
(<= (base (marking ?role)) (role ?role))

(<= (input ?role (bid ?n)) (role ?role) (amount ?n))
(<= (input ?role (mark ?x ?y)) (role ?role) (index ?x) (index ?y))
(<= (input ?role noop) (role ?role))

; ---- the start ---------------------------------------------------------------------------------------------

(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(init (chips xplayer {chips}))
(init (chips oplayer {chips}))
(init (token xplayer))

; ---- bids --------------------------------------------------------------------------------------------------

(<= bought (true (marking ?role)))

(<= (legal ?role (bid ?n))
    (not bought)
    (true (chips ?role ?chips))
    (at_most ?n ?chips))
(<= (legal ?role (mark ?x ?y))
    (true (marking ?role))
    (true (cell ?x ?y b)))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (marking ?other)))

(<= tied (does xplayer (bid ?n)) (does oplayer (bid ?n)))
(<= (wins ?role)
    (opponent ?role ?other)
    (does ?role (bid ?mine))
    (does ?other (bid ?theirs))
    (at_most ?theirs ?mine)
    (distinct ?mine ?theirs))
(<= (wins ?role) tied (true (token ?role)))

(<= (next (marking ?role)) (wins ?role))
(<= (next (token ?other)) tied (true (token ?role)) (opponent ?role ?other))
(<= (next (token ?role)) (true (token ?role)) (not tied))

(<= (paid ?n) (wins ?role) (does ?role (bid ?n)))
(<= (next (chips ?role ?left)) (wins ?role) (paid ?n) (true (chips ?role ?chips)) (sum ?n ?left ?chips))
(<= (next (chips ?other ?sum))
    (wins ?role)
    (opponent ?role ?other)
    (paid ?n)
    (true (chips ?other ?chips))
    (sum ?n ?chips ?sum))
(<= (next (chips ?role ?n)) (true (chips ?role ?n)) bought)

; ---- marks -------------------------------------------------------------------------------------------------

(<= (marked ?x ?y) (does ?role (mark ?x ?y)))
(<= (next (cell ?x ?y ?mark)) (does ?role (mark ?x ?y)) (mark_of ?role ?mark))
(<= (next (cell ?x ?y ?content)) (true (cell ?x ?y ?content)) (not (marked ?x ?y)))

; ---- the end -----------------------------------------------------------------------------------------------

(<= (won ?role)
    (mark_of ?role ?mark)
    (line ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)
    (true (cell ?x1 ?y1 ?mark))
    (true (cell ?x2 ?y2 ?mark))
    (true (cell ?x3 ?y3 ?mark)))
(<= decided (won ?role))
(<= room (true (cell ?x ?y b)))
(<= terminal decided)
(<= terminal (not room))
(<= (goal ?role 100) (won ?role))
(<= (goal ?role 0) (opponent ?role ?other) (won ?other))
(<= (goal ?role 50) (role ?role) (not decided))

; ---- numbers -----------------------------------------------------------------------------------------------

(<= (at_most ?n ?n) (amount ?n))
(<= (at_most ?a ?c) (at_most ?a ?b) (succ ?b ?c) (amount ?c))
(<= (sum 0 ?n ?n) (amount ?n))
(<= (sum ?a ?b ?c) (succ ?less ?a) (sum ?less ?b ?d) (succ ?d ?c) (amount ?c))
{numbers}
"""
