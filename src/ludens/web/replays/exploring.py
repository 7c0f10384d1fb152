"""A position that people look into: moves to try there, and what a search thinks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from ludens.core import Clock, Deadline, Game, GameError, JointMove, LudensError, Role, State
from ludens.drawing import clicks, draw
from ludens.drawing.notation import writer_of
from ludens.players import make_player
from ludens.players.decomposition.solve_state import solve_state
from ludens.web.replays.frames import COMPILING_SECONDS, open_record
from ludens.web.thinking import LINE, thinking_as_json

_LOOKS = (0.5, 1.0, 2.0, 4.0)
"""Seconds of the searches of one position; what each found is shown at once."""
_PROOF_SECONDS = 5.0
_PROOF_MEGABYTES = 64


class Exploration:
    """A position of a game, and some moves that people tried in it."""

    def __init__(self, game: Game, state: State, steps: Sequence[JointMove]) -> None:
        self.game = game
        self.state = state
        self.made: JointMove = {}
        self.before: State | None = None
        for number, step in enumerate(steps):
            self._play(step, Random(number))

    def _play(self, step: JointMove, rng: Random) -> None:
        if self.state.is_terminal:
            raise GameError("the match is over in this position")
        forced = {
            role: moves[0]
            for role in self.game.roles
            if not self.state.is_race and len(moves := self.state.legal_moves(role)) == 1
        }
        made: JointMove = {**forced, **step}
        try:
            after = self.state.play(made)
        except LudensError:  # chance has a say in it, or it is not legal
            made = self.state.resolve(made, rng)
            after = self.state.play(made)
        self.made, self.before, self.state = made, self.state, after

    def as_json(self) -> dict[str, Any]:
        """The position, the last move that led to it, and the moves of each role that has a choice."""
        drawing = draw(self.game, self.state, last=list(self.made.values()))
        over = self.state.is_terminal
        return {
            "svg": drawing.inline,
            "text": drawing.text,
            "goals": dict(self.state.goals) if over else None,
            "moves": {role: str(move) for role, move in self.made.items()},
            "texts": self._texts(),
            "race": self.state.is_race,
            "options": [] if over else [self._options(role) for role in self._choosing()],
        }

    def _choosing(self) -> list[Role]:
        """The roles with a choice; if nobody has one, the first that moves."""
        moving = [role for role in self.game.roles if self.state.legal_moves(role)]
        return [role for role in moving if len(self.state.legal_moves(role)) > 1] or moving[:1]

    def _texts(self) -> dict[Role, str]:
        if self.before is None:
            return {}
        writer, before = writer_of(self.game), self.before
        chosen = {role: move for role, move in self.made.items() if len(before.legal_moves(role)) > 1} or self.made
        return {
            role: writer.text(before, role, move, self.state)
            for role, move in chosen.items()
            if role in self.game.roles
        }

    def _options(self, role: Role) -> dict[str, Any]:
        spots, texts = _spots_and_texts(self.game, self.state, role)
        moves = [
            {"move": str(move), "label": texts[move], "spots": spots.get(move, ())}
            for move in self.state.legal_moves(role)
        ]
        return {"role": role, "moves": moves}

    def thinking(self, game: Game, proof_seconds: float = _PROOF_SECONDS) -> Iterator[dict[str, Any]]:
        """What searches and proofs find about the position, as they go on; ``game`` is one that can be compiled."""
        if self.state.is_terminal:
            raise LudensError("the match is over in this position, so there is nothing to analyse")
        compiled = game.compiled(COMPILING_SECONDS)
        state = compiled.convert(self.state)
        for role in self._choosing():
            spots, texts = _spots_and_texts(self.game, self.state, role)
            player = make_player("ismcts" if compiled.hidden else "mcts")
            player.start(compiled, role, 0, Clock(_LOOKS[-1], COMPILING_SECONDS))
            try:
                for seconds in _LOOKS:
                    found = player.choose(state.view(role), Deadline(seconds)).thinking
                    line = [] if compiled.hidden else writer_of(self.game).line(self.state, found.line[:LINE])
                    yield {"part": "thinking", **thinking_as_json(role, found, line, texts, spots)}
                    if found.moves and all(report.proven for report in found.moves):
                        break
            finally:
                player.stop()
        if not compiled.hidden:
            yield from self._proof(state, proof_seconds)

    def _proof(self, state: State, seconds: float) -> Iterator[dict[str, Any]]:
        """The exact value, if it can be proved in short time."""
        try:
            found = solve_state(state, seconds, _PROOF_MEGABYTES, by_parts=False)
        except LudensError:  # not every game can be solved
            return
        if found.exact:
            best = {
                role: [writer_of(self.game).text(self.state, role, move) for move in moves]
                for role, moves in found.best.items()
            }
            yield {"part": "proof", "values": found.values, "best": best}


def explore_record(path: Path, game_name: str, turn: int, steps: Sequence[JointMove], *, reveal: bool) -> Exploration:
    """The position after a turn of a record and some moves that people tried."""
    record, game = open_record(path, game_name, reveal)
    state: State = game.initial_state()
    for recorded in record.line_to(turn):
        state = state.play(recorded.moves)
    return Exploration(game, state, steps)


def _spots_and_texts(game: Game, state: State, role: Role) -> tuple[Mapping[str, Sequence[str]], Mapping[str, str]]:
    legal = state.legal_moves(role)
    seen = state if game.hidden else state.view(role)
    return clicks(game, seen, legal), writer_of(game).texts(seen, role)
