"""Base class of players that are external programs: the process, and the moves to send to it."""

from __future__ import annotations

from abc import abstractmethod

from ludens.core import Clock, Deadline, Decision, Game, JointMove, Move, Observation, Player, PlayerError, Role, View
from ludens.core.program import Program

ANSWER_TIME = 30.0
"""The timeout in seconds for commands with immediate answers."""
WAITING = "noop"
"""The move of GDL that does nothing."""


class ProgramPlayer(Player):
    """A player that is an external program. A late program is killed, and restarted for its next move.

    GTP cannot stop a search, and replaying all moves to a new process takes milliseconds. An error of the program is
    a `PlayerError`: retrying is useless, and the engine reports ``failed`` rather than move at random.
    """

    takes_its_time = False
    """True if the protocol cannot limit move times well, so that programs without a clock get unlimited time."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Check that the program can play the game, and begin it."""
        if game.hidden or game.chance:
            raise PlayerError(f"{self.name} programs cannot play {game.name}, which has hidden information or chance")
        self._program: Program | None = None
        self.history: list[tuple[Role, Move]] = []
        """The moves of the play so far."""
        self.role = role
        self.prepare(game)
        self._running()

    def observe(self, observation: Observation) -> None:
        """Remember the move."""
        self.history.append(mover_of(observation.joint_move or {}))

    def take_back(self, turns: int, view: View) -> None:
        """Forget moves."""
        del self.history[len(self.history) - turns :]

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """The program's move."""
        program = self._running()
        try:
            return self.ask(program, view, deadline)
        except BaseException:
            self._drop()
            raise

    def stop(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close(self.farewell)
            self._program = None

    def _running(self) -> Program:
        if self._program is None:
            self._program = Program(str(self.settings["command"]))
            try:
                self.greet(self._program)
            except BaseException:
                self._drop()
                raise
        return self._program

    def _drop(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None

    farewell = "quit"
    """The command that ends a program."""

    @abstractmethod
    def prepare(self, game: Game) -> None:
        """Take note of the game. Raises `PlayerError` if programs of this protocol cannot play it."""

    @abstractmethod
    def greet(self, program: Program) -> None:
        """Initialise a program that has just started."""

    @abstractmethod
    def ask(self, program: Program, view: View, deadline: Deadline) -> Decision:
        """Send a program the moves so far, and ask it for a move."""


def mover_of(joint_move: JointMove) -> tuple[Role, Move]:
    """The role that moved in a turn, and its move, ignoring those that waited. Raises `PlayerError` if none moved."""
    for role, move in joint_move.items():
        if move.lower() != WAITING:
            return role, move
    raise PlayerError("no role moved in a turn, which the protocol cannot express")
