"""Which of GDL's dialects a rule sheet is written in; found from its rules, never declared."""

from __future__ import annotations

from enum import Flag, auto

from ludens.gdl.rules import RuleSheet, atoms
from ludens.gdl.terms import signature


class Dialect(Flag):
    """What a rule sheet uses beyond GDL-I."""

    GDL_I = 0
    STOCHASTIC = auto()
    """``(random variable weight event)`` and random variables in legal moves (seed 003)."""
    GDL_II = auto()
    """``sees``, or a role named ``random``: hidden information and chance as a player."""

    def __str__(self) -> str:
        parts = []
        if Dialect.GDL_II in self:
            parts.append("GDL-II")
        if Dialect.STOCHASTIC in self:
            parts.append("stochastic GDL")
        return " with ".join(parts) or "GDL-I"


def dialect_of(sheet: RuleSheet) -> Dialect:
    """The dialect of a rule sheet."""
    found = Dialect.GDL_I
    for rule in sheet.rules:
        if rule.head == ("role", "random") or signature(rule.head) == ("sees", 2):
            found |= Dialect.GDL_II
        relations = [rule.head, *(holds.atom for condition in rule.body for holds, _ in atoms(condition))]
        if any(signature(atom) == ("random", 3) for atom in relations):
            found |= Dialect.STOCHASTIC
    return found
