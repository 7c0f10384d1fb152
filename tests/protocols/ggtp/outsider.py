"""An engine that knows only the paper and what the wire tells: run as a program, or connected over TCP.

It imports nothing of ludens: ``python outsider.py`` speaks GGTP on standard input and output, ``python outsider.py PORT
NAME TOKEN`` over a connection. It wants to be sent the possible moves, and plays the last of them.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterable


def split(text: str) -> list[str]:
    """The items of a list, in which a backslash protects commas."""
    items: list[str] = []
    item, escaped = "", False
    for letter in text:
        if escaped:
            item += {"n": "\n"}.get(letter, letter)
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter == ",":
            items.append(item.strip())
            item = ""
        else:
            item += letter
    return [*items, item.strip()]


def main(lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Answer the lines of the Rules."""
    moves: list[str] = []
    count = 0
    for line in lines:
        name, _, rest = line.rstrip("\n").partition(" ")
        if name == "connect_engine":
            say("capabilities rules, possible_moves")
            say("acknowledge")
        elif name == "possible_moves":
            moves = split(rest)
            say("acknowledge")
        elif name == "have_to_play":
            count += 1
            say("select_move " + moves[count % len(moves)])
        elif name == "list_options":
            say("reply")
        elif name in ("get_option", "list_option_choices", "set_option"):
            say("invalid_option_name")
        elif name in ("list_possible_moves", "get_result", "get_table"):
            say("invalid_table_number")
        elif name:
            say("acknowledge")
        if name == "disconnect_engine" and len(sys.argv) == 1:
            return


if len(sys.argv) > 1:
    port, name, token = sys.argv[1:]
    connection = socket.create_connection(("127.0.0.1", int(port)))
    lines = connection.makefile("r", encoding="utf-8", newline="\n")

    def say(text: str) -> None:
        connection.sendall((text + "\n").encode())

    say(f"hello engine {name} {token}")
    print(lines.readline().strip(), flush=True)
    main(lines, say)
else:
    main(sys.stdin, lambda text: print(text, flush=True))
