from __future__ import annotations

from random import Random

import pytest

from ludens.compiler.batch.facts.circuit_facts import CircuitFacts
from ludens.compiler.batch.game import CircuitGame
from ludens.core import Answer, Fact, State, joint_moves
from ludens.games.library import find
from ludens.gdl.facts import GdlFacts
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame

GAMES = 30
"""Random games that are looked at state by state."""


def shelf_game(name: str) -> CircuitGame:
    return CircuitGame(find(name).rule_sheet(), name)


def game_of(text: str) -> CircuitGame:
    return CircuitGame(read_rules(text), "game")


def over_the_circuit(game: CircuitGame) -> CircuitFacts:
    """Facts that are not read off the text."""
    facts = CircuitFacts(game)
    facts.__dict__["_turns"] = None
    return facts


def waiting(steps: int, *, together: bool) -> str:
    """Both wait so many turns, one by one, and then one of them chooses, or both."""
    counting = " ".join(f"(after {number} {number + 1})" for number in range(steps + 1))
    return f"""(role one) (role two) (init (clock 0)) {counting}
        (<= (legal ?role wait) (role ?role) (true (clock ?now)) (distinct ?now {steps}))
        (<= (legal one ?side) (true (clock {steps})) (side ?side))
        (<= (legal two {"?side" if together else "wait"}) (true (clock {steps})) (side ?side))
        (side left) (side right)
        (<= (next (clock ?later)) (true (clock ?now)) (after ?now ?later))
        (<= (next (chose ?side)) (does one ?side))
        (<= terminal (true (clock {steps + 1})))
        (<= (goal one 100) (true (chose left))) (<= (goal two 0) (true (chose left)))
        (<= (goal one 30) (not (true (chose left)))) (<= (goal two 70) (not (true (chose left))))"""


@pytest.mark.parametrize("steps", [0, 45, 120])
def test_a_choice_of_two_roles_is_found_however_late_it_comes(steps: int) -> None:
    fact = game_of(waiting(steps, together=True)).facts.simultaneous

    assert fact.answer is Answer.YES
    assert fact.reason.startswith("one and two have a choice")


def test_a_choice_of_two_roles_that_play_rarely_finds_is_never_denied() -> None:
    """One move of a thousand leads to it, sixteen times in a row."""
    numbers = " ".join(f"(after {number} {number + 1})" for number in range(16))
    values = " ".join(f"(key k{number})" for number in range(1000))
    game = game_of(
        f"""(role one) (role two) (init (door 0)) {numbers} {values}
        (<= (legal one ?key) (key ?key)) (legal two wait)
        (<= (legal two ?key) (key ?key) (true (door 16)))
        (<= (next (door ?n)) (true (door ?m)) (after ?m ?n) (does one k7))
        (<= terminal (not open)) (<= open (true (door ?n)))
        (goal one 0) (goal two 0)"""
    )

    assert game.facts.simultaneous.possible


def test_one_chooser_after_a_long_wait_is_proved() -> None:
    facts = game_of(waiting(45, together=False)).facts

    assert facts.simultaneous.answer is Answer.NO
    assert facts.alternating.answer is Answer.YES
    assert facts.zero_sum == Fact(Answer.YES, "the goals add up to 100: proved by induction over the circuit")


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "breakthrough",
        "nim",
        pytest.param("checkers", marks=pytest.mark.slow),
        "othello",
        "hex",
        "connect_four_3p",
    ],
)
def test_games_with_turns_are_proved_with_and_without_their_text(name: str) -> None:
    game = shelf_game(name)

    assert game.facts.simultaneous.answer is Answer.NO
    assert over_the_circuit(game).simultaneous.answer is Answer.NO


@pytest.mark.parametrize("name", ["rock_paper_scissors", "goofspiel", "tron", "prisoners_dilemma"])
def test_games_in_which_roles_choose_at_once_are_known(name: str) -> None:
    facts = shelf_game(name).facts

    assert facts.simultaneous.answer is Answer.YES
    assert facts.alternating.answer is Answer.NO


