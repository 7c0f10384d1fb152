"""The record of a match in the JSON form of ggp-base, made from the Referee's events."""

from __future__ import annotations

import json
import secrets
import string
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludens.core import Decision, Role, State
from ludens.core.files import write_file
from ludens.gdl.game import GdlState
from ludens.gdl.terms import sort_key
from ludens.gdl.write import kif
from ludens.protocols.ggp.messages import add_blanks
from ludens.protocols.ggp.signing import HostKey
from ludens.referee import Event, MatchEnded, MatchStarted, PlayerFailed, TurnPlayed

_TOKEN_LENGTH = 32
_NO_PREVIEW = -1
_CODES = {"late": "TO", "crash": "CE"}


def _now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _random_token() -> str:
    return "".join(secrets.choice(string.ascii_letters + string.digits) for _ in range(_TOKEN_LENGTH))


@dataclass(slots=True)
class MatchJson:
    """The record of a match as ggp-base writes it; `add` takes each event in turn."""

    match_id: str
    game: str
    roles: Sequence[Role]
    """All roles in the order of the rules, ``random`` included."""
    names: Mapping[Role, str]
    """The names of the players."""
    start_clock: float
    play_clock: float
    preview_clock: float | None
    scrambled: bool
    game_url: str = ""
    """Where the game's metadata is, for archives and viewers; ``ludens:NAME`` if nowhere."""
    key: HostKey | None = None
    """By which the record is signed."""
    _started: int = field(init=False, default_factory=_now)
    _token: str = field(init=False, default_factory=_random_token)
    _states: list[str] = field(init=False, default_factory=list)
    _times: list[int] = field(init=False, default_factory=list)
    _moves: list[list[str]] = field(init=False, default_factory=list)
    _errors: list[list[str]] = field(init=False, default_factory=list)
    _goals: list[int] | None = field(init=False, default=None)

    def add(self, event: Event) -> None:
        """Add an event."""
        match event:
            case MatchStarted():
                self._add_state(event.state, self._entries(event.failures, {}))
            case TurnPlayed():
                self._moves.append([add_blanks(event.joint_move[role]) for role in self.roles])
                self._add_state(event.state, self._entries(event.failures, event.decisions))
            case MatchEnded(finished=True):
                self._goals = [event.goals.get(role, 0) for role in self.roles]

    def as_json(self) -> dict[str, Any]:
        """The record; a match that was not played out counts as aborted, and has no goals."""
        goals = {} if self._goals is None else {"goalValues": self._goals}
        record: dict[str, Any] = {
            "matchId": self.match_id,
            "randomToken": self._token,
            "startTime": self._started,
            "gameMetaURL": self.game_url or f"ludens:{self.game}",
            "isCompleted": self._goals is not None,
            "isAborted": self._goals is None,
            "states": self._states,
            "moves": self._moves,
            "stateTimes": self._times,
            "errors": self._errors,
            **goals,
            "previewClock": _NO_PREVIEW if self.preview_clock is None else _whole(self.preview_clock),
            "startClock": _whole(self.start_clock),
            "playClock": _whole(self.play_clock),
            "playerNamesFromHost": [self.names.get(role, role) for role in self.roles],
            "tournamentNameFromHost": "",
            "scrambled": self.scrambled,
        }
        return record if self.key is None else self.key.sign(record)

    def write(self, path: Path) -> None:
        """Write the record to a file. Raises `OSError`, which names it."""
        write_file(path, json.dumps(self.as_json()) + "\n")

    def _add_state(self, state: State, errors: list[str]) -> None:
        facts = sorted(state.facts, key=sort_key) if isinstance(state, GdlState) else []
        self._states.append("( " + "".join(add_blanks(kif(fact)) + " " for fact in facts) + ")")
        self._times.append(_now())
        self._errors.append(errors)

    def _entries(self, failures: Iterable[PlayerFailed], decisions: Mapping[Role, Decision]) -> list[str]:
        """What went wrong for each role: ``TO``, ``CE`` or ``IL`` with the move; empty for an empty answer, too."""
        entries = dict.fromkeys(self.roles, "")
        for failure in failures:
            if failure.kind in _CODES:
                entries[failure.role] = _CODES[failure.kind]
            elif failure.kind == "illegal":
                move = decisions[failure.role].move if failure.role in decisions else ""
                entries[failure.role] = f"IL {add_blanks(move)}" if move else ""
        return list(entries.values())


def _whole(seconds: float) -> float:
    return int(seconds) if seconds == int(seconds) else seconds
