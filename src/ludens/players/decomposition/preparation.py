"""Decompose a game, or what is left of it, in a background thread, which can be stopped."""

from __future__ import annotations

import threading

from ludens.analysis.budget import Budget
from ludens.analysis.subgames.parts import Decomposition
from ludens.analysis.subgames.residual import Residual, find_residual
from ludens.core import Deadline, Game, GameError, State
from ludens.players.decomposition.falling_apart import FallingApart
from ludens.players.decomposition.separation import Ending, Separation, separate
from ludens.players.decomposition.solve import PartSolver, circuit_rules, decompose_game, find_solver, take_apart


class _StoppedError(GameError):
    """The preparation was stopped."""


_LOOK_SECONDS = 0.05
"""How often the clock is looked at during a wait."""
_REST_SHARE, _LONGEST_REST = 0.25, 0.25
"""The last part of a move in which nothing is analysed: a share of its time, and at most so many seconds. On large
circuits single steps keep Python's lock for 0.14 s, and the search would be as late."""
_NAP = 0.005
"""Seconds between two looks whether the move is over."""
WORTH_A_LOOK = 7 / 8
"""A position is decomposed if at most this share of the moves is left that were possible at the last look."""


class Preparation:
    """Looks for subgames, checks whether each can be played by itself, lists positions, and solves the first one."""

    def __init__(self, game: Game, seconds: float) -> None:
        """``seconds`` is the time limit for finding the subgames."""
        self._game = game
        self._seconds = seconds
        self._stopped = threading.Event()
        self._move: Deadline | None = None
        self._rest = 0.0
        self.solver: PartSolver | FallingApart | None = None
        """Solves positions, once it is ready; use it only after `wait` returned True."""
        self.separation: Separation | None = None
        """The subgames as games of their own, if they can be played so."""
        self.subgames = 0
        """The number of subgames found so far."""
        self.why = "there was no time to decompose the game"
        """Why there is neither a solver nor a separation, if there is none."""
        self._thread = threading.Thread(target=self._run, name="ludens-decomposition", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most ``seconds``; True if it is done."""
        until = Deadline(seconds)
        while not self.is_done and until.remaining() > 0:  # it may count CPU seconds, which a join does not
            self._thread.join(min(until.remaining(), _LOOK_SECONDS))
        return self.is_done

    @property
    def is_done(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def stop(self) -> None:
        """Ask the thread to stop."""
        self._stopped.set()

    def rest_at_the_end(self, move: Deadline | None) -> None:
        """Do nothing in the last part of the move with this deadline; None once the move is made."""
        self._rest = 0.0 if move is None else min(_REST_SHARE * move.remaining(), _LONGEST_REST)
        self._move = move

    def _pulse(self) -> None:
        while (move := self._move) is not None and move.remaining() < self._rest and not self._stopped.is_set():
            self._stopped.wait(_NAP)
        if self._stopped.is_set():
            raise _StoppedError("stopped")

    def _prepare(self) -> None:
        state = self._game.initial_state()
        whole = take_apart(self._game, Budget(self._seconds, self._pulse))
        if isinstance(whole, Decomposition):
            self.subgames = len(whole.games)
            self._separate(whole)
            if self.separation is not None and self.separation.ending is Ending.ALL:
                return  # playing well in each subgame suffices
        self.solver = find_solver(whole, state, self._pulse)
        self.solver.solve(state)  # cached, so the first move is found at once

    def _separate(self, whole: Decomposition) -> None:
        """Look whether the subgames can be played by themselves."""
        try:
            self.separation = separate(circuit_rules(self._game), whole, self._pulse)
        except _StoppedError:
            raise
        except GameError as error:
            self.why = str(error)

    @property
    def how(self) -> str:
        """How `solver` solves positions, in a few words."""
        assert self.solver is not None
        if isinstance(self.solver, PartSolver):
            return f"{self.subgames} subgames: {self.solver.method}"
        return self.solver.method

    def _run(self) -> None:
        try:
            self._prepare()
        except _StoppedError:
            pass
        except GameError as error:
            self.why = f"{self.why}; {error}" if self.subgames else str(error)
        except Exception as error:  # a bug here must not cost more than the advantage
            self.why = f"decomposing the game failed: {type(error).__name__}: {error}"


class SecondLook(Preparation):
    """Looks for the subgames of a position, which may be more than the game had at first."""

    def __init__(self, game: Game, seconds: float, state: State, moves: int) -> None:
        """``seconds`` is the time limit for everything, ``moves`` how many were possible at the last look."""
        self._state = state
        self.moves = moves
        """How many moves are possible, as far as is known."""
        self.residual: Residual | None = None
        """The game that `solver` solves."""
        super().__init__(game, seconds)

    def _prepare(self) -> None:
        limit = Budget(self._seconds, self._pulse)
        residual = find_residual(circuit_rules(self._game), self._state, limit)
        if residual.moves > WORTH_A_LOOK * self.moves:
            self.why = "the moves are still nearly the same"
            return
        self.moves = residual.moves
        whole = decompose_game(residual.game, limit, residual.settled)
        self.subgames = len(whole.games)
        state = residual.game.initial_state()
        solver = PartSolver(whole, state, limit)
        solver.solve(state)
        self.residual, self.solver = residual, solver
