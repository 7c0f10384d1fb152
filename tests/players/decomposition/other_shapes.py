"""Random composite games written in other ways than `composites.py`: other controls, names, nested helpers, noops."""

from __future__ import annotations

from itertools import pairwise
from random import Random

SHAPES = ("counted turns", "passed token", "doors", "solitaire", "at once", "votes")
"""Turns by a step counter; by a control fluent that helpers read; series by doors; one role without a clock; boards on
which both roles act at once; goals by a majority of boards."""


def other_composite(shape: str, seed: int) -> str:
    """The rules of a game of a shape; the same for the same number."""
    rng = Random(f"{shape} {seed}")
    boards = ["red", "green", "blue"][: rng.randint(2, 3) if shape != "at once" else 2]
    people = ["me"] if shape == "solitaire" else ["me", "you"]
    rules = [f"(role {person})" for person in people]
    for board in boards:
        rules += _board(rng, board, people, counts=shape == "votes")
    rules += _results(boards)
    rules += _votes(boards) if shape == "votes" else _payoffs(rng, boards, people)
    rules += {
        "counted turns": _counted_turns,
        "passed token": _passed_token,
        "doors": _doors,
        "solitaire": _solitaire,
        "at once": _at_once,
        "votes": _counted_turns,
    }[shape](rng, boards)
    return "\n".join(rules)


def _board(rng: Random, board: str, people: list[str], *, counts: bool) -> list[str]:
    """A board is a graph of squares, written from the target back; each square is worth something, and if the board
    ``counts``, the stone can come to a high square and to another one."""
    size = rng.randint(3, 5)
    rules = [f"(init (holds stone s0 {board}))", f"(goalsquare s{size - 1} {board})"]
    reached = {0}
    for square in range(size - 1):
        for person in people:
            for target in rng.sample(range(square + 1, size), min(rng.randint(1, 2), size - 1 - square)):
                rules.append(f"(reach s{target} s{square} {board} {person})")
                reached |= {target} if square in reached else set()
    worths = [rng.choice(["low", "mid", "high"]) for _ in range(size)]
    while counts and len({worths[square] == "high" for square in reached}) < 2:
        worths = [rng.choice(["low", "mid", "high"]) for _ in range(size)]
    return rules + [f"(worth {board} s{square} {worth})" for square, worth in enumerate(worths)]


def _results(boards: list[str]) -> list[str]:
    return [
        *(f"(board {board})" for board in boards),
        "(<= (stands ?b ?s) (true (holds stone ?s ?b)))",
        "(<= (result ?b ?w) (stands ?b ?s) (worth ?b ?s ?w))",
        "(<= (finished ?b) (stands ?b ?s) (goalsquare ?s ?b))",
        "(<= unfinished (board ?b) (not (finished ?b)))",
        "(<= (possible ?p ?b ?t) (stands ?b ?s) (reach ?t ?s ?b ?p))",
    ]


def _payoffs(rng: Random, boards: list[str], people: list[str]) -> list[str]:
    """Goals by one board after the other: a rule for each combination of two, the third may spoil all."""
    rules = []
    zero_sum = rng.random() < 0.7
    for one in ("low", "mid", "high"):
        for other in ("low", "mid", "high"):
            mine, yours = rng.choice((0, 20, 50, 80, 100)), rng.choice((0, 30, 60, 100))
            values = {"me": mine, "you": 100 - mine if zero_sum else yours}
            for person in people:
                spoilt = f" (not (result {boards[2]} low))" if len(boards) > 2 else ""
                body = f"(result {boards[0]} {one}) (result {boards[1]} {other}){spoilt}"
                rules.append(f"(<= (goal {person} {values[person]}) {body})")
    if len(boards) > 2:
        rules += [f"(<= (goal {person} 50) (result {boards[2]} low))" for person in people]
    return rules


def _votes(boards: list[str]) -> list[str]:
    rules = [f"(ahead {one} {other})" for one, other in pairwise(boards)]
    rules += [
        "(<= (vote ?b yes) (result ?b high)) (<= (vote ?b no) (board ?b) (not (result ?b high)))",
        f"(<= (tally {boards[0]} n1) (vote {boards[0]} yes)) (<= (tally {boards[0]} n0) (vote {boards[0]} no))",
        "(<= (tally ?c ?n) (ahead ?b ?c) (tally ?b ?n) (vote ?c no))",
        "(<= (tally ?c ?m) (ahead ?b ?c) (tally ?b ?n) (vote ?c yes) (one_more ?n ?m))",
        "(one_more n0 n1) (one_more n1 n2) (one_more n2 n3) (many n2) (many n3)",
        f"(<= carried (tally {boards[-1]} ?n) (many ?n))",
        "(<= (goal me 100) carried) (<= (goal me 0) (not carried))",
        "(<= (goal you 0) carried) (<= (goal you 100) (not carried))",
    ]
    return rules


