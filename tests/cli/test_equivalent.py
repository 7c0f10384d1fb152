"""``ludens equivalent`` and ``--scramble``."""

from __future__ import annotations

import json
import os

import pytest

from ludens.cli.main import main


def test_a_scrambled_game_is_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equivalent", "tic_tac_toe", "scrambled:3:tic_tac_toe", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"] == "equivalent"


def test_the_first_difference_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equivalent", "nim:1,2", "nim:2,2"]) == 0
    assert "first may play (reduce a 1) in nim:2,2 only" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--scramble", "7"], ["--scramble=7"]])
def test_games_are_scrambled_by_an_option_anywhere(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic_tac_toe", *arguments, "--json"]) == 0

    found = json.loads(capsys.readouterr().out)

    assert found["name"] == "scrambled:7:tic_tac_toe"
    assert "xplayer" not in found["roles"]
    assert "LUDENS_SCRAMBLE" not in os.environ


def test_a_prompt_does_not_name_what_is_scrambled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "tic_tac_toe", "--scramble", "--json"]) == 0
    assert "tic" not in capsys.readouterr().out.lower().replace("articles", "")


def test_a_wrong_seed_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "tic_tac_toe", "--scramble=x"]) == 2
    assert "whole number" in capsys.readouterr().err
