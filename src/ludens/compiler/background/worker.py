"""Compiles a game and writes it to standard output; run as a program, by `ludens.compiler.background.job`.

The request is a line of JSON: the rules, the name of the game, the key under which the cache keeps the result, and the
limit of memory. The answer is a pickle: what the game runs on, and the pieces of the compiled game or a message.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import TYPE_CHECKING

from ludens.core.process import end_group_with_parent, limit_data, limit_process

if TYPE_CHECKING:
    from ludens.gdl.rules import RuleSheet

CIRCUIT, CXX, REFUSED = "circuit", "cxx", "refused"
_NO_MEMORY = "too little memory"
Answer = tuple[str, list[bytes], str]
"""The backend that accepts the game; its pieces, if it goes by them; why others do not accept it."""


def compile_game(text: str, name: str) -> Answer:
    """Compile a game. What goes to the cache, such as shared libraries, is put there."""
    from ludens.core import GameError  # noqa: PLC0415 - the memory is limited first
    from ludens.gdl.read import read_rules  # noqa: PLC0415

    sheet = read_rules(text, name=name)
    reasons: list[str] = []
    for backend, make in ((CIRCUIT, _circuit_pieces), (CXX, _cxx_pieces)):
        try:
            return backend, make(sheet, name), "; ".join(reasons)
        except GameError as error:
            reasons.append(f"{backend} does not take it ({error})")
        except MemoryError:
            reasons.append(f"{backend} does not take it ({_NO_MEMORY})")
    return REFUSED, [], "; ".join(reasons)


def _circuit_pieces(sheet: RuleSheet, name: str) -> list[bytes]:
    from ludens.compiler.background.transport import freeze  # noqa: PLC0415 - as above
    from ludens.compiler.batch.game import CircuitGame  # noqa: PLC0415
    from ludens.compiler.batch.lane_kernel import lane_kernel  # noqa: PLC0415

    game = CircuitGame(sheet, name)
    pieces = freeze(game)
    lane_kernel()  # from now on in the cache of machine code
    return pieces


def _cxx_pieces(sheet: RuleSheet, name: str) -> list[bytes]:
    from ludens.compiler.cxx.state import CxxGame  # noqa: PLC0415 - as above

    CxxGame(sheet, name)  # its library stays in the cache, where the other process finds it
    return []


def main() -> None:
    """Serve one request."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not get between
    request = json.loads(sys.stdin.buffer.readline())
    end_group_with_parent()
    limit_process()
    limit_data(request["memory"])
    from ludens.compiler.native.code_cache import artefact_cache  # noqa: PLC0415 - as above

    found = compile_game(request["rules"], request["name"])
    answer = pickle.dumps(found)
    if _NO_MEMORY not in found[2]:  # another time there may be more
        artefact_cache().put(request["key"], answer)
    output.write(answer)
    output.close()
    os._exit(0)


if __name__ == "__main__":
    main()
