from __future__ import annotations

from collections.abc import Sequence

import pytest

from ludens.core import Deadline, GameError, OutOfTimeError
from ludens.gdl.reference import Budget, BudgetError, ReferenceState
from tests.gdl.reasoner import WAYS, in_a_process_of_its_own, legal, load

pytestmark = pytest.mark.usefixtures("each_reasoner")


def numbers(count: int) -> str:
    return " ".join(f"(n {number})" for number in range(count))


def chain(count: int) -> str:
    return " ".join(f"(e {number} {number + 1})" for number in range(count))


CLOSURE = "(<= (t ?x ?y) (e ?x ?y)) (<= (t ?x ?y) (t ?x ?z) (e ?z ?y))"


@pytest.mark.parametrize(
    "rules",
    [
        f"{numbers(60)} (<= (legal r (f ?x ?y ?z)) (n ?x) (n ?y) (n ?z))",
        f"{chain(300)} {CLOSURE} (<= (legal r (f ?x ?y)) (t ?x ?y))",
        f"{chain(300)} (<= (legal r (f ?x ?y)) (e ?x ?y)) (<= (legal r (f ?x ?y)) (legal r (f ?x ?z)) (e ?z ?y))",
        f"{numbers(150)} (<= (legal r ?x) (n ?x) (pair ?x ?y)) (<= (pair ?x ?y) (n ?x) (n ?y))",
    ],
)
@WAYS
def test_rules_that_derive_too_much_are_stopped(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError, match="10,000 facts"):
        legal(rules, Budget(facts=10_000, bottom_up=way.bottom_up))


def pigeons(count: int) -> str:
    """Conditions that put so many pigeons into holes, each into one of its own; hopeless if there are fewer holes."""
    places = " ".join(f"(hole ?x{number})" for number in range(count))
    pairs = " ".join(f"(distinct ?x{one} ?x{other})" for one in range(count) for other in range(one))
    return f"{places} {pairs}"


HOLES = " ".join(f"(hole {number})" for number in range(11))


@WAYS
@pytest.mark.parametrize(
    "rules",
    [
        f"(<= (legal r ?x0) {pigeons(12)})",
        f"(<= (legal r yes) {pigeons(12)})",
        f"(<= (legal r (f ?x0 ?x5 ?x11)) {pigeons(12)})",
        f"(<= (p ?x0 ?x1) {pigeons(12)}) (<= (legal r ?x) (p ?x ?y))",
        f"(<= (p ?x0 ?x1) {pigeons(12)}) (<= (legal r yes) (not (p 1 2)))",
        f"(<= (legal r yes) (hole ?y) (not (p ?y))) (<= (p ?x0) {pigeons(12)})",
        f"(p k) (<= (p ?x0) (p ?y) {pigeons(12)}) (<= (legal r ?x) (p ?x))",
        f"(<= terminal {pigeons(12)}) (legal r go)",
        f"(<= terminal (true now) {pigeons(12)}) (init now)",
    ],
)
def test_joins_that_find_nothing_are_stopped_in_time(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError, match=r"0\.05 s"):
        legal(f"{HOLES} {rules}", Budget(seconds=0.05, bottom_up=way.bottom_up))


def test_joins_with_many_functions_of_short_loops_are_stopped_in_time() -> None:
    # Loops that are too many for one Python function go on in another, which must not lose count of the rounds.
    links = " ".join(f"(s ?x{number} ?x{number + 1})" for number in range(60))
    graph = " ".join(f"(s {number} {(number * 2 + other) % 5})" for number in range(5) for other in (1, 2))
    rule = f"(<= (legal r (f ?x0 ?x60)) {links} (distinct ?x0 ?x60) (not (s ?x0 ?x60)) (not (u ?x0 ?x60)))"
    with pytest.raises(BudgetError, match=r"0\.2 s"):
        legal(f"{graph} {rule} (<= (u ?x ?y) (s ?x ?z) (s ?y ?w))", Budget(seconds=0.2))


