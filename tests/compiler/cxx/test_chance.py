"""Chance in the C++ that `ludens compile --emit c++` writes, in both variants, beside the reference reasoner."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from pathlib import Path
from random import Random

import pytest

from ludens.core import random_joint_move
from ludens.games.library import find
from ludens.gdl.game import GdlState
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.rules import RuleSheet
from ludens.gdl.traces import read_trace
from ludens.gdl.write import kif
from tests.compiler.cxx.console import VARIANTS, Console, assert_plays_as_recorded, chi_square
from tests.games.record_traces import NAMES, TRACES, WITHOUT_WEIGHTS
from tests.gdl.test_chance import CARDS, DICE, FAULTY, URN
from tests.peers import peer

pytestmark = peer("c++")

DRAWS = 1 << 12
WEIGHTED = [name for name in NAMES if name not in WITHOUT_WEIGHTS]

MIXED = """
(role random) (role p) (role q)
(init start)
(number 1) (number 2)
(<= (random (die ?n) ?n up) (number ?n))
(<= (random (die ?n) 1 (down ?n)) (number ?n))
(<= (legal random (shuffle ?n)) (number ?n) (true start))
(<= (legal p (roll ?n (die ?n) (die ?n) (die 2))) (number ?n) (true start))
(<= (legal q (roll (die 1))) (true start))
(<= (legal q wait) (true start))
(<= (next (did ?r ?m)) (does ?r ?m))
(<= (sees p (saw ?a)) (does p (roll ?n ?a ?b ?c)))
(<= terminal (not (true start)))
(goal p 30) (goal q 60) (goal random 0)
"""


def key(state: GdlState) -> str:
    """The facts of a state as the console writes them."""
    return "".join(f" {fact}" for fact in sorted(map(kif, state.facts)))


def bound(outcomes: int) -> float:
    """What chi-square stays below in all but one of some thousand tests of a right distribution."""
    freedom = outcomes - 1
    return freedom + 4 * math.sqrt(2 * freedom) + 6


def drawn_from(state: GdlState, joint_move: dict[str, str]) -> dict[str, float]:
    """The states after a joint move, with their probabilities."""
    found: dict[str, float] = defaultdict(float)
    for outcome in state.chance_outcomes(joint_move):
        found[key(state.play(outcome.joint_move))] += outcome.probability
    return dict(found)


def random_steps_from(state: GdlState) -> dict[str, float]:
    """The states after a uniformly random joint move."""
    roles = state.game.roles
    joint_moves = list(itertools.product(*(state.legal_moves(role) for role in roles)))
    found: dict[str, float] = defaultdict(float)
    for moves in joint_moves:
        for after, probability in drawn_from(state, dict(zip(roles, moves, strict=True))).items():
            found[after] += probability / len(joint_moves)
    return dict(found)


def assert_draws_as_the_reference_says(console: Console, sheet: RuleSheet, *, steps: int, seed: int = 0) -> None:
    """Walk at random; compare the outcomes of each joint move exactly, and what is drawn by chi-square."""
    rng = Random(seed)
    state: GdlState = ReferenceGame(sheet).initial_state()
    questions: list[list[str]] = []
    walked: list[tuple[GdlState, dict[str, str]]] = []
    for _ in range(steps):
        if state.is_terminal:
            break
        joint_move = dict(random_joint_move(state, rng))
        walked.append((state, joint_move))
        moves = [joint_move.get(role, "?") for role in state.game.role_terms]
        resolved = state.resolve(joint_move, rng)
        questions += [["outcomes", *moves], [f"draws {DRAWS}", *moves], [f"playouts {DRAWS}"], [f"batch {DRAWS}"]]
        questions.append(["play", *(resolved[role] for role in state.game.role_terms)])
        state = state.play(resolved)

    answers = iter(console.ask(questions))

    for state, joint_move in walked:
        expected = {
            (tuple(o.joint_move[role] for role in state.game.role_terms), key(state.play(o.joint_move))): o.probability
            for o in state.chance_outcomes(joint_move)
        }
        rows = [line.split("\t") for line in next(answers)]
        listed = {(tuple(moves), after): float(probability) for probability, *moves, after in rows}
        assert listed == pytest.approx(expected)
        assert len(rows) == len(expected)
        by_move, by_chance = drawn_from(state, joint_move), random_steps_from(state)
        for distribution in (by_move, by_chance, by_chance):
            counts = {after: int(count) for count, after in (line.split("\t") for line in next(answers))}
            if counts:
                assert sum(counts.values()) == DRAWS
                assert chi_square(counts, distribution) < bound(len(distribution))
        assert next(answers) == []


def console_of(text: str, folder: Path, variant: str, name: str = "chance") -> Console:
    (folder / f"{name}.kif").write_text(text, encoding="utf-8")
    return Console(folder / "out", str(folder / f"{name}.kif"), variant)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("text", [DICE, CARDS, URN, MIXED], ids=["dice", "cards", "urn", "mixed"])
def test_draws_have_the_weights_of_the_state(text: str, variant: str, tmp_path: Path) -> None:
    console = console_of(text, tmp_path, variant)

    for seed in range(3):
        assert_draws_as_the_reference_says(console, read_rules(text), steps=4, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", WEIGHTED)
def test_the_shelf_draws_by_weights(name: str, variant: str, tmp_path: Path) -> None:
    console = Console(tmp_path, name, variant)

    assert_plays_as_recorded(console, read_trace(TRACES / f"{name}.jsonl.gz"))
    assert_draws_as_the_reference_says(console, find(name).rule_sheet(), steps=3)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_cannot_be_drawn_is_told(variant: str, tmp_path: Path) -> None:
    coin = """
    (random coin 3 heads) (random coin 0 tails)
    (<= (legal p (toss coin coin)) (role p))
    (<= (next (tossed ?a ?b)) (does p (toss ?a ?b)))
    """
    console = console_of(FAULTY + coin, tmp_path, variant)

    answers = console.ask(
        [
            ["show"],
            ["draws 1", "(roll die)"],
            ["play", "(toss coin coin)"],
            ["play", "(toss tails tails)"],
            ["play", "?"],
            ["outcomes", "(TOSS coin  coin)"],
            ["query", "random", "coin", "?weight", "heads", "with", "(toss heads heads)"],
            ["query", "does", "p", "?move", "with", "(toss heads heads)"],
            ["query", "legal", "?who", "(toss ?a ?a)", "with", "(toss heads heads)"],
            ["query", "role", "?who", "with", "(toss heads heads)"],
            ["query", "next", "(tossed ?a ?b)", "with", "(toss heads heads)"],
            ["play", "(toss heads heads)"],
            ["outcomes", "(roll die)"],
        ]
    )

    assert answers == [
        ["facts\t(weight one)\t(weight two)", "going", "legal\t(roll die)\t(toss coin coin)"],
        ["error\tthe event six of the random variable die has two weights in this state"],
        ["error\tthis joint move leaves coin to chance: resolve it first"],
        ["error\tnot a legal move here: (toss tails tails)"],
        ["error\tthis joint move leaves a move to chance: resolve it first"],
        ["1\t(toss heads heads)\t (tossed heads heads)"],
        ["random\t3"],
        ["does\t(toss heads heads)"],
        ["legal\tp\tcoin"],
        ["role\tp"],
        ["next\theads\theads"],
        [],
        ["error\tno event of the random variable die has a weight above 0 in this state"],
    ]


@pytest.mark.slow
def test_a_role_named_random_in_front_keeps_its_number(tmp_path: Path) -> None:
    console = console_of(URN, tmp_path, "grounded", name="urn")

    answers = console.ask([["outcomes", "?", "noop"], ["outcomes", "(draw red)", "noop"], ["outcomes", "?", "?"]])

    assert sorted(line.split("\t")[1] for line in answers[0]) == ["(draw blue)", "(draw green)", "(draw red)"]
    assert answers[1] == ["1\t(draw red)\tnoop\t (drawn red)"]
    assert answers[2] == ["error\tonly the role random can leave its whole move to chance"]
