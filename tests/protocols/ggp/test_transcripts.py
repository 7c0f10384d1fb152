"""What ggp-base's programs said to each other, said again to ours."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import ludens
from ludens.core import Deadline, Game
from ludens.protocols.ggp.controller import GameController, Outcome, Plan
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import Moves, Play, Preview, Start, Stop, add_blanks, read_message, read_term
from ludens.protocols.ggp.server import Server
from ludens.protocols.ggp.wire import Address, exchange
from tests.peers import TRANSCRIPTS, peer
from tests.protocols.ggp.peers import http, raw_player, raw_request
from tests.protocols.ggp.transcripts import Exchange, body, exchanges, head

pytestmark = peer("transcripts")

LOGS = ["tictactoe-xplayer.log", "tictactoe-oplayer.log", "scrambled.log", "preview.log", "abort.log"]


def start_of(log: Sequence[Exchange]) -> Start:
    return next(found.message for found in log if isinstance(found.message, Start))


def game_of(start: Start, folder: Path) -> Game:
    path = folder / "ticTacToe.kif"
    path.write_text("\n".join(start.rules))
    return ludens.load(path, backend="reference")


def moves_of(log: Sequence[Exchange]) -> list[tuple[str, ...]]:
    """The joint moves that a player was told."""
    told = [found.message.news for found in log if isinstance(found.message, Play | Stop)]
    return [news.moves for news in told if isinstance(news, Moves) and news.moves]


@pytest.fixture
def player() -> Iterator[Server]:
    host = PlayerHost("legal", name="Rando", most_matches=1, backend="reference", seed=1, log=lambda text: None)
    with Server(host.answer, "127.0.0.1", 0) as server:
        yield server
        host.close()


@pytest.mark.parametrize("name", LOGS)
def test_our_player_answers_the_server_of_ggp_base_as_its_own_players_do(
    name: str, player: Server, tmp_path: Path
) -> None:
    log = exchanges(name)
    start = start_of(log)
    state = game_of(start, tmp_path).initial_state()

    for found in log:
        reply = raw_request(player.port, found.request)
        message = found.message
        if isinstance(message, Preview):
            assert body(reply) == "ready"  # theirs never answers
            continue
        assert found.reply is not None
        assert [line for line in head(reply) if not line.startswith("Content-length")] == [
            line for line in head(found.reply) if not line.startswith("Content-length")
        ]
        if isinstance(message, Play):
            news = message.news
            assert isinstance(news, Moves)
            if news.moves:
                state = state.play(dict(zip(state.game.roles, news.moves, strict=True)))
            legal = state.legal_moves(start.role)
            assert read_term(body(reply)) in legal
            assert body(reply) == add_blanks(body(reply))
            assert len(legal) > 1 or body(reply) == found.answer
        else:
            assert body(reply) == found.answer


def conversation(
    logs: Sequence[Sequence[Exchange]], seen: list[list[str]], stop_at: int | None = None
) -> list[Callable[[socket.socket, str], None]]:
    """Players that answer as in the logs, in turn, and keep what they were sent."""

    def player(number: int) -> Callable[[socket.socket, str], None]:
        def behave(connection: socket.socket, message: str) -> None:
            turn = len(seen[number])
            seen[number].append(message)
            reply = logs[number][turn].reply
            if reply is None or turn == stop_at:
                connection.recv(1)
            else:
                connection.sendall(reply)

        return behave

    return [player(number) for number in range(len(logs))]


def conduct(
    game: Game, behaviours: Sequence[Callable[[socket.socket, str], None]], records: Path, **how: Any
) -> Outcome:
    with ExitStack() as stack:
        addresses = [stack.enter_context(raw_player(behave)) for behave in behaviours]
        seats = {role: Address("localhost", found.port) for role, found in zip(game.roles, addresses, strict=True)}
        plan = Plan(game, seats, seed=1, ask_info=False, **how)
        return GameController(plan, records, "0.0").run()


def other_side(log: Sequence[Exchange], role: int) -> list[Exchange]:
    """What the player of another role must have answered, for matches of which only one log was kept."""
    answers = ["ready", *(add_blanks(moves[role]) for moves in moves_of(log)), "done"]
    return [Exchange(b"", http(answer)) for answer in answers]


def facts(state: str) -> set[str]:
    return set(re.findall(r"\( \w[^()]*\)", state))


def test_our_controller_says_what_the_server_of_ggp_base_says(tmp_path: Path) -> None:
    logs = [exchanges("tictactoe-xplayer.log"), exchanges("tictactoe-oplayer.log")]
    start = start_of(logs[0])
    seen: list[list[str]] = [[], []]

    outcome = conduct(
        game_of(start, tmp_path), conversation(logs, seen), tmp_path,
        match_id=start.match, start_clock=start.start_clock, play_clock=start.play_clock,
    )  # fmt: skip

    assert seen == [[body(found.request) for found in log] for log in logs]
    ours = json.loads(outcome.match_json.read_text())
    theirs = json.loads((TRANSCRIPTS / "match.json").read_text())
    assert [facts(state) for state in ours.pop("states")] == [facts(state) for state in theirs.pop("states")]
    assert ours.keys() == theirs.keys()
    differing = {"randomToken", "startTime", "stateTimes", "gameMetaURL", "playerNamesFromHost"}
    assert {key: ours[key] for key in ours if key not in differing} == {
        key: theirs[key] for key in theirs if key not in differing
    }
    assert len(ours["stateTimes"]) == len(theirs["stateTimes"])
    assert len(ours["randomToken"]) == len(theirs["randomToken"])


def test_our_controller_scrambles_as_the_server_of_ggp_base_does(tmp_path: Path) -> None:
    log = exchanges("scrambled.log")
    start = start_of(log)
    plain = start_of(exchanges("tictactoe-xplayer.log"))
    to_ours: dict[str, str] = {}
    turns = [0, 0]

    def translate(text: str) -> str:
        return re.sub(r"[^\s()]+", lambda found: to_ours[found.group()], text)

    def player(number: int) -> Callable[[socket.socket, str], None]:
        answers = [found.answer for found in log] if number == 0 else [body(e.reply or b"") for e in other_side(log, 1)]

        def behave(connection: socket.socket, text: str) -> None:
            message = read_message(text)
            if isinstance(message, Start):
                pairs = list(zip("\n".join(start.rules).split(), "\n".join(message.rules).split(), strict=True))
                to_ours.update({a.strip("()"): b.strip("()") for a, b in pairs})
                assert len(to_ours) == len(set(to_ours.values())) == len({a.strip("()") for a, _ in pairs})
            answer = answers[turns[number]]
            turns[number] += 1
            connection.sendall(http(translate(answer) if isinstance(message, Play) else answer))

        return behave

    outcome = conduct(
        game_of(plain, tmp_path), [player(0), player(1)], tmp_path,
        match_id=start.match, start_clock=10, play_clock=5, scramble=True,
    )  # fmt: skip

    ours = json.loads(outcome.match_json.read_text())
    assert outcome.end.reason == "terminal"
    assert not any(outcome.end.failures.values())
    assert ours["scrambled"]
    assert len(ours["moves"]) == len(moves_of(log))
    assert all("mark" in moves[0] + moves[1] for moves in ours["moves"])
    kept = {word for word, other in to_ours.items() if word == other}
    words = {word.strip("()") for rule in plain.rules for word in rule.split()}
    assert kept == {
        word for word in words if word in "\n".join(start.rules).replace("(", " ").replace(")", " ").split()
    }


def test_our_controller_shows_the_rules_first_and_does_not_rely_on_an_answer(tmp_path: Path) -> None:
    log = exchanges("preview.log")
    start = start_of(log)
    other = [Exchange(b"", http("ready")), *other_side(log, 1)]
    seen: list[list[str]] = [[], []]

    conduct(
        game_of(start, tmp_path), conversation([log, other], seen), tmp_path,
        match_id=start.match, start_clock=5, play_clock=5, preview_clock=3,
    )  # fmt: skip

    assert seen[0] == [body(found.request) for found in log]


def test_our_controller_aborts_as_the_server_of_ggp_base_does(tmp_path: Path) -> None:
    log = exchanges("abort.log")
    start = start_of(log)
    asked_twice = threading.Event()

    def thinking(connection: socket.socket, message: str) -> None:
        if "PLAY" in message and "noop" in message:
            asked_twice.set()
            connection.recv(1)
        else:
            connection.sendall(http("noop" if "PLAY" in message else "ready"))

    seen: list[list[str]] = [[]]
    with raw_player(*conversation([log], seen)) as x, raw_player(thinking) as o:
        seats = dict(zip(("xplayer", "oplayer"), (x, o), strict=True))
        plan = Plan(game_of(start, tmp_path), seats, start.match, 1, start_clock=5, play_clock=5, ask_info=False)
        controller = GameController(plan, tmp_path, "0.0")

        def abort() -> None:
            asked_twice.wait(30)
            controller.abort()

        aborting = threading.Thread(target=abort)
        aborting.start()
        outcome = controller.run()
        aborting.join()

    assert seen[0] == [body(found.request) for found in log]
    ours = json.loads(outcome.match_json.read_text())
    theirs = json.loads((TRANSCRIPTS / "match-aborted.json").read_text())
    assert ours.keys() == theirs.keys()
    for key in ("isCompleted", "isAborted", "moves", "errors"):
        assert ours[key] == theirs[key]


def test_requests_are_sent_byte_for_byte_as_by_ggp_base() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        for found in exchanges("abort.log"):
            received: list[bytes] = []

            def answer(expected: bytes = found.request, received: list[bytes] = received) -> None:
                connection, _ = listener.accept()
                with connection:
                    data = b""
                    while len(data) < len(expected) and (part := connection.recv(65_536)):
                        data += part
                    received.append(data)
                    connection.sendall(http("ready"))

            thread = threading.Thread(target=answer)
            thread.start()
            address = Address("localhost", listener.getsockname()[1])
            assert exchange(address, body(found.request), "Rando", Deadline(20)) == "ready"
            thread.join()
            assert received == [found.request]
