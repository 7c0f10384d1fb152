"""The translation as text, and what SWI-Prolog makes of it."""

from __future__ import annotations

import pytest

from ludens.core import GameError
from ludens.experiments.prolog import swipl
from ludens.experiments.prolog.game import PrologGame
from ludens.experiments.prolog.swipl import PrologProcess
from ludens.experiments.prolog.translation import prolog_program, prolog_term
from ludens.games.library import find
from ludens.gdl.read import read_rules
from ludens.gdl.reference import ReferenceGame
from ludens.gdl.terms import Term, Variable
from ludens.gdl.traces import read_trace, replay
from tests.games.record_traces import TRACES, WITHOUT_WEIGHTS
from tests.games.shelf import all_but_representative_slow
from tests.peers import peer

FRAME = "(role r) (init here) (<= (legal r wait) (true here)) (goal r 50) (<= (next here) (does r wait))"


def clauses_of(relation: str, rules: str) -> str:
    """The clauses of a relation, on one line each."""
    text = prolog_program(read_rules(rules))
    clauses = [" ".join(part.split()) for part in text.replace(".\n", ".\n\0").split("\0")]
    return "\n".join(clause for clause in clauses if clause.startswith(f"gdl_{relation}"))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("noop", "noop"),
        ("1", "'1'"),
        ("X", "'X'"),
        ("_", "'_'"),
        ("it's", r"'it\'s'"),
        ("a\\b", r"'a\\b'"),
        ("tab\there", r"'tab\x9\here'"),
        ("*", "'*'"),
        ("é", "'é'"),
        (("cell", "1", Variable("y"), "b"), "cell('1', V_y, b)"),
        (("f",), "f()"),
        (Variable("x-1"), "V_x_2d_1"),
        (Variable("x_2d_1"), "V_x_5f_2d_5f_1"),
    ],
)
def test_terms_are_quoted_so_that_prolog_reads_the_same_names(term: Term, text: str) -> None:
    assert prolog_term(term) == text


def test_rules_become_clauses_in_their_order() -> None:
    found = clauses_of("p", "(<= (p ?x) (q ?x) (true (on ?x))) (p 7)")

    assert found == "gdl_p(V_x) :- gdl_q(V_x), gdl_true(on(V_x)).\ngdl_p('7')."


def test_negation_and_distinct_wait_until_their_variables_have_values() -> None:
    found = clauses_of("p", "(<= (p ?x) (distinct ?x ?y) (not (q ?y)) (r ?y) (s ?x))")

    assert found == r"gdl_p(V_x) :- gdl_r(V_y), \+ gdl_q(V_y), gdl_s(V_x), V_x \== V_y."


def test_variables_that_only_negation_has_are_not_waited_for() -> None:
    assert clauses_of("p", "(<= (p ?x) (q ?x) (not (r ?z)))") == r"gdl_p(V_x) :- gdl_q(V_x), \+ gdl_r(V_z)."


def test_alternatives_stay_inside_their_clause() -> None:
    found = clauses_of("p", "(<= (p ?x) (or (q ?x) (r ?x)) (not (s ?x)))")

    assert found == r"gdl_p(V_x) :- ( gdl_q(V_x) ; gdl_r(V_x) ), \+ gdl_s(V_x)."


def test_alternatives_with_negation_wait_as_a_whole() -> None:
    found = clauses_of("p", "(<= (p ?x) (or (not (q ?x)) (distinct ?x a)) (r ?x))")

    assert found == r"gdl_p(V_x) :- gdl_r(V_x), ( \+ gdl_q(V_x) ; V_x \== a )."


def test_nested_negation_is_moved_inward() -> None:
    found = clauses_of("p", "(<= (p ?x) (q ?x) (not (or (r ?x) (not (s ?x)))) (not (distinct ?x a)))")

    assert found == r"gdl_p(V_x) :- gdl_q(V_x), \+ gdl_r(V_x), gdl_s(V_x), V_x = a."


def test_relations_without_arguments_are_atoms() -> None:
    assert clauses_of("open", "(<= open (true door)) (<= terminal open)") == "gdl_open :- gdl_true(door)."


def test_relations_without_a_rule_are_declared() -> None:
    text = prolog_program(read_rules("(<= (p ?x) (nowhere ?x))"))

    assert ":- dynamic gdl_nowhere/1." in text
    assert ":- dynamic gdl_terminal/0." in text


def test_only_recursive_relations_are_tabled() -> None:
    sheet = read_rules(
        "(<= (up ?x) (step ?x)) (<= (up ?x) (up ?y) (link ?y ?x)) (<= (even ?x) (odd ?x)) (<= (odd a) (even b))"
    )

    assert ":- table" not in prolog_program(sheet)
    tables = [line for line in prolog_program(sheet, tabled=True).splitlines() if line.startswith(":- table")]
    assert sorted(tables) == [":- table gdl_even/1.", ":- table gdl_odd/1.", ":- table gdl_up/1."]


def test_random_variables_are_refused() -> None:
    with pytest.raises(GameError, match="--to gdl-ii"):
        PrologGame(find("pig").rule_sheet(), "pig")


