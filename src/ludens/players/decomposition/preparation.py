"""Taking a game apart beside the clock: in a thread of its own, which can be told to stop."""

from __future__ import annotations

import threading

from ludens.compiler.circuit_rules import CircuitRules
from ludens.core import Game, GameError
from ludens.players.decomposition.separation import Ending, Separation, separate
from ludens.players.decomposition.solve import PartSolver, decompose_game


class _StoppedError(GameError):
    """Nobody waits for the answer any more."""


class Preparation:
    """Looks for subgames, then whether each can be played by itself; lists their positions, and solves the initial
    one."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stopped = threading.Event()
        self.solver: PartSolver | None = None
        """What solves positions, once it is ready; not to be used before the end was waited for."""
        self.separation: Separation | None = None
        """The subgames as games of their own, where they can be played so."""
        self.subgames = 0
        """How many subgames there are, as far as that is known."""
        self.why = "there was no time to take the game apart"
        """Why there is neither a solver nor a separation, if so."""
        self._thread = threading.Thread(target=self._prepare, name="ludens-decomposition", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; true if it came."""
        self._thread.join(min(seconds, threading.TIMEOUT_MAX))
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether nothing is computed any more."""
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Do not go on."""
        self._stopped.set()

    def _pulse(self) -> None:
        if self._stopped.is_set():
            raise _StoppedError("stopped")

    def _prepare(self) -> None:
        try:
            whole = decompose_game(self._game, self._pulse)
            self.subgames = len(whole.games)
            assert isinstance(self._game, CircuitRules)
            try:
                self.separation = separate(self._game, whole, self._pulse)
            except _StoppedError:
                raise
            except GameError as error:
                self.why = str(error)
            if self.separation is not None and self.separation.ending is Ending.ALL:
                return  # to play well in each subgame is all there is to it
            solver = PartSolver(whole, self._game.initial_state(), self._pulse)
            self.solver = solver
            solver.solve(self._game.initial_state())  # what is found stays, so the first move is found at once
        except _StoppedError:
            pass
        except GameError as error:
            self.why = f"{self.why}; {error}" if self.subgames else str(error)
        except Exception as error:  # a fault here must cost nothing but the advantage
            self.why = f"taking the game apart failed: {type(error).__name__}: {error}"
