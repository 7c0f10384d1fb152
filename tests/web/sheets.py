"""Rule sheets for tests of the Lab."""

from __future__ import annotations

COUNTDOWN = """\
(role solo) (init (counter 1)) (succ 1 2) (succ 2 3)
(<= (legal solo tick) (true (counter ?n)))
(<= (next (counter ?m)) (true (counter ?n)) (succ ?n ?m))
(<= terminal (true (counter 3)))
(<= (goal solo 100) (true (counter 3)))
(<= (goal solo 0) (not (true (counter 3))))
"""
"""A game that ends after two turns."""

WIDE = """\
(role left) (role right) (init (at 0 0 0 0 0 0)) (init (control left)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)
(succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18) (succ 18 19) (succ 19 20)
(<= (legal ?who (raise ?n)) (true (control ?who)) (chosen ?n)) (chosen 1) (chosen 2) (chosen 3)
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (control right)) (true (control left))) (<= (next (control left)) (true (control right)))
(<= (next (at ?x ?b ?c ?d ?e ?f)) (does ?who (raise 1)) (true (at ?a ?b ?c ?d ?e ?f)) (succ ?a ?x))
(<= (next (at ?b ?x ?c ?f ?d ?e)) (does ?who (raise 2)) (true (at ?a ?b ?c ?d ?e ?f)) (succ ?a ?x))
(<= (next (at ?f ?e ?d ?c ?b ?x)) (does ?who (raise 3)) (true (at ?a ?b ?c ?d ?e ?f)) (succ ?a ?x))
(<= terminal (true (at 9 ?b ?c ?d ?e ?f)))
(<= (goal left 100) (true (control right))) (<= (goal left 0) (true (control left)))
(<= (goal right 100) (true (control left))) (<= (goal right 0) (true (control right)))
"""
"""A game that is easy to interpret, and that no compiler finishes: 86 million positions are one fluent each."""

HEAVY = """\
(role solo) (init (b 0)) (n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (legal solo (m ?a ?c ?d ?e ?f ?g ?h)) (n ?a) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h))
(<= (next (b ?a)) (does solo (m ?a ?c ?d ?e ?f ?g ?h)))
(<= terminal (true (b 9)))
(<= (goal solo 100) (true (b 9)))
(<= (goal solo 0) (not (true (b 9))))
"""
"""A game of ten million moves, which nobody can play."""
