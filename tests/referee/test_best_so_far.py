"""A player that is late or fails plays the best move that it has published."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import ludens
from ludens.core import Clock, Deadline, Decision, Player, Thinking, View
from ludens.players import make_player
from ludens.players.registry import player_classes, stands_alone
from ludens.referee import Match, MatchEnded, RecordWriter, TurnPlayed
from ludens.referee.handle import Answer, Inbox, PlayerHandle
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.referee.players import Scripted, first_legal

GAME = ludens.load("tic_tac_toe", backend="reference")
SHORT = Clock(play=0.1, start=20.0)
CENTRE, CORNER = "(mark 2 2)", "(mark 3 3)"


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """What late players wait for; set at the end, so that no thread is left."""
    event = threading.Event()
    yield event
    event.set()


def publishes(move: str, then: threading.Event) -> Scripted:
    def script(player: Scripted, view: View, deadline: Deadline) -> str:
        player.channel.publish(Decision(move, Thinking("half-way")))
        then.wait()
        return view.legal_moves[0]

    return Scripted(script)


def first_turn(player: Player, clock: Clock = SHORT, writer: RecordWriter | None = None) -> TurnPlayed:
    match = Match(GAME, {"xplayer": player, "oplayer": first_legal()}, clock, 1, max_turns=1)
    turns = []
    for event in match.events():
        if writer is not None:
            writer.write(event)
        if isinstance(event, TurnPlayed):
            turns.append(event)
    return turns[0]


def test_a_late_player_plays_its_best_so_far(released: threading.Event, tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path, "test")
    turn = first_turn(publishes(CENTRE, released), writer=writer)
    writer.close()

    assert turn.joint_move["xplayer"] == CENTRE
    assert turn.decisions["xplayer"].thinking.note == "half-way"
    assert writer.path is not None
    (line,) = [found for found in map(json.loads, writer.path.read_text().splitlines()) if found["event"] == "turn"]
    (error,) = line["errors"]
    assert (error["role"], error["kind"], error["substituted"]) == ("xplayer", "late", False)
    assert error["message"].startswith("answered by its best so far: ")
    assert not list(verify(read_record(writer.path), GAME))


def test_a_late_answer_that_arrives_is_replaced_by_the_best_so_far() -> None:
    def overrun(player: Scripted, view: View, deadline: Deadline) -> str:
        player.channel.publish(Decision(CENTRE))
        while deadline.remaining() > -0.05:
            pass
        player.channel.publish(Decision(CORNER))  # too late as well
        return CORNER

    player = Scripted(overrun)
    turn = first_turn(player, Clock(play=0.01, start=20.0))

    assert turn.joint_move["xplayer"] == CENTRE
    assert [failure.kind for failure in turn.failures] == ["late"]


def test_a_player_that_never_published_gets_a_random_move(released: threading.Event) -> None:
    def silent(player: Scripted, view: View, deadline: Deadline) -> str:
        released.wait()
        return view.legal_moves[0]

    turn = first_turn(Scripted(silent))

    (failure,) = turn.failures
    assert (failure.kind, failure.substituted) == ("late", True)
    assert failure.message.startswith("answered at random: ")
    assert "xplayer" not in turn.decisions


@pytest.mark.parametrize(("answer", "kind"), [(None, "crash"), ("(mark 9 9)", "illegal")])
def test_a_player_that_fails_plays_its_best_so_far(answer: str | None, kind: str) -> None:
    def fail(player: Scripted, view: View, deadline: Deadline) -> str:
        player.channel.publish(Decision(CENTRE))
        assert answer is not None
        return answer

    turn = first_turn(Scripted(fail))

    assert turn.joint_move["xplayer"] == CENTRE
    assert [(failure.kind, failure.substituted) for failure in turn.failures] == [(kind, False)]


@pytest.mark.parametrize("published", [Decision("(mark 9 9)"), Decision("x" * 100_000), "(mark 2 2)", None])
def test_what_cannot_be_played_does_not_count_as_published(published: object, released: threading.Event) -> None:
    def script(player: Scripted, view: View, deadline: Deadline) -> str:
        player.channel.publish(published)  # type: ignore[arg-type]
        released.wait()
        return view.legal_moves[0]

    (failure,) = first_turn(Scripted(script)).failures
    assert failure.substituted


def test_what_was_published_for_one_move_is_not_played_for_the_next(released: threading.Event) -> None:
    match = Match(GAME, {"xplayer": publishes(CENTRE, released), "oplayer": first_legal()}, SHORT, 1, max_turns=3)
    turns = [event for event in match.events() if isinstance(event, TurnPlayed)]

    kinds = [[failure.substituted for failure in turn.failures] for turn in turns]
    assert kinds == [[False], [], [True]]  # it is still busy with its first move when asked for the third


def hopeless() -> str:
    """Rules whose state after a move takes hours: twelve pigeons look for eleven holes."""
    places = " ".join(f"(hole ?x{number})" for number in range(12))
    pairs = " ".join(f"(distinct ?x{one} ?x{other})" for one in range(12) for other in range(one))
    holes = " ".join(f"(hole {number})" for number in range(11))
    return (
        f"{holes} (role r) (legal r go) (goal r 50) (<= (next on) (does r go) {places} {pairs}) (<= terminal (true on))"
    )


def test_a_query_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "hopeless.kif").write_text(hopeless())
    game = ludens.load(tmp_path / "hopeless.kif")
    (role,) = game.roles
    inbox: Inbox = queue.SimpleQueue()

    def stuck(player: Scripted, view: View, deadline: Deadline) -> str:
        player.channel.publish(Decision("go"))
        view.sample(Random(1)).play({role: "go"})
        raise AssertionError("the query ended")

    handle = PlayerHandle(role, Scripted(stuck), Clock(0.2, 1.0), inbox, None)
    for ticket in (1, 2):  # the first one does not keep its thread from the second
        handle.ask(ticket, game.initial_state().view(role), False, time.monotonic())
        answer = inbox.get()
        assert isinstance(answer, Answer)
        assert (answer.ticket, answer.failure, answer.decision) == (ticket, "", Decision("go"))
    handle.stop()


def test_late_moves_count_as_errors(released: threading.Event) -> None:
    match = Match(GAME, {"xplayer": publishes(CENTRE, released), "oplayer": first_legal()}, SHORT, 1, forfeit_after=1)
    ended = next(event for event in match.events() if isinstance(event, MatchEnded))

    assert (ended.reason, ended.forfeited) == ("forfeit", "xplayer")


class Recorder:
    """A channel that keeps what is published."""

    def __init__(self) -> None:
        self.published: list[tuple[float, Decision]] = []

    def wants_thinking(self) -> bool:
        return True

    def report(self, thinking: Thinking) -> None:
        pass

    def publish(self, decision: Decision) -> None:
        self.published.append((time.monotonic(), decision))

    def say(self, text: str, to: object) -> None:
        pass


PUBLISHING = sorted(name for name, kind in player_classes().items() if stands_alone(kind) and name != "human")


@pytest.mark.parametrize("name", PUBLISHING)
@pytest.mark.parametrize("backend", [pytest.param("reference", marks=pytest.mark.slow), "circuit"])
def test_every_player_publishes_a_legal_move_first_and_better_ones_later(name: str, backend: str) -> None:
    game = ludens.load("hanoi:3" if name == "single" else "connect_four", backend=backend)
    player, channel = make_player(name), Recorder()
    player.channel = channel
    player.start(game, game.roles[0], 1, Clock(0.3, 2.0))
    channel.published.clear()
    legal = game.initial_state().legal_moves(game.roles[0])
    decision = player.choose(game.initial_state().view(game.roles[0]), Deadline(0.3))
    player.stop()

    assert decision.move in legal
    assert channel.published
    assert all(published.move in legal for _, published in channel.published)
