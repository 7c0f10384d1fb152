from __future__ import annotations

import pickle
import threading
from pathlib import Path

import pytest

from ludens.compiler.backends import make_game
from ludens.compiler.cxx import build, state
from ludens.compiler.cxx.native import NativeGame
from ludens.compiler.cxx.prepare import Prepared
from ludens.compiler.cxx.state import CxxGame
from ludens.core import GameError, IllegalMoveError
from ludens.games.library import find
from ludens.gdl.read import read_rules
from ludens.gdl.reasoner.program import BudgetError
from ludens.gdl.source import GdlError
from tests.compiler.cxx.agreement import QUICK_FLAGS, assert_agrees
from tests.gdl.test_chance import DICE
from tests.peers import peer

WALK = """
(role r) (init (at a)) (edge a b) (edge b c) (edge c a) (edge c d)
(<= (legal r (go ?y)) (true (at ?x)) (edge ?x ?y))
(<= (next (at ?y)) (does r (go ?y)))
(<= terminal (true (at d))) (<= (goal r 100) (true (at d))) (<= (goal r 0) (not (true (at d))))
"""


@pytest.fixture(autouse=True)
def _quick_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here is what code means, not how fast it is."""
    monkeypatch.setattr(build, "FLAGS", QUICK_FLAGS)


@peer("c++")
def test_a_game_of_the_library_agrees_with_the_reference() -> None:
    game = assert_agrees(find("tic_tac_toe").rule_sheet(), walks=5)

    assert game.backend == "cxx"


@peer("c++")
def test_recursion_over_a_cyclic_state_ends() -> None:
    sheet = read_rules("""
    (role r) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge c d)) (init (turn 1))
    (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (path ?x ?y) (true (edge ?x ?y)))
    (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
    (<= (far ?x ?y) (path ?x ?y) (not (true (edge ?x ?y))))
    (<= (legal r (cut ?x ?y)) (true (edge ?x ?y)) (path ?y ?x))
    (<= (legal r wait) (not (path a a)))
    (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does r (cut ?x ?y))))
    (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
    (<= (next (was ?x ?y)) (far ?x ?y))
    (<= terminal (true (turn 4))) (<= (goal r 10) (path a d)) (<= (goal r 0) (not (path a d)))
    """)

    assert_agrees(sheet, walks=3)


@peer("c++")
@pytest.mark.slow
def test_recursion_that_stops_early_in_one_round_is_complete_in_another() -> None:
    """A test that has succeeded is not repeated, so what it asked on the way may have been seen half done only."""
    sheet = read_rules("""
    (role r) (init (e 1 2)) (init (e 2 3)) (init (e 3 1)) (init (e 3 4)) (init (e 4 2)) (init (ask 1)) (init (ask 4))
    (node 1) (node 2) (node 3) (node 4)
    (<= (reach ?x ?y) (true (e ?x ?y)))
    (<= (reach ?x ?y) (true (e ?x ?z)) (reach ?z ?y))
    (<= (loop ?x) (node ?x) (reach ?x ?x))
    (<= (legal r (drop ?x ?y)) (true (e ?x ?y)) (true (ask ?a)) (reach ?a ?x))
    (<= (legal r stay) (not (loop 1)))
    (<= (next (e ?x ?y)) (true (e ?x ?y)) (not (does r (drop ?x ?y))))
    (<= (next (ask ?x)) (true (ask ?x)))
    (<= (next (sees ?x ?y)) (node ?x) (node ?y) (reach ?x ?y))
    (<= terminal (not (loop 2)) (not (loop 3))) (<= (goal r 1) (loop 3)) (<= (goal r 0) (not (loop 3)))
    """)

    assert_agrees(sheet, walks=6)


@peer("c++")
@pytest.mark.slow
def test_recursion_over_moves_ends() -> None:
    sheet = read_rules("""
    (role r) (init (on a)) (link a b) (link b c) (link c b)
    (<= (legal r (touch ?x)) (true (on ?x))) (legal r wait)
    (<= (lit ?x) (does r (touch ?x)))
    (<= (lit ?y) (lit ?x) (link ?x ?y))
    (<= (next (on ?x)) (lit ?x)) (<= (next (on ?x)) (true (on ?x)) (not (lit ?x)))
    (<= terminal (true (on c))) (<= (goal r 100) (true (on c))) (<= (goal r 0) (not (true (on c))))
    """)

    assert_agrees(sheet, walks=4)


@peer("c++")
@pytest.mark.slow
def test_terms_that_grow_without_a_table_of_numbers_are_interned() -> None:
    sheet = read_rules("""
    (role r) (init (count zero)) (init (pair (s zero) (s (s zero))))
    (<= (legal r (add (s ?n))) (true (count ?n))) (legal r (add zero))
    (<= (next (count ?n)) (does r (add ?n)) (distinct ?n zero))
    (<= (next (count ?n)) (true (count ?n)) (does r (add zero)))
    (<= (next (pair ?b (s ?a))) (true (pair ?a ?b)) (distinct (s ?a) (s ?b)))
    (<= terminal (true (count (s (s (s (s zero)))))))
    (<= (goal r 100) terminal) (<= (goal r 0) (not terminal))
    """)

    assert_agrees(sheet, walks=4)


@peer("c++")
def test_rules_that_build_ever_deeper_terms_are_stopped_and_the_game_goes_on() -> None:
    sheet = read_rules("""
    (role r) (init (n zero)) (init (n one)) (legal r go) (legal r stay)
    (<= (big ?x) (true (n ?x))) (<= (big (s ?x)) (big ?x))
    (<= (next (n ?x)) (does r go) (big ?x)) (<= (next (n zero)) (does r stay))
    (<= terminal (true (n two))) (goal r 0)
    """)
    first = CxxGame(sheet).initial_state()

    with pytest.raises(BudgetError, match="nested more than 100 deep"):
        first.play({"r": "go"})
    assert first.play({"r": "stay"}).facts == {("n", "zero")}


@peer("c++")
def test_rules_that_ask_each_other_very_deeply_are_stopped_and_the_game_goes_on() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(4000))
    detour = " ".join(f"(<= (ok{n} ?x) (ok{n + 1} ?x))" for n in range(9))
    sheet = read_rules(f"""
    (role r) (init (n 0)) (legal r go) (legal r stay) {numbers}
    (<= (ok0 0) (true (n 0))) (<= (ok9 ?y) (succ ?x ?y) (ok0 ?x)) {detour}
    (<= (next (n 0)) (does r stay)) (<= (next (n ?x)) (does r go) (true (n ?x)) (ok0 4000))
    (<= terminal (true (n 1))) (goal r 0)
    """)
    first = CxxGame(sheet).initial_state()

    with pytest.raises(BudgetError, match="too deeply"):
        first.play({"r": "go"})
    assert first.play({"r": "stay"}).facts == {("n", "0")}


@peer("c++")
@pytest.mark.slow
def test_whole_fluents_and_moves_may_be_variables() -> None:
    sheet = read_rules("""
    (role white) (role black) (init (cell 1 b)) (init (cell 2 b)) (init flag) (init (control white))
    (<= (allowed ?r (mark ?n)) (true (control ?r)) (true (cell ?n b)))
    (<= (allowed ?r noop) (role ?r) (not (true (control ?r))))
    (<= (allowed white (deep (inner 1 (x 2)))) (true flag) (true (control white)))
    (<= (legal ?r ?m) (allowed ?r ?m))
    (<= (changed (cell ?n b)) (does ?r (mark ?n)))
    (<= (changed flag) (does white (deep ?x)))
    (<= (next ?f) (true ?f) (not (changed ?f)) (distinct ?f (control white)) (distinct ?f (control black)))
    (<= (next (cell ?n ?r)) (does ?r (mark ?n)))
    (<= (next (control ?r)) (role ?r) (not (true (control ?r))))
    (<= (next (last ?m)) (does white ?m) (distinct ?m noop))
    (<= terminal (not (some_empty))) (<= (some_empty) (true (cell ?n b)))
    (<= (goal ?r 50) (role ?r))
    """)

    assert_agrees(sheet, walks=4)


@peer("c++")
@pytest.mark.slow
def test_relations_without_arguments_are_told_apart_by_their_parentheses() -> None:
    sheet = read_rules("""
    (role r) (init a) (q) (<= p (true a)) (<= (p) (true b)) (<= (legal r both) p (p)) (<= (legal r one) p (not (p)))
    (<= (legal r q) q) (<= (legal r (q)) (q)) (<= (next b) (true a)) (<= (next c) (does r both))
    (<= terminal (true c)) (goal r 0)
    """)

    assert_agrees(sheet)


@peer("c++")
@pytest.mark.slow
def test_goals_that_negate_other_goals_are_told_apart() -> None:
    sheet = read_rules("""
    (role a) (role b) (init (n 1)) (succ 1 2) (succ 2 3)
    (<= (legal ?r up) (role ?r)) (<= (legal ?r stay) (role ?r))
    (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m) (does a up)) (<= (next (n ?n)) (true (n ?n)) (does a stay))
    (<= (goal ?r 100) (role ?r) (true (n 3))) (<= (goal a 50) (not (goal a 100)))
    (<= (goal b 0) (not (goal a 50)) (not (goal b 100))) (<= (goal b 1) (goal a 50))
    (<= terminal (true (n 3)))
    """)

    assert_agrees(sheet, walks=3)


HOSTILE = r"""
role('a"b\\'). role('*/x'). role('x??/'). init('//n\\'(1, '%s', 'ünï')). init('int'). init('R"x'('auto@NAMES@')).
legal(R, 'do//'(X)) :- role(R), true('//n\\'(1, X, Y)).
legal(R, 'return') :- role(R).
next('int') :- true('int').
next('//n\\'(1, M, 'ünï')) :- does('x??/', M).
next('R"x'(X)) :- true('R"x'(X)), distinct(X, 'auto').
terminal :- not true('int'). goal(R, 7) :- role(R).
"""


@peer("c++")
def test_names_with_any_characters_do_no_harm() -> None:
    assert_agrees(read_rules(HOSTILE), walks=3)


@peer("c++")
def test_playouts_draw_by_weights() -> None:
    """As `ludens bench` does it; draws of roles that nobody sees have no goals of their own."""
    text = DICE.replace("(goal p 50)", "(<= (goal p 100) (true (got q ?d heads ?d)))")
    native = CxxGame(read_rules(text), "dice").native
    assert native is not None

    found = native.playouts(native.initial(), seed=1, count=4000)

    assert found.finished == 4000
    assert [goals / 4000 for goals in found.goals] == pytest.approx([75, 50], abs=2.5)


@peer("c++")
def test_illegal_moves_and_foreign_facts_are_refused() -> None:
    game = CxxGame(read_rules(WALK), "walk")

    with pytest.raises(IllegalMoveError, match="not a legal move"):
        game.initial_state().play({"r": "(go d)"})
    with pytest.raises(GameError, match=r"no state can have the fluent \(at nowhere\)"):
        game.state([("at", "nowhere")])


@peer("c++")
def test_states_travel_between_processes() -> None:
    game = CxxGame(read_rules(WALK, name="walk"), "walk")
    after = game.initial_state().play({"r": "(go b)"})

    assert pickle.loads(pickle.dumps(after)) == after
    assert {after: 1}[game.state([("at", "b")])] == 1


def test_a_machine_without_compiler_is_told_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("CC", raising=False)

    with pytest.raises(GameError, match=r"needs a C\+\+20 compiler, and none was found: install") as caught:
        make_game(read_rules(WALK), "walk", "cxx")
    assert "\n" not in str(caught.value)


def test_a_compiler_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "slow++"
    slow.write_text('#!/bin/sh\ncase "$*" in *-fsyntax-only*|*--version*) exit 0;; esac\nexec sleep 100\n')
    slow.chmod(0o755)
    monkeypatch.setenv("CXX", str(slow))
    monkeypatch.setattr(state, "shared_library", lambda project, name: build.shared_library(project, name, 0.2))

    with pytest.raises(
        GameError, match=r"walk could not be compiled with .*slow\+\+: the timeout of 0.2 s was exceeded"
    ):
        CxxGame(read_rules(WALK), "walk")


def test_what_the_compiler_says_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken++"
    broken.write_text(
        '#!/bin/sh\ncase "$*" in *-fsyntax-only*|*--version*) exit 0;; esac\necho "x.cpp:1: error: bad day"; exit 1\n'
    )
    broken.chmod(0o755)
    monkeypatch.setenv("CXX", str(broken))

    with pytest.raises(GameError, match=r"could not be compiled with .*broken\+\+: x.cpp:1: error: bad day"):
        CxxGame(read_rules(WALK), "walk")


@peer("c++")
def test_a_second_load_takes_the_library_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    CxxGame(read_rules(WALK), "walk")
    monkeypatch.setattr(build, "compile_library", lambda *_: pytest.fail("compiled again"))

    assert CxxGame(read_rules(WALK), "walk").initial_state().facts == {("at", "a")}


@peer("c++")
def test_reference_computes_until_the_code_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    may_compile = threading.Event()

    def compile_when_told(prepared: Prepared) -> NativeGame:
        may_compile.wait(60)
        return native_game(prepared)

    native_game = state.native_game
    monkeypatch.setattr(state, "native_game", compile_when_told)
    game = CxxGame(read_rules(WALK), "walk", wait=False)
    before = game.initial_state().play({"r": "(go b)"})
    assert game.native is None
    assert before.facts == {("at", "b")}
    assert before.legal_moves("r") == ("(go c)",)

    may_compile.set()
    game.ready.wait(60)

    assert game.native is not None
    after = before.play({"r": "(go c)"})
    assert after.facts == {("at", "c")}
    assert game.initial_state().play({"r": "(go b)"}) == before
    assert before.goals == {"r": 0}


@peer("c++")
def test_unsafe_rules_are_refused_with_a_position() -> None:
    sheet = read_rules("(role r) (init a) (<= (legal ?x go) (true a)) (<= terminal (true b)) (goal r 0)")

    with pytest.raises(GdlError, match="GDL210"):
        CxxGame(sheet)
