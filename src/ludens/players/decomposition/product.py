"""The whole game over classes of its subgames' positions, which minimax and MaxN search instead of states.

A key is the tick of the clock and a class for each subgame. In the paper's terms, a class stands for a set of turn-move
sequences, and the search follows them instead of legal moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

from ludens.analysis.gates.supports import Bits, members
from ludens.analysis.subgames.local import ILLEGAL
from ludens.analysis.subgames.positions import Subgames
from ludens.core import GameError, Move, State
from ludens.gdl.game import GdlState
from ludens.players.decomposition.quotient import Quotient
from ludens.players.space.space import Expansion, JointMoves, Key, Space

ProductKey = tuple[int, ...]
"""The tick, and a class for each subgame."""
Choice = tuple[int, ...]
"""A subgame and the class that an option leads to; `PASS` and 0 for doing nothing. Where a role acts in all subgames at
once, the class that it leads to in each."""
PASS = -1
CALLS = 64
"""Children computed between two checks of the clock."""


class Product(Space):
    """Positions of the whole game, as a class for each subgame."""

    def __init__(self, subgames: Subgames) -> None:
        super().__init__(subgames.game)
        self.subgames = subgames
        self.free = subgames.free
        """Whether an option is a subgame and a class in it."""
        self.parallel = not self.free and subgames.parallel
        """Whether an option is a class in every subgame; if neither, options are joint moves by name."""
        self.nameless = self.free or self.parallel
        """Whether options are classes rather than moves."""
        self.quotients = [Quotient(local, free=self.nameless) for local in subgames.locals]
        self.alike: list[list[int]] = []
        """Groups of interchangeable subgames, where options are a subgame and a class in it."""
        self._ends: dict[tuple[int, ...], tuple[bool, tuple[int, ...]]] = {}
        phases = range(len(subgames.whole.phases))
        clock = subgames.whole.clock
        self.phase_of = [clock.phase(tick) for tick in range(len(clock.ticks))]
        """The phase of each tick."""
        self.after = [clock.after(tick) for tick in range(len(clock.ticks))]
        """The tick after each tick."""
        self._children: dict[ProductKey, list[tuple[tuple[int, ...], ProductKey]]] = {}
        self._counts: dict[ProductKey, tuple[int, ...]] = {}
        self.choices: list[Choice] = [(PASS, 0)]
        """The options by number, where options are not joint moves."""
        self._numbers: dict[Choice, int] = {(PASS, 0): 0}
        if self.nameless:
            self.targets = [[quotient.targets(phase) for quotient in self.quotients] for phase in phases]
            """For each phase and subgame, and each class, the classes that the role that chooses can reach."""
            self.every_target = [list(parts) for parts in self.targets]
            """The same with the options that may be dropped from `targets` later."""
            self.idle_classes = [[quotient.idle_classes(phase) for quotient in self.quotients] for phase in phases]
            """For each phase and subgame the successor of each class when the role acts elsewhere."""
            self.chooser = [next(iter(phase.choosers), None) for phase in subgames.whole.phases]
            """The role that chooses in each phase, if one does."""
            self.can_pass = [
                self.free and role is not None and bool(subgames.passes(phase, role))
                for phase, role in enumerate(self.chooser)
            ]
        else:
            self._moves = [self._named_moves(phase) for phase in phases]

    # Keys

    def key(self, state: State) -> ProductKey:
        """The key of a state. Raises `GameError` if the state is not among the positions listed."""
        assert isinstance(state, GdlState)
        positions = self.subgames.positions(state)
        if positions is None:
            raise GameError("the state is not among the positions of the subgames")
        tick, *numbers = positions
        return (tick, *(int(q.class_of[n]) for q, n in zip(self.quotients, numbers, strict=True)))

    def canonical_key(self, key: ProductKey) -> ProductKey:
        """The key with interchangeable subgames sorted."""
        if not self.alike:
            return key
        found = list(key)
        for parts in self.alike:
            for part, number in zip(parts, sorted(found[1 + part] for part in parts), strict=True):
                found[1 + part] = number
        return tuple(found)

    def end(self, key: ProductKey) -> tuple[bool, tuple[int, ...]]:
        """Whether the game is over, and the goals of each role."""
        values = (
            self.subgames.tick_values[key[0]],
            *(quotient.values[number] for quotient, number in zip(self.quotients, key[1:], strict=True)),
        )
        found = self._ends.get(values)
        if found is None:
            ends = self.subgames.ends
            found = self._ends[values] = (ends.is_terminal(values), ends.goal_values(len(self.roles), values))
        return found

    # Options without names

    def options(self, key: ProductKey, *, every: bool = False) -> list[tuple[Choice, ProductKey]]:
        """The options of the role that chooses, and their successors; one if nobody chooses.

        ``every`` includes options that were dropped because others are as good.
        """
        tick, classes = key[0], key[1:]
        phase, later = self.phase_of[tick], self.after[tick]
        idle = [after[number] for after, number in zip(self.idle_classes[phase], classes, strict=True)]
        if self.parallel and self.chooser[phase] is not None:
            return self._combined_options(key)
        found: list[tuple[Choice, ProductKey]] = []
        chosen = self.every_target if every else self.targets
        for part, (targets, number) in enumerate(zip(chosen[phase], classes, strict=True)):
            for target in targets[number]:
                child = idle.copy()
                child[part] = target
                found.append(((part, target), (later, *child)))
        if self.chooser[phase] is None or self.can_pass[phase]:
            found.append(((PASS, 0), (later, *idle)))
        return found

    def local_options(self, phase: int, part: int, number: int) -> list[int]:
        """The successors of a class of one subgame, if the role that chooses acts in all at once."""
        idle = self.idle_classes[phase][part][number]
        found = self.targets[phase][part][number]
        return found if idle == ILLEGAL or idle in found else [*found, idle]

    def _combined_options(self, key: ProductKey) -> list[tuple[Choice, ProductKey]]:
        phase, later = self.phase_of[key[0]], self.after[key[0]]
        each = [self.local_options(phase, part, number) for part, number in enumerate(key[1:])]
        return [(classes, (later, *classes)) for classes in product(*each)]

    # Joint moves of all others

    def _named_moves(self, phase: int) -> list[dict[tuple[int, ...], int]]:
        """For each role the combinations of actions in the subgames, each with one move that does it."""
        found: list[dict[tuple[int, ...], int]] = []
        turns = [turn for turn in self.subgames.whole.turns if turn.phase == phase]
        for turn in turns:
            action_of: list[list[int]] = []
            for local in self.subgames.locals:
                numbers = [0] * len(turn.moves)
                for number, action in enumerate(local.phases[phase].actions[turn.role]):
                    for place in members(action.moves):
                        numbers[place] = number
                action_of.append(numbers)
            own: dict[tuple[int, ...], int] = {}
            for place, move in enumerate(turn.moves):
                own.setdefault(tuple(numbers[place] for numbers in action_of), move)
            found.append(own)
        return found

    def _legal_actions(self, key: ProductKey) -> list[list[tuple[tuple[int, ...], int]]]:
        """For each role its actions in the subgames, with a move that does them."""
        phase = self.phase_of[key[0]]
        positions = [int(q.members[number]) for q, number in zip(self.quotients, key[1:], strict=True)]
        found = []
        for role, own in enumerate(self._moves[phase]):
            legal = [local.legal[phase][role] for local in self.subgames.locals]
            found.append(
                [
                    (actions, move)
                    for actions, move in own.items()
                    if all(
                        legal[part][action][position]
                        for part, (action, position) in enumerate(zip(actions, positions, strict=True))
                    )
                ]
            )
        return found

    def _joint_moves(self, key: ProductKey) -> list[tuple[tuple[int, ...], ProductKey]]:
        phase, later = self.phase_of[key[0]], self.after[key[0]]
        positions = [int(q.members[number]) for q, number in zip(self.quotients, key[1:], strict=True)]
        children = []
        for combination in product(*self._legal_actions(key)):
            classes = []
            for part, (quotient, position) in enumerate(zip(self.quotients, positions, strict=True)):
                local = quotient.local.phases[phase]
                place = 0
                for role, (actions, _) in enumerate(combination):
                    place = place * len(local.actions[role]) + actions[part]
                classes.append(int(quotient.class_of[quotient.local.transitions[phase][place][position]]))
            children.append((tuple(move for _, move in combination), (later, *classes)))
        return children

    # The interface of searches

    def expand(self, keys: Sequence[Key]) -> Expansion:
        """All children of some positions."""
        roles = len(self.roles)
        own = []
        moves: list[tuple[int, ...]] = []
        children: list[ProductKey] = []
        first = [0]
        for key in keys:
            self.pulse()
            own.append(self.counts(key))  # type: ignore[arg-type]
            for numbers, child in self.children(key):  # type: ignore[arg-type]
                moves.append(numbers)
                children.append(child)
            first.append(len(children))
        ends = [self.end(child) for child in children]
        moving = []
        for place, child in enumerate(children):
            if not place % CALLS:
                self.pulse()
            moving.append(self.counts(child))
        mobility = np.array(moving, np.int32).reshape(len(children), roles)
        terminal = np.array([over for over, _ in ends], np.bool_) | (mobility == 0).any(axis=1)
        goals = np.array([goals for _, goals in ends], np.int32).reshape(len(children), roles)
        counts = np.array(own, np.int32).reshape(len(keys), roles)
        joint = JointMoves(counts, np.array(first, np.int64), np.array(moves, np.int32).reshape(len(moves), roles))
        return Expansion(joint, children, terminal, goals, mobility)

    def children(self, key: ProductKey) -> list[tuple[tuple[int, ...], ProductKey]]:
        """The joint moves and their successors; where options have no names, moves are indices of `choices`."""
        found = self._children.get(key)
        if found is None:
            found = self._nameless_children(key) if self.nameless else self._joint_moves(key)
            self._children[key] = found
        return found

    def _nameless_children(self, key: ProductKey) -> list[tuple[tuple[int, ...], ProductKey]]:
        chooser = self.chooser[self.phase_of[key[0]]]
        found = []
        for choice, child in self.options(key):
            number = self._numbers.setdefault(choice, len(self._numbers))
            if number == len(self.choices):
                self.choices.append(choice)
            numbers = tuple(number if role == chooser else 0 for role in range(len(self.roles)))
            found.append((numbers, self.canonical_key(child)))
        return found

    def counts(self, key: ProductKey) -> tuple[int, ...]:
        """The number of moves of each role; equivalent ones count once."""
        found = self._counts.get(key)
        if found is None:
            if self.nameless:
                chooser = self.chooser[self.phase_of[key[0]]]
                size = self._size(key)
                found = tuple(size if role == chooser else 1 for role in range(len(self.roles)))
            else:
                found = tuple(map(len, self._legal_actions(key)))
            self._counts[key] = found
        return found

    def _size(self, key: ProductKey) -> int:
        phase = self.phase_of[key[0]]
        if self.parallel and self.chooser[phase] is not None:
            return prod(len(self.local_options(phase, part, number)) for part, number in enumerate(key[1:]))
        own = sum(len(targets[number]) for targets, number in zip(self.targets[phase], key[1:], strict=True))
        return own + (self.chooser[phase] is None or self.can_pass[phase])

    def move(self, role: int, number: int) -> Move:
        """A move by its number; where options have no names a number stands for several moves: see `moves_of`."""
        if self.nameless:
            raise GameError("an option without a name is not a single move")
        return self.subgames.game.move_texts[role][number]

    def moves_of(self, state: GdlState, choice: Choice) -> list[Move]:
        """The moves of the role that chooses in a state that are equivalent to a choice."""
        positions = self.subgames.positions(state)
        assert positions is not None
        phase = self.phase_of[positions[0]]
        role = self.chooser[phase]
        if role is None:
            return []
        texts = self.subgames.game.move_texts[role]
        moves = next(t.moves for t in self.subgames.whole.turns if (t.phase, t.role) == (phase, role))
        if self.parallel:
            done = (1 << len(moves)) - 1
            for part, target in enumerate(choice):
                done &= self._moves_to(phase, role, part, positions[1 + part], target, idle=True)
            return [texts[moves[place]] for place in members(done)]
        part, target = choice
        if part == PASS:
            return [texts[number] for number in self.subgames.passes(phase, role)]
        done = self._moves_to(phase, role, part, positions[1 + part], target, idle=False)
        return [texts[moves[place]] for place in members(done)]

    def _moves_to(self, phase: int, role: int, part: int, position: int, target: int, *, idle: bool) -> Bits:
        """The moves of a role, by index, that lead from a position of a subgame to a class there."""
        quotient = self.quotients[part]
        local = quotient.local.phases[phase]
        found = 0
        for combination, after in zip(local.joint, quotient.local.transitions[phase], strict=True):
            action = local.actions[role][combination[role]]
            leads = int(after[position])
            if (idle or not action.is_idle) and leads >= 0 and int(quotient.class_of[leads]) == target:
                found |= action.moves
        return found

    @property
    def size(self) -> int:
        """How many keys there could be."""
        return len(self.after) * prod(map(len, self.quotients))
