"""Engines, people and observers that connect from elsewhere: what they may do, what they are told, and bad peers."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.core import LudensError
from ludens.protocols.ggtp.guests import lobby as guests
from ludens.protocols.ggtp.language.grammar import CommandError
from ludens.protocols.ggtp.network import listener
from ludens.protocols.ggtp.network.hello import Tokens, read_token
from ludens.protocols.ggtp.network.sockets import LineReader, NetworkError, parse_address
from ludens.protocols.ggtp.network.tls import client_context, server_context
from tests.peers import peer
from tests.protocols.ggtp.network import TOKENS, hosting

RULES = Path(__file__).parent / "rules"


def test_engines_from_elsewhere_play_a_whole_game_and_then_another() -> None:
    with hosting() as host:
        host.engine("Deep")
        host.engine("Blue")
        host.say("set_option genmove on")
        for _ in range(2):
            host.say("set_rule TicTacToe", "set_engine Cross Deep", "set_engine Circle blue", "start", "wait")

            assert host.answer("get_result").startswith("= Cross=")
            assert host.answer("list_guests") == "= Deep=engine Cross, Blue=engine Circle"
        assert host.answer("list_engines").endswith(", Deep, Blue")


def test_an_engine_plays_one_player_at_a_time() -> None:
    with hosting() as host:
        host.engine("Deep")
        host.say("set_rule TicTacToe", "set_engine Cross Deep")

        assert host.answer("set_engine Circle Deep") == "? Deep plays Cross already."
        assert host.answer("set_engine Cross human", "set_engine Circle Deep") == "= Done"


def test_an_engine_that_hangs_up_is_lost_and_its_name_is_free_again() -> None:
    with hosting() as host:
        engine = host.connect("engine", "Deep")
        host.say("wait_for Deep", "set_rule TicTacToe")
        engine.connection.close()

        assert host.answer("set_engine Cross Deep").startswith("? ")
        host.engine("Deep")
        assert host.answer("set_engine Cross Deep") == "= Done"


def test_a_player_plays_its_own_player_and_no_other() -> None:
    with hosting() as host:
        anna = host.connect("player", "Anna")
        assert (
            anna.say("play Cross A1") == "? You play nobody yet. A Supervisor says set_engine PLAYER Anna to let you."
        )
        host.say("wait_for Anna", "set_rule TicTacToe", "set_engine Cross Anna")
        host.say("set_option move_time 500", "start")

        assert anna.until("-> you have") == [
            "-> you are Cross in TicTacToe",
            "-> the play begins",
            "-> Cross=A1, B1, C1, A2, B2, C2, A3, B3, C3",
            "-> you have 500 s",
        ]
        assert anna.say("play Cross A1") == "= Done"
        host.say("play Circle B2")
        assert anna.until("-> Cross=")[0] == "-> Circle plays B2"
        assert anna.say("play Circle C3") == "? You are Cross."
        assert anna.say("get_table Circle") == "? You are Cross."
        assert anna.say("list_possible_moves") == "= Cross=B1, C1, A2, C2, A3, B3, C3"
        assert anna.say("undo") == "? Players only play and ask; undo is not for them."
        assert anna.say("list_played_moves") == "= Cross A1, Circle B2"
        assert host.answer("list_players") == "= Cross=Anna, Circle=human"


def test_a_player_that_leaves_is_played_by_the_supervisor() -> None:
    with hosting() as host:
        anna = host.connect("player", "Anna")
        host.say("wait_for Anna", "set_rule TicTacToe", "set_engine Cross Anna", "start")

        assert anna.say("quit") == "= Done"
        assert anna.connection.receive() is None
        while "-> Anna has left" not in host.rules.lines:  # the connection is closed before the Rules are told
            host.say("wait_for Bert 0")
        assert host.answer("get_engine Cross") == "= human"
        assert host.answer("play Cross A1") == "= Done"


def test_wait_waits_for_guests_that_are_to_move_and_serves_them() -> None:
    with hosting() as host:
        anna = host.connect("player", "Anna")
        host.say("wait_for Anna", "set_rule TicTacToe", "set_engine Cross Anna", "start")
        anna.connection.send("play Cross A1")

        host.say("wait")

        assert host.answer("list_played_moves") == "= Cross A1"


def test_hidden_information_stays_hidden_from_players() -> None:
    with hosting() as host:
        anna = host.connect("player", "Anna_Guest")
        host.say(f"set_rule {RULES / 'high_card.py'}", "wait_for Anna_Guest", "set_engine Anna Anna_Guest", "start")
        told = anna.until("-> Anna=")
        play = host.rules.session.need_play()
        hidden = set(play.game.roles) - {"Anna"}

        assert not any(f"{role} plays" in line for role in hidden for line in told)
        assert anna.say("list_played_moves") == "? Some moves are hidden; get_table shows what you know."
        assert anna.say("get_table") == "="
        anna.connection.send("get_version")
        assert "face down" in "".join(anna.until("= ludens"))


def test_observers_are_told_what_is_shown_and_change_nothing() -> None:
    with hosting() as host:
        observer = host.connect("observer", "Otto")
        host.say("wait_for Otto", "set_rule TicTacToe", "set_option show_when_play on", "start", "play Cross A1")

        assert observer.until("-> Cross plays A1") == ["-> Cross plays A1"]
        assert observer.say("list_played_moves") == "= Cross A1"
        assert observer.say("play Circle B2") == "? Observers only ask; play is not for them."
        assert observer.say("set_option genmove on") == "? Observers only ask; set_option is not for them."
        assert host.answer("set_engine Circle Otto") == "? Otto is observer, and does not play."


def test_a_supervisor_elsewhere_does_everything_but_reach_for_files() -> None:
    with hosting() as host:
        chief = host.connect("supervisor", "Chief")

        assert chief.say("set_rule TicTacToe") == "= Done"
        assert chief.say("set_engine Circle legal") == "= Done"
        assert chief.say("set_option genmove on") == "= Done"
        assert chief.say("set_option show_when_play on") == "= Done"
        assert chief.say("start") == "= Done"
        assert chief.say("play Cross B2") == "= Done"
        assert chief.until("-> Circle plays")[-1] == "-> Circle plays A1"
        refused = "? Files are only for the Supervisor at the machine where the Rules are."
        assert chief.say("save_file /tmp/x") == refused
        assert chief.say("load_file /etc/passwd") == refused
        assert chief.say(f"set_rule {RULES / 'race.py'}").startswith(
            "? Over the network, rules are those of the library"
        )
        assert chief.say("set_engine Cross gtp") == "= Done"
        assert chief.say("set_engine_option Cross Command touch /tmp/x") == (
            "? Option Command is only for the Supervisor at the machine where the Rules are."
        )
        assert chief.say("set_rule tournament") == "= Done"
        assert chief.say(f"set_rule_option Game {RULES / 'race.py'}").startswith(
            "? Over the network, rules are those of the library"
        )
        assert chief.say("set_rule_option game nim") == "= Done"
        assert chief.say("set_rule nim:3,4") == "= Done"
        assert chief.say(f"set_rule_option parameters /..{RULES}/race.py").startswith("? ")
        assert "-> Circle plays A1" in host.rules.lines


def test_several_supervisors_are_answered_each_its_own_questions() -> None:
    with hosting() as host:
        first, second = host.connect("supervisor", "One"), host.connect("supervisor", "Two")
        host.say("wait_for One", "wait_for Two")

        assert first.say("set_rule TicTacToe") == "= Done"
        assert second.say("get_rule") == "= TicTacToe"
        assert host.say("dismiss One") == ["-> One has left", "= Done"]
        assert first.connection.receive() in (None, "-> Two is here: supervisor")
        assert second.until("-> One has left")
        assert host.say("dismiss One") == ["? There is no guest One. Use list_guests to see who is here."]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "? Begin with: hello KIND NAME TOKEN (kinds: supervisor, player, engine, observer)."),
        ("get_version", "? Begin with: hello KIND NAME TOKEN (kinds: supervisor, player, engine, observer)."),
        ("hello supervisor Eve wrong-wrong-wrong", "? The token is not right."),
        ("hello king Eve {supervisor}", "? The token is not right."),
        ("hello supervisor Eve {observer}", "? The token is not right."),
        ("hello observer mcts {observer}", "? The name mcts is taken."),
        ("hello observer Human {observer}", "? The name Human is taken."),
        (
            "hello observer 7up {observer}",
            "? A name is a letter and up to 39 letters, digits, dots, dashes and underscores.",
        ),
    ],
)
def test_strangers_stay_outside(line: str, answer: str) -> None:
    with hosting() as host, socket.create_connection(host.listener.address) as stranger:
        stranger.sendall(line.format(**TOKENS.by_kind).encode() + b"\n")

        with stranger.makefile() as lines:
            assert list(lines) == [answer + "\n"]
        assert host.answer("list_guests") == "= none"


def test_a_kind_without_a_token_is_not_admitted() -> None:
    with pytest.raises(CommandError, match="Begin with"):
        Tokens({"observer": "x" * 20}).admit("hello supervisor Eve ")
    with pytest.raises(CommandError, match="The token is not right"):
        Tokens({"observer": "x" * 20}).admit("hello supervisor Eve xxxxxxxxxxxxxxxxxxxx")


def test_a_name_is_given_once() -> None:
    with hosting() as host:
        host.connect("observer", "Otto")

        with pytest.raises(NetworkError, match="The name otto is taken"):
            host.connect("observer", "otto")


@pytest.mark.parametrize("data", [b"x" * 2_000, b"\x16\x03\x01" + b"\x00" * 2_000, b"\n" * 5, b"\xff\xfe\n", b""])
def test_garbage_instead_of_a_hello_is_shown_the_door(data: bytes) -> None:
    with hosting() as host:
        with socket.create_connection(host.listener.address) as stranger, contextlib.suppress(OSError):
            stranger.sendall(data)
            stranger.shutdown(socket.SHUT_WR)
            while stranger.recv(1_000):
                pass

        assert host.answer("list_guests") == "= none"


def test_strangers_that_say_nothing_do_not_keep_others_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "HELLO_TIME", 0.05)
    with hosting() as host, contextlib.ExitStack() as silent:
        strangers = [
            silent.enter_context(socket.create_connection(host.listener.address, 60))
            for _ in range(listener.MOST_STRANGERS + 1)
        ]
        for stranger in strangers:
            with contextlib.suppress(ConnectionError):
                assert stranger.recv(1) == b""

        assert host.connect("observer", "Otto").say("get_version").startswith("= ludens")


def test_a_guest_that_does_not_read_is_let_go_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "MOST_UNREAD", 20_000)
    with hosting() as host:
        host.listener._server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)  # of its connections, too
        host.connect("observer", "Sloth")
        host.say("wait_for Sloth")
        for _ in range(10_000):
            host.rules.session.output.inform("x" * 5_000)
            if "-> Sloth has left" in host.say("get_version"):
                break

        assert host.answer("list_guests") == "= none"


def test_a_guest_with_an_endless_line_is_told_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "LONGEST_LINE", 1_000)
    with hosting() as host:
        chatter = host.connect("observer", "Chatter")
        chatter.connection.send("get_option " + "x" * 100_000)

        assert chatter.until("?") == ["? a line of more than 1,000 bytes."]
        host.say("wait_for Bert 0")


def test_a_guest_that_floods_has_its_turn_with_others() -> None:
    with hosting() as host:
        flood = host.connect("observer", "Flood")
        flood.connection.send("\n".join(["get_version"] * 2_000))
        polite = host.connect("observer", "Polite")

        assert polite.say("get_version").startswith("= ludens")
        assert flood.until("= ludens")


def test_there_are_only_so_many_guests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "MOST_GUESTS", 2)
    with hosting() as host:
        for name in ("One", "Two"):
            host.connect("observer", name)
            host.say(f"wait_for {name}")

        with pytest.raises(NetworkError, match="There are 2 guests already"):
            host.connect("observer", "Three")


def test_an_engine_elsewhere_refuses_rules_that_are_paths(tmp_path: Path) -> None:
    with hosting() as host:
        host.engine("Deep")
        host.say(f"set_rule {RULES / 'race.py'}")

        assert host.answer("set_engine A Deep").startswith("? Engine Deep cannot play")


def test_an_engine_elsewhere_lets_nobody_choose_its_program() -> None:
    with hosting() as host:
        host.engine("Deep", "gtp")
        host.say("set_rule TicTacToe", "set_engine Cross Deep")

        refused = "? The option of the engine cannot have this value."
        assert host.answer("set_engine_option Cross command touch /tmp/x") == refused


def test_a_play_file_does_not_ask_for_guests(tmp_path: Path) -> None:
    path = tmp_path / "play.ggtp"
    with hosting() as host:
        host.engine("Deep")
        host.connect("player", "Anna")
        host.say("wait_for Anna", "set_rule TicTacToe", "set_engine Cross Deep", "set_engine Circle Anna", "start")
        host.say(f"save_file {path}")

        assert path.read_text().split("\n")[2:5] == [
            "set_rule TicTacToe",
            "# Cross is played by Deep, from elsewhere",
            "start",
        ]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for this machine, with its key, that nobody has signed."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run(
        [*command, "-days", "2", *subject, "-keyout", str(path), "-out", str(path.with_suffix(".crt"))],
        check=True,
        capture_output=True,
    )
    path.write_text(path.read_text() + path.with_suffix(".crt").read_text())
    return path


@peer("openssl")
def test_guests_come_by_tls(certificate: Path) -> None:
    with hosting(server_context(certificate, None)) as host:
        trusting = client_context(certificate.with_suffix(".crt"))
        chief = host.connect("supervisor", "Chief", context=trusting)

        assert chief.say("set_rule TicTacToe") == "= Done"
        assert chief.say("get_option " + "x" * 90_000).startswith("? No option named xxx")
        assert chief.say("quit") == "= Done"
        assert chief.connection.receive() is None


@peer("openssl")
def test_a_certificate_that_is_not_trusted_is_refused(certificate: Path) -> None:
    with hosting(server_context(certificate, None)) as host:
        with pytest.raises(NetworkError, match="no TLS connection: self-signed certificate"):
            host.connect("supervisor", "Chief", context=client_context(None))
        with pytest.raises(NetworkError, match="refused the connection"):
            host.connect("supervisor", "Chief")


def test_files_that_are_no_certificates_are_told(tmp_path: Path) -> None:
    path = tmp_path / "none.pem"
    with pytest.raises(NetworkError, match="cannot be used: No such file"):
        server_context(path, None)
    path.write_text("hello")
    with pytest.raises(NetworkError, match="cannot be used"):
        server_context(path, None)
    with pytest.raises(NetworkError, match="cannot be used"):
        client_context(path)
    assert client_context(None).verify_mode == ssl.CERT_REQUIRED


def test_tokens_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text("# ours\nobserver   abcdefghijklmnop\n\nplayer qrstuvwxyzabcdef\n")

    assert Tokens.read(path).by_kind == {"observer": "abcdefghijklmnop", "player": "qrstuvwxyzabcdef"}
    assert Tokens.read(path).admit("hello engine Deep qrstuvwxyzabcdef").name == "Deep"
    for wrong in ("king abcdefghijklmnop", "observer short", "observer two words of some length"):
        path.write_text(wrong)
        with pytest.raises(NetworkError, match="line 1: a line has one of observer, player, supervisor and a token"):
            Tokens.read(path)
    path.write_text("secret\n")
    assert read_token(path) == "secret"


@pytest.mark.parametrize(
    ("text", "address"),
    [("7777", ("127.0.0.1", 7777)), (":0", ("127.0.0.1", 0)), ("0.0.0.0:80", ("0.0.0.0", 80)), ("[::1]:9", ("::1", 9))],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "host", "host:", "host:70000", "host:-1"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(LudensError, match="is not an address"):
        parse_address(text)


@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(1, 40))
def test_lines_are_read_however_they_are_cut(lines: list[bytes], size: int) -> None:
    sent = [line.replace(b"\n", b"").replace(b"\r", b"") for line in lines]
    data = b"".join(line + b"\n" for line in sent)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        reader = LineReader(ours, 100)
        found: list[bytes | None] = []
        for at in range(0, len(data), size):
            theirs.sendall(data[at : at + size])
            while len(found) < data[: at + size].count(b"\n"):
                found.append(reader.line(60))
        theirs.shutdown(socket.SHUT_WR)
        assert reader.line(60) is None

    assert found == sent
