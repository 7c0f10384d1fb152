from __future__ import annotations

import pytest

from ludens.analysis.gates.supports import bits_of
from ludens.analysis.subgames.decompose import all_subgames
from ludens.analysis.subgames.ends import Reading
from ludens.analysis.subgames.positions import Subgames
from ludens.compiler.batch.game import CircuitGame
from ludens.experiments.decomposition.searches import ClassTree, PositionTree, search_to
from ludens.gdl.read import read_rules
from ludens.gdl.write import kif
from ludens.players.decomposition.sequences import Pruning, SequenceSearch
from ludens.players.decomposition.solve import solve_by_parts
from tests.analysis.games import shelf

COUNTEREXAMPLE = """
(role a) (role b)
(init (at risk start)) (init (at other start)) (init (control a))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (legal b noop) (true (control a)))
(<= (legal a noop) (true (control b)))

(step a risk start open) (step a risk start safe) (step b risk start bad)
(step a risk open good) (step b risk open good) (step b risk open bad)
(step a risk safe fair) (step b risk safe fair)
(step a other start done) (step b other start done)
(<= (legal ?r (go ?g ?q)) (true (control ?r)) (true (at ?g ?p)) (step ?r ?g ?p ?q))
(<= (next (at ?g ?q)) (does ?r (go ?g ?q)))
(<= (next (at ?g ?p)) (true (at ?g ?p)) (not (moved ?g)))
(<= (moved ?g) (does ?r (go ?g ?q)))

(<= (over risk) (true (at risk good)))
(<= (over risk) (true (at risk fair)))
(<= (over risk) (true (at risk bad)))
(<= (over other) (true (at other done)))
(<= terminal (over risk) (over other))
(<= (goal a 100) (true (at risk good)))
(<= (goal a 50) (true (at risk fair)))
(<= (goal a 0) (true (at risk bad)))
(<= (goal b 0) (true (at risk good)))
(<= (goal b 50) (true (at risk fair)))
(<= (goal b 100) (true (at risk bad)))
"""
"""In docs/decomposition.md: after ``open`` the other role chooses between what is best and what is worst."""


@pytest.fixture(scope="module")
def boards() -> Subgames:
    return all_subgames(shelf("double_tic_tac_toe"))


@pytest.mark.parametrize(("depth", "every"), [(1, 18), (2, 288), (3, 4_032), (4, 47_328), (5, 441_312)])
def test_all_sequences_of_a_board_are_counted(boards: Subgames, depth: int, every: int) -> None:
    assert SequenceSearch(boards, 0, Pruning.NONE).count(0, depth) == every


@pytest.mark.slow
def test_there_are_as_many_sequences_to_depth_nine_as_the_paper_has(boards: Subgames) -> None:
    assert SequenceSearch(boards, 0, Pruning.NONE).count(0, 9) == 58_242_432


def test_the_condition_of_the_paper_leaves_few_sequences(boards: Subgames) -> None:
    assert SequenceSearch(boards, 0, Pruning.SEED).count(0, 5) < 100


@pytest.mark.slow
@pytest.mark.parametrize(("reading", "deepest"), [(Reading.FIRST, 1468), (Reading.INSIDE, 912)])
def test_the_condition_of_the_paper_keeps_as_many_as_the_paper_with_concepts_inside_disjunctions(
    boards: Subgames, reading: Reading, deepest: int
) -> None:
    search = SequenceSearch(boards, 0, Pruning.SEED, reading)

    assert [search.count(0, depth) for depth in range(1, 10)] == [2, 4, 8, 18, 42, 96, 212, 450, deepest]


def test_the_readings_of_local_concepts_differ_in_disjunctive_helpers_only(boards: Subgames) -> None:
    ends = boards.whole.ends
    assert ends is not None
    assert ends.terminal is not None
    mask = [bits_of(boards.locals[0].component.numbers)]

    def names(reading: Reading, start: int) -> set[str]:
        concepts = ends.concepts([start], mask, reading)[0]
        return {("" if concept > 0 else "not ") + kif(ends.names[abs(concept)]) for concept in concepts}

    assert names(Reading.FIRST, ends.terminal) == {"terminal1"}
    assert names(Reading.INSIDE, ends.terminal) == {"(line1 x)", "(line1 o)", "not open1"}
    for goal in ends.goals.values():
        assert names(Reading.FIRST, goal) == names(Reading.INSIDE, goal)


@pytest.mark.parametrize("reading", Reading)
def test_criss_cross_keeps_the_same_sequences_in_both_readings(reading: Reading) -> None:
    search = SequenceSearch(all_subgames(shelf("double_criss_cross")), 0, Pruning.SEED, reading)

    assert [search.count(0, depth) for depth in range(1, 7)] == [2, 4, 8, 24, 80, 160]


def test_the_condition_of_the_paper_can_remove_the_only_good_move() -> None:
    game = CircuitGame(read_rules(COUNTEREXAMPLE), "counterexample")
    subgames = all_subgames(game)
    root = (0, *([0] * len(subgames.locals)))

    def value(pruning: Pruning) -> tuple[int, ...]:
        return search_to(PositionTree(subgames, pruning), root, 3, lambda: None)[0]

    classes = ClassTree(subgames)
    start = (0, *(int(quotient.class_of[0]) for quotient in classes.game.quotients))
    assert value(Pruning.NONE) == (50, 50)
    assert value(Pruning.SEED) == (0, 100)
    assert search_to(classes, start, 3, lambda: None)[0] == (50, 50)
    assert solve_by_parts(game.initial_state(), 10.0).values == {"a": 50, "b": 50}
