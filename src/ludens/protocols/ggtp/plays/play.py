"""One play as a tree of turns: moves are offered one at a time, taken back and replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludens.core import Game, IllegalMoveError, JointMove, Message, Move, Role, State, TooManyOutcomesError
from ludens.gdl.chance.outcomes import RANDOM_ROLE
from ludens.gdl.game import GdlGame
from ludens.protocols.ggtp.language.grammar import CommandError, shown
from ludens.referee.draws import resolve_chance
from ludens.tabletop.state import TabletopState
from ludens.tabletop.table import REFUSED


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A played turn."""

    id: int
    """Its number in the play, from 1, never used twice."""
    parent: int
    """The turn that it follows; 0 for the start."""
    chosen: JointMove
    """The moves that the players chose, before chance."""
    joint_move: JointMove
    """The moves played, with chance resolved."""
    steps: tuple[tuple[Role, Move], ...]
    """The moves from which the turn can be replayed one at a time; forced moves without content are
    omitted, and moves of chance come first."""
    state: State
    """The state after it."""
    is_automatic: bool
    """True if no player had a choice, so that the Rules played it."""
    lost: Mapping[Role, Move] = field(default_factory=dict)
    """Offers in a race that another player won."""

    def refusal(self, role: Role) -> str | None:
        """Why the rule refused the role's move, if it did; the attempt was a turn all the same."""
        if not isinstance(self.state, TabletopState):
            return None
        refused = self.state.table.play_state[REFUSED]
        return str(refused[1]) if refused and refused[0] == role else None


