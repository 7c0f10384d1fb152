"""Checks of what may depend on what: some answers are needed before the game, some before the roles move."""

from __future__ import annotations

from collections.abc import Iterator

from ludens.gdl.check.codes import problem
from ludens.gdl.check.context import Check, Context
from ludens.gdl.source import Problem
from ludens.gdl.terms import functor


def before_the_game(context: Context) -> Iterator[Problem]:
    """What holds at the beginning, and what can ever hold, is known before the game."""
    for name in ("init", "base", "input"):
        for target in ("true", "does"):
            yield from _dependences(context, name, target, "GDL223")


def before_the_move(context: Context) -> Iterator[Problem]:
    """Legal moves, goals and the end are known before the roles move."""
    for name in ("legal", "goal", "terminal"):
        yield from _dependences(context, name, "does", "GDL224")


def chance_before_the_move(context: Context) -> Iterator[Problem]:
    """The weights of random events are known before the roles move."""
    yield from _dependences(context, "random", "does", "GDL508")


def _dependences(context: Context, name: str, target: str, code: str) -> Iterator[Problem]:
    """A problem for each rule of a relation that needs another, however indirectly, which it must not."""
    reported = None
    for atom in context.bodies:
        if functor(atom.rule.head) != name or atom.rule is reported:
            continue
        route = context.route(atom.signature, target)
        if route is not None:
            reported = atom.rule
            through = f" through {' and '.join(map(repr, route[:-1]))}" if len(route) > 1 else ""
            yield problem(code, f"{name!r} must not depend on {target!r}, as it does here{through}", atom.span)


CHECKS: tuple[Check, ...] = (before_the_game, before_the_move, chance_before_the_move)
