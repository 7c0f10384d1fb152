"""Lamps that are switched one by one for some turns, with a helper that chains them into one goal."""

from __future__ import annotations

from collections.abc import Sequence


def lamps(count: int, turns: int) -> list[str]:
    """The rules without goals: a switch turns a lamp on or off, and the clock ends the game."""
    return [
        "(role solo) (init (step 0)) (<= (next (step ?n)) (true (step ?m)) (follows ?m ?n))",
        *(f"(follows {n} {n + 1})" for n in range(turns)),
        f"(<= terminal (true (step {turns})))",
        *(f"(lamp {n})" for n in range(count)),
        *(f"(before {n} {n + 1})" for n in range(count - 1)),
        "(<= (legal solo (press ?n)) (lamp ?n))",
        "(<= (next (on ?n)) (does solo (press ?n)) (not (true (on ?n))))",
        "(<= (next (on ?n)) (true (on ?n)) (not (does solo (press ?n))))",
    ]


WIN = "(<= (goal solo 100) good) (<= (goal solo 0) (not good))"


def counted_lamps(count: int, wanted: int, helper: str | None = None, turns: int = 6) -> str:
    """At least so many lamps must be on; or another helper says when the goal ``good`` is reached."""
    counting = [
        "(<= (count 0 1) (true (on 0)))",
        "(<= (count 0 0) (not (true (on 0))))",
        "(<= (count ?j ?n) (before ?i ?j) (count ?i ?m) (true (on ?j)) (plus ?m ?n))",
        "(<= (count ?j ?m) (before ?i ?j) (count ?i ?m) (not (true (on ?j))))",
        *(f"(plus {n} {n + 1})" for n in range(count)),
        f"(<= good (count {count - 1} ?n) (enough ?n))",
        *(f"(enough {n})" for n in range(wanted, count + 1)),
    ]
    return "\n".join([*lamps(count, turns), *(counting if helper is None else [helper]), WIN])


def weighed_lamps(weights: Sequence[int], wanted: int | None, turns: int = 4) -> str:
    """The weights of the lamps that are on are added: the sum must be large enough, or is the goal."""
    total = sum(weights)
    rules = [
        *lamps(len(weights), turns),
        *(f"(weighs {n} {weight})" for n, weight in enumerate(weights)),
        "(<= (sum 0 ?w) (true (on 0)) (weighs 0 ?w))",
        "(<= (sum 0 0) (not (true (on 0))))",
        "(<= (sum ?j ?n) (before ?i ?j) (sum ?i ?m) (true (on ?j)) (weighs ?j ?w) (plus ?m ?w ?n))",
        "(<= (sum ?j ?m) (before ?i ?j) (sum ?i ?m) (not (true (on ?j))))",
        *(f"(plus {m} {w} {m + w})" for w in sorted(set(weights)) for m in range(total + 1 - w)),
    ]
    if wanted is None:
        return "\n".join([*rules, f"(<= (goal solo ?n) (sum {len(weights) - 1} ?n))"])
    rules += [
        f"(<= good (sum {len(weights) - 1} ?n) (enough ?n))",
        *(f"(enough {n})" for n in range(wanted, total + 1)),
    ]
    return "\n".join([*rules, WIN])
