from __future__ import annotations

import math

import pytest

from ludens.core import Clock, Deadline, Decision, MoveReport, Option, OptionValue, Player, PlayerError, Thinking, View

PLAYOUTS = Option("playouts", 100, "How many.", minimum=1, maximum=1000)
SHARE = Option("share", 0.5, "How much.", minimum=0, maximum=1)
LOUD = Option("loud", False, "Whether to talk.")
STYLE = Option("style", "calm", "How to play.", choices=("calm", "wild"))
NAME = Option("nickname", "me", "What to be called.")


class Talker(Player):
    name = "talker"
    description = "Plays its first move."
    options = (PLAYOUTS, SHARE, LOUD, STYLE, NAME)

    def choose(self, view: View, deadline: Deadline) -> Decision:
        return Decision(view.legal_moves[0], Thinking(f"{deadline.remaining() > 0}"))


class Plain(Player):
    name = "plain"
    description = "Has no options."

    def choose(self, view: View, deadline: Deadline) -> Decision:
        raise AssertionError


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (PLAYOUTS, "7", 7),
        (PLAYOUTS, " 7 ", 7),
        (PLAYOUTS, "1", 1),
        (PLAYOUTS, "1000", 1000),
        (SHARE, "0.25", 0.25),
        (SHARE, "1", 1.0),
        (SHARE, "1e-3", 0.001),
        (LOUD, "true", True),
        (LOUD, "ON", True),
        (LOUD, "1", True),
        (LOUD, "False", False),
        (LOUD, "off", False),
        (LOUD, "0", False),
        (STYLE, "wild", "wild"),
        (NAME, "", ""),
        (NAME, "a=b,c", "a=b,c"),
    ],
)
def test_option_reads_values_of_its_type(option: Option, text: str, value: OptionValue) -> None:
    found = option.parse(text)
    assert found == value
    assert type(found) is type(option.default)


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (PLAYOUTS, "0"),
        (PLAYOUTS, "1001"),
        (PLAYOUTS, "-5"),
        (PLAYOUTS, "many"),
        (PLAYOUTS, "1.5"),
        (PLAYOUTS, ""),
        (PLAYOUTS, "9" * 5000),
        (SHARE, "1.01"),
        (SHARE, "nan"),
        (SHARE, "inf"),
        (SHARE, "half"),
        (LOUD, "yes please"),
        (LOUD, ""),
        (LOUD, "2"),
        (STYLE, "Calm"),
        (STYLE, ""),
    ],
)
def test_other_values_are_refused_by_name(option: Option, text: str) -> None:
    with pytest.raises(PlayerError, match=option.name):
        option.parse(text)


def test_number_without_bounds_may_be_any_number_but_must_be_one() -> None:
    option = Option("weight", 1.0, "A weight.")
    assert option.parse("-1e9") == -1e9
    with pytest.raises(PlayerError, match="weight"):
        option.parse("nan")


@pytest.mark.parametrize(
    ("option", "text"), [(Option("depth", 3, "d", minimum=1), "0"), (Option("depth", 3, "d", maximum=9), "10")]
)
def test_message_about_one_bound_does_not_speak_of_none(option: Option, text: str) -> None:
    with pytest.raises(PlayerError) as caught:
        option.parse(text)
    assert "None" not in str(caught.value)


def test_player_has_the_defaults_of_its_options() -> None:
    assert Talker().settings == {"playouts": 100, "share": 0.5, "loud": False, "style": "calm", "nickname": "me"}
    assert Plain().settings == {}


def test_player_takes_options_by_name() -> None:
    assert Talker(playouts=5, style="wild").settings["playouts"] == 5
    assert Talker().settings["playouts"] == 100
    assert Talker(share=1).settings["share"] == 1


def test_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(PlayerError, match="playouts, share, loud, style, nickname"):
        Talker(plaouts=5)
    with pytest.raises(PlayerError, match="it has none"):
        Plain(playouts=5)


@pytest.mark.parametrize(
    "settings",
    [
        {"playouts": 0},
        {"playouts": 10**6},
        {"share": 1.5},
        {"share": math.nan},
        {"style": "rude"},
        {"playouts": "many"},
        {"playouts": 2.0},
        {"playouts": True},
        {"loud": 1},
    ],
)
def test_value_out_of_range_is_refused_by_name(settings: dict[str, OptionValue]) -> None:
    with pytest.raises(PlayerError, match=next(iter(settings))):
        Talker(**settings)


def test_time_left_until_a_deadline_only_shrinks() -> None:
    deadline = Deadline(1000)
    first, second = deadline.remaining(), deadline.remaining()
    assert 0 < second <= first <= 1000


def test_time_is_negative_once_it_is_too_late() -> None:
    assert Deadline(-5).remaining() <= -5


def test_clock_and_decision_have_sensible_defaults() -> None:
    assert Clock() == Clock(play=1.0, start=10.0)
    assert Decision("noop") == Decision("noop", Thinking())


def test_a_margin_is_kept_in_hand() -> None:
    assert 0 < Deadline(1000, margin=900).remaining() <= 100


def test_nothing_remains_once_cancelled() -> None:
    deadline = Deadline(math.inf)
    assert deadline.remaining() == math.inf

    deadline.cancel()

    assert deadline.cancelled
    assert deadline.remaining() <= 0
    assert not deadline.wait(1000)


@pytest.mark.parametrize(("play", "start"), [(0.0, 1.0), (-1.0, 1.0), (math.nan, 1.0), (1.0, -1.0), (1.0, math.nan)])
def test_a_clock_needs_time(play: float, start: float) -> None:
    with pytest.raises(PlayerError, match="a clock needs"):
        Clock(play, start)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (PLAYOUTS, "between 1 and 1000"),
        (STYLE, "one of calm, wild"),
        (LOUD, ""),
        (Option("n", 1, "d", minimum=2), "at least 2"),
    ],
)
def test_an_option_says_what_is_allowed(option: Option, words: str) -> None:
    assert option.allowed == words


def test_thinking_is_told_in_json_without_what_is_empty() -> None:
    moves = (MoveReport("a", 61.237, 12, line=("a", "b")), MoveReport("c", 0.0, 3, proven=True))
    thinking = Thinking(iterations=15, seconds=0.5, nodes=9, value=0.0, line=("a", "b"), moves=moves)

    assert thinking.as_json() == {
        "iterations": 15,
        "seconds": 0.5,
        "rate": 30,
        "nodes": 9,
        "value": 0.0,
        "line": ["a", "b"],
        "moves": [
            {"move": "a", "value": 61.24, "visits": 12, "line": ["a", "b"]},
            {"move": "c", "value": 0.0, "visits": 3, "proven": True},
        ],
    }
    assert Thinking().as_json() == {}


def test_thinking_is_told_in_words() -> None:
    assert str(Thinking("a guess", iterations=5)) == "a guess"
    assert str(Thinking(iterations=1500, seconds=0.5, nodes=9, depth=4, value=61.2, line=("a", "b"))) == (
        "expects 61, 1,500 iterations, 3,000/s, tree 9, depth 4, a b"
    )


def test_a_player_outside_a_match_talks_to_nobody() -> None:
    channel = Plain().channel
    channel.report(Thinking("hello"))
    channel.say("hello", [])
    assert not channel.wants_thinking()
