"""``make interop RULES=DIR PLAYERS=URL,URL SERVER=COMMAND``: play with the programs of another GGP system.

Our controller plays every rule sheet of a folder with the players that run at the given addresses, and our player plays
them for a server of another system, which a command of the user starts for each sheet. Nothing of another system is
built, downloaded or shipped. The command may name ``{rules}``, ``{start}``, ``{play}``, and the addresses of our
players: ``{host}``, ``{ports}`` (with blanks between), ``{addresses}`` (``host:port``, with blanks between).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import ludens
from ludens.core import GameError, LudensError
from ludens.gdl.game import GdlGame
from ludens.protocols.ggp.controller import GameController, Plan
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import MessageError, Play, Start, Stop, as_word, read_message
from ludens.protocols.ggp.server import Reply, Request, Server
from ludens.protocols.ggp.wire import Address
from ludens.referee.reading import read_record
from ludens.referee.verify import verify

OK = "ok"
FAULTS = ("late", "illegal", "crash", "not known", "cannot have happened", "not ready", "cannot be read")
"""Words in our player's log that mean that something went wrong."""
FARTHEST = 20
"""Seconds that our players wait for the server's STOP after its command has ended."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one sheet was played."""

    sheet: str
    side: str
    """``controller`` or ``player``: what ludens was."""
    verdict: str
    turns: int = 0
    goals: str = ""


def main() -> None:
    """Play all sheets, and print a table of verdicts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path, help="a folder with rule sheets, NAME.kif")
    parser.add_argument("--players", default="", help="addresses of running players, with commas")
    parser.add_argument("--server", default="", help="the command that plays one match on another system's server")
    parser.add_argument("--player", default="mcts", help="our player")
    parser.add_argument("--start-clock", type=int, default=10)
    parser.add_argument("--clock", type=int, default=3)
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for a match before it is aborted")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sheets = sorted(options.rules.glob("*.kif"))
    if not sheets or not (options.players or options.server):
        parser.error("there is nothing to do: name a folder with .kif files, and --players or --server")
    found = []
    for sheet in sheets:
        for verdict in _verdicts(sheet, options):
            found.append(verdict)
            if not options.json:
                print(f"{verdict.sheet:40} {verdict.side:11} {verdict.turns:5} {verdict.goals:15} {verdict.verdict}")
    good = sum(verdict.verdict == OK for verdict in found)
    if options.json:
        print(json.dumps([asdict(verdict) for verdict in found], indent=2))
    else:
        print(f"{good} of {len(found)} matches without a fault")
    sys.exit(0 if good == len(found) else 1)


def _verdicts(sheet: Path, options: argparse.Namespace) -> Iterator[Verdict]:
    try:
        game = ludens.load(sheet, wait=False)
        if not isinstance(game, GdlGame):
            raise GameError("no rules in GDL")
    except LudensError as error:
        yield Verdict(sheet.stem, "-", f"refused: {str(error).splitlines()[0]}")
        return
    if options.players:
        addresses = [Address.parse(text) for text in options.players.split(",")]
        yield _control(sheet, game, addresses, options)
    if options.server:
        yield _serve(sheet, game, options)


def _control(sheet: Path, game: GdlGame, addresses: list[Address], options: argparse.Namespace) -> Verdict:
    """Our controller with the players of the other system; roles that are left over get our player."""
    seats: dict[str, Address | str] = dict.fromkeys(game.roles, options.player)
    seats |= dict(zip(game.roles, addresses, strict=False))
    plan = Plan(
        game, seats, as_word(f"interop.{sheet.stem}"), 1, options.start_clock, options.clock, gdl_ii=game.hidden
    )
    with tempfile.TemporaryDirectory() as folder:
        conducted = GameController(plan, Path(folder), ludens.__version__)
        timer = threading.Timer(options.limit, conducted.abort)
        timer.start()
        try:
            outcome = conducted.run()
        except LudensError as error:
            return Verdict(sheet.stem, "controller", f"not played: {error}")
        finally:
            timer.cancel()
        differences = list(verify(read_record(outcome.record), game.by_rules_alone()))
    end = outcome.end
    goals = " ".join(str(end.goals.get(role, "-")) for role in game.roles)
    if not end.finished:
        return Verdict(sheet.stem, "controller", f"not finished: {end.reason}", end.turns, goals)
    faults = [f"{role} erred {count} times" for role, count in end.failures.items() if count]
    faults += [f"the record does not verify: {differences[0]}"] if differences else []
    return Verdict(sheet.stem, "controller", "; ".join(faults) or OK, end.turns, goals)


class _Watched:
    """Our player for the server of another system, and what it was asked."""

    def __init__(self, player: str, name: str) -> None:
        self.faults: list[str] = []
        self.turns = 0
        self.started = False
        self.stopped = threading.Event()
        self._host = PlayerHost(player, name=name, most_matches=1, backend="auto", seed=1, log=self._note)

    def _note(self, text: str) -> None:
        if any(word in text for word in FAULTS):
            self.faults.append(text)

    def answer(self, request: Request) -> Reply:
        """Answer, and take note."""
        reply = self._host.answer(request)
        with contextlib.suppress(MessageError):
            match read_message(request.body):
                case Start():
                    self.started = True
                case Play():
                    self.turns += 1
                case Stop():
                    self.stopped.set()
        return reply

    def close(self) -> None:
        """Release the player."""
        self._host.close()


def _serve(sheet: Path, game: GdlGame, options: argparse.Namespace) -> Verdict:
    """Our players for a server of the other system, which the command starts for this sheet."""
    watched = [_Watched(options.player, f"ludens-{number}") for number, _ in enumerate(game.roles, start=1)]
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(Server(player.answer, "127.0.0.1", 0)) for player in watched]
        for player in watched:
            stack.callback(player.close)
        ports = [str(server.port) for server in servers]
        words = {
            "rules": str(sheet.resolve()),
            "start": str(options.start_clock),
            "play": str(options.clock),
            "host": "127.0.0.1",
            "ports": " ".join(ports),
            "addresses": " ".join(f"127.0.0.1:{port}" for port in ports),
        }
        command = shlex.split(options.server.format(**words))
        try:
            ended = subprocess.run(command, capture_output=True, text=True, timeout=options.limit, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return Verdict(sheet.stem, "player", f"the server's command failed: {error}")
        stopped = all(player.stopped.wait(FARTHEST) for player in watched if player.started)
    turns = max(player.turns for player in watched)
    if not any(player.started for player in watched):
        last = (ended.stderr or ended.stdout).strip().splitlines()[-1:] or ["it wrote nothing"]
        return Verdict(sheet.stem, "player", f"the server began no match: {last[0]}")
    faults = [fault for player in watched for fault in player.faults]
    if not stopped:
        faults.append("the server did not say STOP")
    return Verdict(sheet.stem, "player", faults[0] if faults else OK, turns)


if __name__ == "__main__":
    main()
