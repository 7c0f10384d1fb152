"""A UCI program as a player of chess."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from ludens.core import Deadline, Decision, Game, GameError, Move, Option, PlayerError, View
from ludens.core.program import Program
from ludens.gdl.source import visible
from ludens.protocols.program_player import ANSWER_TIME, ProgramPlayer
from ludens.protocols.uci.fen import fen_of_facts
from ludens.protocols.uci.info import Info
from ludens.protocols.uci.squares import check_chess, moves_by_uci, uci_move

OVERHEAD = 0.05
"""Seconds of a move reserved for latency."""
STOPPING = 0.5
"""Seconds in which a program must name its move after ``stop``."""


class UciPlayer(ProgramPlayer):
    """A program that plays chess by UCI."""

    name = "uci"
    description = "An external program that speaks UCI, for chess"
    options = (
        Option("command", "stockfish", "the program and its arguments"),
        Option("settings", "", "options of the program: Skill Level=3; Hash=64"),
        Option("depth", 0, "search depth of the program in plies; 0 means as deep as the clock allows", 0, 1000),
    )

    def prepare(self, game: Game) -> None:
        """Map the game to UCI."""
        try:
            self._game = check_chess(game)
        except GameError as error:
            raise PlayerError(str(error)) from None
        self._wanted = dict(map(_setting, filter(str.strip, str(self.settings["settings"]).split(";"))))
        self._start = f"position fen {fen_of_facts(self._game.initial_state().facts)}"

    def greet(self, program: Program) -> None:
        """Send ``uci``, and set the options."""
        deadline = Deadline(ANSWER_TIME)
        program.send("uci", deadline)
        known = set()
        while (line := program.line(deadline).strip()) != "uciok":
            if found := re.match(r"option\s+name\s+(.+?)\s+type\s", line):
                known.add(found[1].lower())
        for name, value in self._wanted.items():
            if name.lower() not in known:
                raise PlayerError(f"{program.name!r} has no option {name!r} (options: {', '.join(sorted(known))})")
            program.send(f"setoption name {name} value {value}", deadline)
        program.send("ucinewgame", deadline)
        self._await_ready(program, deadline)

    @staticmethod
    def _await_ready(program: Program, deadline: Deadline) -> None:
        program.send("isready", deadline)
        while program.line(deadline).strip() != "readyok":
            pass

    def ask(self, program: Program, view: View, deadline: Deadline) -> Decision:
        """Give the moves so far, and let the program think."""
        moves = " ".join(uci_move(self._game, role, move) for role, move in self.history)
        program.send(f"{self._start} moves {moves}" if moves else self._start, Deadline(ANSWER_TIME))
        program.send(self._go(deadline), Deadline(ANSWER_TIME))
        by_text = moves_by_uci(self._game, self.role, view.legal_moves)
        best, info = self._best(program, deadline, by_text)
        move = by_text.get(best, best)  # the Referee refuses others
        return Decision(move, info.thinking())

    def _go(self, deadline: Deadline) -> str:
        seconds = deadline.remaining() - OVERHEAD
        time = f" movetime {max(1, int(1000 * seconds))}" if math.isfinite(seconds) else ""
        depth = int(self.settings["depth"])
        return f"go{f' depth {depth}' if depth else ''}{time}"

    def _best(self, program: Program, deadline: Deadline, by_text: Mapping[str, Move]) -> tuple[str, Info]:
        """The program's best move, and the last figures of its search. Publishes the first moves of its lines."""
        info = Info()
        stopped = False
        while True:
            try:
                line = program.line(deadline)
            except TimeoutError:
                if stopped:
                    raise
                stopped, deadline = True, Deadline(STOPPING)
                program.send("stop", deadline)
                continue
            words = line.split()
            if words[:1] == ["info"]:
                info = info.update(words)
                if info.line and info.line[0] in by_text:
                    self.channel.publish(Decision(by_text[info.line[0]], info.thinking()))
            elif words[:1] == ["bestmove"]:
                if len(words) < 2:
                    raise program.error(f"names no move: {visible(line[:80])!r}")
                return words[1], info


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise PlayerError(f"{text.strip()!r} in the option 'settings' is not NAME=VALUE")
    return name.strip(), value.strip()
