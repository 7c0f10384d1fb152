from __future__ import annotations

import gc
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludens
from ludens.compiler.backends import import_compilers
from ludens.compiler.background import job as jobs
from ludens.core import Clock, Deadline, Decision, Observation, Player, View
from ludens.games import library
from ludens.gdl.game import GdlGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.terms import arguments, signature
from ludens.gdl.write import kif, write_kif
from ludens.players import make_player, registry
from ludens.protocols.ggp import hosted_match, rule_cache
from ludens.protocols.ggp.host import PlayerHost
from ludens.protocols.ggp.messages import (
    Abort,
    Info,
    Moves,
    News,
    Percepts,
    Play,
    Preview,
    Start,
    Stop,
    read_info,
    read_term,
)
from ludens.protocols.ggp.position import OpenPosition
from ludens.protocols.ggp.server import Server
from tests.protocols.ggp.peers import post, raw_request
from tests.thorough import examples

GAME = ludens.load("tic_tac_toe", backend="reference")
assert isinstance(GAME, GdlGame)
RULES = tuple(write_kif([rule]) for rule in GAME.sheet.rules)


class Host:
    """A host with a log, spoken to without HTTP."""

    def __init__(self, player: str = "legal", most_matches: int = 2) -> None:
        self.log: list[str] = []
        self.host = PlayerHost(
            player, name="test", most_matches=most_matches, backend="reference", seed=1, log=self.log.append
        )

    def tell(self, message: Info | Preview | Start | Play | Stop | Abort) -> str:
        return self.host.answer_to(message, time.monotonic(), 0.0)


def ignore(game: GdlGame) -> None:
    """The game of this match is not in a cache."""


@pytest.fixture
def host() -> Iterator[Host]:
    found = Host()
    yield found
    found.host.close()


def start(
    match: str = "m",
    role: str = "xplayer",
    rules: tuple[str, ...] = RULES,
    play_clock: float = 20.0,
    start_clock: float = 20.0,
) -> Start:
    return Start(match, role, rules, start_clock, play_clock)


def test_info_tells_name_status_and_species(host: Host) -> None:
    assert host.tell(Info()) == "( ( name test ) ( status available ) ( species MACHINE ) )"


def test_several_matches_are_played_up_to_the_limit_and_then_it_is_busy(host: Host) -> None:
    assert [host.tell(start(match)) for match in ("a", "b", "c")] == ["ready", "ready", "busy"]
    assert read_info(host.tell(Info())).status == "busy"
    assert host.tell(Preview(RULES, 1)) == "busy"

    assert host.tell(Abort("a")) == "aborted"
    assert read_info(host.tell(Info())).status == "available"
    assert host.tell(start("c")) == "ready"


def test_a_match_that_is_being_played_is_not_started_again(host: Host) -> None:
    assert [host.tell(start("a")), host.tell(start("a"))] == ["ready", "busy"]


@pytest.mark.parametrize("message", [Play("x", Moves(None)), Stop("x", Moves(None)), Abort("x")])
def test_unknown_matches_are_answered_with_busy(host: Host, message: Play | Stop | Abort) -> None:
    assert host.tell(message) == "busy"


def test_matches_are_kept_apart(host: Host) -> None:
    host.tell(start("a"))
    host.tell(start("b", role="oplayer"))

    assert host.tell(Play("a", Moves(None))) == "( mark 1 1 )"
    assert host.tell(Play("b", Moves(None))) == "noop"
    assert host.tell(Play("b", Moves(("(mark 2 2)", "noop")))) == "( mark 1 1 )"
    assert host.tell(Play("a", Moves(("(mark 1 1)", "noop")))) == "noop"


def test_names_are_understood_in_any_case(host: Host) -> None:
    host.tell(start(role="XPLAYER"))

    assert host.tell(Play("m", Moves(("( MARK 1 1 )", "NOOP")))) == "noop"
    assert host.tell(Play("m", Moves(("NOOP", "(Mark 1 2)")))) == "( mark 1 3 )"


def test_where_nothing_is_hidden_the_moves_may_come_as_percepts(host: Host) -> None:
    host.tell(start())

    assert host.tell(Play("m", Percepts(0, None))) == "( mark 1 1 )"
    percepts = ("(does xplayer (mark 1 1))", "(does oplayer noop)")
    assert host.tell(Play("m", Percepts(1, "(mark 1 1)", percepts))) == "noop"


