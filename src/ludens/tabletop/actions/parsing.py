"""Parses actions from the text of `Action.describe`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludens.tabletop.actions.basic import Action, Del, Do, Mark, Owner, Pass, Set
from ludens.tabletop.actions.moving import Distribute, Move, Sort
from ludens.tabletop.actions.randomness import Roll, Shuffle
from ludens.tabletop.actions.result import FinishPlay
from ludens.tabletop.actions.telling import Refuse, Show, Tell
from ludens.tabletop.actions.wording import KEYWORDS, tokens, unquote, value_of
from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.equipment import Dice, Element, Place, Score
from ludens.tabletop.table import Table


def parse_action(text: str, table: Table) -> Action:
    """The action of a text such as ``move X to A1 + mark chips +10``. Raises `RuleError` if it is none."""
    parts: list[list[str]] = [[]]
    for token in tokens(text):
        if token == "+":
            parts.append([])
        else:
            parts[-1].append(token)
    action = _Part(parts[0], text, table).read()
    for part in parts[1:]:
        action += _Part(part, text, table).read()
    return action


class _Part:
    """The words of one action."""

    def __init__(self, words: list[str], text: str, table: Table) -> None:
        self._words = words
        self._text = text
        self._table = table
        self._readers: dict[str, Callable[[], Action]] = {
            "pass": Pass,
            "move": self._move,
            "do": self._do,
            "mark": self._mark,
            "finish": self._finish,
            "set": self._set,
            "del": self._del,
            "distribute": self._distribute,
            "sort": self._sort,
            "shuffle": lambda: Shuffle(self._place()),
            "roll": self._roll,
            "show": lambda: Show(self._elements(), self._recipients()),
            "tell": self._tell,
            "refuse": self._refuse,
        }

    def read(self) -> Action:
        verb = self._next()
        reader = self._readers.get(verb)
        if reader is None:
            raise self._error(f"{verb!r} is no action; actions are {', '.join(self._readers)}")
        action = reader()
        if self._words:
            raise self._error(f"{self._words[0]!r} is left over")
        return action

    # Words

    def _next(self) -> str:
        if not self._words:
            raise self._error("something is missing at the end")
        return self._words.pop(0)

    def _accept(self, keyword: str) -> bool:
        if self._words[:1] == [keyword]:
            del self._words[0]
            return True
        return False

    def _names(self) -> list[str]:
        found = []
        while self._words and self._words[0] not in KEYWORDS:
            found.append(unquote(self._next()))
        return found

    def _error(self, problem: str) -> RuleError:
        return RuleError(f"{self._text!r} is not an action: {problem}")

    # Equipment

    def _place(self) -> Place:
        return self._table.place(unquote(self._next()))

    def _marker(self) -> Score | Dice:
        name = unquote(self._next())
        found: Score | Dice | None = self._table.inventory.named["marker"].get(name)
        if found is None:
            raise self._error(f"there is no score and there are no dice called {name!r}")
        return found

    def _elements(self) -> list[Element]:
        found: list[Element] = []
        for name in self._names():
            same = [one for one in self._table.inventory.named["element"].get(name, ()) if one not in found]
            if not same:
                raise self._error(f"there is no element {name!r} left")
            found.append(same[0])
        return found

    def _owner(self) -> Owner:
        if self._accept("table"):
            return None
        if self._accept("player"):
            return unquote(self._next())
        name = unquote(self._next())
        named = self._table.inventory.named
        for kind in ("place", "marker"):
            if name in named[kind]:
                found: Place | Score | Dice = named[kind][name]
                return found
        if name not in named["element"]:
            raise self._error(f"there is no equipment {name!r}")
        element: Element = named["element"][name][0]
        return element

    def _recipients(self) -> list[str] | None:
        if not self._accept("to"):
            raise self._error("it needs 'to' and who")
        return None if self._accept("all") else self._names()

    # Actions

    def _move(self) -> Action:
        count: int | None = 1
        elements: list[Element] = []
        if self._accept("all"):
            count = None
        elif self._words and self._words[0].isdecimal():
            count = self._count()
        else:
            elements = self._elements()
        source = self._place() if self._accept("from") else None
        if not self._accept("to"):
            raise self._error("a move needs 'to' and a place")
        to = self._place()
        if elements:
            return Move(elements if len(elements) > 1 else elements[0], to, source=source)
        if source is None:
            raise self._error("a move of some elements needs 'from' and a place")
        return Move(source, to, count=count)

    def _do(self) -> Action:
        game = self._table.inventory.game
        name = self._next()
        method = getattr(game.rule, name, None) if game is not None and not name.startswith("_") else None
        if not callable(method):
            raise self._error(f"the rule has no method {name!r}")
        arguments = []
        while self._words:
            arguments.append(self._argument(self._next()))
        return Do(method, *arguments)

    def _argument(self, token: str) -> Any:
        named = self._table.inventory.named
        name = unquote(token)
        if token[:1] == '"' or not token[:1].isdigit():  # a bare number is a value, whatever places are called
            for kind in ("place", "marker"):
                if name in named[kind]:
                    return named[kind][name]
            if name in named["element"]:
                return named["element"][name][0]
        return value_of(token)

    def _mark(self) -> Action:
        score = self._marker()
        if isinstance(score, Dice):
            raise self._error(f"{score} is no score")
        return Mark(score, self._number())

    def _finish(self) -> Action:
        found: dict[str, Any] = {}
        while self._words:
            match self._next():
                case "winners" | "losers" as who:
                    found[who] = self._names()
                case "draw":
                    found["draw"] = True
                case "ranks":
                    ranks: list[list[str]] = [[]]
                    for name in self._names():
                        if name == "|":
                            ranks.append([])
                        else:
                            ranks[-1].append(name)
                    found["ranks"] = ranks
                case "points":
                    found["points"] = self._points()
                case other:
                    raise self._error(f"a play does not finish with {other!r}")
        return FinishPlay(**found)

    def _points(self) -> dict[str, float]:
        points: dict[str, float] = {}
        while self._words and self._words[0] not in KEYWORDS:
            name = unquote(self._next())
            points[name] = self._number()
        return points

    def _number(self) -> float:
        value = value_of(self._next())
        if not isinstance(value, int | float):
            raise self._error(f"{value!r} is not a number")
        return value

    def _set(self) -> Action:
        of = self._owner()
        values: dict[str, Any] = {}
        while self._words:
            name = self._next()
            values[name] = value_of(self._next())
        return Set(of, **values)

    def _del(self) -> Action:
        of = self._owner()
        names, self._words = self._words, []
        return Del(of, *names)

    def _distribute(self) -> Action:
        source = self._place()
        if not self._accept("to"):
            raise self._error("it needs 'to' and places")
        targets = [self._table.place(name) for name in self._names()]
        return Distribute(source, targets, self._count() if self._accept("each") else None)

    def _sort(self) -> Action:
        place = self._place()
        if not self._accept("by"):
            raise self._error("it needs 'by' and attributes")
        return Sort(place, *self._names())

    def _roll(self) -> Action:
        dice = self._marker()
        if isinstance(dice, Score):
            raise self._error(f"{dice} is a score, and only dice are rolled")
        count = self._count() if self._words and self._words[0] != "keep" else None
        kept = [value_of(self._next()) for _ in list(self._words)] if self._accept("keep") else []
        return Roll(dice, count, keep=kept)

    def _count(self) -> int:
        word = self._next()
        if not (word.isascii() and word.isdecimal() and len(word) < 6):
            raise self._error(f"{word!r} is not a count")
        return int(word)

    def _tell(self) -> Action:
        return Tell(unquote(self._next()), self._recipients())

    def _refuse(self) -> Action:
        reason = unquote(self._next())
        return Refuse(reason, self._place() if self._accept("at") else None)
