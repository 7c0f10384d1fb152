"""A game in the position editor: what can be put where, what is wrong with a position, and the rules from there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import ludens
from ludens.compiler.backends import make_game
from ludens.core import GameError, JointMove, LudensError
from ludens.drawing import draw
from ludens.drawing.drawing import role_names
from ludens.drawing.placing import Content, content_of, places_of
from ludens.games.set_up import rules_from
from ludens.gdl.game import GdlGame, GdlState
from ludens.gdl.interpreter.game import InterpretedGame
from ludens.gdl.read import read_rules
from ludens.gdl.source import GdlError
from ludens.gdl.terms import Term, is_ground, signature, sort_key
from ludens.gdl.write import kif
from ludens.web.editor.fields import Facts, Field, find_fields, sample_positions
from ludens.web.hosting.setup import HUMAN
from ludens.web.lab.diagnostics import NAME, diagnose, is_playable
from ludens.web.library.titles import POSITION
from ludens.web.replays.exploring import Exploration

_MOST_FACTS = 20_000
"""Facts that the page offers; if the rules declare more, only those that were seen in random matches."""
_MOST_WRONG = 6
_LONGEST_NAME = 40


class PositionEditor:
    """One game, and what its positions consist of."""

    def __init__(self, game: GdlGame, compilable: GdlGame) -> None:
        self.game = game
        self._compilable = compilable
        positions = sample_positions(game)
        self.start: Facts = positions[0]
        declared = game.declared_fluents()
        self._is_declared = 0 < len(declared) <= _MOST_FACTS
        seen = frozenset().union(*positions)
        self._facts = seen | declared if self._is_declared else seen
        self._fluents = {signature(fact) for fact in self._facts}
        self.fields = find_fields(self._facts, places_of(game, self._facts), positions)

    def read(self, texts: Sequence[str]) -> Facts:
        """The facts of a position, from their texts. Raises `GameError` for what is no fact of this game."""
        if len(texts) > _MOST_FACTS:
            raise GameError(f"a position has at most {_MOST_FACTS:,} facts")
        return frozenset(map(self._read_fact, texts))

    def _read_fact(self, text: str) -> Term:
        try:
            fact = self.game.read(text)
        except GdlError:
            raise GameError(f"{text[:80]} is not a fact") from None
        # Without declared fluents, play may lead to facts that no random match had.
        is_known = fact in self._facts if self._is_declared else is_ground(fact) and signature(fact) in self._fluents
        if not is_known:
            raise GameError(f"{text[:80]} cannot be true in this game")
        return fact

    # The page

    def as_json(self) -> dict[str, Any]:
        """What can be put where: the palette, the places, and the facts that lie on no place."""
        contents = self._contents()
        palette = [
            {"key": key, "label": _label(key, content), "svg": content.drawing.inline if content.name else None}
            for key, content in contents.items()
            if not content.is_blank
        ]
        return {
            "palette": sorted(palette, key=lambda entry: (entry["svg"] is None, self._seat(str(entry["key"])))),
            "places": self._places({key for key, content in contents.items() if content.is_blank}),
            "groups": self._groups(),
        }

    def _groups(self) -> list[dict[str, Any]]:
        """The fields that lie on no place, by fluent."""
        names = role_names(self.game)
        found: dict[str, list[dict[str, Any]]] = {}
        for field in self.fields:
            if not field.spot:
                options = [
                    [kif(fact), " ".join(names.get(word, word) for word in value.split(" "))]
                    for fact, value in field.options
                ]
                name = field.name.removeprefix(field.fluent).strip()
                found.setdefault(field.fluent, []).append(
                    {"name": name, "is_needed": field.is_needed, "options": options}
                )
        return [{"fluent": fluent.replace("_", " "), "fields": fields} for fluent, fields in found.items()]

    def _seat(self, key: str) -> int:
        """The number of the role whose piece a key names; others come last."""
        words, roles = re.split("[ _]", key), self.game.roles
        return next((seat for seat, role in enumerate(roles) if role in words), len(roles))

    def _contents(self) -> dict[str, Content]:
        """Each thing that can lie on a place, by its key, and its drawing."""
        found: dict[str, Content] = {}
        for field in self.fields:
            for fact, value in field.options:
                key = _key(field, value)
                if field.spot and key not in found:
                    found[key] = content_of(self.game, fact, field.spot)
        return found

    def _places(self, blanks: set[str]) -> dict[str, list[dict[str, Any]]]:
        """The fields of each place: the fact of each content, and the one that says that the place is empty."""
        found: dict[str, list[dict[str, Any]]] = {}
        for field in self.fields:
            if field.spot:
                facts = {_key(field, value): kif(fact) for fact, value in field.options}
                blank = next((fact for key, fact in facts.items() if key in blanks), None)
                found.setdefault(field.spot, []).append({"facts": facts, "blank": blank})
        return found

    # One position

    def look(self, facts: Facts, steps: Sequence[JointMove]) -> dict[str, Any]:
        """The position after some moves: its drawings, its facts, its moves and what is wrong with it."""
        exploration = Exploration(self.game, self.game.state(facts), steps)
        state = exploration.state
        assert isinstance(state, GdlState)
        return exploration.as_json() | {
            "by_place": draw(self.game, state, by_place=True).inline,
            "facts": [kif(fact) for fact in sorted(state.facts, key=sort_key)],
            "wrong": self.wrong(state),
        }

    def wrong(self, state: GdlState) -> list[str]:
        """Why a position cannot be played, in sentences; empty if it can."""
        found = [*self._wrong_fields(state.facts)]
        if state.is_terminal:
            found.append("the match is over in this position")
        else:
            found += [f"{role} has no legal move" for role in self.game.role_terms if not state.legal_moves(role)]
        more = len(found) - _MOST_WRONG
        return [*found[:_MOST_WRONG], f"and {more} more"] if more > 1 else found

    def _wrong_fields(self, facts: Facts) -> Iterator[str]:
        for field in self.fields:
            true = [value for fact, value in field.options if fact in facts]
            if len(true) > 1:
                yield f"{field.name} has several values: {', '.join(true)}"
            elif field.is_needed and not true:
                yield f"{field.name} has no value"

    def match(self, facts: Facts, name: str) -> dict[str, Any]:
        """The match that begins in a position, as the form of Play describes it: the rules from there, and a person in
        the seat that moves first. Raises `GameError` if the position cannot be played."""
        state = self._playable(facts)
        origin = name.partition("@")[0]
        stem = re.sub(r"[^a-z0-9_]", "_", origin.partition(":")[0].lower())
        stem = stem if stem[:1].isalpha() else f"game_{stem}"
        roles = self.game.roles
        first = next((role for role in roles if len(state.legal_moves(role)) > 1), roles[0])
        return {
            "game": stem[: _LONGEST_NAME - len(POSITION)] + POSITION,
            "rules": rules_from(self.game.sheet, facts, origin),
            "seats": {role: {"player": HUMAN if role == first else "auto"} for role in roles},
            "undo": not self.game.hidden,
        }

    def thinking(self, facts: Facts) -> Iterator[dict[str, Any]]:
        """What a search thinks of a position, as it goes on."""
        state = self._playable(facts)
        if not self.game.hidden:
            return Exploration(self.game, state, ()).thinking(self._compilable)
        # What roles know begins with the initial state, so the match has to begin here.
        sheet = read_rules(rules_from(self.game.sheet, facts, self.game.name), name=NAME)
        game = InterpretedGame(sheet, NAME)
        return Exploration(game, game.initial_state(), ()).thinking(make_game(sheet, NAME))

    def _playable(self, facts: Facts) -> GdlState:
        state = self.game.state(facts)
        if wrong := self.wrong(state):
            raise GameError(f"this position cannot be played: {wrong[0]}")
        return state


def _key(field: Field, value: str) -> str:
    """What a field contains, wherever it is: the same for all squares with a white pawn."""
    return f"{field.fluent} {value}".rstrip()


def _label(key: str, content: Content) -> str:
    fluent, _, value = key.partition(" ")
    return content.name or value or fluent.replace("_", " ")


@lru_cache(maxsize=4)
def editor_of(name: str, text: str | None) -> PositionEditor:
    """The editor of a game of the library, or of a client's own rules; kept, since every click asks for it."""
    if text is not None:
        sheet, problems = diagnose(text)
        if sheet is None or not is_playable(problems):
            raise LudensError("the rules have errors; correct them first")
        return PositionEditor(InterpretedGame(sheet, NAME), make_game(sheet, NAME))
    game, compilable = ludens.load(name, backend="interpreter"), ludens.load(name)
    if not isinstance(game, GdlGame) or not isinstance(compilable, GdlGame):
        raise GameError(f"{name} has no rules in GDL, which the position editor needs")
    return PositionEditor(game, compilable)
