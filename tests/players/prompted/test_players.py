"""Players behind prompts: programs and servers, good ones and bad ones."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import ludens
from ludens.core import Clock, Deadline, Player, PlayerError
from ludens.players import make_player
from ludens.referee import Match, MatchEnded
from tests.protocols.programs import program

FIRST = 'import json; say(json.dumps({"move": json.loads(line)["legal_moves"][0]}) + "\\n")'


def asked(player: Player, name: str = "tic_tac_toe", seconds: float = 20.0) -> str:
    """The answer of a player to the first question of a game."""
    game = ludens.load(name, backend="interpreter")
    player.start(game, game.roles[0], 1, Clock(seconds))
    try:
        return player.choose(game.initial_state().view(game.roles[0]), Deadline(seconds)).move
    finally:
        player.stop()


@contextmanager
def server(answer: Callable[[dict[str, Any]], bytes], status: int = 200) -> Iterator[str]:
    """The URL of a server that answers questions."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(answer(question))

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}/move"
        listening.shutdown()
        thread.join()


def test_a_program_plays_a_whole_match(tmp_path: Path) -> None:
    game = ludens.load("tic_tac_toe", backend="interpreter")
    command = f"command:{program(tmp_path, FIRST)}"
    match = Match(
        game, {role: make_player(command, files=True) for role in game.roles}, dict.fromkeys(game.roles, Clock(20)), 1
    )

    end = list(match.events())[-1]

    assert isinstance(end, MatchEnded)
    assert end.goals == {"xplayer": 100, "oplayer": 0}  # whoever takes the first free cell wins as xplayer


def test_a_wrong_reply_is_asked_again_with_the_reason(tmp_path: Path) -> None:
    behaviour = """
import json
asked = json.loads(line)
say(json.dumps({"reply": "MOVE: (mark 2 2)" if "not a legal move" in asked["error"] else "MOVE: (mark 9 9)"}) + "\\n")
"""

    assert asked(make_player(f"command:{program(tmp_path, behaviour)}", files=True)) == "(mark 2 2)"


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"reply": 5}', '{"reply": "pass"}'])
def test_replies_without_a_move_are_an_error_in_the_end(line: str, tmp_path: Path) -> None:
    player = make_player(f"command:{program(tmp_path, f'say({line + chr(10)!r})')}", files=True)

    with pytest.raises(PlayerError, match="named no legal move"):
        asked(player)


def test_a_silent_program_is_late_and_killed(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match="was silent"):
        asked(make_player(f"command:{program(tmp_path, 'time.sleep(1000)')}", files=True), seconds=0.3)


def test_spaces_in_drawings_reach_the_program(tmp_path: Path) -> None:
    copy = tmp_path / "question"
    behaviour = f"open({str(copy)!r}, 'a').write(line + chr(10)); {FIRST}"

    asked(make_player(f"command:{program(tmp_path, behaviour)}", files=True), "connect_four")

    assert "\n    1 2 3 4 5 6 7" in json.loads(copy.read_text().splitlines()[0])["prompt"]


def test_a_server_is_asked_by_post() -> None:
    with server(lambda question: json.dumps({"reply": f"MOVE: {question['legal_moves'][3]}"}).encode()) as url:
        assert asked(make_player(f"http:{url}", files=True)) == "(mark 2 1)"
        assert asked(make_player(url, files=True)) == "(mark 2 1)"


def test_errors_of_servers_are_reported() -> None:
    with server(lambda _: b"", status=500) as url, pytest.raises(PlayerError, match="status 500"):
        asked(make_player(f"http:{url}", files=True))
    with pytest.raises(PlayerError, match=r"127\.0\.0\.1"):
        asked(make_player("http:http://127.0.0.1:1/", files=True))
    with pytest.raises(PlayerError, match="not a URL"):
        asked(make_player("http:ftp://example.org/", files=True))


def test_a_slow_server_is_late() -> None:
    released = threading.Event()

    def wait(_: dict[str, Any]) -> bytes:
        released.wait(30)
        return b""

    with server(wait) as url:
        with pytest.raises(TimeoutError, match="in time"):
            asked(make_player(f"http:{url}", files=True), seconds=0.3)
        released.set()


@pytest.mark.parametrize("text", ["command:echo", "http://127.0.0.1:1/"])
def test_only_the_local_user_may_name_programs_and_addresses(text: str) -> None:
    with pytest.raises(PlayerError, match="not allowed here"):
        make_player(text)


def test_a_command_is_needed() -> None:
    with pytest.raises(PlayerError, match="needs a command"):
        make_player("command", files=True)