@peer("swipl")
@pytest.mark.parametrize("name", all_but_representative_slow(WITHOUT_WEIGHTS))
def test_prolog_plays_the_shelf_as_recorded(name: str) -> None:
    agreement = replay(PrologGame(find(name).rule_sheet(), name), read_trace(TRACES / f"{name}.jsonl.gz"))

    assert agreement.first_difference is None
    assert agreement.states > 1


@peer("swipl")
@pytest.mark.parametrize("name", ["breakthrough", "connect_four", "lights_out", "tic_tac_toe"])
def test_plain_prolog_plays_games_without_endless_recursion_as_recorded(name: str) -> None:
    agreement = replay(PrologGame(find(name).rule_sheet(), name, tabled=False), read_trace(TRACES / f"{name}.jsonl.gz"))

    assert agreement.first_difference is None


@peer("swipl")
def test_prolog_agrees_on_odd_names_and_odd_rules() -> None:
    """Names that Prolog reads otherwise or defines itself, and conditions before what binds them."""
    rules = r"""(role R) (role _r2) (init (Cell 01 it's)) (init (cell2 1 a\b)) (init (f (g))) (init 'x') (init é)
    (succ 1 01) (member 01 it's) (halt) (<= fail (true 'x'))
    (<= (legal R (go ?x)) (distinct ?x 1) (not (member ?y it's)) (succ ?y ?x) halt2)
    (<= (legal R (Go ?x ?y)) (or (not (member ?x ?y)) (distinct ?x 01)) (true (cell2 ?x ?y)))
    (<= (legal ?r (stop fail)) (role ?r) fail (not (not (true é))))
    (<= (legal R (end ?z)) (not (distinct ?z done)) (halt))
    (<= (next ?f) (true ?f)) (<= (next (did ?r ?m)) (does ?r ?m))
    (<= terminal (true (did R (stop fail)))) (<= (goal ?r 07) (role ?r))"""
    sheet = read_rules(rules)
    ours, oracle = PrologGame(sheet).initial_state(), ReferenceGame(sheet).initial_state()
    assert ours.game.roles == oracle.game.roles
    assert ours.facts == oracle.facts
    for role in oracle.game.roles:
        assert ours.legal_moves(role) == oracle.legal_moves(role)
        assert ours.goals == oracle.goals
    assert len(ours.legal_moves("R")) > 2
    joint_move = {"R": "(stop fail)", "_r2": "(stop fail)"}
    assert ours.play(joint_move).facts == oracle.play(joint_move).facts
    assert ours.play(joint_move).is_terminal


@peer("swipl")
def test_playouts_in_prolog_count_states_and_goals() -> None:
    game = PrologGame(find("tic_tac_toe").rule_sheet())

    found = game.playouts(game.initial_state(), 0.2)

    assert found.playouts > 0
    assert 5 * found.playouts <= found.states <= 9 * (found.playouts + 1)
    assert sum(found.goal_sums) == 100 * found.playouts
    assert found.cpu_seconds >= 0.2


@peer("swipl")
def test_playouts_start_where_they_are_told() -> None:
    game = PrologGame(find("tic_tac_toe").rule_sheet())
    state = game.initial_state()
    for x, o in (("(mark 1 1)", "noop"), ("noop", "(mark 2 1)"), ("(mark 1 2)", "noop"), ("noop", "(mark 2 2)")):
        state = state.play({"xplayer": x, "oplayer": o})

    found = game.playouts(state, 0.2)

    assert found.states <= 5 * (found.playouts + 1)


@peer("swipl")
def test_a_role_without_legal_moves_is_named() -> None:
    game = PrologGame(read_rules("(role r) (role idle) (init a) (legal r go) (goal r 0) (<= (next a) (true a))"))

    with pytest.raises(GameError, match="idle has no legal move"):
        game.playouts(game.initial_state(), 0.1)


@peer("swipl")
def test_endless_recursion_is_an_error_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swipl, "MEMORY", 512 << 20)
    rules = FRAME + "(<= terminal (loop a)) (<= (loop ?x) (loop ?x)) (<= (loop ?x) (loop (s ?x)))"
    game = PrologGame(read_rules(rules), "endless", tabled=False)

    with pytest.raises(GameError, match="endless: SWI-Prolog reports not enough memory"):
        _ = game.initial_state().is_terminal
    assert game.initial_state().facts == {"here"}


@peer("swipl")
def test_a_late_answer_ends_prolog() -> None:
    steps = "".join(f"(<= (p{n + 1} ?x ?y) (p{n} ?x ?z) (p{n} ?z ?y))" for n in range(12))
    rules = FRAME + steps + "(p0 a a) (p0 a b) (p0 b a) (p0 b b) (<= terminal (p12 a c))"
    game = PrologGame(read_rules(rules), "slow")
    state = game.initial_state()

    with pytest.raises(GameError, match="slow: SWI-Prolog did not answer within"):
        game.ask("state", state.facts, seconds=0.2)
    with pytest.raises(GameError, match="slow: SWI-Prolog has been stopped"):
        game.initial_state()


def test_missing_prolog_is_told_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(GameError, match="make peers"):
        PrologProcess(read_rules(FRAME), "game", 1.0, tabled=False)
