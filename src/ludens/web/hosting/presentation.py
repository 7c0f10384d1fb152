"""The presentation of a match: each person sees what their role knows, spectators what is public.

Only here do views become messages, so this module is what keeps secrets.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ludens.core import Decision, Game, GameError, LudensError, Move, Role, State, Thinking, View
from ludens.drawing import clicks, draw
from ludens.drawing.drawing import role_names
from ludens.drawing.material import material
from ludens.drawing.notation import is_wait, writer_of
from ludens.drawing.percept_text import told
from ludens.drawing.readers import Reader, keep_reader, new_reader, read_quickly
from ludens.games.endings import cause_of_end
from ludens.referee import PlayerFailed, TakenBack, TurnPlayed
from ludens.referee.events import NOTES
from ludens.referee.handle import AT_RANDOM, BEST_SO_FAR
from ludens.tabletop import TabletopState
from ludens.tabletop.hidden.view import PublicView
from ludens.web.thinking import LINE, thinking_as_json

PUBLIC = ""
"""The audience of spectators; all others are named after their role."""
_NOTHING_PUBLIC = "Hidden information is not shown to spectators; the replay shows it after the match."
_NUMBER = re.compile(r"([0-9]+)")
_QUICK_SECONDS, _LATER_SECONDS = 0.15, 10.0
"""CPU seconds of random play from which drawings are inferred: before the first one, and while people look at it."""


class Presentation:
    """Turns the events of one match into messages for each audience."""

    def __init__(self, game: Game, people: Sequence[Role]) -> None:
        self._game = game
        self._audiences = (PUBLIC, *people)
        self._entries: dict[str, list[dict[str, Any]]] = {audience: [] for audience in self._audiences}
        self._sent = 0
        self._state = game.initial_state()
        self._last: list[Move] = []
        self._is_provisional = read_quickly(game, _QUICK_SECONDS)
        self._better: Reader | None = None
        self._writer = writer_of(game)
        self._searched: tuple[State | None, Role, Mapping[Move, tuple[str, ...]], Mapping[Move, str]] = None, "", {}, {}
        self._line: tuple[State | None, Sequence[Move], list[str]] = None, (), []

    def turn(self, event: TurnPlayed) -> None:
        """Add a turn to the histories."""
        for audience in self._audiences:
            entry = self._history_entry(event, audience)
            errors = [failed for failed in event.failures if failed.kind not in NOTES]
            if self._game.hidden:  # that another role was asked at all may be secret
                errors = [failed for failed in errors if failed.role == audience]
            if errors:
                entry["errors"] = [_error_text(failed) for failed in errors]
            self._entries[audience].append({"turn": event.id, **entry})
        self._last = [] if self._game.hidden else [move for _, move in self._chosen_moves(event)]
        self._state = event.state

    def take_back(self, event: TakenBack) -> None:
        """Remove the turns after a turn from the histories."""
        for entries in self._entries.values():
            while entries and entries[-1]["turn"] > event.turn:
                entries.pop()
        self._sent = min(self._sent, len(self._entries[PUBLIC]))
        self._last = []
        self._state = event.state

    def position(self, state: State) -> dict[str, Any]:
        """What each audience sees now, and what was added to its history since the last time."""
        keep, self._sent = self._sent, len(self._entries[PUBLIC])
        if self._better is not None:
            keep_reader(self._game, self._better)
            self._better = None
        shown = {
            audience: {
                **self._picture(state, audience),
                "to_move": self._to_move(state),
                "over": state.is_terminal,
                "names": role_names(self._game),
                "material": self._material(state),
                "history": {"keep": keep, "add": self._entries[audience][keep:]},
            }
            for audience in self._audiences
        }
        if self._is_provisional:
            self._is_provisional = False
            _in_background(self._read_better)
        return shown

    def _read_better(self) -> None:
        """Infer how to draw from longer random play, for the next position: those that are shown are being clicked."""
        with contextlib.suppress(LudensError):  # the rules fail in some position
            self._better = new_reader(self._game, _LATER_SECONDS)

    def _material(self, state: State) -> list[dict[str, Any]]:
        try:
            return material(self._game, state)
        except GameError:  # it cannot be drawn
            return []

    def moves(self, view: View) -> list[dict[str, Any]]:
        """A person's legal moves, with the spots to click."""
        spots = clicks_or_nothing(self._game, view, view.legal_moves)
        texts = self._writer.texts(view)
        return [
            {"move": move, "label": texts[move], "spots": spots.get(move, ())}
            for move in (sorted(view.legal_moves, key=_by_numbers) if self._game.hidden else view.legal_moves)
        ]

    def hint(self, view: View, decision: Decision) -> dict[str, Any]:
        """An adviser's decision, for the person who asked. Where something is hidden, how long it took to compute is
        left out, since the numbers of states to think of may be secret."""
        spots = clicks_or_nothing(self._game, view, view.legal_moves).get(decision.move, ())
        value = decision.thinking.value
        hint = {
            "move": decision.move,
            "label": self._writer.texts(view).get(decision.move, decision.move),
            "spots": spots,
            "value": None if value is None else round(value),
        }
        return hint if self._game.hidden else hint | {"iterations": decision.thinking.iterations}

    def thinking(self, state: State, role: Role, thinking: Thinking) -> dict[str, Any]:
        """The state of a search, for games without hidden information."""
        if self._searched[0] is not state or self._searched[1] != role:
            view = state.view(role)
            spots = clicks_or_nothing(self._game, view, view.legal_moves)
            self._searched = state, role, spots, self._writer.texts(view)
        _, _, spots, texts = self._searched
        return thinking_as_json(role, thinking, self._line_of(state, thinking.line[:LINE]), texts, spots)

    def _history_entry(self, event: TurnPlayed, audience: str) -> dict[str, Any]:
        if not self._game.hidden:
            return {
                "moves": [
                    [role, self._writer.text(self._state, role, move, event.state)]
                    for role, move in self._chosen_moves(event)
                ]
            }
        if audience == PUBLIC:
            return {"moves": []}
        chosen, perceived = event.chosen.get(audience), told(self._game, event.percepts.get(audience, ()))
        is_shown = chosen is not None and not is_wait(self._state, audience, chosen)
        moves = [[audience, self._text(audience, chosen)]] if chosen is not None and is_shown else []
        moves += [[role, move] for role, move in perceived.moves if not (is_shown and role == audience)]
        return {"moves": moves, "percepts": perceived.sentences}

    def _text(self, role: Role, move: Move) -> str:
        """A move in the last position, for the role that makes it."""
        return self._writer.text(self._state, role, move)

    def _line_of(self, state: State, moves: Sequence[Move]) -> list[str]:
        """The texts of a line of play, kept while the search does not change its mind."""
        if self._line[0] is not state or self._line[1] != moves:
            self._line = state, moves, self._writer.line(state, moves)
        return self._line[2]

    def _chosen_moves(self, event: TurnPlayed) -> list[tuple[Role, Move]]:
        return [(role, move) for role, move in event.joint_move.items() if not is_wait(self._state, role, move)]

    def _to_move(self, state: State) -> list[Role]:
        """The roles with a choice; none with hidden information, where that may be secret."""
        if self._game.hidden or state.is_terminal:
            return []
        return [role for role in self._game.roles if len(state.legal_moves(role)) > 1]

    def _picture(self, state: State, audience: str) -> dict[str, Any]:
        seen = self._visible_position(state, audience)
        role = audience if audience != PUBLIC else None
        if seen is None:
            return {"svg": "", "text": _NOTHING_PUBLIC}
        try:
            drawing = draw(self._game, seen, role=role, last=self._last)
        except GameError:
            return {"svg": "", "text": "" if self._game.hidden else str(state)}
        return {"svg": drawing.inline, "text": drawing.text}

    def _visible_position(self, state: State, audience: str) -> View | State | None:
        """The view that may be drawn; None if nothing may.

        Spectators do not get what all roles know: that others know it too may be news to a role.
        """
        if audience != PUBLIC:
            return state.view(audience)
        if not self._game.hidden:
            return state
        return PublicView(state) if isinstance(state, TabletopState) else None


def _in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="reader", daemon=True).start()


def drawn_cause(state: State) -> str:
    """Why a match is over, with the roles called as they are drawn; empty if it is unknown, not over, or if the reason
    could be a secret."""
    cause = cause_of_end(state) if state.is_terminal and not state.game.hidden else ""
    names = role_names(state.game)
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), cause)


def clicks_or_nothing(game: Game, view: View, moves: Sequence[Move]) -> Mapping[Move, tuple[str, ...]]:
    """The spots of moves; none if the position cannot be drawn."""
    try:
        return clicks(game, view, moves)
    except GameError:
        return {}


def _by_numbers(move: Move) -> list[tuple[bool, int, str]]:
    """The order of moves where something is hidden: the game's own may depend on what the role does not know, such as
    the order in which cards were dealt."""
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in _NUMBER.split(move) if part]


def _error_text(failure: PlayerFailed) -> str:
    """The failure of a player without its reason, which may name a secret move or paths of this machine."""
    how = AT_RANDOM if failure.substituted else BEST_SO_FAR
    return f"{failure.role}: {failure.kind}, {how}"
