"""Dots and boxes on boards of any small size."""

from __future__ import annotations

from ludens.games.generating import Number, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the rows and columns of boxes.

    >>> "(all_boxes 6)" in rules("2", "3")
    True
    """
    rows, columns = read_numbers(
        "dots_and_boxes", parameters, Number("number of rows", 1, 5, 3), Number("number of columns", 1, 5, 3)
    )
    return _SHEET.format(
        rows=rows,
        columns=columns,
        boxes=rows * columns,
        lines_across=number_facts("level", 1, rows + 1),
        lines_upright=number_facts("post", 1, columns + 1),
        row_facts=number_facts("row", 1, rows),
        column_facts=number_facts("column", 1, columns),
        numbers=successors(0, max(rows * columns, rows + 1, columns + 1)),
    )


_SHEET = """\
;; Dots and boxes: {rows} rows of {columns} boxes; rows are counted from the bottom, columns from the left.
;;
;; On its turn a role draws a line between adjacent dots. Whoever draws the fourth side of a box owns it and draws
;; again. When all lines are drawn, the owner of more boxes wins.

(role first)
(role second)
(opponent first second)
(opponent second first)

{row_facts}
{column_facts}
{lines_across}
{lines_upright}
(all_boxes {boxes})

;; A line (across x y) is the lower side of the box x y, a line (upright x y) its left side.
(<= (line across ?x ?y) (column ?x) (level ?y))
(<= (line upright ?x ?y) (post ?x) (row ?y))

(<= (box ?x ?y) (column ?x) (row ?y))
(<= (side ?x ?y across ?x ?y) (box ?x ?y))
(<= (side ?x ?y across ?x ?above) (box ?x ?y) (succ ?y ?above))
(<= (side ?x ?y upright ?x ?y) (box ?x ?y))
(<= (side ?x ?y upright ?right ?y) (box ?x ?y) (succ ?x ?right))

;; ---- Start ----

(init (control first))
(<= (init (boxes ?role 0)) (role ?role))
(<= (init (owner ?x ?y b)) (box ?x ?y))

;; ---- Moves ----

(<= (legal ?role (draw ?kind ?x ?y))
    (true (control ?role))
    (line ?kind ?x ?y)
    (not (true (drawn ?kind ?x ?y))))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

(<= (next (drawn ?kind ?x ?y)) (does ?role (draw ?kind ?x ?y)))
(<= (next (drawn ?kind ?x ?y)) (true (drawn ?kind ?x ?y)))

;; A box is closed by a line if its other sides are drawn already.
(<= (draws ?kind ?x ?y) (does ?role (draw ?kind ?x ?y)))
(<= (lacks_another ?x ?y ?kind ?x2 ?y2)
    (side ?x ?y ?kind ?x2 ?y2)
    (side ?x ?y ?kind3 ?x3 ?y3)
    (not (same ?kind ?x2 ?y2 ?kind3 ?x3 ?y3))
    (not (true (drawn ?kind3 ?x3 ?y3))))
(<= (same ?kind ?x ?y ?kind ?x ?y) (line ?kind ?x ?y))
(<= (closes ?x ?y)
    (draws ?kind ?x2 ?y2)
    (side ?x ?y ?kind ?x2 ?y2)
    (not (lacks_another ?x ?y ?kind ?x2 ?y2)))

(<= (next (owner ?x ?y ?role)) (true (control ?role)) (closes ?x ?y))
(<= (next (owner ?x ?y ?content)) (true (owner ?x ?y ?content)) (not (closes ?x ?y)))

;; A line closes two boxes at most: the one above or to the right of it, and the one below or to the left.
(<= closes_own (draws ?kind ?x ?y) (closes ?x ?y) (side ?x ?y ?kind ?x ?y))
(<= closes_other (closes ?x ?y) (not (draws across ?x ?y)) (not (draws upright ?x ?y)))
(<= (gain 2) closes_own closes_other)
(<= (gain 1) closes_own (not closes_other))
(<= (gain 1) (not closes_own) closes_other)
(<= closing closes_own)
(<= closing closes_other)

(<= (next (boxes ?role ?n)) (true (control ?role)) (true (boxes ?role ?m)) (gain 1) (succ ?m ?n))
(<= (next (boxes ?role ?n)) (true (control ?role)) (true (boxes ?role ?m)) (gain 2) (succ ?m ?more) (succ ?more ?n))
(<= (next (boxes ?role ?n)) (true (control ?role)) (true (boxes ?role ?n)) (not closing))
(<= (next (boxes ?role ?n)) (true (boxes ?role ?n)) (opponent ?role ?other) (true (control ?other)))

(<= (next (control ?role)) (true (control ?role)) closing)
(<= (next (control ?other)) (true (control ?role)) (opponent ?role ?other) (not closing))

;; ---- End ----

(<= open (line ?kind ?x ?y) (not (true (drawn ?kind ?x ?y))))
(<= terminal (not open))

(<= (more ?a ?b) (succ ?b ?a))
(<= (more ?a ?c) (more ?a ?b) (succ ?c ?b))
(<= (ahead ?role)
    (opponent ?role ?other)
    (true (boxes ?role ?a))
    (true (boxes ?other ?b))
    (more ?a ?b))
(<= uneven (ahead ?role))
(<= (goal ?role 100) (ahead ?role))
(<= (goal ?role 0) (opponent ?role ?other) (ahead ?other))
(<= (goal ?role 50) (role ?role) (not uneven))

;; ---- Base and inputs ----

(<= (base (control ?role)) (role ?role))
(<= (base (drawn ?kind ?x ?y)) (line ?kind ?x ?y))
(<= (base (owner ?x ?y b)) (box ?x ?y))
(<= (base (owner ?x ?y ?role)) (box ?x ?y) (role ?role))
(<= (base (boxes ?role ?n)) (role ?role) (count ?n))
(count 0)
(<= (count ?n) (count ?m) (succ ?m ?n) (at_most_all ?n))
(<= (at_most_all ?n) (all_boxes ?n))
(<= (at_most_all ?m) (at_most_all ?n) (succ ?m ?n))

(<= (input ?role (draw ?kind ?x ?y)) (role ?role) (line ?kind ?x ?y))
(<= (input ?role noop) (role ?role))

{numbers}
"""
