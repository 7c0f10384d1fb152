"""The process of one table: the Referee's match, in which agents sit as people do and other players as usual.

A request is one line of JSON, and so is its answer, which comes at once, except that of ``regret``. Memory is limited.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

from ludens.core import (
    Clock,
    Game,
    JointMove,
    LudensError,
    Observation,
    Player,
    Role,
    View,
)
from ludens.core.process import limit_process, take_output
from ludens.games.endings import cause_of_end
from ludens.players import make_player
from ludens.players.human import HumanPlayer, Question
from ludens.players.prompted.position_text import Seen
from ludens.players.prompted.prompt import Style, make_prompt
from ludens.players.prompted.reply import parse_move
from ludens.players.review import judge_last
from ludens.referee import Match, MatchEnded, TakenBack, TurnPlayed
from ludens.referee.verdict import verdict
from ludens.web.agents.loading import load
from ludens.web.hosting.setup import HUMAN, Setup

REVIEW_SECONDS = 1.0
"""How long a move is judged."""
_MOST_TURNS = 20
"""Turns of others that a status repeats."""
_BY_TOOL = "Call the tool play with one legal move."
"""How an agent answers what `Table.view` shows."""


class AgentSeat(HumanPlayer):
    """A seat of an agent, which remembers what its role has seen."""

    name = "agent"
    description = "an agent behind a protocol"

    def __init__(self) -> None:
        super().__init__()
        self.past: list[Seen] = []
        self.moved = 0
        """The number of turns before its last move."""

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Begin a match."""
        super().start(game, role, seed, clock)
        self.role = role

    def observe(self, observation: Observation) -> None:
        """Remember a turn."""
        super().observe(observation)
        self.past.append(Seen.of(observation, self.role))

    def take_back(self, turns: int, view: View) -> None:
        """Forget turns."""
        super().take_back(turns, view)
        del self.past[len(self.past) - turns :]
        self.moved = len(self.past)

    def news(self) -> list[str]:
        """The turns from its last move on, as the role saw them."""
        first = max(self.moved, len(self.past) - _MOST_TURNS)
        return [f"{number}. {seen}" for number, seen in enumerate(self.past[first:], first + 1)]


class Table:
    """One match. Its methods are called by one thread; the match has another."""

    def __init__(self, request: dict[str, Any]) -> None:
        setup = Setup.from_json(request["setup"])
        self._game = load(request)
        self._agents = {role: AgentSeat() for role in setup.people}
        players: dict[Role, Player] = {
            role: self._agents[role] if seat.player == HUMAN else make_player(seat.player)
            for role, seat in setup.seats.items()
        }
        self._questions: dict[Role, Question] = {}
        for agent in self._agents.values():
            agent.connect(self._ask)
        clocks = {role: seat.clock for role, seat in setup.seats.items()}
        self._match = Match(self._game, players, clocks, setup.seed, take_back=setup.undo, ponder=False)
        self._turns: dict[int, TurnPlayed] = {}
        self._last = 0
        self._end: MatchEnded | None = None
        self._failure = ""
        threading.Thread(target=self._drive, name="match", daemon=True).start()

    def _ask(self, question: Question) -> None:
        self._questions[question.view.role] = question

    def _drive(self) -> None:
        end = None
        try:
            for event in self._match.events():
                match event:
                    case TurnPlayed():
                        self._turns[event.id] = event
                        self._last = event.id
                    case TakenBack():
                        self._last = event.turn
                    case MatchEnded():
                        end = event
            self._end = end  # now all seats have seen the last turn
        except Exception as error:  # rules may raise anything
            self._failure = f"the match failed: {error}"

    def status(self, role: Role) -> dict[str, Any]:
        """Whether the role has to move now, the turns since its last move, and the result of a match that is over."""
        if self._failure:
            raise LudensError(self._failure)
        end, asked = self._end, self._question(role) is not None
        found = {"role": role, "your_move": asked, "turns": self._agents[role].news(), "over": end is not None}
        if end is None:
            return found
        text = verdict(end, [role], cause_of_end(self._match.state) if end.reason == "terminal" else "")
        return found | {"goals": dict(end.goals), "reason": end.reason, "text": text}

    def _question(self, role: Role) -> Question | None:
        question = self._questions.get(role)
        return None if question is None or question.deadline.cancelled or self._end is not None else question

    def view(self, role: Role, style: str) -> dict[str, Any]:
        """The position in words, as the role sees it."""
        question, agent = self._question(role), self._agents[role]
        view = self._match.state.view(role) if question is None else question.view
        prompt = make_prompt(view, list(agent.past), Style(style), _BY_TOOL)
        return self.status(role) | {"text": prompt.text}

    def legal_moves(self, role: Role, offset: int, limit: int, contains: str) -> dict[str, Any]:
        """Some of the role's legal moves."""
        question = self._question(role)
        moves = [move for move in (question.view.legal_moves if question else ()) if contains.lower() in move.lower()]
        return self.status(role) | {"total": len(moves), "moves": list(map(str, moves[offset : offset + limit]))}

    def play(self, role: Role, move: str) -> dict[str, Any]:
        """Make the one legal move that a text names."""
        question = self._asked(role)
        chosen = parse_move(move, question.view.legal_moves)
        agent = self._agents[role]
        agent.moved = len(agent.past)
        del self._questions[role]
        question.answer(chosen)
        return {"played": str(chosen)}

    def undo(self, role: Role) -> dict[str, Any]:
        """Take back the role's last move."""
        question = self._asked(role)
        if not self._match.may_take_back:
            raise LudensError("moves can be taken back only where no other agent plays, in matches started with undo")
        if not question.can_take_back:
            raise LudensError("there is no move of yours to take back")
        del self._questions[role]
        question.take_back()
        return {"undone": True}

    def _asked(self, role: Role) -> Question:
        question = self._question(role)
        if question is None:
            raise LudensError("the match is over" if self._end is not None else f"it is not the turn of {role}")
        return question

    def resign(self, role: Role) -> dict[str, Any]:
        """Give up."""
        if self._end is not None:
            raise LudensError("the match is over")
        self._questions.clear()  # nobody has to move any more
        self._match.resign(role)
        return {"resigned": role}

    def result(self, role: Role) -> dict[str, Any]:
        """Goals and the cause of the end; null while the match runs."""
        return {"goals": None} | self.status(role)

    def _line(self) -> list[JointMove]:
        """The joint moves from the start to the last turn."""
        line, turn = [], self._last
        while turn:
            line.append(self._turns[turn].joint_move)
            turn = self._turns[turn].parent
        return line[::-1]

    def regret(self, role: Role) -> dict[str, Any]:
        """What the role's last choice lost against the best move."""
        found = judge_last(self._game, self._line(), role, REVIEW_SECONDS)
        if found is None:
            raise LudensError(f"{role} has had no choice yet")
        return found.as_json()


def main() -> None:
    """Answer requests until the input ends; the first argument is the memory limit in bytes."""
    limit_process(int(sys.argv[1]))
    answers = take_output()
    table: Table | None = None
    for line in sys.stdin.buffer:
        request: dict[str, Any] = json.loads(line)
        do = request.pop("do")
        try:
            if do == "start":
                table = Table(request)
                answer: dict[str, Any] = {}
            else:
                method: Callable[..., dict[str, Any]] = getattr(table, do)
                answer = method(**request)
        except LudensError as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = {"error": "this needs more memory than the server allows"}
        except RecursionError:
            answer = {"error": "the rules are nested too deeply"}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