@pytest.mark.parametrize(
    "news",
    [
        Moves(("(mark 9 9)", "noop")),
        Moves(("noop",)),
        Moves(("(mark 1 1)", "noop", "noop")),
        Percepts(1, "(mark 1 1)", ("strange",)),
        Percepts(1, "(mark 1 1)"),
    ],
)
def test_what_cannot_have_happened_is_logged_and_the_match_goes_on(host: Host, news: Moves | Percepts) -> None:
    host.tell(start())

    assert host.tell(Play("m", news)) == "( mark 1 1 )"
    assert "contradicts the rules" in host.log[-2]
    assert host.log[-1] == "m: turn 1: (mark 1 1)"
    assert host.tell(Stop("m", news)) == "done"


@pytest.mark.parametrize(
    "rules", [(), ("(role xplayer)",), ("(<= (role ?x) (role ?x))",), ("(role xplayer)", "(<= (p ?x) (not (q ?x)))")]
)
def test_rules_that_cannot_be_played_are_answered_with_busy(host: Host, rules: tuple[str, ...]) -> None:
    assert host.tell(start(rules=rules)) == "busy"
    assert host.tell(start()) == "ready"


def test_a_role_that_the_rules_do_not_have_is_answered_with_busy(host: Host) -> None:
    assert host.tell(start(role="nobody")) == "busy"


def test_after_the_end_nothing_is_asked_for(host: Host) -> None:
    host.tell(start())
    moves = [
        ("(mark 1 1)", "noop"),
        ("noop", "(mark 2 1)"),
        ("(mark 1 2)", "noop"),
        ("noop", "(mark 2 2)"),
        ("(mark 1 3)", "noop"),
    ]

    assert [host.tell(Play("m", Moves(joint))) for joint in moves][-1] == "NIL"


class Stubborn(Player):
    """Does not answer before it is told to."""

    name = "stubborn"
    description = "for tests"
    released = threading.Event()

    def choose(self, view: View, deadline: Deadline) -> Decision:
        self.released.wait(30)
        return Decision(view.legal_moves[0])


class Publishing(Stubborn):
    """The same, but it has an idea."""

    name = "publishing"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        self.channel.publish(Decision("(mark 3 3)"))
        return super().choose(view, deadline)


class Broken(Player):
    """Fails."""

    name = "broken"
    description = "for tests"

    def choose(self, view: View, deadline: Deadline) -> Decision:
        raise ZeroDivisionError("no idea")


