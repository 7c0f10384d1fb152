"""Compiles and decomposes a game; run as a program, by `ludens.analysis.bounded_report`.

The request is a line with a length and a pickle of that length; the answer is the pickle of a report, or of the reason
why the rules do not compile.
"""

from __future__ import annotations

import os
import pickle
import sys
import time

from ludens.core.process import end_with_parent, limit_data, limit_process

SHARE = 0.9
"""The share of the time that is left which the analysis may use; the rest is for the report."""


def main() -> None:
    """Serve one request."""
    began = time.monotonic()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between
    text, name, facts, seconds, memory = pickle.loads(sys.stdin.buffer.read(int(sys.stdin.buffer.readline())))
    end_with_parent()
    limit_process()
    limit_data(memory)
    from ludens.analysis.report import report  # noqa: PLC0415 - the memory is limited first
    from ludens.compiler.backends import make_game  # noqa: PLC0415
    from ludens.core import GameError  # noqa: PLC0415
    from ludens.gdl.read import read_rules  # noqa: PLC0415

    try:
        game = make_game(read_rules(text, name=name), name, "circuit")
        state = None if facts is None else game.state(facts)
        answer = pickle.dumps(report(game, SHARE * max(0.0, seconds - (time.monotonic() - began)), state))
    except GameError as error:
        answer = pickle.dumps(f"the rules do not ground ({error})")
    except MemoryError:
        answer = pickle.dumps(f"the rules do not ground within {memory >> 20} MB")
    output.write(answer)
    output.flush()
    os._exit(0)  # which closes the output: before, the parent would close the input, and that ends this process


if __name__ == "__main__":
    main()
