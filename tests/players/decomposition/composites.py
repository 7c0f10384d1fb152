"""Random composite games: small random subgames glued together, as rule sheets.

Parallel and joined games are drawn again if they are composed in name only: the first move ends the game, or a subgame
never matters to the goals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

VALUES = (0, 25, 50, 75, 100)
KINDS = (
    "alternating",
    "impartial",
    "joined",
    "one role",
    "parallel",
    "series by clock",
    "series by state",
    "simultaneous",
    "three roles",
)


@dataclass(frozen=True, slots=True)
class Composite:
    """A rule sheet and what kind of game it is."""

    kind: str
    rules: str


def random_composite(seed: int) -> Composite:
    """The game with a number; the same for the same number."""
    rng = Random(seed)
    kind = rng.choice(
        ["alternating", "alternating", "alternating", "impartial", "one role", "parallel", "simultaneous"]
    )
    return _composite(kind, rng)


def composite_of(kind: str, seed: int) -> Composite:
    """The game of one of the `KINDS` with a number."""
    return _composite(kind, Random(f"{kind} {seed}"))


def _composite(kind: str, rng: Random) -> Composite:
    match kind:
        case "one role":
            rules = _one_role(rng)
        case "joined":
            rules = _joined(rng)
        case "parallel":
            rules = _parallel(rng)
        case "simultaneous":
            rules = _simultaneous(rng)
        case "series by clock":
            rules = _series_by_clock(rng)
        case "series by state":
            rules = _series_by_state(rng)
        case "three roles":
            rules = _alternating(rng, impartial=False, roles=("a", "b", "c"))
        case _:
            rules = _alternating(rng, impartial=kind == "impartial")
    return Composite(kind, "\n".join(rules))


def _graph(rng: Random, part: int, roles: Sequence[str], *, same: bool, cyclic: bool = False) -> list[str]:
    """Positions of a subgame and the steps of each role between them; the last position has none."""
    size = rng.randint(3, 5)
    facts = []
    for position in range(size - 1):
        further = [other for other in range(size) if other > position or (cyclic and other != position)]
        common = rng.sample(further, rng.randint(1, min(2, len(further))))
        for role in roles:
            steps = common if same else rng.sample(further, rng.randint(1, min(2, len(further))))
            facts += [f"(step {part} {role} p{position} p{other})" for other in steps]
    facts.append(f"(last {part} p{size - 1})")
    facts += [f"(init (at {part} p0))", *_scores(rng, part, size)]
    return facts


def _scores(rng: Random, part: int, size: int) -> list[str]:
    return [f"(scores {part} p{position} {rng.randint(0, 2)})" for position in range(size)]


def _goals(rng: Random, parts: int, roles: Sequence[str]) -> list[str]:
    """A goal for every combination of scores: drawn, or by their sum; what one role gets the other may lose."""
    by_sum = rng.random() < 0.4
    sums = {total: rng.choice(VALUES) for total in range(2 * parts + 1)}
    shared = len(roles) == 2 and rng.random() < 0.6
    rules = []
    for scores in product(range(3), repeat=parts):
        first = sums[sum(scores)] if by_sum else rng.choice(VALUES)
        body = " ".join(f"(score {part} {score})" for part, score in enumerate(scores))
        for number, role in enumerate(roles):
            value = first if number == 0 else 100 - first if shared else rng.choice(VALUES)
            rules.append(f"(<= (goal {role} {value}) {body})")
    return rules


def _frame(roles: Sequence[str]) -> list[str]:
    return [
        "(<= (score ?i ?s) (true (at ?i ?p)) (scores ?i ?p ?s))",
        "(<= (over ?i) (true (at ?i ?p)) (last ?i ?p))",
        *(f"(role {role})" for role in roles),
    ]


def _turns(roles: Sequence[str]) -> list[str]:
    rules = [f"(init (control {roles[0]}))"]
    for role, other in zip(roles, (*roles[1:], roles[0]), strict=True):
        rules.append(f"(<= (next (control {other})) (true (control {role})))")
        rules += [f"(<= (legal {third} noop) (true (control {role})))" for third in roles if third != role]
    return rules


def _counter(rng: Random) -> list[str]:
    last = rng.randint(3, 6)
    return [
        "(init (turn 0))",
        "(<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))",
        *(f"(after {n} {n + 1})" for n in range(last)),
        f"(<= terminal (true (turn {last})))",
    ]


def _ends(rng: Random, parts: int) -> list[str]:
    rules = ["(<= terminal " + " ".join(f"(over {part})" for part in range(parts)) + ")"]
    if rng.random() < 0.3:
        rules.append(f"(<= terminal (score {rng.randrange(parts)} 2))")
    return rules


CHOICE = [
    "(<= (next (at ?i ?q)) (does ?r (go ?i ?q)))",
    "(<= (next (at ?i ?p)) (true (at ?i ?p)) (not (moved ?i)))",
    "(<= (moved ?i) (does ?r (go ?i ?q)))",
]


def _alternating(rng: Random, *, impartial: bool, roles: Sequence[str] = ("a", "b")) -> list[str]:
    """Each move is a step in one subgame."""
    parts = rng.randint(2, 3)
    cyclic = not impartial and rng.random() < 0.25
    rules = [*_frame(roles), *_turns(roles), *CHOICE, *_ends(rng, parts)]
    rules.append("(<= (legal ?r (go ?i ?q)) (true (control ?r)) (true (at ?i ?p)) (step ?i ?r ?p ?q))")
    for part in range(parts):
        rules += _graph(rng, part, roles, same=impartial, cyclic=cyclic)
    if cyclic or rng.random() < 0.2:
        rules += _counter(rng)
    if impartial and rng.random() < 0.7:
        mover, other = (0, 100) if rng.random() < 0.5 else (100, 0)
        rules = [rule for rule in rules if not rule.startswith("(<= terminal")]
        rules.append("(<= terminal " + " ".join(f"(over {part})" for part in range(parts)) + ")")
        rules += [f"(<= (goal ?r {mover}) (true (control ?r)))"]
        rules += [f"(<= (goal {r} {other}) (true (control {o})))" for r, o in (("a", "b"), ("b", "a"))]
        return rules
    if rng.random() < 0.2:
        rules.append("(<= (legal ?r rest) (true (control ?r)))")
        rules += _counter(rng)
    return rules + _goals(rng, parts, roles)


def _one_role(rng: Random) -> list[str]:
    parts = rng.randint(2, 3)
    rules = [*_frame(("a",)), *CHOICE, *_ends(rng, parts), *_counter(rng), *_goals(rng, parts, ("a",))]
    rules.append("(<= (legal a (go ?i ?q)) (true (at ?i ?p)) (step ?i a ?p ?q))")
    rules.append("(legal a rest)")
    for part in range(parts):
        rules += _graph(rng, part, ("a",), same=True, cyclic=rng.random() < 0.5)
    return rules


def _parallel(rng: Random) -> list[str]:
    """Each move is a step in both subgames."""
    roles = ("a", "b")
    rules = [*_frame(roles), *_turns(roles), *_goals(rng, 2, roles)]
    rules += [
        "(<= (legal ?r (both ?q0 ?q1)) (true (control ?r)) (true (at 0 ?p0)) (true (at 1 ?p1))"
        " (step 0 ?r ?p0 ?q0) (step 1 ?r ?p1 ?q1))",
        "(<= (next (at 0 ?q0)) (does ?r (both ?q0 ?q1)))",
        "(<= (next (at 1 ?q1)) (does ?r (both ?q0 ?q1)))",
        "(<= terminal (over 0))",
        "(<= terminal (over 1))",
    ]
    boards = [_graph(rng, part, roles, same=False) for part in range(2)]
    while not all(_goes_on(board, roles[0]) for board in boards):
        boards = [_graph(rng, part, roles, same=False) for part in range(2)]
    return [*rules, *boards[0], *boards[1]]


def _goes_on(board: Sequence[str], role: str) -> bool:
    """Whether a role can begin without ending the subgame."""
    last = next(fact for fact in board if fact.startswith("(last")).split()[-1]
    return any(fact.startswith("(step") and f" {role} p0 " in fact and not fact.endswith(last) for fact in board)


def _simultaneous(rng: Random) -> list[str]:
    """Both roles move at once, each a token of its own in one of the subgames; scores depend on both tokens."""
    rules = [*_counter(rng), "(role a)", "(role b)"]
    rules += [
        "(<= (legal ?r (go ?i ?q)) (true (at ?i ?r ?p)) (step ?i ?r ?p ?q))",
        "(legal ?r stay)".replace("?r", "a"),
        "(legal b stay)",
        "(<= (next (at ?i ?r ?q)) (does ?r (go ?i ?q)))",
        "(<= (next (at ?i ?r ?p)) (true (at ?i ?r ?p)) (not (moved ?i ?r)))",
        "(<= (moved ?i ?r) (does ?r (go ?i ?q)))",
        "(<= (score ?i ?s) (true (at ?i a ?p)) (true (at ?i b ?q)) (meets ?i ?p ?q ?s))",
    ]
    for part in range(2):
        for role in ("a", "b"):
            rules += [
                f"(init (at {part} {role} p0))",
                f"(step {part} {role} p0 p1)",
                f"(step {part} {role} p{rng.randint(0, 1)} p2)",
            ]
        for one, other in product(range(3), repeat=2):
            rules.append(f"(meets {part} p{one} p{other} {rng.randint(0, 2)})")
    return rules + _goals(rng, 2, ("a", "b"))


def _series_by_clock(rng: Random) -> list[str]:
    """The first subgame is played for some turns, then the second; both roles may rest."""
    roles, first, last = ("a", "b"), rng.randint(2, 3), rng.randint(4, 6)
    rules = [*_frame(roles), *_turns(roles), *CHOICE, *_goals(rng, 2, roles)]
    rules += ["(init (turn 0))", "(<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))"]
    rules += [f"(after {n} {n + 1})" for n in range(last)]
    rules += [f"(stage {n} {int(n >= first)})" for n in range(last)]
    rules += [
        f"(<= terminal (true (turn {last})))",
        "(<= (legal ?r (go ?i ?q)) (true (control ?r)) (true (turn ?n)) (stage ?n ?i) (true (at ?i ?p))"
        " (step ?i ?r ?p ?q))",
        "(<= (legal ?r rest) (true (control ?r)))",
    ]
    for part in range(2):
        rules += _graph(rng, part, roles, same=False)
    return rules


def _series_by_state(rng: Random) -> list[str]:
    """Each subgame begins when the one before is over, by a condition of its moves or by a fluent that says so."""
    parts, roles = rng.randint(2, 3), ("a", "b")
    rules = [*_frame(roles), *_turns(roles), *CHOICE, *_goals(rng, parts, roles)]
    rules.append(f"(<= terminal (over {parts - 1}))")
    for part in range(parts):
        rules += _graph(rng, part, roles, same=False)
    if rng.random() < 0.5:
        for part in range(parts):
            before = f"(over {part - 1})" if part else ""
            rules.append(
                f"(<= (legal ?r (go {part} ?q)) (true (control ?r)) {before} (true (at {part} ?p))"
                f" (step {part} ?r ?p ?q))"
            )
        return rules
    rules += [
        "(init (stage 0))",
        "(<= (legal ?r (go ?i ?q)) (true (control ?r)) (true (stage ?i)) (true (at ?i ?p)) (step ?i ?r ?p ?q))",
        *(
            rule
            for part in range(parts - 1)
            for rule in (
                f"(<= (legal ?r (begin {part + 1})) (true (control ?r)) (true (stage {part})) (over {part}))",
                f"(<= (next (stage {part})) (true (stage {part})) (not (over {part})))",
                f"(<= (next (stage {part + 1})) (true (stage {part})) (over {part}))",
            )
        ),
        f"(<= (next (stage {parts - 1})) (true (stage {parts - 1})))",
    ]
    return rules


def _joined(rng: Random) -> list[str]:
    """A helper goes from subgame to subgame and combines their scores: a sum, all or any; thresholds decide."""
    roles = ("a",) if rng.random() < 0.5 else ("a", "b")
    parts = rng.randint(3, 5)
    rules = [*_frame(roles), *(_turns(roles) if len(roles) > 1 else []), *CHOICE, *_counter(rng)]
    turn = "(true (control ?r))" if len(roles) > 1 else ""
    rules.append(f"(<= (legal ?r (go ?i ?q)) {turn} (true (at ?i ?p)) (step ?i ?r ?p ?q))")
    rules.append(f"(<= (legal ?r rest) (role ?r) {turn})")
    boards: list[list[str]] = []
    how, wanted = "", 0
    while not _all_matter(boards, how, wanted):
        boards = [_graph(rng, part, roles, same=True, cyclic=rng.random() < 0.5) for part in range(parts)]
        how, wanted = rng.choice(["sum", "all", "any"]), rng.randint(parts - 1, parts + 2)
    rules += [fact for board in boards for fact in board]
    rules += [f"(before {part} {part + 1})" for part in range(parts - 1)]
    highest = 2 * parts
    match how:
        case "sum":
            rules += [
                "(<= (total 0 ?n) (score 0 ?n))",
                "(<= (total ?j ?n) (before ?i ?j) (total ?i ?m) (score ?j ?s) (plus ?m ?s ?n))",
                *(f"(plus {m} {s} {m + s})" for m in range(highest - 1) for s in range(3)),
                f"(<= good (total {parts - 1} ?n) (large ?n))",
                *(f"(large {n})" for n in range(wanted, highest + 1)),
            ]
        case "all":
            rules += [
                "(<= (fine 0) (not (score 0 0)))",
                "(<= (fine ?j) (before ?i ?j) (fine ?i) (not (score ?j 0)))",
                f"(<= good (fine {parts - 1}))",
            ]
        case _:
            rules += [
                "(<= (none 0) (not (score 0 2)))",
                "(<= (none ?j) (before ?i ?j) (none ?i) (not (score ?j 2)))",
                f"(<= good (not (none {parts - 1})))",
            ]
    rules += ["(<= (goal a 100) good)", "(<= (goal a 0) (not good))"]
    if len(roles) > 1:
        rules += ["(<= (goal b 0) good)", "(<= (goal b 100) (not good))"]
    return rules


def _all_matter(boards: Sequence[Sequence[str]], how: str, wanted: int) -> bool:
    """Whether the joint goal depends on the score of every subgame, whichever positions can be reached in it."""
    each = [_reachable_scores(board) for board in boards]
    good = {
        scores: sum(scores) >= wanted if how == "sum" else 0 not in scores if how == "all" else 2 in scores
        for scores in product(*each)
    }
    return bool(boards) and all(
        any(good[scores] != good[*scores[:part], other, *scores[part + 1 :]] for scores in good for other in each[part])
        for part in range(len(boards))
    )


def _reachable_scores(board: Sequence[str]) -> set[int]:
    """The scores of the positions to which steps lead from the first."""
    words = [fact.strip("()").split() for fact in board]
    reached = {"p0"}
    for _ in board:
        reached |= {word[4] for word in words if word[0] == "step" and word[3] in reached}
    return {int(word[3]) for word in words if word[0] == "scores" and word[2] in reached}