@pytest.fixture
def with_test_players(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kinds = {**registry.player_classes(), "stubborn": Stubborn, "broken": Broken, "publishing": Publishing}
    monkeypatch.setattr(registry, "player_classes", lambda: kinds)
    Stubborn.released.clear()
    yield
    Stubborn.released.set()


@pytest.mark.usefixtures("with_test_players")
@pytest.mark.parametrize(("player", "fault"), [("stubborn", "late"), ("broken", "no idea")])
def test_a_player_that_is_late_or_fails_still_moves_in_time(player: str, fault: str) -> None:
    host = Host(player)
    host.tell(start(play_clock=0.3))

    answer = host.tell(Play("m", Moves(None)))

    assert read_term(answer) in GAME.initial_state().legal_moves("xplayer")
    assert fault in host.log[-1]
    assert "answered at random" in host.log[-1]
    Stubborn.released.set()
    host.host.close()


@pytest.mark.usefixtures("with_test_players")
def test_a_late_player_answers_its_best_so_far() -> None:
    host = Host("publishing")
    host.tell(start(play_clock=0.3))

    assert read_term(host.tell(Play("m", Moves(None)))) == "(mark 3 3)"
    assert "late, answered by its best so far" in host.log[-2]
    assert host.log[-1] == "m: turn 1: (mark 3 3)"
    Stubborn.released.set()
    host.host.close()


def test_the_log_says_on_which_backend_a_move_was_searched() -> None:
    host = Host("mcts:iterations=4")
    host.tell(start())
    host.tell(Play("m", Moves(None)))
    host.host.close()

    assert re.fullmatch(r"m: turn 1: \(mark \d \d\), searched on the backend reference", host.log[-1])


@pytest.mark.usefixtures("with_test_players")
def test_an_abort_does_not_wait_for_the_player() -> None:
    host = Host("stubborn")
    host.tell(start(play_clock=1_000.0))
    answers: list[str] = []
    thinking = threading.Thread(target=lambda: answers.append(host.tell(Play("m", Moves(None)))))
    thinking.start()

    assert host.tell(Abort("m")) == "aborted"
    thinking.join()
    assert answers[0] in {"NIL", "busy"} or read_term(answers[0]) in GAME.initial_state().legal_moves("xplayer")


def test_time_on_the_way_is_kept_from_the_play_clock() -> None:
    seen: list[float] = []

    class Watching(Player):
        name = "watching"
        description = "for tests"

        def choose(self, view: View, deadline: Deadline) -> Decision:
            seen.append(deadline.remaining())
            return Decision(view.legal_moves[0])

    assert isinstance(GAME, GdlGame)
    match = hosted_match.HostedMatch(
        start(play_clock=100.0),
        GAME,
        "xplayer",
        Watching(),
        seed=1,
        latency=30.0,
        log=lambda text: None,
        release=ignore,
    )
    match.play(Moves(None), time.monotonic() - 20.0)
    match.stop(None)

    assert seen[0] < 100.0 - 30.0 - 20.0


def test_rules_that_are_slow_make_no_move_late_and_no_news_lost() -> None:
    released = threading.Event()
    log: list[str] = []

    class SlowPosition(OpenPosition):
        def advance(self, news: News, answered: str | None) -> Observation | None:
            released.wait(30)
            return super().advance(news, answered)

    assert isinstance(GAME, GdlGame)
    match = hosted_match.HostedMatch(
        start(play_clock=0.2),
        GAME,
        "xplayer",
        make_player("legal"),
        seed=1,
        latency=0.0,
        log=log.append,
        release=ignore,
    )
    match._position = SlowPosition(GAME, "xplayer")
    first = match.play(Moves(None), time.monotonic())
    second = match.play(Moves((first, "noop")), time.monotonic())
    released.set()
    third = match.play(Moves(("noop", "(mark 3 3)")), time.monotonic() + 20)
    match.stop(None)

    legal = GAME.initial_state().legal_moves("xplayer")
    assert first in legal
    assert second in legal
    assert [text for text in log if "not known" in text]
    assert third == next(move for move in legal if move not in {first, "(mark 3 3)"})


def test_a_server_that_has_gone_makes_room(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.tell(start("a"))
    host.tell(start("b"))
    assert host.tell(start("c")) == "busy"

    monkeypatch.setattr(hosted_match, "_FORGOTTEN", -1_000.0)
    assert read_info(host.tell(Info())).status == "available"
    assert host.tell(start("c")) == "ready"


@pytest.fixture
def port(host: Host) -> Iterator[int]:
    with Server(host.host.answer, "127.0.0.1", 0) as server:
        yield server.port


def test_messages_may_come_by_get(port: int) -> None:
    reply = raw_request(port, f"GET /{quote('( INFO )')} HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    assert reply.endswith(b"( ( name test ) ( status available ) ( species MACHINE ) )")


def test_options_are_answered_with_what_browsers_need(port: int) -> None:
    reply = raw_request(port, b"OPTIONS / HTTP/1.1\r\nOrigin: http://x\r\nAccess-Control-Request-Method: POST\r\n\r\n")

    head, _, body = reply.partition(b"\r\n\r\n")
    assert not body
    assert b"Content-length: 0" in head
    assert b"Access-Control-Allow-Origin: *" in head
    assert b"Access-Control-Allow-Methods: POST, GET, OPTIONS" in head
    assert b"Access-Control-Allow-Headers: Content-Type" in head


@pytest.mark.parametrize("text", ["", "((((", "( PLAY )", "\udcff", "( START m xplayer", "( DANCE )", "x" * 3_000_000])
def test_malformed_messages_are_refused_and_the_player_lives(port: int, text: str) -> None:
    data = text.encode(errors="surrogateescape")
    reply = raw_request(port, b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(data) + data)

    assert reply.startswith(b"HTTP/1.0 400 ")
    assert post(port, "( INFO )").startswith("( ( name")


MOVES = st.sampled_from(["(mark 1 1)", "(mark 2 2)", "noop", "nonsense", "(", "?x"])
NEWS = st.builds(Moves, st.none() | st.lists(MOVES, max_size=3).map(tuple)) | st.builds(
    Percepts,
    st.integers(0, 3),
    st.none() | MOVES,
    st.lists(MOVES.map(lambda move: f"(does xplayer {move})")).map(tuple),
)
CLOCK = st.sampled_from([0.0, 0.05, 20.0])
NAMES = st.sampled_from(["a", "b", "c"])
MESSAGES = st.one_of(
    st.just(Info()),
    st.builds(
        Start, NAMES, st.sampled_from(["xplayer", "nobody"]), st.sampled_from([RULES, ("(role x)",)]), *[CLOCK] * 2
    ),
    st.builds(Preview, st.sampled_from([RULES, ("(role x)",)]), CLOCK),
    st.builds(Play, NAMES, NEWS),
    st.builds(Stop, NAMES, NEWS),
    st.builds(Abort, NAMES),
)


@examples(50)
@given(st.lists(MESSAGES, max_size=12))
def test_any_conversation_is_answered(messages: list[Info | Preview | Start | Play | Stop | Abort]) -> None:
    host = Host()

    answers = [host.tell(message) for message in messages]

    host.host.close()
    for message, answer in zip(messages, answers, strict=True):
        match message:
            case Info():
                assert read_info(answer).species == "MACHINE"
            case Play():
                assert answer in {"busy", "NIL", "noop"} or answer.startswith("( mark ")
            case _:
                assert answer in {"ready", "busy", "done", "aborted"}


def start_large(name: str, game: str, start_clock: float) -> Start:
    sheet = library.find(game).rule_sheet()
    rules = tuple(write_kif([rule]).strip() for rule in sheet.rules)
    roles = [arguments(rule.head)[0] for rule in sheet.rules if signature(rule.head) == ("role", 1)]
    return Start(name, kif(roles[0]), rules, start_clock, 1.0)


LARGE = ("chess@gdl", "amazons@gdl", "quoridor", "backgammon@gdl")


def start_and_abort(
    pairs: int, start_clock: float, waiting: int = 0
) -> tuple[set[tuple[str, str]], list[subprocess.Popen[bytes]]]:
    """The answers to pairs of START and ABORT of large sheets, and the compilers that they started.

    The first ``waiting`` matches are aborted when their compiler has begun.
    """
    processes: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            processes.append(self)

    host = PlayerHost("mcts", name="test", most_matches=2, backend="auto", seed=1, log=lambda text: None)
    answers = set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludens.compiler.background.job.subprocess.Popen", Noted)
        for number in range(pairs):
            message = start_large(f"m{number}", LARGE[number % len(LARGE)], start_clock)
            started = host.answer_to(message, time.monotonic(), 0.0)
            while number < waiting and len(processes) <= number:
                time.sleep(0.05)
            answers.add((started, host.answer_to(Abort(f"m{number}"), time.monotonic(), 0.0)))
        host.close()
        for job in list(jobs._jobs.values()):
            job.wait(60)
    return answers, processes


def test_aborted_matches_leave_no_process() -> None:
    answers, processes = start_and_abort(len(LARGE), 1.0, waiting=2)

    assert answers == {("ready", "aborted")}
    assert len(processes) >= 2
    assert all(process.poll() is not None for process in processes)


@pytest.mark.slow
def test_two_hundred_aborted_matches_leave_neither_processes_nor_memory() -> None:
    import_compilers()
    make_player("mcts").start(ludens.load("tic_tac_toe", wait=True), "xplayer", 1, Clock(1.0, 1.0))
    start_and_abort(2 * len(LARGE), 0.5)  # what libraries keep
    before = resident_megabytes()
    answers, processes = start_and_abort(200, 0.5)

    assert answers == {("ready", "aborted")}
    assert all(process.poll() is not None for process in processes)
    assert resident_megabytes() < before + 20


def resident_megabytes() -> float:
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Rules are not read before this is set."""
    event, read = threading.Event(), rule_cache._read_sheet

    def read_slowly(text: str) -> RuleSheet:
        event.wait(30)
        return read(text)

    monkeypatch.setattr(rule_cache, "_read_sheet", read_slowly)
    return event


def test_start_is_answered_though_the_rules_are_not_read(released: threading.Event) -> None:
    host = Host()
    assert host.tell(start(start_clock=0.2, play_clock=0.2)) == "ready"
    assert host.tell(Play("m", Moves(None))) == "NIL"  # no move is known
    released.set()
    answers = [host.tell(Play("m", Moves(None))) for _ in range(100)]
    host.host.close()

    assert read_term(answers[-1]) in GAME.initial_state().legal_moves("xplayer")


def test_an_abort_while_the_rules_are_read_ends_the_match(released: threading.Event) -> None:
    host = Host()
    host.tell(start(start_clock=0.2))
    place = host.host._matches["m"]
    assert host.tell(Abort("m")) == "aborted"
    released.set()

    place.match.result(60)
    for _ in range(600):  # it is stopped right after
        if not host.host._rules._games:
            break
        time.sleep(0.1)
    assert not host.host._rules._games
    host.host.close()
