"""``ludens prompt``."""

from __future__ import annotations

import json

import pytest

from ludens.cli.main import main


def test_the_prompt_after_some_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "connect_four", "--moves", "(drop 4)", "--json"]) == 0

    found = json.loads(capsys.readouterr().out)

    assert (found["role"], found["turn"], found["style"]) == ("black", 2, "full")
    assert "1. red (drop 4)" in found["prompt"]
    assert len(found["legal_moves"]) == 7


def test_a_reply_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "connect_four", "--reply", "Four!\nMOVE: drop(4)"]) == 0
    assert capsys.readouterr().out == "(drop 4)\n"
    assert main(["prompt", "connect_four", "--reply", "MOVE: drop(8)"]) == 2
    assert "not a legal move" in capsys.readouterr().err


def test_an_unknown_role_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "connect_four", "--role", "green"]) == 2
    assert "no role 'green'" in capsys.readouterr().err
