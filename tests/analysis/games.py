"""Small games for the tests of the analysis."""

from __future__ import annotations

import ludens
from ludens.compiler.batch.game import CircuitGame
from ludens.gdl.read import read_rules


def shelf(name: str) -> CircuitGame:
    game = ludens.load(name, backend="circuit")
    assert isinstance(game, CircuitGame)
    return game


def compiled(rules: str) -> CircuitGame:
    return CircuitGame(read_rules(rules), "test")


TWO_SWITCHES = """
(role robot)
(init (off a)) (init (off b)) (init (step 0))
(<= (legal robot (press ?x)) (true (off ?x)))
(legal robot wait)
(<= (next (on ?x)) (does robot (press ?x)))
(<= (next (on ?x)) (true (on ?x)))
(<= (next (off ?x)) (true (off ?x)) (not (does robot (press ?x))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= terminal (true (step 3)))
(<= (goal robot 100) (true (on a)) (true (on b)))
(<= (goal robot 0) (not (true (on a))))
(<= (goal robot 0) (not (true (on b))))
"""
"""Two lamps that are switched on one by one, a counter, and a move that does nothing."""
