"""ludens: give it the rules, it plays.

Examples:
    >>> import ludens
    >>> game = ludens.load("tic_tac_toe")
    >>> game.roles
    ('xplayer', 'oplayer')
    >>> state = game.initial_state().play({"xplayer": "(mark 2 2)", "oplayer": "noop"})
    >>> len(state.legal_moves("oplayer"))
    8
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludens.core import Game, GameError, LudensError, State
    from ludens.core.batch import Batch
    from ludens.core.batch_game import Playouts
    from ludens.core.step_arrays import StepArrays

    __version__: str

__all__ = ["Batch", "Game", "GameError", "LudensError", "Playouts", "State", "StepArrays", "__version__", "load"]

_HOMES = {
    "Batch": "ludens.core.batch",
    "Game": "ludens.core",
    "GameError": "ludens.core",
    "LudensError": "ludens.core",
    "Playouts": "ludens.core.batch_game",
    "State": "ludens.core",
    "StepArrays": "ludens.core.step_arrays",
}
"""The module of each name: imported when the name is first used, since compilers take half a second to import."""

_OPENSPIEL = "ludens.adapters.openspiel"
"""The module that loads games of OpenSpiel. It needs an extra and stands above all that load games."""
_NOTEBOOK = "ludens.adapters.notebook"
"""How values are shown in notebooks. Of what the layers import, these two alone go upward, when they are asked for."""

if not TYPE_CHECKING:  # so that the names above are all that type checkers know

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - reads files

            value = version("ludens")
        elif name in _HOMES:
            value = getattr(importlib.import_module(_HOMES[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


def load(name: str | os.PathLike[str], *, backend: str = "auto", wait: bool = False) -> Game:
    """The game that a name (``connect_four``, ``nim:3,4,5``, ``chess@gdl``) or the path of its rules stands for.

    Rules are a rule sheet in GDL or a `ludens.tabletop.Rule` in Python, which is code and is run.

    A GDL game is returned at once, interpreted. The first call of `Game.compiled`, which batches, players and solvers
    make, compiles it in a separate process. Code that steps through thousands of states should call it too:
    ``ludens.load("chess").compiled()``. With ``wait=True`` the game is compiled now, in this process, by the first
    backend that accepts the rules; a log message says so if that is not ``circuit``.

    ``backend`` says how a GDL game is computed, without waiting for anything else: ``circuit`` compiles the rules to
    gates, ``cxx`` to C++, ``interpreter`` interprets them, and ``reference`` is the simple reasoner that the others are
    checked against.

    Rule sheets from outside the shelf are checked first. Raises `GameError` with one clear message if there is no such
    game or its rules cannot be played. ``openspiel:hex(board_size=5)`` is a game of OpenSpiel.
    """
    from ludens.games import library  # noqa: PLC0415 - ``import ludens`` waits for nothing that is not used

    text = os.fspath(name)
    if text.startswith(library.OPENSPIEL):
        return _load_by_adapter(text.removeprefix(library.OPENSPIEL))
    choice = library.find(text)
    if choice.form == library.TABLETOP:
        from ludens.core import GameError  # noqa: PLC0415 - as above
        from ludens.tabletop.loading import load_game  # noqa: PLC0415

        if backend not in ("auto", "interpreter", "reference"):
            raise GameError(f"{choice.text} is a game in Python, which has no backend {str(backend)!r}")
        return load_game(choice.path, choice.parameters, choice.text)
    from ludens.compiler.backends import make_game  # noqa: PLC0415 - as above

    return make_game(choice.playable_sheet(), choice.text, backend, wait=wait)


def _load_by_adapter(text: str) -> Game:
    try:
        adapter = importlib.import_module(_OPENSPIEL)
    except ImportError:
        from ludens.core import GameError  # noqa: PLC0415 - as above

        raise GameError("games of OpenSpiel need it installed: pip install 'ludens[openspiel]'") from None
    game: Game = adapter.load(text)
    return game


def load_ipython_extension(shell: object) -> None:
    """Show games, states, records and results as pictures and tables in a notebook: ``%load_ext ludens``, which
    ``import ludens`` does by itself in a running one."""
    importlib.import_module(_NOTEBOOK).register(shell)


if (_ipython := sys.modules.get("IPython")) is not None and (_shell := _ipython.get_ipython()) is not None:
    load_ipython_extension(_shell)
