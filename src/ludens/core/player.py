"""The contract of every player: an agent that receives a view and a clock, and returns a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from ludens.core.clock import Clock, Deadline
from ludens.core.errors import PlayerError
from ludens.core.game import Game, JointMove, Move, Role, View
from ludens.core.options import Option, OptionValue
from ludens.core.thinking import Thinking


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, and a summary of the search for it."""

    move: Move
    """The move chosen; one of the view's legal moves."""
    thinking: Thinking = field(default_factory=Thinking)
    """The search behind it."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one role receives after a turn."""

    turn: int
    """The number of the turn."""
    view: View
    """What the role may know now."""
    move: Move | None
    """The role's move as it was played, which may be a substitute; None if the role did not move. With hidden
    information it is the move as it was chosen, since only percepts reveal the outcome of chance."""
    joint_move: JointMove | None
    """Everybody's moves with chance resolved; None in games with hidden information."""
    percepts: Sequence[str] = ()
    """The percepts of this role."""
    refused: Move | None = None
    """The role's answer in a race that another role won."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a player to others."""

    sender: Role
    to: tuple[Role, ...]
    """The recipients."""
    text: str


class Channel(Protocol):
    """Connects a player to those who follow the match."""

    def wants_thinking(self) -> bool:
        """True if a report would be forwarded now, so that players need not make one in vain."""

    def report(self, thinking: Thinking) -> None:
        """Report on the search."""

    def publish(self, decision: Decision) -> None:
        """Publish the best move so far: it is played if `Player.choose` is late or fails."""

    def say(self, text: str, to: Sequence[Role]) -> None:
        """Send a message to some roles; to all others if none is named."""


class _NullChannel:
    """The channel of a player outside a match."""

    def wants_thinking(self) -> bool:
        return False

    def report(self, thinking: Thinking) -> None:
        pass

    def publish(self, decision: Decision) -> None:
        pass

    def say(self, text: str, to: Sequence[Role]) -> None:
        pass


class TakeBack(Exception):  # noqa: N818 - a request, not an error
    """Raised in `Player.choose` by a player that wants its last move back, in matches that allow it."""


class Player(ABC):
    """An agent. One object plays one role in one match, then is thrown away.

    A player gets its options by keyword: ``Flat(playouts=100)``. A subclass names them in ``options`` and reads
    ``self.settings``. All methods of one player are called from one thread, one after the other, so that a player can
    keep a tree from move to move; it is notified of every turn (`observe`) and may think meanwhile (`ponder`).
    """

    name: ClassVar[str]
    """The player's name on the command line."""
    description: ClassVar[str]
    """One sentence for the list of players."""
    options: ClassVar[tuple[Option, ...]] = ()
    """The player's options."""
    live_options: ClassVar[frozenset[str]] = frozenset()
    """Names of the options that may change while the player runs (`change`)."""
    whole_option: ClassVar[str] = ""
    """The option that is all of the text after ``name:``, if the player has just one, such as a command line."""
    local_only: ClassVar[bool] = False
    """True if the player starts programs or opens connections, so that only the local user may name it."""
    always_asked: bool = False
    """True if the player is asked for its move even if there is only one, as some protocols have it."""
    is_person: bool = False
    """True for a person, who is asked at once while the other players are still starting."""
    grace: float = 0.0
    """Seconds beyond the clock that an answer may spend in transit, for players behind a network."""
    cores: int = 1
    """Processors that the player keeps busy, for scheduling matches; 0 if it hardly thinks."""
    channel: Channel = _NullChannel()
    """Where `Channel.publish`, `Channel.report` and `Channel.say` go; set by the Referee before `start`."""

    def __init__(self, **settings: OptionValue) -> None:
        known = {option.name: option for option in self.options}
        for name, value in settings.items():
            if name not in known:
                choice = ", ".join(known) or "it has none"
                raise PlayerError(f"player {self.name!r} has no option {name!r} (options: {choice})")
            known[name].check(value)
        self.settings: dict[str, OptionValue] = {name: option.default for name, option in known.items()} | settings
        """The value of every option."""

    def check(self, game: Game) -> None:  # noqa: B027 - most players play any game
        """Raise `PlayerError` or `GameError` if the player cannot play a game; called before a match begins."""

    def warm_up(self) -> None:  # noqa: B027 - most players are imported as a whole
        """Import what the player needs; called before its clock runs, where that is possible."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:  # noqa: B027 - may do nothing
        """Get ready to play ``role``, within ``clock.start`` seconds. ``seed`` makes the player repeatable."""

    @abstractmethod
    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Choose one of ``view.legal_moves`` before the deadline; return soon once it is cancelled.

        Publish a legal move first (``self.channel.publish``), then whatever the search finds to be better: a player
        that is late or crashes gets the last one played, and only one that published nothing a random move.
        """

    def publish_search(self, thinking: Thinking, legal: Collection[Move]) -> None:
        """Report on the search for a move, and publish the best that is legal."""
        self.channel.report(thinking)
        best = next((found.move for found in thinking.moves if found.move in legal), None)
        if best is not None:
            self.channel.publish(Decision(best, thinking))

    def change(self, settings: Mapping[str, OptionValue]) -> None:
        """Take over new values of `live_options`, between two moves."""
        self.settings.update(settings)

    def observe(self, observation: Observation) -> None:  # noqa: B027 - most players look at the view only
        """A turn was played."""

    def take_back(self, turns: int, view: View) -> None:  # noqa: B027 - most players look at the view only
        """The last ``turns`` turns observed were taken back, and the match continues from ``view``."""

    def ponder(self, view: View, deadline: Deadline) -> None:  # noqa: B027 - most players wait for their turn
        """Think while others do; return soon once the deadline, which is far away, is cancelled."""

    def hear(self, message: Message) -> None:  # noqa: B027 - most players are deaf
        """Another player sent a message."""

    def stop(self) -> None:  # noqa: B027 - most players hold nothing
        """The match is over: release all resources."""
