"""Whatever lines come, there is an answer, and the play goes on."""

from __future__ import annotations

import contextlib
import socket

from hypothesis import example, given
from hypothesis import strategies as st

from ludens.core import LudensError
from ludens.protocols.ggtp.engines.engine import Engine
from ludens.protocols.ggtp.engines.link import EngineLink
from ludens.protocols.ggtp.engines.registry import engine_class
from ludens.protocols.ggtp.inbox import Inbox
from ludens.protocols.ggtp.language.commands import SUPERVISOR, TO_ENGINE
from ludens.protocols.ggtp.language.grammar import Command, escape, first_word, format_list, items, split, unescape
from tests.protocols.ggtp.harness import Rules, query
from tests.thorough import examples

HARMLESS = sorted(set(SUPERVISOR) - {"quit", "load_file", "save_file", "set_engine", "set_rule", "wait", "wait_for"})
WORDS = st.one_of(st.sampled_from(["Cross", "Circle", "A1", "B2", "C3", "1", "on", "genmove", "Depth"]), st.text())
LINES = st.one_of(
    st.text(),
    st.builds(lambda name, words: " ".join((name, *words)), st.sampled_from(HARMLESS), st.lists(WORDS, max_size=4)),
)


@given(st.text(), st.lists(st.sampled_from(["player", "move", "option"]), max_size=4))
def test_arguments_are_never_more_than_parameters(rest: str, parameters: list[str]) -> None:
    found = split(rest, parameters)

    assert found is None or len(found) <= len(parameters)
    assert found is None or all(argument == argument.strip(" \t") for argument in found)


@given(
    st.lists(st.text(st.characters(exclude_characters=" \t\n\r"), min_size=1), min_size=1, max_size=4), st.text(" \t")
)
def test_words_are_read_back(words: list[str], gap: str) -> None:
    names = [f"word{number}" for number in range(len(words))]

    assert split(f"{gap} {f' {gap}'.join(words)}", names) == tuple(words)


@given(st.text(st.characters(exclude_characters="\t\n\r")), st.text(st.characters(exclude_characters="\t\n\r")))
def test_a_tab_ends_a_move_that_is_not_the_last_argument(move: str, reason: str) -> None:
    found = Command("illegal_move", ("move", "any"), 1)

    if move.strip(" ") and reason.strip(" "):
        assert found.arguments(f"{move}\t{reason}") == (move.strip(" "), reason.strip(" "))
        assert found.arguments(move) == (move.strip(" "),)


@given(st.lists(st.text(min_size=1).map(str.strip).filter(bool)))
def test_lists_are_read_back_whatever_is_in_them(names: list[str]) -> None:
    assert [unescape(item) for item in items(format_list(names))] == names


@given(st.text())
def test_escaped_texts_are_one_line(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "\n" not in escape(text)


@examples(60)
@given(st.lists(LINES, max_size=30))
@example(["play Cross A1", "undo", "redo", "undo", "force_play Circle A1"])
def test_every_line_of_a_supervisor_has_one_answer_and_the_play_goes_on(lines: list[str]) -> None:
    rules = Rules()
    rules.say("set_rule TicTacToe", "start")
    for line in lines:
        said = rules.say(line)
        answers = [one for one in said if one.startswith(("=", "?"))]
        assert len(answers) == (1 if first_word(line)[0] else 0), (line, said)
    play = rules.session.play
    if play is not None:
        replayed = play.game.initial_state()
        for number in play.line:
            replayed = replayed.play(play.turns[number].joint_move)
        assert replayed == play.state


@examples(60)
@given(
    st.lists(
        st.one_of(st.text(), st.builds(" ".join, st.tuples(st.sampled_from(sorted(TO_ENGINE)), WORDS))), max_size=20
    )
)
def test_an_engine_survives_or_complains(lines: list[str]) -> None:
    said: list[str] = []
    engine = Engine(engine_class("legal"), said.append, backend="reference")
    for line in ("set_rule TicTacToe", "set_player Cross", "start"):
        engine.do(line)
    for line in lines:
        if not line.startswith("set_rule "):
            with contextlib.suppress(LudensError):
                engine.do(line)
    said.clear()
    engine.do("get_option no_such_option")
    engine.close()

    assert "invalid_option_name" in said


@examples(60)
@given(st.lists(st.binary(max_size=200), max_size=10))
def test_the_rules_survive_whatever_an_engine_says(chunks: list[bytes]) -> None:
    ours, theirs = socket.socketpair()
    inbox = Inbox()
    link = EngineLink("Fuzz", ours, inbox)
    with theirs, contextlib.suppress(OSError):
        for chunk in chunks:
            theirs.sendall(chunk)
    for _ in range(2):
        query(link, "get_option x")

    assert link.failure
