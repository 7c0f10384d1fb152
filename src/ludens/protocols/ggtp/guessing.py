"""Guessing tables of a game in Python from percepts alone: histories are replayed, and repaired where wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ludens.core import GameError, IllegalMoveError, JointMove, Move, Role, State, View
from ludens.tabletop.coherence import make_legal
from ludens.tabletop.equipment import Element
from ludens.tabletop.game import TabletopGame
from ludens.tabletop.percepts import UNSEEN
from ludens.tabletop.randomness import SEPARATOR
from ludens.tabletop.rearranging import with_faces
from ludens.tabletop.state import TabletopState

TRIES = 20
"""How often a turn is drawn anew before a guess that fits worse is taken."""
RESTARTS = 5
"""How often a whole history is guessed anew."""
_SEEN = re.compile(r"(?P<element>.+) at (?P<place>.+)")


class GuessedView(View):
    """What a role knows of a tabletop game whose real table it never sees: its own moves and percepts."""

    def __init__(self, game: TabletopGame, role: Role) -> None:
        self.game: TabletopGame = game
        self.role = role
        self.previous: GuessedView | None = None
        """The view before the last turn."""
        self.move: Move | None = None
        """The own move in the last turn."""
        self.percepts: tuple[str, ...] = ()
        """What the role was told after it."""
        self._legal: Sequence[Move] | None = None
        self._guess: TabletopState | None = None

    def after(
        self, move: Move | None, percepts: Sequence[str], legal_moves: Sequence[Move] | None = None
    ) -> GuessedView:
        """The view after a turn, with the moves that the role has now, if it is told."""
        view = GuessedView(self.game, self.role)
        view.previous, view.move, view.percepts = self, move, tuple(percepts)
        view._legal = legal_moves
        return view

    @property
    def legal_moves(self) -> Sequence[Move]:
        """The moves that the role was told; those on a guessed table if it was not."""
        if self._legal is not None:
            return self._legal
        if self._guess is None:
            self._guess = self._guessed(Random(0))
        return self._guess.legal_moves(self.role)

    def sample(self, rng: Random) -> State:
        """A complete state that fits what the role was told, as far as one is found."""
        self._guess = self._guessed(rng)
        return self._guess

    def _guessed(self, rng: Random) -> TabletopState:
        for _ in range(RESTARTS):
            state: TabletopState | None = self.game.initial_state()
            for view in self._history():
                state = state and view._successor(state, rng)
            if state is not None and self._agrees(state):
                return state
        raise GameError(f"{self.game.name}: no table was found that fits what {self.role} was told")

    def _agrees(self, state: TabletopState) -> bool:
        return self._legal is None or set(state.legal_moves(self.role)) == set(self._legal)

    def _history(self) -> list[GuessedView]:
        found: list[GuessedView] = []
        view: GuessedView | None = self
        while view is not None and view.previous is not None:
            found.append(view)
            view = view.previous
        return found[::-1]

    def _successor(self, state: TabletopState, rng: Random) -> TabletopState | None:
        """The guess after one more turn; None if nothing like it can have happened on this table."""
        best: TabletopState | None = None
        for _ in range(TRIES):
            played = self._played(state, rng)
            if played is None:
                continue
            if tuple(played.percepts(self.role)) == self.percepts:
                return self._with_sight(played)
            best = best or self._with_sight(played)
        return best

    def _played(self, state: TabletopState, rng: Random) -> TabletopState | None:
        joint_move: dict[Role, Move] = {}
        guess: TabletopState | None = state
        told = dict(text.partition(": ")[::2] for text in self.percepts)
        for role in self.game.roles:
            if guess is None or not guess.legal_moves(role) or (guess.is_race and role not in told):
                continue
            if role == self.role and self.move is None:
                return None
            guess, move = self._chosen(guess, role, told.get(role, ""), rng)
            joint_move[role] = move
        return None if guess is None or not joint_move else _after(guess, joint_move, rng)

    def _chosen(self, guess: TabletopState, role: Role, told: str, rng: Random) -> tuple[TabletopState | None, Move]:
        """What a role did, as it was told or else drawn, and the table repaired so that it could."""
        name, separator, outcome = told.partition(SEPARATOR)
        if role == self.role and self.move is not None:
            name = self.move
        repaired = make_legal(guess, self.role, role, name, rng) if name else None
        if repaired is None:
            return guess, rng.choice(guess.legal_moves(role))
        drawn = f"{name}{SEPARATOR}{outcome}" if separator and UNSEEN not in outcome else name
        return repaired, drawn

    def _with_sight(self, state: TabletopState) -> TabletopState:
        """The guess with what the role was told to lie somewhere swapped into its place."""
        table = state.table
        elements = {element.name: element for element in table.kit.elements}
        places = {str(place): place for place in table.kit.places}
        seen: set[Element] = set()
        pairs = []
        for text in self.percepts:
            found = _SEEN.fullmatch(text)
            if found and found["element"] in elements and found["place"] in places:
                pairs.append((elements[found["element"]], places[found["place"]]))
                seen.add(pairs[-1][0])
        for element, place in pairs:
            table = state.table
            if element in table.contents[place.index]:
                continue
            others = [other for other in table.contents[place.index] if other not in seen]
            if others:
                swapped = with_faces(table, {element: others[0], others[0]: element})
                state = TabletopState(state.game, swapped, state.evidence)
        return state


def _after(state: TabletopState, joint_move: JointMove, rng: Random) -> TabletopState | None:
    try:
        if any(SEPARATOR in move for move in joint_move.values()):
            return state.play(joint_move)
        return state.play(state.resolve(joint_move, rng))
    except IllegalMoveError:
        return None