MOVE = [
    "(<= (next (holds stone ?t ?b)) (does ?p (carry ?t ?b)))",
    "(<= (next (holds stone ?s ?b)) (true (holds stone ?s ?b)) (not (disturbed ?b)))",
    "(<= (disturbed ?b) (does ?p (carry ?t ?b)))",
]


def _counted_turns(rng: Random, boards: list[str]) -> list[str]:
    last = rng.randint(4, 6)
    return [
        *MOVE,
        "(init (clock c0)) (<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))",
        *(f"(tick c{n} c{n + 1}) (moves c{n} {'me' if n % 2 == 0 else 'you'})" for n in range(last)),
        "(<= (turn ?p) (true (clock ?n)) (moves ?n ?p))",
        "(<= (legal ?p (carry ?t ?b)) (turn ?p) (possible ?p ?b ?t))",
        "(<= (legal ?p skip) (turn ?p)) (<= (legal ?p watch) (role ?p) (not (turn ?p)))",
        f"(<= terminal (true (clock c{last})))",
    ]


def _passed_token(rng: Random, boards: list[str]) -> list[str]:
    del rng, boards
    return [
        *MOVE,
        "(init (token me)) (rival me you) (rival you me)",
        "(<= (next (token ?q)) (true (token ?p)) (rival ?p ?q))",
        "(<= (able ?p) (true (token ?p)) (possible ?p ?b ?t))",
        "(<= (legal ?p (carry ?t ?b)) (true (token ?p)) (possible ?p ?b ?t))",
        "(<= (legal ?p (noop ?q)) (rival ?p ?q) (true (token ?q)))",
        "(<= terminal (not unfinished))",
    ]


def _doors(rng: Random, boards: list[str]) -> list[str]:
    del rng
    return [
        *MOVE,
        "(init (token me)) (rival me you) (rival you me)",
        "(<= (next (token ?q)) (true (token ?p)) (rival ?p ?q))",
        f"(<= (open {boards[0]}) (true (token ?p)))",
        *(f"(<= (open {after}) (finished {before}))" for before, after in pairwise(boards)),
        "(<= (legal ?p (carry ?t ?b)) (true (token ?p)) (open ?b) (possible ?p ?b ?t))",
        "(<= (legal ?p idle) (rival ?p ?q) (true (token ?q)))",
        f"(<= terminal (finished {boards[-1]}))",
    ]


def _solitaire(rng: Random, boards: list[str]) -> list[str]:
    del boards
    stop = rng.random() < 0.5
    return [
        *MOVE,
        "(<= (legal me (carry ?t ?b)) (possible me ?b ?t))",
        *(["(legal me halt)", "(<= (next halted) (does me halt))", "(<= terminal (true halted))"] if stop else []),
        "(<= terminal (not unfinished))",
    ]


def _at_once(rng: Random, boards: list[str]) -> list[str]:
    """Each role shows a sign on every board, and the pair of signs decides where the stone goes."""
    rounds = rng.randint(1, 2)
    rules = [
        "(sign up) (sign down) (<= (legal ?p (show ?x ?y)) (role ?p) (sign ?x) (sign ?y))",
        f"(<= (shows ?p {boards[0]} ?x) (does ?p (show ?x ?y))) (<= (shows ?p {boards[1]} ?y) (does ?p (show ?x ?y)))",
        "(<= (next (holds stone ?t ?b)) (true (holds stone ?s ?b)) (shows me ?b ?x) (shows you ?b ?y)"
        " (lead ?b ?s ?x ?y ?t))",
        "(init (clock c0)) (<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n)) (tick c0 c1) (tick c1 c2)",
        f"(<= terminal (true (clock c{rounds})))",
    ]
    for board in boards:
        for square in range(5):
            for x in ("up", "down"):
                for y in ("up", "down"):
                    rules.append(f"(lead {board} s{square} {x} {y} s{rng.randrange(3)})")
    return rules
