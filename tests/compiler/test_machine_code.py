from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from ludens.compiler.native.machine_code import make_once


def test_threads_that_ask_at_the_same_time_get_the_same_code() -> None:
    both_asked = threading.Barrier(2)
    made = []

    @make_once
    def code() -> object:
        made.append(object())
        return made[-1]

    def ask() -> object:
        both_asked.wait()
        return code()

    with ThreadPoolExecutor(2) as threads:
        first, second = (asked.result() for asked in [threads.submit(ask), threads.submit(ask)])

    assert first is second
    assert len(made) == 1
