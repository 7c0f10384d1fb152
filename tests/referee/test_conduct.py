from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

import ludens
from ludens.core import (
    Clock,
    Deadline,
    Decision,
    Game,
    GameError,
    Observation,
    Player,
    Role,
    TakeBack,
    Thinking,
    View,
)
from ludens.players import make_player
from ludens.referee import (
    Event,
    Match,
    MatchEnded,
    MatchStarted,
    MessageSent,
    PlayerFailed,
    PlayerThinking,
    RecordWriter,
    TakenBack,
    TurnPlayed,
    handle,
)
from ludens.referee.handle import MAX_MESSAGES
from ludens.referee.reading import read_record
from ludens.referee.verify import verify
from tests.referee.games import Dice
from tests.referee.players import Scripted, always, first_legal, in_turn

CLOCK = Clock(play=20.0, start=20.0)
GAME = ludens.load("tic_tac_toe")


def match(x: Player, o: Player, clock: Clock = CLOCK, **settings: bool | int | list[dict[str, str]]) -> Match:
    return Match(GAME, {"xplayer": x, "oplayer": o}, clock, 1, **settings)  # type: ignore[arg-type]


def of_kind(events: list[Event], kind: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def ended(events: list[Event]) -> MatchEnded:
    assert isinstance(events[-1], MatchEnded)
    return events[-1]


def test_errors_up_to_the_limit_forfeit_the_match() -> None:
    events = list(match(always("cheat"), first_legal(), forfeit_after=2).events())

    end = ended(events)
    assert (end.reason, end.forfeited, end.finished) == ("forfeit", "xplayer", True)
    assert end.goals == {"xplayer": 0, "oplayer": 100}
    assert end.failures == {"xplayer": 2, "oplayer": 0}


def test_each_player_has_its_own_clock() -> None:
    seen: dict[str, float] = {}

    def look(name: str) -> Scripted:
        def script(player: Scripted, view: View, deadline: Deadline) -> str:
            seen[name] = deadline.remaining()
            return view.legal_moves[0]

        return Scripted(script)

    clocks = {"xplayer": Clock(100.0, 20.0), "oplayer": Clock(1000.0, 20.0)}
    events = list(Match(GAME, {"xplayer": look("x"), "oplayer": look("o")}, clocks, 1).events())

    assert seen["x"] < 100 < seen["o"] < 1000
    assert isinstance(events[0], MatchStarted)
    assert events[0].clocks == clocks


def test_an_answer_after_the_clock_is_late_though_it_arrives() -> None:
    def dawdle(player: Scripted, view: View, deadline: Deadline) -> str:
        while deadline.wait(1.0):
            pass
        threading.Event().wait(0.02 - deadline.remaining())
        return view.legal_moves[0]

    player = Scripted(dawdle)
    events = list(match(player, first_legal(), Clock(0.01, 20.0), max_turns=1).events())

    failures = of_kind(events, PlayerFailed)
    assert [failure.kind for failure in failures if isinstance(failure, PlayerFailed)] == ["late"]


def test_a_player_lives_in_one_thread_and_sees_every_turn() -> None:
    player = first_legal()

    events = list(match(player, make_player("random")).events())

    assert len(player.threads) == 1
    assert [seen.turn for seen in player.observed] == [turn.id for turn in events if isinstance(turn, TurnPlayed)]
    assert [seen.joint_move for seen in player.observed] == [
        turn.joint_move for turn in events if isinstance(turn, TurnPlayed)
    ]


def test_progress_of_a_search_is_an_event_and_a_flood_of_it_is_thinned() -> None:
    def think(player: Scripted, view: View, deadline: Deadline) -> str:
        for count in range(10_000):
            player.channel.report(Thinking(iterations=count))
        return view.legal_moves[0]

    events = list(match(Scripted(think), first_legal(), max_turns=1).events())

    reports = of_kind(events, PlayerThinking)
    assert 1 <= len(reports) < 1_000
    assert isinstance(reports[0], PlayerThinking)
    assert (reports[0].turn, reports[0].role) == (1, "xplayer")


def talk(times: int) -> Scripted:
    def script(player: Scripted, view: View, deadline: Deadline) -> str:
        for count in range(times):
            player.channel.say(f"hello {count}", [])
        return view.legal_moves[0]

    return Scripted(script)


def test_messages_reach_the_others_where_they_are_allowed() -> None:
    listener = first_legal()

    events = list(match(talk(1), listener, messages=True).events())

    said = [event.message for event in events if isinstance(event, MessageSent)]
    assert [message.text for message in listener.heard] == [message.text for message in said]
    assert {(message.sender, message.to) for message in said} == {("xplayer", ("oplayer",))}


def test_messages_go_nowhere_where_they_are_not_allowed() -> None:
    listener = first_legal()

    events = list(match(talk(3), listener).events())

    assert not listener.heard
    assert not of_kind(events, MessageSent)


def test_a_flood_of_messages_is_cut_off_and_noted_but_costs_no_move() -> None:
    events = list(match(talk(5_000), first_legal(), messages=True, max_turns=1).events())

    [failure] = [event for event in events if isinstance(event, PlayerFailed)]
    assert len(of_kind(events, MessageSent)) == MAX_MESSAGES
    assert (failure.kind, failure.substituted) == ("message", False)
    assert ended(events).failures["xplayer"] == 0


def test_what_a_player_prints_is_dropped_and_noted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def shout(player: Scripted, view: View, deadline: Deadline) -> str:
        for _ in range(1_000):
            print("x" * 1_000)
        print("also here", file=sys.stderr)
        return view.legal_moves[0]

    events = list(match(Scripted(shout), first_legal(), max_turns=1).events())
    print("after the match")

    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("after the match\n", "")
    [failure] = [event for event in events if isinstance(event, PlayerFailed)]
    assert failure.kind == "output"
    assert "1,001,0" in failure.message


@pytest.mark.parametrize(
    ("decision", "kind"),
    [
        (lambda view: Decision("x" * 100_000), "crash"),
        (lambda view: Decision("\x00\ud800\n"), "illegal"),
        (lambda view: Decision(cast("str", 5)), "crash"),
        (lambda view: Decision(view.legal_moves[0], Thinking(note="x" * 2_000_000)), "crash"),
        (lambda view: Decision(view.legal_moves[0], Thinking(value=float("nan"))), "crash"),
        (lambda view: Decision(view.legal_moves[0], cast("Thinking", "much")), "crash"),
    ],
)
def test_garbage_is_replaced_and_the_record_says_what_happened(
    decision: Callable[[View], Decision], kind: str, tmp_path: Path
) -> None:
    garbage = Scripted(lambda player, view, deadline: decision(view))
    writer = RecordWriter(tmp_path, "0.0")
    for event in match(garbage, first_legal()).events():
        writer.write(event)

    assert writer.path is not None
    record = read_record(writer.path)
    errors = [error for turn in record.turns.values() for error in turn.data["errors"]]
    assert not record.problems
    assert {(error["role"], error["kind"], error["substituted"]) for error in errors} == {("xplayer", kind, True)}
    assert not list(verify(record, GAME))


def test_a_crash_is_told_with_the_line_of_the_players_file(tmp_path: Path) -> None:
    code = "from ludens.core import Player\n\n\nclass Hasty(Player):\n    name = description = 'hasty'\n\n"
    (tmp_path / "hasty.py").write_text(code + "    def choose(self, view, deadline):\n        return 1 // 0\n")

    events = list(match(make_player(str(tmp_path / "hasty.py"), files=True), first_legal()).events())

    failures = [failure for event in events if isinstance(event, TurnPlayed) for failure in event.failures]
    assert {failure.message.partition("Error: ")[2] for failure in failures} == {
        "integer division or modulo by zero (hasty.py:8)"
    }


def test_a_decision_may_be_as_long_as_a_record_can_hold_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    thinking = Thinking("deep thought")
    size = len(json.dumps(thinking.as_json()))
    monkeypatch.setattr(handle, "MAX_THINKING", size)
    longest = Decision("x" * handle.MAX_MOVE, thinking)

    assert handle.check_decision(longest) is longest
    with pytest.raises(ValueError, match="a move of 10,001 characters"):
        handle.check_decision(Decision("x" * (handle.MAX_MOVE + 1), thinking))
    monkeypatch.setattr(handle, "MAX_THINKING", size - 1)
    with pytest.raises(ValueError, match="a search summary"):
        handle.check_decision(longest)


def test_a_move_taken_back_starts_a_branch_and_everybody_is_told() -> None:
    wishes = iter([True])

    def script(player: Scripted, view: View, deadline: Deadline) -> str:
        if len(player.observed) == 2 and next(wishes, False):
            raise TakeBack
        return view.legal_moves[-1 if player.taken_back else 0]

    person, other = Scripted(script), first_legal()
    events = list(match(person, other, take_back=True).events())

    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert of_kind(events, TakenBack) == [TakenBack("xplayer", 0, GAME.initial_state())]
    assert [(turn.id, turn.parent) for turn in turns[:4]] == [(1, 0), (2, 1), (3, 0), (4, 3)]
    assert turns[2].joint_move["xplayer"] == "(mark 3 3)"
    assert person.taken_back == other.taken_back == [2]
    assert ended(events).turns == len(turns) - 2


def test_a_role_can_take_back_once_it_has_moved_and_if_it_is_allowed() -> None:
    def can_after_each_turn(allowed: bool) -> list[tuple[bool, bool]]:
        running = match(first_legal(), first_legal(), take_back=allowed, max_turns=2)
        return [
            (running.can_take_back("xplayer"), running.can_take_back("oplayer"))
            for event in running.events()
            if isinstance(event, TurnPlayed)
        ]

    assert can_after_each_turn(allowed=True) == [(True, False), (True, True)]
    assert can_after_each_turn(allowed=False) == [(False, False), (False, False)]


def test_a_wish_to_take_back_does_not_wait_for_those_who_still_think() -> None:
    released = threading.Event()
    was_released: list[bool] = []

    def regret(player: Scripted, view: View, deadline: Deadline) -> str:
        if len(player.observed) == 1 and not player.taken_back:
            raise TakeBack
        return "pass"

    def think(player: Scripted, view: View, deadline: Deadline) -> str:
        if len(player.observed) == 1:
            was_released.append(released.wait(deadline.remaining()))
        return "pass"

    events = []
    players = {"left": Scripted(regret), "right": Scripted(think)}
    for event in Match(Dice(2), players, CLOCK, 1, take_back=True).events():
        events.append(event)
        if isinstance(event, TakenBack):
            released.set()

    assert len(of_kind(events, TakenBack)) == 1
    assert not of_kind(events, PlayerFailed)
    assert was_released
    assert all(was_released)


def test_nothing_is_taken_back_where_there_is_nothing_or_it_is_not_allowed() -> None:
    def wish(player: Scripted, view: View, deadline: Deadline) -> str:
        raise TakeBack

    for allowed in (True, False):
        events = list(match(Scripted(wish), first_legal(), take_back=allowed, max_turns=3).events())
        failures = [event for event in events if isinstance(event, PlayerFailed)]
        assert {failure.kind for failure in failures} == {"illegal"}
        assert not of_kind(events, TakenBack)


def test_a_match_goes_on_from_earlier_moves() -> None:
    earlier = [
        {"xplayer": "(mark 1 1)", "oplayer": "noop"},
        {"xplayer": "noop", "oplayer": "(mark 3 3)"},
        {"xplayer": "(mark 1 2)", "oplayer": "noop"},
        {"xplayer": "noop", "oplayer": "(mark 3 2)"},
    ]
    x, o = in_turn(["(mark 1 3)"]), first_legal()

    events = list(match(x, o, earlier=earlier).events())

    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [turn.earlier for turn in turns] == [True] * 4 + [False]
    assert [seen.joint_move for seen in o.observed[:4]] == earlier
    assert ended(events).goals == {"xplayer": 100, "oplayer": 0}


def test_branches_can_be_visited_between_turns() -> None:
    x, o = first_legal(), first_legal()
    the_match = match(x, o)
    events = the_match.events()
    parents = []
    for event in events:
        if isinstance(event, TurnPlayed):
            parents.append(event.parent)
            if event.id == 3:
                the_match.go_to(1)
            if event.id == 4:
                the_match.go_to(3)

    assert parents[:5] == [0, 1, 2, 1, 3]
    assert x.taken_back == o.taken_back == [2, 1]
    assert [seen.turn for seen in x.observed[:7]] == [1, 2, 3, 4, 2, 3, 5]
    with pytest.raises(GameError, match="there is no turn 99"):
        the_match.go_to(99)


class Pondering(Player):
    name = "pondering"
    description = "thinks while others do"

    def __init__(self) -> None:
        super().__init__()
        self.pondered = 0

    def choose(self, view: View, deadline: Deadline) -> Decision:
        return Decision(view.legal_moves[0])

    def ponder(self, view: View, deadline: Deadline) -> None:
        self.pondered += 1
        while deadline.wait(60):
            pass


def test_a_player_may_ponder_until_it_is_asked() -> None:
    pondering = Pondering()

    def slow(player: Scripted, view: View, deadline: Deadline) -> str:
        while pondering.pondered <= len(player.observed) // 2:
            deadline.wait(0.001)
        return view.legal_moves[0]

    events = list(match(pondering, Scripted(slow)).events())

    assert pondering.pondered
    assert ended(events).failures == {"xplayer": 0, "oplayer": 0}


def test_a_follower_sees_the_whole_match() -> None:
    the_match = match(first_legal(), first_legal())
    follower = the_match.subscribe()

    events = list(the_match.events())

    assert list(follower) == events
    assert list(the_match.subscribe()) == []


def test_a_slow_follower_misses_the_oldest_events_and_stalls_nobody() -> None:
    the_match = match(first_legal(), first_legal())
    follower = the_match.subscribe(size=2)

    events = list(the_match.events())

    assert list(follower) == events[-2:]
    assert follower.missed == len(events) - 2


def test_players_are_stopped_when_a_match_is_left() -> None:
    stopped = threading.Event()

    class Holding(Pondering):
        def stop(self) -> None:
            stopped.set()

    events = match(Holding(), first_legal()).events()
    next(events)
    events.close()  # type: ignore[attr-defined]

    assert stopped.wait(20)


def test_a_match_can_be_stopped_while_a_player_thinks() -> None:
    asked = threading.Event()

    def brood(player: Scripted, view: View, deadline: Deadline) -> str:
        asked.set()
        while deadline.wait(60):
            pass
        return view.legal_moves[0]

    the_match = match(first_legal(), Scripted(brood))

    def stop_when_asked() -> None:
        asked.wait(60)
        the_match.stop()

    threading.Thread(target=stop_when_asked, daemon=True).start()
    events = list(the_match.events())

    assert (ended(events).reason, ended(events).finished, ended(events).turns) == ("stopped", False, 1)


def test_a_crash_while_observing_is_counted_and_costs_no_move() -> None:
    class Forgetful(Scripted):
        def observe(self, observation: Observation) -> None:
            raise KeyError(observation.turn)

    events = list(match(Forgetful(lambda player, view, deadline: view.legal_moves[0]), first_legal()).events())

    failures = [event for event in events if isinstance(event, PlayerFailed)]
    assert {(failure.role, failure.kind, failure.substituted) for failure in failures} == {("xplayer", "crash", False)}
    assert ended(events).failures["xplayer"] == len(failures)


def test_what_a_hung_thread_prints_after_the_match_stays_off_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    go_on, printed = threading.Event(), threading.Event()

    def hang(player: Scripted, view: View, deadline: Deadline) -> str:
        go_on.wait(60)
        print("too late")
        printed.set()
        return ""

    list(match(Scripted(hang), first_legal(), Clock(0.02, 20.0), max_turns=1).events())
    go_on.set()

    assert printed.wait(60)
    assert capsys.readouterr().out == ""


def test_a_player_that_is_always_asked_makes_its_forced_moves_itself() -> None:
    asked: list[int] = []

    def script(player: Scripted, view: View, deadline: Deadline) -> str:
        asked.append(len(view.legal_moves))
        return view.legal_moves[0]

    eager = Scripted(script)
    eager.always_asked = True
    events = list(match(eager, first_legal(), max_turns=3).events())

    assert asked == [9, 1, 7]
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    assert [set(turn.seconds) for turn in turns] == [{"xplayer"}, {"xplayer", "oplayer"}, {"xplayer"}]


def test_a_player_with_grace_may_answer_after_its_clock() -> None:
    def wait_beyond_the_clock(player: Scripted, view: View, deadline: Deadline) -> str:
        while deadline.remaining() > 19.9:
            deadline.wait(0.01)
        return view.legal_moves[0]

    patient = Scripted(wait_beyond_the_clock)
    patient.grace = 20.0
    events = list(match(patient, first_legal(), Clock(0.01, 20.0), max_turns=1).events())

    assert not of_kind(events, PlayerFailed)


def test_a_player_that_says_it_ran_out_of_time_is_late() -> None:
    def give_up(player: Scripted, view: View, deadline: Deadline) -> str:
        raise TimeoutError("nobody answered")

    events = list(match(Scripted(give_up), first_legal(), max_turns=1).events())

    failures = [event for event in events if isinstance(event, PlayerFailed)]
    assert [(failure.kind, failure.message) for failure in failures] == [
        ("late", "answered at random: TimeoutError: nobody answered")
    ]


def test_a_match_stopped_while_players_get_ready_has_a_start_and_an_end(tmp_path: Path) -> None:
    class Slow(Scripted):
        def start(self, game: Game, role: Role, seed: int, clock: Clock) -> None:
            stopped.stop()
            threading.Event().wait(0.2)

    stopped = match(Slow(lambda player, view, deadline: view.legal_moves[0]), first_legal())
    writer = RecordWriter(tmp_path, "0.0")
    for event in stopped.events():
        writer.write(event)

    assert writer.path is not None
    record = read_record(writer.path)
    assert not record.problems
    assert not list(verify(record, GAME))
