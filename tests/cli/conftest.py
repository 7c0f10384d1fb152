"""Running the command line inside the test process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

import pytest

from ludens.cli.main import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command with a text as its standard input; returns its exit code and what it wrote.

    Without a text, standard input is what the test has made of it, or empty.
    """
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))

    def run_command(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
        if text is not None:
            monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command
