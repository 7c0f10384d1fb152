"""Adversarial replies to prompts in every game of the library: does the parser ever play a move that nobody named?

    python -m benchmarks.replies --replies 100000

Each reply is made from a position reached by random play, in one of a dozen ways, and it is known what it must give: a
certain move, an error, or anything but a crash and a move whose words it does not contain.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

import ludens
from ludens.core import Move, State, random_joint_move
from ludens.games import library
from ludens.players.prompted.reply import ReplyError, parse_reply

_NOISE = (
    "()[]{}<>,.;:!?`*_#-+=/\\|\"'~^%$&@0123456789abcxyzABCXYZ \n\t\r\u2028\u200b\u0661\uff11\u00e9\u4e2d\U0001f600\x00"
)
_CHATTER = ("I would never play {}.", "The best is {}, I think", "{}? No!", "My move is {}", "moves: {}", "- {}")


def positions(name: str, rng: Random, depth: int = 30) -> Iterator[Sequence[Move]]:
    """Lists of legal moves with a choice, met in random play."""
    game = ludens.load(name, backend="interpreter")
    state: State = game.initial_state()
    for _ in range(depth):
        if state.is_terminal:
            return
        yield from (legal for role in game.roles if len(legal := state.legal_moves(role)) > 1)
        state = state.sample(random_joint_move(state, rng), rng)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\s(),]+", text.lower())


def _infix(move: Move) -> str:
    head, *rest = _words(move) if move.islower() else re.findall(r"[^\s(),]+", move)
    return f"{head}({','.join(rest)})" if rest else head


def _changed(move: Move, rng: Random) -> str:
    """A move with one character inserted, removed or replaced."""
    place = rng.randrange(len(move))
    return move[:place] + rng.choice(("", rng.choice(_NOISE))) + move[place + rng.randint(0, 1) :]


def _noise(rng: Random) -> str:
    return "".join(rng.choices(_NOISE, k=rng.choice((0, 1, 3, 30, 300))))


Case = tuple[str, Move | None, bool]
"""A reply, the move that it must give, and whether it must be refused."""


def _cases(legal: Sequence[Move], rng: Random) -> tuple[Callable[[], Case], ...]:
    move, other = rng.sample(list(legal), 2)
    return (
        lambda: (f"MOVE: {move}", move, False),
        lambda: (f"{_noise(rng).replace(':', '')}\n**Move:** `{move}`", move, False),
        lambda: (json.dumps({"move": str(move), "why": _noise(rng)}), move, False),
        lambda: (str(move), move, False),
        lambda: (f"MOVE: {_infix(move)}", None, False),
        lambda: (f"move: {move.upper()}", None, False),
        lambda: (f"MOVE: {_changed(move, rng)}", None, False),
        lambda: (f"MOVE: {move}\nMOVE: {other}", None, True),
        lambda: (f"MOVE: {move} or {other}", None, True),
        lambda: (f"MOVE: not {move}", None, True),
        lambda: (rng.choice(_CHATTER).format(move), None, True),
        lambda: (_noise(rng) + str(move) + _noise(rng), None, False),
        lambda: (json.dumps([{"move": str(move)}, {"move": str(other)}]), None, True),
        lambda: ('{"move": ' + json.dumps(str(move)) + ', "move": ' + json.dumps(str(other)) + "}", None, True),
        lambda: ("MOVE:" * rng.randint(1, 50) + _noise(rng), None, False),
        lambda: ("[" * rng.randint(1, 3_000), None, True),
    )


def judge(reply: str, wanted: Move | None, refused: bool, legal: Sequence[Move]) -> str:
    """What the parser did with a reply: ``move`` or ``refused``; ``ghost`` or ``missed`` if that was wrong."""
    try:
        found = parse_reply(reply, legal)
    except ReplyError:
        return "missed" if wanted is not None else "refused"
    if refused or found not in legal or (wanted is not None and found != wanted):
        return "ghost"
    # Digits and letters of the move have to be in the reply, in this order and next to each other.
    named = " ".join(_words(found)) in " ".join(_words(reply.replace("\\", "")))
    bare = re.sub(r"\W", "", found.lower()) in re.sub(r"\W", "", reply.lower())
    return "move" if named or bare else "ghost"


def fuzz(names: Sequence[str], replies: int, seed: int) -> Counter[str]:
    """The outcomes of some replies, spread over games."""
    rng = Random(seed)
    outcomes: Counter[str] = Counter()
    share = -(-replies // len(names))
    for name in names:
        offered = [legal for _ in range(3) for legal in positions(name, rng)]
        for _ in range(share if offered else 0):
            legal = rng.choice(offered)
            reply, wanted, refused = rng.choice(_cases(legal, rng))()
            outcome = judge(reply, wanted, refused, legal)
            if outcome in {"ghost", "missed"}:
                print(f"{outcome} in {name}: {reply!r} {wanted!r}")
            outcomes[outcome] += 1
    return outcomes


def main() -> None:
    """Print the outcomes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names = list(library.entries())
    begin = time.process_time()
    outcomes = fuzz(names, arguments.replies, arguments.seed)
    print(f"{outcomes.total():,} replies in {len(names)} games, {time.process_time() - begin:.0f} CPU seconds")
    print(", ".join(f"{name} {outcomes[name]:,}" for name in ("move", "refused", "ghost", "missed")))


if __name__ == "__main__":
    main()
