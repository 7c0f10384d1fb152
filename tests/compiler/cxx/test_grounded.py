"""The C++ that `ludens compile --emit c++ --grounded` writes, compiled and run as its users would."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from unittest.mock import create_autospec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludens.cli.main import main
from ludens.compiler.cxx.grounded import emit
from ludens.compiler.cxx.grounded.emit import expression
from ludens.compiler.native.computation import Computation
from ludens.compiler.native.schedule import Schedule, Segment
from ludens.gdl.traces import read_trace
from tests.compiler.cxx.console import VARIANTS, Console, assert_plays_as_recorded
from tests.compiler.cxx.console import build as build_program
from tests.compiler.cxx.test_library import GUIDE, compile_and_run
from tests.conformance.corpus import NOT_GROUNDED, REFUSED, Case, cases
from tests.games.record_traces import TRACES, WITHOUT_WEIGHTS
from tests.peers import CXX_COMPILERS, peer

EVERY_FOURTH = [case for case in cases() if case.name not in NOT_GROUNDED | set(REFUSED)][::4]


def build(folder: Path, game: str, program: str) -> Path:
    return build_program(folder, game, program, grounded=True)


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", WITHOUT_WEIGHTS)
def test_generated_code_plays_the_shelf_as_recorded(name: str, variant: str, tmp_path: Path) -> None:
    assert_plays_as_recorded(Console(tmp_path, name, variant), read_trace(TRACES / f"{name}.jsonl.gz"))


@pytest.mark.slow
@peer("c++", "rules")
@pytest.mark.parametrize("case", EVERY_FOURTH, ids=lambda case: case.name)
def test_grounded_code_agrees_with_the_independent_reasoner(case: Case, tmp_path: Path) -> None:
    assert_plays_as_recorded(Console(tmp_path, str(case.rules), "grounded"), read_trace(case.trace))


def test_values_that_no_truth_table_reads_are_left_out() -> None:
    """The second operation has the first as an input, but its truth table ignores it: compilers would warn."""
    differ, same_as_second = 0x66, 0xCC
    operations = np.array([[0, 1, 2, 3], [0, 1, 3, 4]], np.uint32)
    runs = np.array([[differ, 1], [same_as_second, 1]], np.uint32)
    computation = create_autospec(Computation, instance=True)
    computation.output_slots = (4,)
    computation.schedule.return_value = Schedule((Segment(operations, runs, np.empty((0, 2), np.uint32)),), 5)
    code = emit.Code()

    code.add("compute", computation, straight=True)

    assert "v[4] = t0;" in code.text()
    assert "^" not in code.text()


BATCH = r"""
#include <iostream>
#include <vector>
#include "@NAME@.hpp"
namespace game = ludens::@NAME@;
static bool follows(game::Game& rules, const game::State& state, const game::State& after,
                    std::vector<game::Move> joint_move = {}) {
    if (joint_move.size() == game::role_count) return rules.successor(state, joint_move) == after;
    const auto legal = rules.legal(state, joint_move.size());
    for (game::Move move : std::vector<game::Move>(legal.begin(), legal.end())) {
        joint_move.push_back(move);
        if (follows(rules, state, after, joint_move)) return true;
        joint_move.pop_back();
    }
    return false;
}
int main() {
    game::Game rules;
    game::Batch batch(7);
    std::size_t moved = 0, wrong = 0, steps = 0;
    do {
        std::vector<game::State> before;
        for (std::size_t lane = 0; lane < game::lane_count; ++lane) before.push_back(batch.state(lane));
        moved = batch.advance();
        std::size_t going = 0;
        for (std::size_t lane = 0; lane < game::lane_count; ++lane) {
            const bool over = rules.terminal(before[lane]);
            going += !over;
            if (lane % 37 == 0) wrong += over ? !(batch.state(lane) == before[lane])
                                              : !follows(rules, before[lane], batch.state(lane));
        }
        wrong += going != moved;
        ++steps;
    } while (moved > 0 && steps < 200);
    std::cout << "wrong " << wrong << "\n";
    batch.fill(rules.initial());
    const game::Totals one = batch.playouts();
    std::cout << "playouts " << one.playouts << "\n";
    game::Totals many = batch.play(rules.initial(), 4000);
    for (std::size_t role = 0; role < game::role_count; ++role)
        std::cout << "mean " << double(many.goals[role]) / double(many.playouts) << "\n";
    game::State other = rules.initial();
    std::vector<game::Move> joint_move;
    for (std::size_t role = 0; role < game::role_count; ++role) joint_move.push_back(rules.legal(other, role).front());
    other = rules.successor(other, joint_move);
    batch.fill(rules.initial());
    auto told = [](const game::Error& error) { std::cout << error.what() << "\n"; };
    try { batch.set(3, other); } catch (const game::Error& error) { told(error); }
    batch.fill(other);
    std::cout << (batch.state(511) == other) << "\n";
    try { batch.fill(game::State()); } catch (const game::Error& error) { told(error); }
}
"""


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize(("name", "mean"), [("tic_tac_toe", 64.9), ("connect_four", 55.6)])
def test_lanes_of_a_batch_make_legal_moves_and_end_as_often_as_they_should(
    name: str, mean: float, tmp_path: Path
) -> None:
    program = build(tmp_path, name, BATCH)

    wrong, playouts, first, _, refusal, same, nobody = subprocess.run(
        [program], capture_output=True, text=True, check=True
    ).stdout.splitlines()

    assert wrong == "wrong 0"
    assert playouts == "playouts 512"
    assert float(first.split()[1]) == pytest.approx(mean, abs=0.6)
    assert refusal == "this state is at another point of the turn order than the other lanes"
    assert same == "1"
    assert nobody == "this state belongs to no point of the turn order: it is nobody's turn in it"


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("compiler", CXX_COMPILERS)
def test_both_ways_of_writing_operations_compile_without_warnings(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in (0, 1_000_000):
        monkeypatch.setattr(emit, "STRAIGHT_OPERATIONS", limit)
        folder = tmp_path / str(limit)
        assert main(["compile", "nim:1,2", "--emit", "c++", "--grounded", "-o", str(folder)]) == 0

        printed = compile_and_run(folder, *folder.glob("*.cpp"), compiler=compiler, level="-O2")

        assert re.match(r"nim, 512 states at once: \d+ playouts, \d+ states in .* states/s", printed)
        assert "nim, one state at a time" in printed


@pytest.mark.slow
@peer("c++")
def test_the_guides_example_runs_on_the_grounded_variant_too(tmp_path: Path) -> None:
    (example,) = re.findall(r"```cpp\n(#include <cstdio>.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert main(["compile", "tic_tac_toe", "--emit", "c++", "--grounded", "-o", str(tmp_path)]) == 0
    (tmp_path / "example.cpp").write_text(example, encoding="utf-8")

    printed = compile_and_run(tmp_path, tmp_path / "tic_tac_toe.cpp", tmp_path / "example.cpp")

    assert printed.splitlines()[:-1] == [
        "xplayer has 1 legal moves, the first is noop",
        "oplayer has 8 legal moves, the first is (mark 1 1)",
        "10 facts, x in the middle",
        "cell 2 1 is b",
        "cell 2 2 is x",
        "cell 2 3 is b",
    ]


QUESTIONS = r"""
#include <iostream>
#include <string>
#include <vector>
#include "@NAME@.hpp"
namespace game = ludens::@NAME@;
int main() {
    game::Game rules;
    game::State state = rules.initial();
    auto ask = [&](const char* relation, std::vector<std::string> arguments, std::vector<game::Move> joint_move = {}) {
        std::cout << relation << ":";
        try {
            for (const auto& answer : rules.query(state, relation, arguments, joint_move)) {
                std::cout << " [";
                for (const auto& value : answer) std::cout << (&value == &answer[0] ? "" : " ") << value;
                std::cout << "]";
            }
        } catch (const game::Error& error) {
            std::cout << " " << error.what();
        }
        std::cout << "\n";
    };
    const std::vector<game::Move> joint_move = {rules.move(state, 0, "( MARK 2 2 )"), rules.move(state, 1, "noop")};
    ask("CELL", {"1", "?y", "b"});
    ask("cell", {"?x", "?x", "B"});
    ask("true", {"(control ?who)"});
    ask("role", {"?r"});
    ask("legal", {"?r", "noop"});
    ask("legal", {"xplayer", "(mark 3 ?y)"});
    ask("goal", {"xplayer", "?n"});
    ask("terminal", {});
    ask("next", {"(cell 2 2 ?m)"});
    ask("next", {"(cell 2 2 ?m)"}, joint_move);
    ask("does", {"?r", "?m"}, joint_move);
    ask("init", {"(cell 3 ?y ?m)"});
    ask("nonsense", {"?x"});
    ask("open", {});
    ask("cell", {"((", "1", "b"});
    try { rules.fact("(cell 9 9 x)"); } catch (const game::Error& error) { std::cout << error.what() << "\n"; }
    try { rules.move(state, 1, "(mark 1 1)"); } catch (const game::Error& error) { std::cout << error.what() << "\n"; }
    game::State same;
    state.each_fact([&](game::Fact fact) { same.add(rules.fact(rules.fact_text(fact))); });
    std::cout << (same == state) << (same.hash() == state.hash()) << state.facts().size() << "\n";
}
"""


@pytest.mark.slow
@peer("c++")
def test_questions_in_text(tmp_path: Path) -> None:
    program = build(tmp_path, "tic_tac_toe", QUESTIONS)

    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout

    assert printed.splitlines() == [
        "CELL: [1] [2] [3]",
        "cell: [1] [2] [3]",
        "true: [xplayer]",
        "role: [oplayer] [xplayer]",
        "legal: [oplayer]",
        "legal: [1] [2] [3]",
        "goal: [50]",
        "terminal:",
        "next: this relation depends on the joint move; name one",
        "next: [x]",
        "does: [oplayer noop] [xplayer (mark 2 2)]",
        "init: [1 b] [2 b] [3 b]",
        "nonsense:",
        "open: grounding did away with the relation open: here one can ask for fluents, init, role, terminal, legal, "
        "does, next, goal and random",
        "cell: not a term: ((",
        "no state can have this fact: (cell 9 9 x)",
        "not a legal move here: (mark 1 1)",
        "1110",
    ]


@given(st.integers(0, 255))
def test_expressions_compute_their_truth_table(table: int) -> None:
    text = expression(table, "a", "b", "c").replace("v[0]", "0")

    found = eval(text, {"a": 0xF0, "b": 0xCC, "c": 0xAA}) & 0xFF

    assert found == table


def test_code_that_is_not_grounded_is_asked_for_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "nim:1,2", "--emit", "c++", "--grounded", "--memo", "on", "-o", "x"]) == 2
    assert "not --grounded" in capsys.readouterr().err
    assert main(["compile", "nim:1,2", "--grounded"]) == 2
    assert "go with --emit c++" in capsys.readouterr().err
    assert not Path("x").exists()


def test_rules_without_a_state_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "stateless.kif"
    sheet.write_text("(role r) (legal r go) terminal (goal r 100)", encoding="utf-8")

    assert main(["compile", str(sheet), "--emit", "c++", "--grounded", "-o", str(tmp_path / "out")]) == 2
    assert "no fluent" in capsys.readouterr().err
