"""``python -m benchmarks.ggtp_mute``: how long a Supervisor waits for answers while an engine is mute.

The Rules listen; one Supervisor gives a player an engine that never answers, or asks one about its options, and another
Supervisor gives commands meanwhile. Printed are the times of these, in milliseconds.
"""

from __future__ import annotations

import argparse
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

COMMAND = [sys.executable, "-c", "from ludens.cli.main import run; run()", "ggtp", "--listen", "0", "--tokens"]
MUTE = (
    "import sys\nfor line in sys.stdin:\n"
    "    if line.split()[0] != sys.argv[1]: print('acknowledge', flush=True)\n"
    "    else: sys.stdin.read()\n"
)
QUESTIONS = ("get_rule", "list_players", "get_table", "list_possible_moves", "get_option seed", "list_played_moves")


class Supervisor:
    """A Supervisor over TCP."""

    def __init__(self, port: int, name: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._lines = self._socket.makefile("r", encoding="utf-8", newline="\n")
        self.say(f"hello supervisor {name} secret-of-supervisors")

    def send(self, line: str) -> None:
        """Send a line without waiting."""
        self._socket.sendall(f"{line}\n".encode())

    def say(self, line: str) -> str:
        """The first line of the answer."""
        self.send(line)
        while not (answer := self._lines.readline()).startswith(("=", "?")):
            if not answer:
                raise ConnectionError("the Rules have gone")
        return answer.strip()


def main() -> None:
    """Measure, for an engine that is mute at each of some commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50, help="how often each question is asked")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        tokens, program = Path(folder, "tokens"), Path(folder, "mute.py")
        tokens.write_text("supervisor secret-of-supervisors\nplayer secret-of-players\nobserver secret-of-observers\n")
        tokens.chmod(0o600)
        program.write_text(MUTE)
        for command in ("connect_engine", "start", "list_options", "have_to_play"):
            _measure(command, tokens, program, options.rounds)


def _measure(command: str, tokens: Path, program: Path, rounds: int) -> None:
    rules = subprocess.Popen([*COMMAND, str(tokens)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert rules.stdin is not None
    assert rules.stdout is not None
    port = int(rules.stdout.readline().rsplit(":", 1)[1])
    engine = f'process command="{shlex.join([sys.executable, str(program), command])}"'
    anna = Supervisor(port, "Anna")
    anna.say("set_rule TicTacToe")
    anna.say("start")
    print(f"set_engine Circle {engine}", file=rules.stdin, flush=True)
    if command != "connect_engine":
        while not rules.stdout.readline().startswith("="):
            pass
    later = {"start": "start", "list_options": "list_engine_options Circle", "have_to_play": "force_play Cross A1"}
    if command in later:
        print(f"{later[command]}\nset_option genmove on", file=rules.stdin, flush=True)
    times = []
    for _ in range(rounds):
        for question in QUESTIONS:
            began = time.monotonic()
            answer = anna.say(question)
            times.append(1000 * (time.monotonic() - began))
            if not answer.startswith("="):
                raise ValueError(f"{question}: {answer}")
    rules.kill()
    rules.wait()
    times.sort()
    share = times[int(0.99 * len(times))]
    print(f"mute at {command:15} {len(times)} answers: median {times[len(times) // 2]:.1f} ms, ", end="")
    print(f"99 % below {share:.1f} ms, longest {times[-1]:.1f} ms", flush=True)


if __name__ == "__main__":
    main()
