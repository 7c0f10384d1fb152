"""The standard streams while players think: what players print is dropped, what others print is not."""

from __future__ import annotations

import sys
import threading

import pytest

from ludens.referee.output import player_thread


def test_players_print_nothing_and_others_do(capsys: pytest.CaptureFixture[str]) -> None:
    def play() -> None:
        with player_thread():
            print("a player's")
            printed.set()
            ended.wait(60)

    printed, ended = threading.Event(), threading.Event()
    thread = threading.Thread(target=play)
    thread.start()
    printed.wait(60)
    print("ours")
    ended.set()
    thread.join()

    assert capsys.readouterr().out == "ours\n"


def test_a_stream_that_somebody_may_be_printing_to_is_not_freed() -> None:
    """CPython's `print` only borrows `sys.stdout`: it crashed when the last player ended meanwhile."""
    seen = []

    def play() -> None:
        with player_thread():
            seen.append(sys.stdout)

    for _ in range(2):
        thread = threading.Thread(target=play)
        thread.start()
        thread.join()

    assert seen[0] is seen[1]
    assert seen[0] is not sys.__stdout__
