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
    Move,
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
from ludens.players.prompted.reply import parse_reply
from ludens.players.review import judge_last
from ludens.referee import Match, MatchEnded, TakenBack, TurnPlayed
from ludens.referee.verdict import verdict
from ludens.web.agents.loading import load
from ludens.web.hosting.setup import HUMAN, Setup

REVIEW_SECONDS = 1.0
"""How long a move is judged."""


class AgentSeat(HumanPlayer):
    """A seat of an agent, which remembers what its role has seen."""

    name = "agent"
    description = "an agent behind a protocol"

    def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
        """Begin a match."""
        super().start(game, role, seed, clock)
        self.role = role
        self.past: list[Seen] = []

    def observe(self, observation: Observation) -> None:
        """Remember a turn."""
        super().observe(observation)
        self.past.append(Seen.of(observation, self.role))

    def take_back(self, turns: int, view: View) -> None:
        """Forget turns."""
        super().take_back(turns, view)
        del self.past[len(self.past) - turns :]


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
        try:
            for event in self._match.events():
                match event:
                    case TurnPlayed():
                        self._turns[event.id] = event
                        self._last = event.id
                    case TakenBack():
                        self._last = event.turn
                    case MatchEnded():
                        self._end = event
        except Exception as error:  # rules may raise anything
            self._failure = f"the match failed: {error}"

    def status(self, role: Role) -> dict[str, Any]:
        """Whether the role has to move now, and whether the match is over."""
        if self._failure:
            raise LudensError(self._failure)
        return {"role": role, "your_move": self._question(role) is not None, "over": self._end is not None}

    def _question(self, role: Role) -> Question | None:
        question = self._questions.get(role)
        return None if question is None or question.deadline.cancelled or self._end is not None else question

    def view(self, role: Role, style: str) -> dict[str, Any]:
        """The position in words, as the role sees it."""
        question, agent = self._question(role), self._agents[role]
        view = self._match.state.view(role) if question is None else question.view
        return self.status(role) | {"text": make_prompt(view, list(agent.past), Style(style)).text}

    def legal_moves(self, role: Role, offset: int, limit: int, contains: str) -> dict[str, Any]:
        """Some of the role's legal moves."""
        question = self._question(role)
        moves = [move for move in (question.view.legal_moves if question else ()) if contains.lower() in move.lower()]
        return self.status(role) | {"total": len(moves), "moves": list(map(str, moves[offset : offset + limit]))}

    def play(self, role: Role, move: str) -> dict[str, Any]:
        """Make the one legal move that a text names."""
        question = self._asked(role)
        chosen: Move = parse_reply(move, question.view.legal_moves)
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
        self._match.resign(role)
        return {"resigned": role}

    def result(self, role: Role) -> dict[str, Any]:
        """Goals and the cause of the end."""
        end = self._end
        if end is None:
            return self.status(role) | {"goals": None}
        text = verdict(end, [role], cause_of_end(self._match.state) if end.reason == "terminal" else "")
        return self.status(role) | {"goals": dict(end.goals), "reason": end.reason, "text": text}

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
