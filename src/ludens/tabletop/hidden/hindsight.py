"""Finds histories for particles when none of them fits a turn: earlier turns are played again with hints.

The turn that nothing fitted names places, and probes find more: the turn fits if what lies at two unseen places is
exchanged. Earlier moves of the others at or near these places matter, one way or the other. First a few moves of the
others are replaced in histories that fit all turns but the last, and the turns after them are played again. A changed
history is changed further if the last turn differs no more from what was observed than before the change.

If none fits, particles start at an earlier turn and play all moves of the others anew, each with tastes, drawn at
random, for moves at the places that matter; those that survive are copied with their tastes. If that fails, they start
earlier, at last at the beginning of the match.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from ludens.core import Deadline, JointMove, LudensError, Move, Role
from ludens.tabletop.hidden.determinisation import unseen_places
from ludens.tabletop.hidden.observed import ALL, Observed, joint_moves, likely_moves, named_places, play_turn
from ludens.tabletop.hidden.replay import difference
from ludens.tabletop.hidden.table_state import TableState
from ludens.tabletop.material.equipment import Place
from ludens.tabletop.quick_form import draw_late
from ludens.tabletop.table import Table

SIZE = 48
"""Particles that are played again."""
FIRST_WINDOW, ROUND = 4, 8
"""Turns that are played again in the first attempt; in each further one half as many again. After a round of attempts
twice as many particles are played, up to four times as many."""
ATTEMPTS = 64
"""Attempts before giving up."""
ADDED, MOST = 12, 240
"""Survivors that are added to the particles after each turn, and the most that are kept there."""
MOVES = 10
"""Moves of the others that are tried for a particle in a turn."""
FEW_MOVES = 4
"""The same in a history with replaced moves."""
CHANGES, ENOUGH = 30, 10
"""Histories of which moves are replaced to find similar ones, and how many must fit."""
CLIMBS, POOL, RIVALS = 200, 40, 3
"""Changes that are tried in an attempt, histories that are changed further, and how many of them the closest is chosen
from. A change takes a hundredth of the time of particles that play again."""
CORRECTIONS, ANEW, WORSE = 100, 0.1, 0.01
"""Changes in an attempt to correct a history in which turns differ, how often another one is taken, and how often a
change is kept although more turns differ."""
FAR = 1000
"""How much a turn differs that is not legal."""
PROBES = 100
"""Exchanges that are tried to find out which places matter."""
TASTES = (0.1, 1.0, 4.0, 20.0, 100.0)
"""How much more often a particle tries moves at some places."""


@dataclass(slots=True, eq=False)
class Hint:
    """Places that matter for a turn."""

    turn: int
    places: frozenset[str]


@dataclass(slots=True, eq=False)
class _Walker:
    """A particle with its tastes."""

    state: TableState
    tastes: dict[Hint, float] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Draft:
    """A history in which some turns differ from what was observed."""

    states: list[TableState]
    """The states from the first one; after the last, the match has gone on with what was done."""
    wrong: int
    """How many turns differ."""


class Hindsight:
    """Plays earlier turns again."""

    def __init__(self, chain: Sequence[Observed], layers: Sequence[list[TableState]], rng: Random) -> None:
        """``chain`` has what the player observed in each turn, ``layers`` the particles after each but the last."""
        self._chain = chain
        self._layers = layers
        self._rng = rng
        self._hints: list[Hint] = []
        self._last = len(chain) - 1
        self._attempts = 0
        self._pool: list[tuple[int, TableState]] = []
        """States before the last turn, and how much the turn differs from what was observed."""
        self._draft: _Draft | None = None

    def find(self) -> list[TableState]:
        """States after the last turn; empty if none was found. Raises `OutOfTimeError` at the deadline of the thread;
        called again, it goes on."""
        last = self._last
        if not self._attempts:
            self._layers = [[state for state in layer if state.has_history] for layer in self._layers]
        whole = next(number for number in range(last - 1, -1, -1) if self._layers[number])
        if whole == last - 1:
            self._add_hints(last, self._layers[whole])
        while self._attempts < ATTEMPTS:
            attempt = self._attempts
            self._attempts += 1
            before = self._layers[last - 1]
            found = (self._climb(before) or self._correct(before)) if before else []
            if found:
                return self._add_similar(found)
            window = FIRST_WINDOW * 1.5 ** (attempt % ROUND)
            found = self._play_again(max(0, min(whole, last - int(window))), SIZE << min(2, attempt // ROUND))
            if found:
                return self._add_similar(found)
        return []

    def _add_similar(self, found: list[TableState]) -> list[TableState]:
        """States after the last turn, and some with other moves in their histories if they are few."""
        if len(found) >= ENOUGH:
            return found
        before = [previous for state in found if (previous := state.previous) is not None]
        return found + self.change(before, CHANGES, ENOUGH - len(found))

    def change(self, states: Sequence[TableState], tries: int, enough: int) -> list[TableState]:
        """States after the last turn, in histories of particles before it of which a few moves are replaced."""
        self._add_hints(self._last, ())
        tried = (self._change(state.history, self._last) for state in self._rng.choices(states, k=tries))
        return list(itertools.islice((state for state in tried if state is not None), enough))

    def _climb(self, states: Sequence[TableState]) -> list[TableState]:
        """States after the last turn, in histories that are changed step by step: a change is kept if the last turn
        differs no more from what was observed than before it."""
        rng, found = self._rng, []
        if not self._pool:
            self._pool = [(self._try_last(state)[0], state) for state in rng.sample(states, min(POOL, len(states)))]
        for _ in range(CLIMBS):
            distance, state = min(rng.choices(self._pool, k=RIVALS), key=lambda one: one[0])
            changed = self._change(state.history, self._last - 1)
            if changed is None:
                continue
            left, after = self._try_last(changed)
            if after is not None:
                found.append(after)
                if len(found) == ENOUGH:
                    break
            if left <= distance:
                self._pool.append((left, changed))
        rng.shuffle(self._pool)
        self._pool = sorted(self._pool, key=lambda one: one[0])[:POOL]
        return found

    def _correct(self, states: Sequence[TableState]) -> list[TableState]:
        """States after the last turn, in a history of which any turn may differ from what was observed: hidden moves
        are replaced, and the change is kept if no more turns differ than before."""
        rng = self._rng
        if self._draft is None or rng.random() < ANEW:
            self._draft = self._continue(rng.choice(states).history[:1], rng.choice(states).history)
        for _ in range(CORRECTIONS):
            draft = self._draft
            hidden = [number for number in range(1, 1 + self._last) if not self._chain[number].is_open]
            if draft is None or not hidden:
                return []
            number = rng.choice(hidden)
            changed = self._continue(draft.states[:number], draft.states, number)
            if changed is not None and (changed.wrong <= draft.wrong or rng.random() < WORSE):
                self._draft = changed
                if not changed.wrong and all(map(Observed.fits, self._chain[1:], changed.states[1:])):
                    return [changed.states[-1]]
        return []

    def _continue(self, states: Sequence[TableState], old: Sequence[TableState], new: int = 0) -> _Draft | None:
        """A history from these states on, by the moves of an old one, with another move in turn ``new``; None if some
        move is not legal."""
        found = list(states)
        wrong = sum(
            tuple(one.percepts(self._chain[number].role)) != self._chain[number].percepts
            for number, one in enumerate(found[1:], 1)
        )
        for number in range(len(found), 1 + self._last):
            Deadline.check_thread()
            observed, turn = self._chain[number], old[number].turn if number < len(old) else None
            if turn is not None and number != new:
                joint_move: JointMove = turn.joint_move
            else:
                joint_move = next(iter(joint_moves(found[-1], observed, 1, self._rng)))
            try:
                found.append(found[-1].play(found[-1].resolve(joint_move, self._rng)))
            except LudensError:
                return None
            wrong += tuple(found[-1].percepts(observed.role)) != observed.percepts
        return _Draft(found, wrong)

    def _try_last(self, state: TableState) -> tuple[int, TableState | None]:
        """How much the last turn differs from what was observed, at best, and the state after it if it fits."""
        observed, least = self._chain[self._last], FAR
        for joint_move in likely_moves(state, observed, FEW_MOVES, self._rng):
            try:
                after = state.play(state.resolve(joint_move, self._rng))
            except LudensError:
                continue
            if observed.fits(after):
                return 0, after
            least = min(least, 1 + difference(after.percepts(observed.role), observed.percepts))
        return least, None

    def _change(self, history: Sequence[TableState], last: int) -> TableState | None:
        """The state after a turn in a history with one or more moves replaced; None if it does not fit."""
        rng = self._rng
        replaced = self._draw_turns(1 + self._last - len(history), last)
        if not replaced:
            return None
        hints = self._hints_at(last)
        skipped = self._last - len(history)  # turns before the history begins
        walker = _Walker(history[replaced[0] - 1 - skipped])
        for number in range(replaced[0], last + 1):
            turn = history[number - skipped].turn if number < self._last else None
            old = None if turn is None or number in replaced else turn.joint_move
            after = None if old is None else play_turn(walker.state, old, self._chain[number], rng)
            if after is not None:
                walker.state = after
                continue
            if old is not None and self._chain[number].is_open:
                return None
            advanced = self._advance(walker, number, hints, FEW_MOVES)
            if advanced is None:
                return None
            walker = advanced
        return walker.state

    def _draw_turns(self, first: int, last: int) -> list[int]:
        """Some turns of the others to replace, mostly late ones; none that the player saw as they were."""
        return draw_late([number for number in range(first, last + 1) if not self._chain[number].is_open], self._rng)

    def _play_again(self, first: int, size: int) -> list[TableState]:
        """Particles after the last turn, from some after an earlier one."""
        walkers = [_Walker(state) for state in self._rng.choices(self._layers[first], k=size)]
        last = self._last
        for number in range(first + 1, last + 1):
            hints = self._hints_at(number)
            survivors = [after for walker in walkers if (after := self._advance(walker, number, hints)) is not None]
            if not survivors:
                self._add_hints(number, [walker.state for walker in walkers])
                return []
            if number < last:
                some = self._rng.sample(survivors, min(ADDED, len(survivors)))
                layer = self._layers[number]
                layer.extend(walker.state for walker in some)
                del layer[: max(0, len(layer) - MOST)]
            walkers = survivors if self._chain[number].is_open else self._rng.choices(survivors, k=size)
        return [walker.state for walker in walkers]

    def _hints_at(self, number: int) -> list[Hint]:
        """The hints for the turns that come next, and for the last."""
        turns = sorted({hint.turn for hint in self._hints if hint.turn >= number})
        wanted = {*turns[:2], self._last}
        return [hint for hint in self._hints if hint.turn in wanted]

    def _advance(self, walker: _Walker, number: int, hints: Sequence[Hint], most: int = MOVES) -> _Walker | None:
        """A particle after one more turn."""
        Deadline.check_thread()
        observed, rng = self._chain[number], self._rng
        options = list(joint_moves(walker.state, observed, ALL, rng))
        tastes = walker.tastes
        if len(options) > 1 and hints:
            tastes = {hint: tastes.get(hint) or rng.choice(TASTES) for hint in hints}
            inventory = walker.state.game.inventory
            order = {
                at: rng.random() ** (1 / self._weight(named_places(inventory, " ".join(joint_move.values())), tastes))
                for at, joint_move in enumerate(options)
            }
            options = [options[at] for at in sorted(order, key=order.__getitem__, reverse=True)]
        for joint_move in options[:most]:
            after = play_turn(walker.state, joint_move, observed, rng)
            if after is not None:
                return _Walker(after, tastes)
        return None

    @staticmethod
    def _weight(named: Sequence[str], tastes: Mapping[Hint, float]) -> float:
        return math.prod(taste for hint, taste in tastes.items() if not hint.places.isdisjoint(named))

    # Hints

    def _add_hints(self, number: int, states: Sequence[TableState]) -> None:
        """Note the places that matter for a turn that none of these states fits; if there are states, by probes."""
        if any(hint.turn == number for hint in self._hints):
            return
        observed = self._chain[number]
        named = frozenset(observed.places)
        found = [named, observed.near - named, self._probe(number, states) if states else frozenset()]
        self._hints += [Hint(number, places) for places in found if places]

    def _probe(self, number: int, states: Sequence[TableState]) -> frozenset[str]:
        """The places where other contents make a turn fit."""
        observed, rng = self._chain[number], self._rng
        found: set[str] = set()
        for _ in range(PROBES):
            Deadline.check_thread()
            state = rng.choice(states)
            unseen = unseen_places(state.table, state.table.inventory.seats[observed.role])
            filled = [place for place in unseen if state.table.contents[place.index]]
            if len(unseen) < 2 or not filled:
                continue
            here, there = rng.choice(filled), rng.choice(unseen)
            changed = type(state)(state.game, exchange_contents(state.table, here, there))
            if any(play_turn(changed, one, observed, rng) for one in self._relevant_moves(changed, observed)):
                found |= {here.name, there.name}
        return frozenset(found)

    def _relevant_moves(self, state: TableState, observed: Observed) -> list[dict[Role, Move]]:
        """The player's own move, or those of the others that name the same places as the turn."""
        try:
            options = list(joint_moves(state, observed, ALL, self._rng))
        except LudensError:
            return []
        if len(options) == 1:
            return options
        inventory, places = state.game.inventory, set(observed.places)
        named = [one for one in options if not places.isdisjoint(named_places(inventory, " ".join(one.values())))]
        return (named or options)[:2]


def exchange_contents(table: Table, here: Place, there: Place) -> Table:
    """A table with the contents of two places exchanged."""
    changed = table.copy()
    contents = changed.contents
    contents[here.index], contents[there.index] = contents[there.index], contents[here.index]
    for place in (here, there):
        for element in contents[place.index]:
            if not element.is_endless:
                changed.where[element.index] = place
    return changed