def test_turns_that_depend_on_moves_are_proved_by_induction() -> None:
    """Whoever moves chooses who is next; that control is of one role needs an invariant."""
    game = game_of(
        """(role a) (role b) (init (control a)) (init (left 0)) (after 0 1) (after 1 2) (after 2 3)
        (<= (legal ?r (give ?s)) (role ?r) (role ?s) (true (control ?r)))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (control ?s)) (does ?r (give ?s)))
        (<= (next (left ?n)) (true (left ?m)) (after ?m ?n))
        (<= terminal (true (left 3)))
        (<= (goal ?r 100) (role ?r) (true (control ?r))) (<= (goal ?r 0) (role ?r) (not (true (control ?r))))"""
    )

    facts = game.facts

    assert facts.simultaneous == Fact(Answer.NO, "proved by induction over the circuit")
    assert facts.alternating.answer is Answer.NO
    assert facts.zero_sum.answer is Answer.YES


def test_sums_that_differ_are_told() -> None:
    fact = shelf_game("prisoners_dilemma").facts.zero_sum

    assert fact.answer is Answer.NO
    assert "add up to" in fact.reason


def random_rules(seed: int) -> str:
    """Small rules whose fluents, moves and goals mean nothing."""
    rng = Random(seed)
    roles, fluents = ("a", "b"), [f"f{n}" for n in range(rng.randint(2, 5))]
    fluents += ["(control a)", "(control b)"] if rng.random() < 0.5 else []

    def literals(most: int, *more: str) -> str:
        plain = [f"(true {fluent})" for fluent in fluents] + list(more)
        chosen = rng.sample(plain, rng.randint(1, most))
        return " ".join(one if rng.random() < 0.6 else f"(not {one})" for one in chosen)

    lines = ["(role a) (role b)", *(f"(init {fluent})" for fluent in fluents if rng.random() < 0.4)]
    does = []
    for role in roles:
        for move in ("m1", "m2"):
            guard = f"(true (control {role}))" if len(fluents) > 5 else literals(2)
            lines.append(f"(<= (legal {role} {move}) {guard if rng.random() < 0.7 else literals(2)})")
            does.append(f"(does {role} {move})")
        lines.append(f"(legal {role} idle)")
    for fluent in fluents:
        lines += [f"(<= (next {fluent}) {literals(2, *does)})" for _ in range(rng.randint(1, 2))]
    if rng.random() < 0.5 and "(control a)" in fluents:
        lines = [line for line in lines if "(next (control" not in line and "(init (control" not in line]
        lines += ["(init (control a))", "(<= (next (control a)) (true (control b)))"]
        lines += ["(<= (next (control b)) (true (control a)))"]
    lines.append(f"(<= terminal {literals(2)})")
    lines.append(f"(<= (goal a 100) {literals(1)})")
    lines += [f"(<= (goal {role} {rng.choice((0, 50, 100))}) {literals(1)})" for role in roles for _ in range(2)]
    return "\n".join(lines)


def truth(game: ReferenceGame) -> dict[str, bool]:
    """The facts, by looking at all states."""
    first = game.initial_state()
    seen, waiting_states = {first}, [first]
    together = again = False
    sums = set()
    while waiting_states:
        state = waiting_states.pop()
        if state.is_terminal:
            sums.add(sum(state.goals.values()))
            continue
        together |= len(choosers(state)) > 1
        for joint_move in joint_moves(state):
            after = state.play(joint_move)
            again |= bool(choosers(state) & choosers(after))
            if after not in seen:
                seen.add(after)
                waiting_states.append(after)
    return {"simultaneous": together, "alternating": not together and not again, "zero_sum": len(sums) <= 1}


def choosers(state: State) -> set[str]:
    return {role for role in state.game.roles if len(state.legal_moves(role)) > 1}


def test_answers_agree_with_all_states_of_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ludens.compiler.batch.facts.sampling.STEPS", 20
    )  # examples that are missed leave more to proofs
    counts = dict.fromkeys(Answer, 0)
    for seed in range(GAMES):
        sheet = read_rules(random_rules(seed))
        reference = ReferenceGame(sheet, "random rules")
        game = CircuitGame(sheet, "random rules")
        right = truth(reference)
        for facts in (game.facts, over_the_circuit(game), GdlFacts(reference)):
            for name, holds in right.items():
                answer = getattr(facts, name).answer
                assert answer in (Answer.UNKNOWN, Answer.YES if holds else Answer.NO), (seed, name, type(facts))
                counts[answer] += type(facts) is CircuitFacts
    assert counts[Answer.UNKNOWN] < GAMES < min(counts[Answer.YES], counts[Answer.NO])