def test_tests_inside_a_long_loop_are_stopped_in_time() -> None:
    # For each x there is a test that fails after a while; in neither loop alone does much time pass.
    printed = in_a_process_of_its_own(
        "facts = ' '.join(f'(n {number})' for number in range(5_000))\n"
        "rule = '(<= (legal r ?x) (true (m ?x)) (n ?y) (not (q ?x ?y)) (not (n ?y)))'\n"
        "game = Game(read_rules(f'(role r) {facts} {rule}'), 'g', Budget(seconds=0.2))\n"
        "try:\n    game.state([('m', str(number)) for number in range(5_000)]).legal_moves('r')\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_long_recursion_in_small_steps_is_stopped_in_time() -> None:
    with pytest.raises(BudgetError, match=r"0\.2 s"):
        legal(
            f"{chain(1500)} (<= (legal r (f ?x ?y)) (e ?x ?y)) (<= (legal r (f ?x ?y)) (legal r (f ?x ?z)) (e ?z ?y))",
            Budget(seconds=0.2),
        )


@WAYS
@pytest.mark.parametrize(
    "rules",
    [
        "(p a) (<= (p (f ?x)) (p ?x)) (<= (legal r ?x) (p ?x))",
        "(p a) (<= (p (f ?x)) (q ?x)) (<= (q ?x) (p ?x)) (<= (legal r ?x) (q ?x))",
        "(legal r a) (<= (legal r (f ?x)) (legal r ?x))",
        "(p a b) (<= (p (f ?x) ?y) (p ?y ?x)) (<= (legal r ?x) (p ?x ?y))",
        "(p a) (<= (p (f ?x ?y)) (p ?x) (p ?y)) (<= (legal r ?x) (p ?x))",
        "(p a) (<= (legal r ?x) (p ?x)) (<= (p ?y) (p ?x) (not (distinct ?y (f ?x))))",
    ],
)
def test_rules_that_build_ever_larger_terms_are_stopped(way: Budget, rules: str) -> None:
    with pytest.raises(BudgetError):
        legal(rules, Budget(facts=30_000, seconds=1, bottom_up=way.bottom_up))


def play_on(state: ReferenceState, turns: int) -> ReferenceState:
    """The state after so many turns in which role r makes its first move."""
    for _ in range(turns):
        state = state.play({"r": state.legal_moves("r")[0]})
    return state


@pytest.mark.parametrize("term", ["(f ?x)", "(f a ?x)", "(f (g ?x) b)"])
def test_states_that_grow_for_ever_are_stopped(term: str) -> None:
    start = load(f"(role r) (init a) (legal r go) (<= (next {term}) (true ?x))").initial_state()
    with pytest.raises(BudgetError, match="nested more than"):
        play_on(start, 200)


def test_moves_that_grow_for_ever_are_stopped() -> None:
    start = load("(role r) (init a) (<= (legal r (f ?x)) (true ?x)) (<= (next ?m) (does r ?m))").initial_state()
    with pytest.raises(BudgetError, match="nested more than"):
        play_on(start, 200)


def test_terms_that_double_are_stopped() -> None:
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (p a) (<= (p (f ?x ?x)) (p ?x)) (<= (legal r go) (p ?x))')\n"
        "try:\n    Game(rules, 'g', Budget(seconds=1)).initial_state().legal_moves('r')\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_states_that_double_are_stopped() -> None:
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (init a) (legal r go) (<= (next (f ?x ?x)) (true ?x))')\n"
        "state = Game(rules, 'g', Budget(seconds=1)).initial_state()\n"
        "try:\n    for _ in range(200):\n        state = state.play({'r': 'go'})\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_questions_that_grow_for_ever_are_stopped() -> None:
    # Bottom up there is little to derive; on demand, each question leads to a larger one.
    printed = in_a_process_of_its_own(
        "rules = read_rules('(role r) (p (f a)) (n a) (<= (p ?x) (p (f ?x))) (<= (legal r ?x) (n ?x) (p ?x))')\n"
        "try:\n"
        "    print(Game(rules, 'g', Budget(seconds=1, bottom_up=0)).initial_state().legal_moves('r'))\n"
        "except GameError as error:\n    print(type(error).__name__)"
    )
    assert printed in ("('a',)", "BudgetError")


@WAYS
def test_long_chains_of_relations_need_no_deep_stack(way: Budget) -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(100))
    assert legal(f"(p0 a) (p0 b) {rules} (<= (legal r ?x) (p100 ?x))", way) == ["a", "b"]


