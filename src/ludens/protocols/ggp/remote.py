"""A remote player over the GGP HTTP protocol, as a Player for the Referee."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from ludens.core import Clock, Deadline, Decision, Game, Observation, Player, Role, View
from ludens.gdl.scramble import Scrambler
from ludens.protocols.ggp.messages import Abort, Message, Moves, News, Percepts, Play, Start, Stop, read_term
from ludens.protocols.ggp.wire import Address, exchange

STOP_SECONDS = 5.0
"""The maximum timeout of STOP in seconds."""
ABORT_SECONDS = 1.0
"""The timeout of ABORT in seconds."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The common data of all messages of a match."""

    match: str
    """The name of the match."""
    rules: tuple[str, ...]
    """The sentences of the rules, as the rule sheet spells them."""
    start_clock: float
    """Seconds, as sent to the players."""
    play_clock: float
    """Seconds, as sent to the players."""
    gdl_ii: bool = False
    """True to send the turn number, own move and percepts instead of all moves."""
    scrambler: Scrambler | None = None

    def hide(self, text: str) -> str:
        """KIF as the players get it."""
        return text if self.scrambler is None else self.scrambler.hide(text)

    def move_in(self, answer: str) -> str:
        """The move in an answer; an invalid answer is returned in a form that is never legal."""
        text = read_term(answer)
        if text is None:
            return answer.strip()
        if self.scrambler is None:
            return text
        revealed = self.scrambler.reveal(text)
        return f"{text} (with a word that the rules do not have)" if revealed is None else revealed


class RemotePlayer(Player):
    """Sends everything as messages, each on a new connection.

    It only reads answers; the Referee checks whether they are in time and legal.
    """

    name = "http"
    description = "a remote GGP player, by its URL"
    always_asked = True  # players learn the moves by PLAY

    def __init__(self, address: Address, receiver: str, terms: Terms, grace: float) -> None:
        super().__init__()
        self.settings |= {
            "url": str(address),
            "name": receiver,
            "match": terms.match,
            "grace": grace,
            "gdl_ii": terms.gdl_ii,
            "scrambled": terms.scrambler is not None,
        }
        self.grace = grace
        self.finished = threading.Event()
        """Set once the end of the match was sent, or could not be."""
        self._address = address
        self._receiver = receiver
        self._terms = terms
        self._stop_seconds = min(STOP_SECONDS, terms.play_clock + grace)
        self._last: Observation | None = None

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Send START. The match begins whatever the player answers."""
        self._hidden = game.hidden
        terms = self._terms
        rules = tuple(map(terms.hide, terms.rules))
        message = Start(terms.match, terms.hide(role), rules, terms.start_clock, terms.play_clock)
        self._send(message, Deadline(clock.start))

    def choose(self, view: View, deadline: Deadline) -> Decision:
        """Send PLAY, and wait for a move."""
        return Decision(self._terms.move_in(self._send(Play(self._terms.match, self._news()), deadline)))

    def observe(self, observation: Observation) -> None:
        """Store the observation for the next message."""
        self._last = observation

    def stop(self) -> None:
        """Send STOP if the match was played out, ABORT otherwise."""
        played_out = self._last is not None and not self._last.view.legal_moves
        try:
            if played_out:
                self._send(Stop(self._terms.match, self._news()), Deadline(self._stop_seconds))
            else:
                self._send(Abort(self._terms.match), Deadline(ABORT_SECONDS))
        finally:
            self.finished.set()

    def _send(self, message: Message, deadline: Deadline) -> str:
        return exchange(self._address, str(message), self._receiver, deadline)

    def _news(self) -> News:
        last, hide = self._last, self._terms.hide
        moves = {} if last is None or last.joint_move is None else dict(last.joint_move)
        if not self._terms.gdl_ii:
            return Moves(None if last is None else tuple(map(hide, moves.values())))
        if last is None:
            return Percepts(0, None)
        seen = last.percepts if self._hidden else [f"(does {role} {move})" for role, move in moves.items()]
        return Percepts(last.turn, None if last.move is None else hide(last.move), tuple(map(hide, seen)))
