"""Writing GDL: rules and terms as KIF or infix text that reads back to the same rules."""

from __future__ import annotations

from collections.abc import Iterable

from ludens.gdl.rules import And, Condition, Distinct, Holds, Not, Or, Rule
from ludens.gdl.syntax.infix import MARKED_VARIABLE, NAME, VARIABLE
from ludens.gdl.terms import Term, Variable, arguments, functor


def kif(term: Term) -> str:
    """A term in KIF: ``(cell 1 ?y b)``."""
    if isinstance(term, Variable):
        return "?" + term.name
    if isinstance(term, tuple):
        return "(" + " ".join([part if part.__class__ is str else kif(part) for part in term]) + ")"
    return term


def infix(term: Term) -> str:
    """A term in infix: ``cell(1,Y,b)``."""
    if isinstance(term, Variable):
        return _infix_variable(term.name)
    if isinstance(term, tuple):
        return f"{_infix_name(functor(term))}({','.join(infix(part) for part in arguments(term))})"
    return _infix_name(term)


def _infix_variable(name: str) -> str:
    capital = name[:1].upper() + name[1:]
    if VARIABLE.fullmatch(capital) and capital.lower() == name and name != "_":
        return capital
    return "?" + (name if MARKED_VARIABLE.fullmatch(name) else _quote(name))


def _infix_name(name: str) -> str:
    return name if NAME.fullmatch(name) and name not in ("not", "or", "and") else _quote(name)


def _quote(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def kif_condition(condition: Condition) -> str:
    """A condition in KIF."""
    match condition:
        case Holds(atom):
            return kif(atom)
        case Distinct(left, right):
            return f"(distinct {kif(left)} {kif(right)})"
        case Not(inner):
            return f"(not {kif_condition(inner)})"
        case Or(conditions):
            return "(" + " ".join(["or", *map(kif_condition, conditions)]) + ")"
        case And(conditions):
            return "(" + " ".join(["and", *map(kif_condition, conditions)]) + ")"


def infix_condition(condition: Condition) -> str:
    """A condition in infix."""
    match condition:
        case Holds(atom):
            return infix(atom)
        case Distinct(left, right):
            return f"distinct({infix(left)},{infix(right)})"
        case Not(inner):
            return f"not {infix_condition(inner)}"
        case Or(conditions):
            return "or(" + ", ".join(map(infix_condition, conditions)) + ")"
        case And(conditions):
            return "and(" + ", ".join(map(infix_condition, conditions)) + ")"


def write_kif(rules: Iterable[Rule]) -> str:
    """Rules as KIF text, one condition a line."""
    return "".join(_kif_rule(rule) + "\n" for rule in rules)


def _kif_rule(rule: Rule) -> str:
    if not rule.body:
        return kif(rule.head)
    return "\n    ".join([f"(<= {kif(rule.head)}", *map(kif_condition, rule.body)]) + ")"


def write_infix(rules: Iterable[Rule]) -> str:
    """Rules as infix text, one condition a line."""
    return "".join(_infix_rule(rule) + "\n" for rule in rules)


def _infix_rule(rule: Rule) -> str:
    if not rule.body:
        return infix(rule.head) + "."
    return f"{infix(rule.head)} :-\n    " + ",\n    ".join(map(infix_condition, rule.body)) + "."