def test_chain_of_relations_on_demand_that_is_too_long_is_a_clear_error() -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(400))
    with pytest.raises(BudgetError, match="depend on each other too deeply"):
        legal(f"(p0 a) (p0 b) {rules} (<= (legal r ?x) (p400 ?x))", Budget(bottom_up=0))


def test_long_chains_of_large_relations_need_no_deep_stack() -> None:
    rules = " ".join(f"(<= (p{number + 1} ?x) (p{number} ?x))" for number in range(400))
    facts = [("p", str(number)) for number in range(600)]
    game = load(f"(role r) (<= (p0 ?x) (true (p ?x))) {rules} (<= (legal r ?x) (p400 ?x))")
    assert len(game.state(facts).legal_moves("r")) == 600


def test_terms_that_equations_make_very_deep_are_refused() -> None:
    deep = "(f " * 90
    equations = " ".join(f"(not (distinct ?x{n} {deep}?x{n + 1}{')' * 90}))" for n in range(4))
    with pytest.raises(GameError):
        legal(f"(q a) (<= (legal r ?x0) (q ?x4) {equations})")


def test_reasoner_can_be_asked_again_after_it_ran_out_of_budget() -> None:
    closure = "(<= (t ?x ?y) (true go) (e ?x ?y)) (<= (t ?x ?y) (t ?x ?z) (e ?z ?y))"
    game = load(f"(role r) {chain(300)} (init go) {closure} (<= (legal r (f ?x ?y)) (t ?x ?y))", Budget(facts=10_000))
    state = game.initial_state()
    for _ in range(3):
        with pytest.raises(BudgetError):
            state.legal_moves("r")
    assert game.state([]).legal_moves("r") == ()


def test_answers_are_right_after_time_ran_out_in_the_middle() -> None:
    text = f"""(role r) (init go) {chain(40)} (<= (t ?x ?y) (true go) (e ?x ?y))
        (<= (t ?x ?y) (t ?x ?z) (e ?z ?y)) (<= (legal r (f ?x ?y)) (t ?x ?y))"""
    state = load(text, Budget(facts=600)).initial_state()
    found: Sequence[str] = ()
    for _ in range(10):
        try:
            found = state.legal_moves("r")
        except BudgetError:
            continue
    assert len(found) in (0, 820)


def test_facts_are_counted_before_they_fill_the_memory() -> None:
    printed = in_a_process_of_its_own(
        "import resource\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))\n"
        f"text = '(role r) {numbers(60)} (<= (legal r (f ?a ?b ?c ?d ?e)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e))'\n"
        "try:\n    Game(read_rules(text), 'g', Budget(facts=100_000)).initial_state().legal_moves('r')\n"
        "except (GameError, MemoryError) as error:\n    print(type(error).__name__)"
    )
    assert printed == "BudgetError"


def test_relation_too_large_to_derive_is_derived_on_demand() -> None:
    rules = f"{numbers(100)} (<= (sum ?x ?y ?z ?w) (n ?x) (n ?y) (n ?z) (n ?w)) (<= (legal r ?x) (n ?x) (sum ?x 3 4 5))"
    assert len(legal(rules, Budget(facts=100_000))) == 100


@WAYS
@pytest.mark.parametrize(
    "rules",
    [
        f"(init on) {chain(60)} {CLOSURE} (<= (e ?x ?y) (true (e ?x ?y))) (<= (legal r (f ?x ?y)) (t ?x ?y))",
        f"(init on) {numbers(20)} (<= (pair ?x ?y) (n ?x) (n ?y) (true on)) (<= (legal r (f ?x ?y)) (pair ?x ?y))",
    ],
)
def test_a_query_given_up_at_a_deadline_can_be_asked_again(way: Budget, rules: str) -> None:
    state = load("(role r) " + rules, way).initial_state()
    expected = legal(rules, way)
    late = Deadline(-1.0)
    with late.enforced(), pytest.raises(OutOfTimeError, match="was not done in time"):
        state.legal_moves("r")
    assert sorted(state.legal_moves("r")) == sorted(expected)
