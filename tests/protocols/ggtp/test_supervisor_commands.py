"""Every command of a Supervisor, as its transcripts have it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludens.players import player_classes
from ludens.protocols.ggtp.handlers import COMMANDS
from ludens.protocols.ggtp.language.commands import (
    ALIASES,
    SUPERVISOR,
    SUPERVISOR_EXTENSIONS,
    TABLE_1,
    TABLE_2,
    TABLE_3,
)
from tests.protocols.ggtp.extensions import EXTENSIONS
from tests.protocols.ggtp.harness import Rules, check_transcript
from tests.protocols.ggtp.transcripts import TRANSCRIPTS


@pytest.mark.parametrize("name", TRANSCRIPTS | EXTENSIONS)
def test_transcript(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join(line for line in (TRANSCRIPTS | EXTENSIONS)[name].split("\n") if line)

    check_transcript(text)


def test_there_are_the_37_commands_of_the_paper_and_all_are_listed() -> None:
    assert len(TABLE_1) == 37
    assert [command.name for command in TABLE_1 if command.recorded] == [
        "set_option",
        "set_rule",
        "set_rule_option",
        "set_engine",
        "set_engine_option",
        "start",
    ]
    assert set(SUPERVISOR) == {*COMMANDS, "load_file"}

    listed = Rules().answer("list_commands")

    assert listed == Rules().answer("get_commands")
    assert listed.removeprefix("= ").split(", ") == [command.name for command in (*TABLE_1, *SUPERVISOR_EXTENSIONS)]


def test_commands_between_rules_and_engines_are_unknown_to_the_supervisor() -> None:
    own = {*SUPERVISOR, *ALIASES}
    others = [command.name for command in (*TABLE_2, *TABLE_3) if command.name not in own]

    answers = [Rules().answer(name) for name in others]

    assert {"connect_engine", "have_to_play", "made_move", "select_move", "reply"} <= set(others)
    assert [answer for answer in answers if not (answer.startswith("? ") and "list_commands" in answer)] == []


def answered(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a transcript, each with the symbol of its answer."""
    name = ""
    for line in text.split("\n"):
        if line.startswith(("=", "?")) and name:
            yield name, line[0]
            name = ""
        elif line and not line.startswith(("->", "  ")):
            name = line.split()[0]


def test_every_command_has_a_transcript_with_good_and_bad_arguments() -> None:
    found = {pair for text in (TRANSCRIPTS | EXTENSIONS).values() for pair in answered(text)}

    with_guests = {("wait_for", "="), ("dismiss", "=")}  # see test_network.py
    assert {(name, symbol) for name in (*SUPERVISOR, *ALIASES) for symbol in "=?"} - found == with_guests


def test_rules_of_the_library_are_listed_with_both_forms() -> None:
    rules = Rules().answer("list_rules").removeprefix("= ").split(", ")

    assert {"chess", "tic_tac_toe", "tic_tac_toe@tabletop"} <= set(rules)


def test_every_player_but_people_is_an_engine_and_so_are_minimax_and_programs_of_others() -> None:
    engines = Rules().answer("list_engines").removeprefix("= ").split(", ")

    others = ["Minimax", "gtp", "uci", "process"]
    assert engines == ["human", *(name for name in player_classes() if name != "human"), *others]


def test_blank_lines_and_comments_have_no_answer() -> None:
    assert Rules().say("", "  \t ", "# nothing") == []


def test_a_very_long_line_is_one_command() -> None:
    assert Rules().answer("get_option " + "x" * 1_000_000).startswith("? No option named x")


@pytest.mark.parametrize("path", ["tests/protocols/ggtp/rules/race.py", "src/ludens/games/shelf/tic_tac_toe.kif"])
def test_a_rule_can_be_a_path(path: str) -> None:
    assert Path(path).is_file()
    assert Rules().say(f"set_rule {path}", "start", "list_players")[1] == "= Done"
