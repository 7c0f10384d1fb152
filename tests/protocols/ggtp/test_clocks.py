"""Clocks of people and engines: they run, run out, stop and go back with the play."""

from __future__ import annotations

import pytest

from ludens.protocols.ggtp import questions
from ludens.protocols.ggtp.inbox import Line
from tests.protocols.ggtp.harness import Rules


class Watch:
    """A time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    monkeypatch.setattr(questions, "time", watch)
    return watch


def playing(*settings: str) -> Rules:
    rules = Rules()
    rules.say("set_rule TicTacToe", *settings, "set_option show_when_play on", "start")
    return rules


def test_a_human_whose_time_is_up_gets_a_random_move(watch: Watch) -> None:
    rules = playing("set_option move_time 10")
    before = len(rules.lines)

    rules.session.late(watch.now + 10.4)
    assert rules.lines[before:] == []
    rules.session.late(watch.now + 10.6)

    assert rules.lines[before] == "-> human fails (too late); a random move is made for Cross"
    assert rules.lines[before + 1].startswith("-> Cross plays ")
    assert rules.session.need_play().waiting_for == ["Circle"]


def test_the_rules_wake_up_when_a_human_is_late(watch: Watch) -> None:
    rules = playing("set_clock Cross 10 0")

    assert rules.session.questions.timeout(people=True) == 10.5
    assert rules.session.questions.timeout(people=False) is None
    rules.say("play Cross A1")
    assert rules.session.questions.timeout(people=True) is None


def test_a_line_that_came_in_time_counts_even_if_it_is_read_late(watch: Watch) -> None:
    rules = playing("set_option move_time 10")
    rules.session.inbox.put(Line("play Cross B2", arrived=watch.now + 9))
    rules.session.inbox.put(Line(None))
    watch.now += 100

    rules.supervisor.run()

    assert "-> Cross plays B2" in rules.lines
    assert not any("too late" in line for line in rules.lines)


def test_a_line_that_came_too_late_finds_the_move_made(watch: Watch) -> None:
    rules = playing("set_option move_time 10")
    rules.session.inbox.put(Line("play Cross B2", arrived=watch.now + 11))
    rules.session.inbox.put(Line(None))

    rules.supervisor.run()

    assert "? No move named B2 for player Cross." in rules.lines


def test_a_game_clock_of_a_human_runs_down_over_its_moves(watch: Watch) -> None:
    rules = playing("set_clock Cross 0 60")
    watch.now += 12.25
    rules.say("play Cross A1")
    watch.now += 100
    rules.say("play Circle B2")

    assert rules.answer("get_clock Cross") == "= move_time=0, game_time=60, used=12.25"
    assert rules.session.questions.delay(rules.session.need_play(), "Cross") == 47.75


def test_a_move_that_is_not_possible_does_not_stop_the_clock(watch: Watch) -> None:
    rules = playing("set_clock Cross 0 60")
    watch.now += 5
    rules.say("play Cross Z9")
    watch.now += 5
    rules.say("play Cross A1")

    assert rules.answer("get_clock Cross").endswith("used=10")


def test_undo_gives_time_back_and_stops_the_clocks(watch: Watch) -> None:
    rules = playing("set_clock Cross 0 60")
    watch.now += 5
    rules.say("play Cross A1", "undo")

    assert rules.answer("get_clock Cross").endswith("used=0")
    assert rules.session.questions.timeout(people=True) is None
    watch.now += 1000
    assert rules.say("play Cross A1")[-1] == "= Done"


def test_another_rule_has_no_clocks(watch: Watch) -> None:
    rules = playing("set_clock Cross 1 60")
    rules.say("set_rule TicTacToe")

    assert rules.answer("get_clock Cross") == "= move_time=0, game_time=0"


def test_engines_are_told_what_is_left_of_their_own_clock(watch: Watch) -> None:
    rules = playing("set_engine Circle legal", "set_clock Circle 30 20", "set_option show_engines on")
    rules.say("play Cross B2")

    assert "-> [Circle] have_to_play 20" in rules.say("genmove")
    rules.session.close()


def test_in_a_joint_stage_each_has_its_own_clock(watch: Watch) -> None:
    rules = Rules()
    rules.say("set_rule rock_paper_scissors", "set_option game_time 60", "start")
    play = rules.session.need_play()
    first, second = play.game.roles
    watch.now += 3
    rules.say(f"play {first} {play.legal[first][0]}")
    watch.now += 4
    rules.say(f"play {second} {play.legal[second][0]}")

    assert rules.answer(f"get_clock {first}").endswith("used=3")
    assert rules.answer(f"get_clock {second}").endswith("used=7")
