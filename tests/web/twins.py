"""Pairs of matches that differ only in what one seat cannot see, and what the server sends to that seat in each."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ludens.core import NO_CLOCK, Game, JointMove, LudensError, Role, State, random_joint_move
from ludens.referee import turn as referee_turn
from ludens.web.hosting import channel, table
from ludens.web.hosting.hosted_match import HostedMatch
from ludens.web.hosting.presentation import PUBLIC
from ludens.web.hosting.setup import HUMAN, Seat, Setup
from ludens.web.hosting.slots import Queues, Slots
from ludens.web.hosting.store import new_ticket
from ludens.web.hosting.table import Table

_TRIES = 12
"""How often a turn is drawn anew until the other match can have one that the seat cannot tell from it."""
_SWAPS = 40
"""Changes that are tried in a deal."""


@dataclass(frozen=True, slots=True)
class Script:
    """The turns of one match: what the roles chose, and that with chance resolved."""

    chosen: list[JointMove]
    resolved: list[JointMove]


def twins(game: Game, role: Role, rng: Random, turns: int) -> tuple[Script, Script]:
    """Two matches between which the role cannot tell the difference; they differ as early and as often as possible."""
    states = (game.initial_state(), game.initial_state())
    scripts = (Script([], []), Script([], []))
    while len(scripts[0].chosen) < turns and not states[0].is_terminal:
        pair = _next_turns(states, role, rng)
        if pair is None:
            break
        for script, (chosen, resolved, _) in zip(scripts, pair, strict=True):
            script.chosen.append(chosen)
            script.resolved.append(resolved)
        states = (pair[0][2], pair[1][2])
    return scripts


_Played = tuple[JointMove, JointMove, State]


def _next_turns(states: tuple[State, State], role: Role, rng: Random) -> tuple[_Played, _Played] | None:
    first, second = states
    fallback = None
    for _ in range(_TRIES):
        chosen = random_joint_move(first, rng)
        resolved = first.resolve(chosen, rng)
        after = first.play(resolved)
        if after.is_terminal:  # the result of a match is open to all, so let it last
            continue
        for other in _other_turns(second, chosen, resolved, role, rng):
            try:
                played = second.play(other[1])
            except LudensError:
                continue
            if played.is_terminal or played.view(role).information != after.view(role).information:
                continue
            pair = (chosen, resolved, after), (*other, played)
            if dict(other[1]) != dict(resolved):
                return pair
            fallback = fallback or pair
    return fallback


def _other_turns(
    state: State, chosen: JointMove, resolved: JointMove, role: Role, rng: Random
) -> Sequence[tuple[JointMove, JointMove]]:
    """Turns of the other match with the same choice of the role: other choices, other chance, or the same turn."""
    found: list[tuple[JointMove, JointMove]] = []
    for _ in range(_TRIES):
        other = {**random_joint_move(state, rng), **({role: chosen[role]} if role in chosen else {})}
        if all(move in state.legal_moves(mover) for mover, move in other.items()):
            found += [(other, state.resolve(other, rng)) for _ in range(2)]
    found += [(chosen, _swapped(resolved, rng)) for _ in range(_SWAPS)]
    return [*found, (chosen, resolved)]


def _swapped(resolved: JointMove, rng: Random) -> JointMove:
    """The turn with two items of a deal exchanged, if it is one."""
    swapped = dict(resolved)
    for mover, move in resolved.items():
        name, equals, outcome = move.partition(" = ")
        items = shlex.split(outcome)
        if equals and len(items) > 1:
            one, other = rng.sample(range(len(items)), 2)
            items[one], items[other] = items[other], items[one]
            swapped[mover] = f"{name} = {' '.join(_quoted(item) for item in items)}"
    return swapped


def _quoted(item: str) -> str:
    return item if item.isalpha() or item == ";" else f'"{item}"'


@dataclass
class _Playing:
    """One match in a table without a server, whose people answer by the script."""

    game: Game
    hosted: HostedMatch
    script: Script
    hinted: Role
    streams: dict[str, list[str]]
    wants_hints: bool

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._followers = {audience: self.hosted.follow(audience) for audience in (PUBLIC, self.hinted)}
        self._turn = 0
        self._asked: dict[Role, Any] = {}
        self._states = [self.game.initial_state()]
        for joint_move in self.script.resolved:
            self._states.append(self._states[-1].play(joint_move))
        self.table: Table | None = None

    def send(self, news: dict[str, Any]) -> None:
        """What the worker does with news, and what people do then."""
        with self._lock:
            self.hosted.hear({"match": "x", **news})
            for audience, follower in self._followers.items():
                while follower.waiting:
                    self.streams[audience].append(follower._waiting.get_nowait() or "")
            if news["kind"] == "position":
                change = news["shown"][PUBLIC]["history"]
                self._turn = change["keep"] + len(change["add"])
                self._asked = {}
            if news["kind"] == "asked":
                self._asked[news["role"]] = news["asked"]
            is_ready = len(self._asked) == self._expected()
        assert self.table is not None
        if self._turn == len(self.script.chosen):
            self.table.stop()
        elif news["kind"] == "asked" and is_ready:
            if self.wants_hints and self.hinted in self._asked:
                self.table.hint(self.hinted, self._asked[self.hinted]["question"])
            else:
                self._answer()
        elif news["kind"] in {"hint", "note"}:
            self._answer()

    def _expected(self) -> int:
        """How many people are asked in this turn."""
        state = self._states[self._turn]
        least = 1 if state.is_race else 2
        return sum(len(state.legal_moves(role)) >= least for role in self.game.roles)

    def _answer(self) -> None:
        """All answer, the person who is examined first: in a race the others may be too late."""
        assert self.table is not None
        asked, chosen = self._asked, self.script.chosen[self._turn]
        for role in sorted(asked, key=lambda one: one != self.hinted):
            move = chosen.get(role, asked[role]["moves"][0]["move"])
            self.table.move(role, asked[role]["question"], move)


def streams(
    game: Game,
    script: Script,
    role: Role,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    hints: bool = False,
) -> Mapping[str, list[str]]:
    """All that the server sends to the role's person and to spectators, in one match with people on all seats."""
    folder.mkdir(parents=True)
    seed = len(list(folder.parent.iterdir()))  # each match has another one
    setup = Setup(game.name, True, {one: Seat(HUMAN, NO_CLOCK) for one in game.roles}, seed, undo=True)
    _freeze(monkeypatch, script)
    ticket = new_ticket("here", setup, {}, "")
    playing = _Playing(game, HostedMatch(ticket), script, role, {PUBLIC: [], role: []}, hints)
    playing.table = Table(setup, folder, playing.send, Queues(Slots(2)))
    playing.table.run(lambda: game)
    return playing.streams


def _freeze(monkeypatch: pytest.MonkeyPatch, script: Script) -> None:
    """Chance by the script, and all clocks and random numbers the same."""

    def resolve(seed: int, number: int, state: State, chosen: JointMove) -> JointMove:
        return script.resolved[number - 1]

    monkeypatch.setattr(referee_turn, "resolve_chance", resolve)
    monkeypatch.setattr(table, "new_number", lambda: 2**51)
    monkeypatch.setattr(table, "new_seed", lambda: 5)
    for module in (table, channel):
        monkeypatch.setattr(module.time, "time", lambda: 1.0)
