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
from importlib.metadata import version

from ludens.compiler.backends import AUTO, make_game
from ludens.compiler.batch import Batch, Playouts
from ludens.core import Game, GameError, LudensError, State
from ludens.games.library import OPENSPIEL, TABLETOP, find
from ludens.tabletop.loading import load_game

__version__ = version("ludens")

__all__ = ["Batch", "Game", "GameError", "LudensError", "Playouts", "State", "__version__", "load"]


def load(name: str | os.PathLike[str], *, backend: str = AUTO) -> Game:
    """The game that a name (``connect_four``, ``nim:3,4,5``, ``chess@gdl``) or the path of its rules stands for.

    Rules are a rule sheet in GDL or a `ludens.tabletop.Rule` in Python, which is code and is run.

    ``backend`` says how a GDL game is computed: ``circuit`` compiles the rules to gates, ``cxx`` to C++, ``reference``
    interprets them, which starts sooner and is slower then. Left out, it is the first of these that takes the rules; a
    log message tells if that is not ``circuit``. Rule sheets from outside the shelf are checked first. Raises
    `GameError` with one clear message if there is no such game or its rules cannot be played.
    ``openspiel:hex(board_size=5)`` is a game of OpenSpiel.
    """
    text = os.fspath(name)
    if text.startswith(OPENSPIEL):
        return _load_from_openspiel(text.removeprefix(OPENSPIEL))
    choice = find(text)
    if choice.form == TABLETOP:
        if backend not in (AUTO, "reference"):
            raise GameError(f"{choice.text} is a game in Python, which has no backend {str(backend)!r}")
        return load_game(choice.path, choice.parameters, choice.text)
    return make_game(choice.playable_sheet(), choice.text, backend)


def _load_from_openspiel(text: str) -> Game:
    try:  # by its name, since adapters stand above all that load games, and it needs an extra
        adapter = importlib.import_module("ludens.adapters.openspiel")
    except ImportError:
        raise GameError("games of OpenSpiel need it installed: pip install 'ludens[openspiel]'") from None
    game: Game = adapter.load(text)
    return game
