"""Games on the fast interpreter."""

from __future__ import annotations

from ludens.gdl.interpreter.program import Interpreter
from ludens.gdl.reasoner.program import Budget
from ludens.gdl.reference import ReferenceGame


class InterpretedGame(ReferenceGame):
    """A GDL game computed by the fast interpreter: all that a game needs, without a compiler."""

    backend = "interpreter"
    make_reasoner = Interpreter
    default_budget = Budget(bottom_up=1_000)
    """Demands cost less here than on the reference reasoner."""
