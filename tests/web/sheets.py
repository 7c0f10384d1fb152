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

HEAVY = """\
(role solo) (init (b 0)) (n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
(<= (legal solo (m ?a ?c ?d ?e ?f ?g ?h)) (n ?a) (n ?c) (n ?d) (n ?e) (n ?f) (n ?g) (n ?h))
(<= (next (b ?a)) (does solo (m ?a ?c ?d ?e ?f ?g ?h)))
(<= terminal (true (b 9)))
(<= (goal solo 100) (true (b 9)))
(<= (goal solo 0) (not (true (b 9))))
"""
"""A game of ten million moves, which nobody can play."""
