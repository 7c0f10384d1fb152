"""Merge equivalent positions of a subgame into classes.

Two positions are equivalent if the same concepts hold in both and whatever can be done in one, step by step, can be
done in the other (bisimulation). In the paper's terms, they have the same sets of turn-move sequences, up to the names
of moves. Symmetric positions are equivalent, and so are all that can no longer matter. Playing with classes instead of
positions is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludens.analysis.subgames.local import ILLEGAL, LocalGame
from ludens.analysis.subgames.local_rules import Numbers

MOST_ROUNDS = 60
"""The most rounds of splitting classes before giving up."""


@dataclass(frozen=True)
class Options:
    """The options of the role that chooses in a subgame in one phase, without the names of moves."""

    source: Numbers
    """Positions, in order."""
    target: Numbers
    """The position that each leads to."""
    idle: Numbers | None
    """The position that each becomes when the role acts elsewhere; None if it always acts here too."""


def free_options(local: LocalGame, number: int) -> Options:
    """The options in a phase in which one role chooses and acts in one subgame."""
    phase = local.phases[number]
    sources, targets = [], []
    idle = None
    for combination, after in zip(phase.joint, local.transitions[number], strict=True):
        if all(phase.actions[role][action].is_idle for role, action in enumerate(combination)):
            idle = after
            continue
        where = np.flatnonzero(after != ILLEGAL)
        sources.append(where)
        targets.append(after[where])
    if not sources:
        nothing = np.zeros(0, np.int32)
        return Options(nothing, nothing, idle)
    source = np.concatenate(sources).astype(np.int32)
    target = np.concatenate(targets).astype(np.int32)
    order = np.lexsort((target, source))
    return Options(source[order], target[order], idle)


class Quotient:
    """The classes of a subgame's positions."""

    def __init__(self, local: LocalGame, *, free: bool) -> None:
        self.local = local
        self.free = free
        """True if the names of moves do not matter: one role chooses, and a move acts in one subgame."""
        self.options = [free_options(local, number) for number in range(len(local.phases))] if free else []
        values = {value: n for n, value in enumerate(dict.fromkeys(local.values))}
        first = np.array([values[value] for value in local.values], np.int64)
        self.class_of: NDArray[np.int64] = self._refine(first)
        """The class of each position."""
        _, self.members = np.unique(self.class_of, return_index=True)
        """A position of each class."""
        if free and not self._is_exact():
            raise AssertionError("different positions were merged")
        self.values = [local.values[position] for position in self.members.tolist()]
        """For each class the concepts that hold in it, as bits."""

    def __len__(self) -> int:
        return len(self.members)

    def _refine(self, classes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Split classes until all members of each have the same options."""
        rng = np.random.default_rng(0)
        count = int(classes.max()) + 1
        for _ in range(MOST_ROUNDS):
            columns = [classes]
            weights = rng.integers(1, 2**62, (2, count), np.int64)
            if self.free:
                for options in self.options:
                    columns += self._free_columns(options, classes, weights)
            else:
                columns += self._labelled_columns(classes)
            new = _number_rows(columns)
            found = int(new.max()) + 1
            if found == count:
                return new
            classes, count = new, found
        return np.arange(len(classes))  # each position as its own class is always correct

    def _free_columns(
        self, options: Options, classes: NDArray[np.int64], weights: NDArray[np.int64]
    ) -> list[NDArray[np.int64]]:
        """For each position a fingerprint of the set of classes that can be reached, and the class when idle."""
        pairs = _pairs(options, classes)
        columns = []
        for weight in weights:
            total = np.zeros(len(classes), np.int64)
            np.add.at(total, pairs[:, 0], weight[pairs[:, 1]])
            columns.append(total)
        if options.idle is not None:
            columns.append(np.where(options.idle == ILLEGAL, ILLEGAL, classes[options.idle]))
        return columns

    def _labelled_columns(self, classes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """For each position what is legal, and the class that each combination of actions leads to."""
        columns = []
        for number, phase in enumerate(self.local.legal):
            columns += [flags.astype(np.int64) for own in phase for flags in own]
            for after in self.local.transitions[number]:
                columns.append(np.where(after == ILLEGAL, ILLEGAL, classes[after]))
        return columns

    def _is_exact(self) -> bool:
        """Whether all members of each class reach the same classes: each as many as all of them together."""
        for options in self.options:
            pairs = _pairs(options, self.class_of)
            each = np.bincount(pairs[:, 0], minlength=len(self.class_of))
            whole = np.unique(np.stack([self.class_of[pairs[:, 0]], pairs[:, 1]], axis=1), axis=0)
            together = np.bincount(whole[:, 0], minlength=len(self.members))
            if (each != together[self.class_of]).any():
                return False
        return True

    def targets(self, number: int) -> list[list[int]]:
        """For each class the classes that the role that chooses in a phase can reach."""
        pairs = _pairs(self.options[number], self.class_of)
        chosen = np.zeros(len(self.class_of), np.bool_)
        chosen[self.members] = True
        found: list[list[int]] = [[] for _ in self.members]
        for source, target in pairs[chosen[pairs[:, 0]]].tolist():
            found[self.class_of[source]].append(target)
        return found

    def idle_classes(self, number: int) -> list[int]:
        """For each class its class after a phase in which the role acts elsewhere; `ILLEGAL` if it cannot."""
        after = self.options[number].idle
        if after is None:
            return [ILLEGAL] * len(self.members)
        return [ILLEGAL if after[n] == ILLEGAL else int(self.class_of[after[n]]) for n in self.members.tolist()]


def _number_rows(columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Number rows, equal rows equally. Folding column by column is ten times as fast as sorting rows."""
    found = columns[0]
    for column in columns[1:]:
        _, small = np.unique(column, return_inverse=True)
        _, found = np.unique(found * (int(small.max()) + 1) + small, return_inverse=True)
    return found.astype(np.int64)


def _pairs(options: Options, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions and the classes that can be reached from them, each pair once."""
    count = int(classes.max()) + 1
    codes = np.unique(options.source.astype(np.int64) * count + classes[options.target])
    return np.stack([codes // count, codes % count], axis=1)
