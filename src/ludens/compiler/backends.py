"""The backends of GDL games, by name, and the choice among them."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from ludens.compiler.background.lazy import LazyGame
from ludens.core import GameError
from ludens.gdl.game import GdlGame
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet


def _make_circuit_game(sheet: RuleSheet, name: str) -> GdlGame:
    from ludens.compiler.batch.game import CircuitGame  # noqa: PLC0415 - the interpreter need not wait for compilers

    return CircuitGame(sheet, name)


def _make_cxx_game(sheet: RuleSheet, name: str, *, wait: bool = True) -> GdlGame:
    from ludens.compiler.cxx.state import CxxGame  # noqa: PLC0415 - as above

    return CxxGame(sheet, name, wait=wait)


BACKENDS: dict[str, Callable[[RuleSheet, str], GdlGame]] = {
    "circuit": _make_circuit_game,
    "cxx": _make_cxx_game,
    "interpreter": InterpretedGame,
    "reference": ReferenceGame,
}
"""The fastest first; the last two accept every game."""
IN_BACKGROUND: dict[str, Callable[[RuleSheet, str], GdlGame]] = {"cxx": partial(_make_cxx_game, wait=False)}
"""Constructors that return at once and compile in the background."""
AUTO = "auto"
"""Selects the first backend that accepts the game."""

Result = TypeVar("Result")

_COMPILERS = ("ludens.compiler.background.transport", "ludens.compiler.cxx.state")

_log = logging.getLogger("ludens")
_logged: set[str] = set()
"""Messages already logged in this process about backends that reject a game."""


def import_compilers() -> None:
    """Import the compilers in advance, so that the import does not use up a player's clock."""
    for name in _COMPILERS:
        importlib.import_module(name)


def make_game(sheet: RuleSheet, name: str, backend: str = AUTO, *, wait: bool = False) -> GdlGame:
    """The game of a rule sheet on a backend. Raises `GameError` if there is no such backend or it rejects the game.

    Without a choice of a backend, the game is interpreted, and compiled when its compiled form is first asked for
    (`LazyGame`); with ``wait=True`` it is compiled now, in this process.
    """
    if backend == AUTO and not wait:
        return LazyGame(sheet, name)
    if backend == AUTO:
        return on_first_backend(name, lambda chosen: IN_BACKGROUND.get(chosen, BACKENDS[chosen])(sheet, name))
    kind = BACKENDS.get(backend)
    if kind is None:
        raise GameError(f"there is no backend {backend!r} (backends: {', '.join((AUTO, *BACKENDS))})")
    return kind(sheet, name)


def on_first_backend(name: str, compute: Callable[[str], Result]) -> Result:
    """The result of ``compute`` for the first backend on which it raises no `GameError`.

    If that is not the fastest one, a log message says so and why, once in a process for each game.
    """
    *faster, last = BACKENDS
    reasons: list[str] = []
    for backend in faster:
        try:
            result = compute(backend)
        except GameError as error:
            reasons.append(f"{backend} does not take it ({error})")
        else:
            break
    else:
        backend = last
        result = compute(backend)
    message = f"{name} runs on the backend {backend}: {'; '.join(reasons)}"
    if reasons and message not in _logged:
        _logged.add(message)
        _log.warning("%s", message)
    return result
