"""Regret minimisation and best responses on a `GameTree`, in machine code (`source/regrets.cpp`)."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Thread
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludens.compiler.native.bitcode import Library
from ludens.core.process import address_of_yield, processors
from ludens.players.equilibrium.tree import Array, GameTree

Values = NDArray[np.float64]

_NODES_PER_THREAD = 20_000
"""With fewer, threads wait for each other more than they save."""


class _Tree(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, ctypes.c_int64) for name in ("nodes", "sets", "actions", "roles")),
        *((name, ctypes.c_void_p) for name in ("node", "set", "members", "chance", "values", "own", "others")),
    ]


class _Learner(ctypes.Structure):
    _fields_: ClassVar[Any] = [(name, ctypes.c_void_p) for name in ("regrets", "predictions", "current", "average")]


class _Team(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        *((name, ctypes.c_int64) for name in ("threads", "first_set", "last_set", "range_count")),
        ("ranges", ctypes.c_void_p),
        ("scratch", ctypes.c_void_p),
        ("scratch_size", ctypes.c_int64),
        ("yield_", ctypes.c_void_p),
        ("arrived", ctypes.c_int64),
        ("phase", ctypes.c_int64),
    ]


@cache
def _library() -> Library:
    return Library(files(__package__).joinpath("source", "regrets.bc").read_bytes())


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """How far a strategy is from an equilibrium."""

    values: Values
    """What each role gets if all play the strategy."""
    responses: Values
    """What each role gets by its best response to the others."""
    gains: Values
    """For each information set, what the best move there adds, weighted by how likely the others play there (where
    nothing is hidden: by how likely all play there)."""
    replies: Values
    """For each move, 1 if it is the best response in its information set, else 0."""

    @property
    def nash_conv(self) -> float:
        """What all roles together gain by best responses."""
        return float((self.responses - self.values).sum())

    @property
    def exploitability(self) -> float:
        """The mean gain of a role by its best response."""
        return self.nash_conv / len(self.values)


class Solver:
    """Predictive CFR+ on a tree: the mean strategy approaches an equilibrium of two roles with constant-sum goals.

    With more roles, or goals whose sum is not constant, there is no such guarantee; `assess` says how far it is. Where
    nothing is hidden, turns are solved one after the other, the last first, given the mean values of positions in the
    turn after it. So the strategy is as good in positions that nobody should reach.
    """

    def __init__(self, tree: GameTree, threads: int = 0) -> None:
        """``threads`` is by default one for each processor, fewer if the tree is small; the result is the same. Where
        nothing is hidden it is one."""
        self.tree = tree
        self._is_open = len(tree.turns) > 0
        self.threads = threads or max(1, min(processors(), len(tree.nodes) // _NODES_PER_THREAD))
        self.threads = 1 if self._is_open else self.threads
        self.iterations = 0
        """Iterations made so far."""
        nodes, actions, roles = len(tree.nodes), tree.actions, len(tree.game.roles)
        self._values = tree.goals.copy()
        self._reach = np.zeros((2, nodes))
        self._scratch = np.zeros((self.threads, max([1, *tree.sets["count"].tolist()])))
        self._ranges = _ranges(tree) if self.threads > 1 else np.array([0, nodes])
        self._regrets, self._predictions, self._average = np.zeros((3, actions))
        self._current = uniform(tree.sets)
        self._mean = self._current.copy()
        """Where nothing is hidden: the mean strategy of the turns after the one that is improved."""
        self._tree = _Tree(
            nodes=nodes,
            sets=len(tree.sets),
            actions=actions,
            roles=roles,
            node=tree.nodes.ctypes.data,
            set=tree.sets.ctypes.data,
            members=tree.members.ctypes.data,
            chance=tree.chance.ctypes.data,
            values=self._values.ctypes.data,
            own=self._reach[0].ctypes.data,
            others=self._reach[1].ctypes.data,
        )
        self._learner = _Learner(
            *(a.ctypes.data for a in (self._regrets, self._predictions, self._current, self._average))
        )
        self._team = _Team(
            threads=self.threads,
            first_set=0,
            last_set=len(tree.sets),
            range_count=len(self._ranges) - 1,
            ranges=self._ranges.ctypes.data,
            scratch=self._scratch.ctypes.data,
            scratch_size=self._scratch.shape[1],
            yield_=address_of_yield(),
        )
        pointer, integer = ctypes.c_void_p, ctypes.c_int64
        library = _library()
        self._iterate = library.function("ludens_iterate", None, pointer, pointer, integer, integer, pointer, integer)
        self._evaluate = library.function("ludens_evaluate", None, pointer, pointer, integer, integer)
        self._find_reach = library.function("ludens_reach", None, pointer, pointer)
        self._respond = library.function("ludens_respond", ctypes.c_double, pointer, pointer, integer, pointer, pointer)

    def run(self, iterations: int) -> None:
        """Make iterations."""
        for number in range(len(self.tree.turns) - 2, -1, -1):
            self._improve_turn(number, iterations)
        if not self._is_open:
            self._improve(iterations)
        self.iterations += iterations

    def _improve_turn(self, number: int, iterations: int) -> None:
        """Improve the strategies of a turn, and value its positions by the mean strategies."""
        nodes, sets = self.tree.turns[number : number + 2], self.tree.sets
        first, last = np.searchsorted(sets["depth"], [number + 1, number + 2]).tolist()
        if last > first:
            self._ranges[:] = nodes
            self._team.first_set, self._team.last_set = first, last
            self._reach[:, nodes[0] : nodes[1]] = 1.0
            self._improve(iterations)
            begin, end = int(sets["action"][first]), int(sets["action"][last - 1] + sets["count"][last - 1])
            self._mean[begin:end] = normalised(sets[first:last], self._average[begin:end])
        self._evaluate(ctypes.byref(self._tree), self._mean.ctypes.data, *nodes.tolist())

    def _improve(self, iterations: int) -> None:
        arguments: list[Any] = [ctypes.byref(each) for each in (self._tree, self._learner)]
        arguments += [self.iterations + 1, iterations, ctypes.byref(self._team)]
        others = [Thread(target=self._iterate, args=(*arguments, number)) for number in range(1, self.threads)]
        for thread in others:
            thread.start()
        self._iterate(*arguments, 0)
        for thread in others:
            thread.join()

    @property
    def strategy(self) -> Values:
        """The mean strategy: a probability for each move of each information set; uniform where nobody came."""
        return normalised(self.tree.sets, self._average)

    def assess(self, strategy: Values | None = None) -> Assessment:
        """How far a strategy, by default the mean one, is from an equilibrium."""
        chosen = np.ascontiguousarray(self.strategy if strategy is None else strategy)
        roles = len(self.tree.game.roles)
        gains = np.zeros(len(self.tree.sets))
        self._evaluate(ctypes.byref(self._tree), chosen.ctypes.data, 0, len(self.tree.nodes))
        values = self._values[:, 0].copy()
        responses, replies = np.zeros(roles), chosen.copy()
        owner = np.repeat(self.tree.sets["role"], self.tree.sets["count"])
        for role in range(roles):
            reply = chosen.copy()
            responses[role] = self._respond(
                ctypes.byref(self._tree), reply.ctypes.data, role, gains.ctypes.data, self._scratch.ctypes.data
            )
            replies[owner == role] = reply[owner == role]
        if self._is_open and len(gains):
            self._find_reach(ctypes.byref(self._tree), chosen.ctypes.data)
            gains *= np.add.reduceat(self._reach[0][self.tree.members], self.tree.sets["begin"])
        return Assessment(values, responses, gains, replies)


def _ranges(tree: GameTree) -> NDArray[np.int64]:
    """Where ranges of nodes begin whose parents are all in earlier ranges, and where the last ends."""
    latest = np.maximum.accumulate(tree.nodes["parent"])
    starts = [0, 1]
    while starts[-1] < len(latest):
        starts.append(int(np.searchsorted(latest, starts[-1])))
    return np.array(starts)


def uniform(sets: Array) -> Values:
    """The strategy in which every move of an information set is equally likely."""
    counts = sets["count"]
    return np.repeat(1.0 / np.maximum(counts, 1), counts)


def normalised(sets: Array, weights: Values) -> Values:
    """Weights of the moves of some sets as probabilities; uniform where all are zero."""
    if not len(weights):
        return weights.copy()
    sums = np.add.reduceat(weights, sets["action"] - sets["action"][0])
    totals = np.repeat(sums, sets["count"])
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform(sets))
