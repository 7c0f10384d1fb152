"""Actions with chance: Shuffle and Roll. Their outcomes are drawn, enumerated, formatted and parsed."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ludens.core import TooManyOutcomesError
from ludens.tabletop import knowledge
from ludens.tabletop.actions.basic import Action
from ludens.tabletop.actions.wording import tokens, unquote, value_word, word, words
from ludens.tabletop.errors import RuleError
from ludens.tabletop.material.equipment import Dice, Element, Place
from ludens.tabletop.table import Table

Outcome = tuple[Any, ...]
"""An outcome of chance: elements in their new order, or what dice show."""


class ChanceAction(Action):
    """An action whose effect is drawn at random."""

    __slots__ = ()
    is_chance = True

    def do(self, table: Table) -> None:
        """Raise `RuleError`: chance has to be resolved first."""
        raise RuleError(
            f"{self.describe()!r} is chance, which is drawn before an action is done, so neither a method called by Do "
            "nor a look-ahead can add it: put it beside the Do, or into a stage of its own that has no other action"
        )

    @abstractmethod
    def do_with(self, table: Table, outcome: Outcome) -> None:
        """Do it with this outcome."""

    @abstractmethod
    def draw(self, table: Table, rng: Random) -> Outcome:
        """An outcome drawn at random."""

    @abstractmethod
    def outcomes(self, table: Table, limit: int) -> Sequence[tuple[float, Outcome]]:
        """All outcomes with their probabilities. Raises `TooManyOutcomesError` beyond a limit."""

    @abstractmethod
    def outcome_text(self, outcome: Outcome) -> str:
        """An outcome as text."""

    @abstractmethod
    def parse_outcome(self, text: str, table: Table) -> Outcome:
        """The outcome of a text. Raises `RuleError` if it is none."""


class Shuffle(ChanceAction):
    """Shuffle what lies at a place."""

    __slots__ = ("place",)

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place

    def do_with(self, table: Table, outcome: Outcome) -> None:
        """Lay the elements in their new order."""
        if table.inventory.is_hidden and not table.is_light:
            knowledge.note_shuffle(table, self.place)
        table.write(table.contents, self.place.index, outcome)

    def draw(self, table: Table, rng: Random) -> Outcome:
        """A random order; elements of one name lie as `parse_outcome` would lay them."""
        lying = list(table.contents[self.place.index])
        shuffled = rng.sample(lying, len(lying))
        same: dict[str, list[Element]] = {}
        for element in lying:
            same.setdefault(element.name, []).append(element)
        if len(same) == len(lying):
            return tuple(shuffled)
        return tuple(same[element.name].pop(0) for element in shuffled)

    def outcomes(self, table: Table, limit: int) -> Sequence[tuple[float, Outcome]]:
        """All orders."""
        lying = table.contents[self.place.index]
        if math.factorial(min(len(lying), 20)) > limit:
            raise TooManyOutcomesError(f"{len(lying)} elements have more than {limit} orders")
        orders = list(itertools.permutations(lying))
        return [(1 / len(orders), order) for order in orders]

    def outcome_text(self, outcome: Outcome) -> str:
        """The names in their new order, the top last."""
        return words(outcome)

    def parse_outcome(self, text: str, table: Table) -> Outcome:
        """Elements of these names, which must be those that lie there."""
        lying: dict[str, list[Element]] = {}
        for element in table.contents[self.place.index]:
            lying.setdefault(element.name, []).append(element)
        found = [lying[name].pop(0) for token in tokens(text) if lying.get(name := unquote(token))]
        if len(found) != len(table.contents[self.place.index]):
            raise RuleError(f"{text!r} does not name what lies at {self.place}, each once")
        return tuple(found)

    def short(self, table: Table) -> str:
        """The word ``shuffle``."""
        return "shuffle"

    def describe(self) -> str:
        """``shuffle deck``."""
        return f"shuffle {word(self.place)}"


class Roll(ChanceAction):
    """Roll some dice, all of them unless ``count`` says how many, or ``keep`` names faces that stay:
    ``Roll(dice, keep=(5, 5))`` rolls three of five dice again, and they show two fives and what was rolled."""

    __slots__ = ("count", "dice", "kept")

    def __init__(self, dice: Dice, count: int | None = None, *, keep: Sequence[Any] = ()) -> None:
        self.name = self.goes_to = ""
        if not isinstance(dice, Dice):
            raise RuleError(f"Roll takes Dice of the table, not {dice!r}")
        self.dice = dice
        self.kept = _checked(dice, keep) if keep else ()
        self.count = dice.count - len(self.kept) if count is None else count

    def do_with(self, table: Table, outcome: Outcome) -> None:
        """Set the dice to what was kept and the outcome."""
        table.write(table.values, self.dice.index, self.dice.shown((*self.kept, *outcome)) if self.kept else outcome)

    def draw(self, table: Table, rng: Random) -> Outcome:
        """A random roll."""
        return self.dice.shown([rng.choice(self.dice.faces) for _ in range(self.count)])

    def outcomes(self, table: Table, limit: int) -> Sequence[tuple[float, Outcome]]:
        """All rolls with their probabilities."""
        total = len(self.dice.faces) ** self.count
        if total > max(limit, 1) * math.factorial(self.count):
            raise TooManyOutcomesError(f"{self.count} dice can fall in more than {limit} ways")
        counts = Counter(self.dice.shown(faces) for faces in itertools.product(self.dice.faces, repeat=self.count))
        if len(counts) > limit:
            raise TooManyOutcomesError(f"{self.count} dice can fall in {len(counts)} ways, more than {limit}")
        return [(count / total, faces) for faces, count in counts.items()]

    def outcome_text(self, outcome: Outcome) -> str:
        """What they show."""
        return " ".join(map(str, outcome))

    def parse_outcome(self, text: str, table: Table) -> Outcome:
        """What they show, read back."""
        faces = {str(face): face for face in self.dice.faces}
        shown = text.split()
        if len(shown) != self.count or not all(face in faces for face in shown):
            raise RuleError(f"{text!r} is not what {self.count} dice with {', '.join(faces)} can show")
        return self.dice.shown([faces[face] for face in shown])

    def short(self, table: Table) -> str:
        """The word ``roll``, or what is kept: ``keep 5 5``."""
        return f"keep {' '.join(map(str, self.kept))}" if self.kept else "roll"

    def describe(self) -> str:
        """``roll dice``, ``roll dice 2``, ``roll dice keep 5 5``."""
        count = "" if self.count == self.dice.count - len(self.kept) else f" {self.count}"
        kept = "".join(f" {value_word(face)}" for face in self.kept)
        return f"roll {word(self.dice)}{count}{f' keep{kept}' if kept else ''}"


def _checked(dice: Dice, keep: Sequence[Any]) -> Outcome:
    """The faces that dice may keep. Raises `RuleError` if they may not."""
    if dice.is_ordered:
        raise RuleError(f"{dice.name} are ordered, so faces do not say which dice to keep; make each die its own Dice")
    if strange := [face for face in keep if face not in dice.faces]:
        raise RuleError(f"{dice.name} cannot keep {strange[0]!r}, which is no face of them")
    if len(keep) > dice.count:
        raise RuleError(f"{dice.name} cannot keep {len(keep)} faces: there are {dice.count} dice")
    return tuple(keep)


def draw_and_do(action: Action, table: Table, rng: Random) -> list[Outcome]:
    """Do an action, drawing the outcome of each part when its turn comes; returns the outcomes."""
    drawn: list[Outcome] = []
    for part in action.parts:
        if isinstance(part, ChanceAction):
            outcome = part.draw(table, rng)
            part.do_with(table, outcome)
            drawn.append(outcome)
        else:
            part.do(table)
    return drawn


def all_outcomes(action: Action, table: Table, limit: int) -> Iterator[tuple[float, tuple[Outcome, ...]]]:
    """All outcomes of an action with their probabilities; the table is left unchanged."""
    yield from _branches(action.parts, 0, table, limit)


def _branches(
    parts: Sequence[Action], at: int, table: Table, limit: int
) -> Iterator[tuple[float, tuple[Outcome, ...]]]:
    mark = table.mark()
    while at < len(parts) and not isinstance(parts[at], ChanceAction):
        parts[at].do(table)
        at += 1
    if at == len(parts):
        table.roll_back(mark)
        yield 1.0, ()
        return
    part = parts[at]
    assert isinstance(part, ChanceAction)
    for probability, outcome in part.outcomes(table, limit):
        here = table.mark()
        part.do_with(table, outcome)
        for rest, outcomes in _branches(parts, at + 1, table, limit):
            yield probability * rest, (outcome, *outcomes)
        table.roll_back(here)
    table.roll_back(mark)


SEPARATOR = " = "
"""Separates a move from its outcome of chance."""
CHANCES = " ; "
"""Separates several outcomes of one move."""


def outcomes_text(action: Action, outcomes: Sequence[Outcome]) -> str:
    """The outcomes as text, as appended to the move."""
    chances = [part for part in action.parts if isinstance(part, ChanceAction)]
    return CHANCES.join(part.outcome_text(outcome) for part, outcome in zip(chances, outcomes, strict=True))


def do_with_text(action: Action, table: Table, text: str) -> list[Outcome]:
    """Do an action with outcomes given as text, each read when its turn comes; returns the outcomes."""
    left = [part.strip() for part in text.split(CHANCES)]
    chances = sum(isinstance(part, ChanceAction) for part in action.parts)
    if len(left) != chances:
        raise RuleError(f"{text!r} has {len(left)} outcomes, and {chances} are needed, with ' ; ' between them")
    read: list[Outcome] = []
    for part in action.parts:
        if isinstance(part, ChanceAction):
            outcome = part.parse_outcome(left[len(read)], table)
            part.do_with(table, outcome)
            read.append(outcome)
        else:
            part.do(table)
    return read
