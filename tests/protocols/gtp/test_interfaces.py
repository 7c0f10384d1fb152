"""Random sessions of the kinds that Sabaki and GoGui hold: every command is answered once, as GTP has it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludens.protocols.ggtp.rules import choose_rule
from ludens.protocols.gtp.server import GtpServer
from ludens.protocols.lent_player import LentPlayer
from tests.thorough import examples

ANSWER = re.compile(r"[=?](\d*)(?: [^\n]*(?:\n[^\n]+)*)?\n\n")
SETUP = {
    "Sabaki": ["name", "version", "protocol_version", "list_commands", "boardsize 5", "clear_board", "komi 6.5"],
    "GoGui": [
        *("protocol_version", "list_commands", "name", "version", "gogui-analyze_commands", "boardsize 4"),
        *("clear_board", "komi 6.5", "time_settings 0 1 1"),
    ],
}
COLOURS = st.sampled_from(["b", "w", "B", "W", "black", "white"])
VERTICES = st.one_of(
    st.builds("{}{}".format, st.sampled_from("ABCDEabcdeI"), st.integers(0, 6)), st.sampled_from(["pass", "PASS"])
)
COMMON = st.one_of(
    st.builds("play {} {}".format, COLOURS, VERTICES),
    st.builds("genmove {}".format, COLOURS),
    st.sampled_from(
        ["undo", "final_score", "showboard", "clear_board", "komi 0.5", "boardsize 4", "known_command undo"]
    ),
    st.builds("time_left {} {} {}".format, COLOURS, st.integers(0, 3), st.integers(0, 2)),
)
SABAKI = st.one_of(
    COMMON,
    st.builds("lz-analyze {} 5".format, COLOURS),
    st.builds("lz-genmove_analyze {} interval 5".format, COLOURS),
    st.sampled_from(["set_free_handicap A1 B2", "place_free_handicap 2", "fixed_handicap 2", "sabaki-none"]),
    st.sampled_from(["final_status_list dead", "final_status_list alive", "final_status_list seki"]),
)
GOGUI = st.one_of(
    COMMON,
    st.builds("gogui-play_sequence {} {} {} {}".format, COLOURS, VERTICES, COLOURS, VERTICES),
    st.builds("reg_genmove {}".format, COLOURS),
    st.sampled_from(["cputime", "gogui-interrupt", "final_status_list dead", "kgs-genmove_cleanup b", "list_commands"]),
    st.builds("{} play {} A1".format, st.integers(1, 999), COLOURS),
    st.sampled_from(["", "# a comment", "play b", "genmove", "komi x", "boardsize 99", "time_settings 1 2", "7"]),
)


class Interface:
    """One program, all sessions of which are held one after the other."""

    def __init__(self) -> None:
        lent = LentPlayer("random", seed=1, start_clock=1.0, log=print)
        self.streamed: list[str] = []
        self.server = GtpServer(
            choose_rule("go:5", "reference"), lent, name="ludens", seconds=0.02, write=self.streamed.append
        )

    def say(self, line: str) -> str:
        """The answer to a line; what analyses write is in `streamed`."""
        return self.server.answer(line) or ""


@pytest.fixture(scope="module")
def interface() -> Iterator[Interface]:
    found = Interface()
    yield found
    found.server.close()


def hold(interface: Interface, kind: str, commands: list[str]) -> None:
    for line in [*SETUP[kind], *commands]:
        answer = interface.say(line)
        words = line.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            assert answer == "", line
            continue
        name = words[0]
        if name.startswith("lz-") and len(words) > 1:
            assert answer == ""
            interface.say("name")  # any command ends it
            text = "".join(interface.streamed)
            interface.streamed.clear()
            assert re.fullmatch(r"=\n(info move [^\n]+\n)*(play [^\s]+\n)?\n", text), text
            assert ("\nplay " in text) == (name == "lz-genmove_analyze")
            continue
        found = ANSWER.fullmatch(answer)
        assert found is not None, (line, answer)
        assert found[1] == number
        check(line, name, words, answer)


def check(line: str, name: str, words: list[str], answer: str) -> None:
    """What every Go program would answer."""
    is_right = answer.startswith("=")
    if name == "komi":
        assert is_right == (words[1] != "x")
    if name in ("gogui-interrupt", "sabaki-none"):
        assert answer == "? unknown command\n\n"
    if name == "play" and is_right and words[2].lower() != "pass":
        assert re.fullmatch(r"[A-Ha-hJ-Tj-t][1-9]\d?", words[2]), line
    if name in ("genmove", "reg_genmove"):
        assert is_right == (len(words) == 2), line
    if name == "genmove" and is_right:
        assert re.fullmatch(r"= ([A-HJ-T]\d+|pass|resign)\n\n", answer, re.IGNORECASE)
    if name == "final_score":
        assert re.fullmatch(r"= (0|[BW]\+(R|[\d.]+))\n\n", answer), answer


@pytest.mark.parametrize("kind", ["Sabaki", "GoGui"])
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_random_sessions_of_interfaces_are_answered(interface: Interface, kind: str, data: st.DataObject) -> None:
    hold(interface, kind, data.draw(st.lists(SABAKI if kind == "Sabaki" else GOGUI, max_size=8)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Sabaki", "GoGui"])
@examples(100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_two_hundred_random_sessions(interface: Interface, kind: str, data: st.DataObject) -> None:
    hold(interface, kind, data.draw(st.lists(SABAKI if kind == "Sabaki" else GOGUI, max_size=25)))


def test_what_is_played_can_be_undone_move_by_move(interface: Interface) -> None:
    said = [interface.say(line).strip() for line in ("boardsize 5", "play b C3", "play w D3", "genmove b")]
    assert said[:3] == ["=", "=", "="]

    assert [interface.say("undo").strip() for _ in range(4)] == ["=", "=", "=", "? cannot undo"]
    assert interface.say("play w C3").strip() == "="