class Play:
    """The turns of a play, of which one line is current. Raises `CommandError` for what cannot be done.

    Chance is drawn as the Referee draws it: from the seed and the number of the turn alone.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.seed = seed
        self.turns: dict[int, PlayedTurn] = {}
        """All turns of all lines, by number."""
        self.line: list[int] = []
        """The turns that lead to the current state."""
        self.undone: list[int] = []
        """The turns taken back since the last one was played, the next one last."""
        self.names: dict[int, str] = {}
        """Names of branches by the turn that they lead to, 0 for the start."""
        self.comments: dict[int, str] = {}
        """Comments by the turn that they are about, 0 for the start."""
        self.messages: dict[int, list[Message]] = {}
        """Messages after each turn, 0 for the start."""
        self._latest: dict[int, int] = {}
        self._count = 0
        self.offers: dict[Role, Move] = {}
        """Moves of the turn that is not complete yet, in the order of arrival."""
        self._initial = game.initial_state()
        self._refresh()

    @property
    def state(self) -> State:
        """The current state."""
        return self.turns[self.line[-1]].state if self.line else self._initial

    @property
    def last(self) -> PlayedTurn | None:
        """The turn that led to the current state."""
        return self.turns[self.line[-1]] if self.line else None

    @property
    def current(self) -> int:
        """The number of the turn that led to the current state; 0 at the start."""
        return self.line[-1] if self.line else 0

    @property
    def next_number(self) -> int:
        """The number of the next turn that is new."""
        return self._count + 1

    def _refresh(self) -> None:
        """Compute the players to move."""
        state = self.state
        self.offers = {}
        self.legal: dict[Role, Sequence[Move]] = (
            {} if state.is_terminal else {role: moves for role in self.game.roles if (moves := state.legal_moves(role))}
        )
        """The legal moves of each player that has any."""
        choosing = [role for role, moves in self.legal.items() if len(moves) > 1 or state.is_race]
        self.is_automatic = bool(self.legal) and not choosing and self._needs_no_move()
        """True if no player has a choice: all can only wait, or only chance decides."""
        if not choosing:
            choosing = [role for role, moves in self.legal.items() if self.is_automatic or not _waits(moves[0])]
        self.to_move: tuple[Role, ...] = tuple(choosing)
        """The players whose moves make the turn, whether they have moved or not."""

    def _needs_no_move(self) -> bool:
        if all(_waits(moves[0]) for moves in self.legal.values()):
            return True
        try:
            self.state.chance_outcomes({role: moves[0] for role, moves in self.legal.items()}, limit=1)
        except TooManyOutcomesError:
            return True
        return False

    @property
    def waiting_for(self) -> list[Role]:
        """The players who still have to move."""
        return [role for role in self.to_move if role not in self.offers]

    def offer(self, role: Role, move: Move) -> PlayedTurn | None:
        """A player's move; the turn, if that completes it."""
        found = self._find_legal_move(role, move)
        if found is None:
            raise CommandError(f"No move named {shown(move)} for player {role}.")
        self.offers.pop(role, None)
        self.offers[role] = found
        if not self.state.is_race:
            return self._joint() if not self.waiting_for else None
        winner = self.state.race_winner(self.offers, self.waiting_for)
        if winner is None:
            return None
        lost = {other: offered for other, offered in self.offers.items() if other != winner}
        return self._play_turn({winner: self.offers[winner]}, lost)

    def force(self, role: Role, move: Move) -> PlayedTurn | None:
        """Make a move for a player or chance, as the Supervisor: it wins a race, and may determine chance."""
        if self._find_legal_move(role, move) is None:
            return self._force_resolved(role, move)
        if self.state.is_race:
            return self._play_turn({role: self._find_legal_move(role, move) or move}, {})
        return self.offer(role, move)

    def _force_resolved(self, role: Role, move: Move) -> PlayedTurn | None:
        """A move in which chance is resolved already, or the move of chance itself."""
        is_chance = role == RANDOM_ROLE and role not in self.game.roles and isinstance(self.game, GdlGame)
        if not (self.game.chance and (role in self.legal or is_chance)):
            raise CommandError(f"No move named {shown(move)} for player {role}.")
        self.offers[role] = move
        if not self.state.is_race:
            return None if self.waiting_for else self._joint()
        return self._play_turn({role: move}, {}, is_resolved=True)

    def advance(self) -> PlayedTurn:
        """Play a turn without a choice."""
        self.offers = {}
        return self._joint()

    def _joint(self) -> PlayedTurn:
        moves = {role: moves[0] for role, moves in self.legal.items()} | self.offers
        drawn = any(move not in self.legal.get(role, ()) for role, move in moves.items())
        return self._play_turn(moves, {}, is_resolved=drawn)

    def _play_turn(self, chosen: JointMove, lost: Mapping[Role, Move], is_resolved: bool = False) -> PlayedTurn:
        number, parent = self.next_number, self.current
        joint_move = chosen if is_resolved else resolve_chance(self.seed, number, self.state, chosen)
        known = next((turn for turn in self.children(parent) if turn.joint_move == joint_move), None)
        try:
            state = known.state if known else self.state.play(joint_move)
        except IllegalMoveError:
            self.offers = {}
            moves = ", ".join(f"{shown(move)} for player {role}" for role, move in joint_move.items())
            raise CommandError(f"No move named {moves}.") from None
        turn = known or PlayedTurn(
            id=number,
            parent=parent,
            chosen={role: move for role, move in chosen.items() if role in self.game.roles},
            joint_move=dict(joint_move),
            steps=self._steps(joint_move),
            state=state,
            is_automatic=self.is_automatic,
            lost=lost,
        )
        self.turns[turn.id] = turn
        self._count = max(self._count, turn.id)
        self.undone.clear()
        self._enter(turn.id)
        self._refresh()
        return turn

    def _enter(self, number: int) -> None:
        self._latest[self.current] = number
        self.line.append(number)

    def _steps(self, joint_move: JointMove) -> tuple[tuple[Role, Move], ...]:
        drawn = [
            (role, move)
            for role, move in joint_move.items()
            if role not in self.to_move and move not in self.legal.get(role, ())
        ]
        return (*drawn, *((role, joint_move[role]) for role in self.to_move if role in joint_move))

    def children(self, turn: int) -> list[PlayedTurn]:
        """The turns that were played after a turn, 0 for the start, the first first."""
        return [child for child in self.turns.values() if child.parent == turn]

    def undo(self) -> list[PlayedTurn]:
        """Take back the last turn in which a player moved, and those that the Rules played since, last first."""
        count = next((n for n, number in enumerate(reversed(self.line)) if not self.turns[number].is_automatic), None)
        if count is None:
            raise CommandError("There is no move to undo.")
        taken = [self.turns[self.line.pop()] for _ in range(count + 1)]
        self.undone += [turn.id for turn in taken]
        self._refresh()
        return taken

    def redo(self) -> list[PlayedTurn]:
        """Redo the turn that was taken back last, and those that the Rules played after it.

        If there is none, continue with the child that was visited last.
        """
        made: list[PlayedTurn] = []
        while (number := self._next()) and (not made or self.turns[number].is_automatic):
            if self.undone:
                self.undone.pop()
            self._enter(number)
            made.append(self.turns[number])
        if not made:
            raise CommandError("There is no move to redo.")
        self._refresh()
        return made

    def _next(self) -> int:
        return self.undone[-1] if self.undone else self._latest.get(self.current, 0)

    def path(self, number: int) -> list[int]:
        """The turns from the start to a turn."""
        found = []
        while number:
            found.append(number)
            number = self.turns[number].parent
        return found[::-1]

    def select(self, number: int) -> tuple[int, list[PlayedTurn]]:
        """Go to a turn; returns the number of turns taken back, and the turns made then."""
        path = self.path(number)
        shared = sum(1 for ours, theirs in zip(self.line, path, strict=False) if ours == theirs)
        back = len(self.line) - shared
        del self.line[shared:]
        self.undone.clear()
        for turn in path[shared:]:
            self._enter(turn)
        self._refresh()
        return back, [self.turns[turn] for turn in path[shared:]]

    def delete(self, number: int) -> None:
        """Delete a turn and all after it."""
        gone = {number}
        for turn in self.turns.values():  # parents come before their children
            if turn.parent in gone:
                gone.add(turn.id)
        self._latest = {turn: child for turn, child in self._latest.items() if not {turn, child} & gone}
        for lost in gone:
            del self.turns[lost]
            for notes in (self.names, self.comments, self.messages):
                notes.pop(lost, None)
        self.undone.clear()

    def step_back(self) -> bool:
        """Take back one turn; False if there is none."""
        if not self.line:
            return False
        self.undone.append(self.line.pop())
        self._refresh()
        return True

    def step_forward(self) -> bool:
        """Make one turn again; False if none was taken back."""
        if not self.undone:
            return False
        self._enter(self.undone.pop())
        self._refresh()
        return True

    def _find_legal_move(self, role: Role, text: Move) -> Move | None:
        """The legal move that a text stands for, exactly or in another spelling."""
        legal = self.legal.get(role, ())
        for move in legal:
            if move == text:
                return move
        alike = [move for move in legal if _tidy(move) == _tidy(text)]
        return alike[0] if len(alike) == 1 else None


def _tidy(move: Move) -> str:
    return " ".join(move.lower().split()).replace("( ", "(").replace(" )", ")")


def _waits(move: Move) -> bool:
    """True for moves of GDL that do nothing, by the name that all rule sheets use."""
    return move.lower().strip("() ") == "noop"
