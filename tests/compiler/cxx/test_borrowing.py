"""What the generated C++ promises about moves: whose memory they are in, whose they are, and which Game answers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ludens.cli.main import main
from tests.compiler.cxx.console import VARIANTS
from tests.peers import CXX_COMPILERS, peer

STRICT = ("-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror")

PROGRAM = r"""
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
#include "@NAME@.hpp"
namespace game = ludens::@NAME@;
static std::size_t count_replies(game::Game& rules, const game::State& state) {
    std::size_t replies = 0;
    for (game::Move move : rules.legal(state, 0)) {
        const game::State after = rules.successor(state, {move, rules.legal(state, 1).front()});
        replies += rules.legal(after, 0).size() * rules.legal(after, 1).size();
    }
    return replies;
}
template <class Run>
static void attempt(const char* what, Run run) {
    try {
        run();
        std::printf("%s: no error\n", what);
    } catch (const game::Error& error) {
        std::printf("%s: %s\n", what, error.what());
    }
}
int main(int count, char**) {
    game::Game rules;
    const game::State state = rules.initial();
    std::printf("replies %zu\n", count_replies(rules, state));
    const game::BorrowedMoves lent = rules.borrow_legal(state, 0);
    bool same = lent.size() == 9 && !lent.empty() && lent[8] == lent.back();
    std::size_t place = 0;
    for (game::Move move : lent) same = same && move == lent[place++];
    const std::vector<game::Move> own = rules.legal(state, 0);
    const std::vector<game::Move> noops = rules.legal(state, 1);
    std::printf("same %d\n", same && own.size() == place);
    if (count > 1) {
        std::size_t seen = 0;
        for (game::Move move : rules.borrow_legal(state, 0)) seen += rules.legal(state, 1).size() + move;
        std::printf("not reached %zu\n", seen);
        return 0;
    }
    std::printf("open cells %zu\n", rules.query(state, "cell", {"1", "?x", "b"}).size());
    std::printf("facts next %zu\n", rules.query(state, "next", {"?fact"}, {own[0], noops[0]}).size());
    game::Random random(1);
    const bool resolved = rules.resolve(state, {own[0], noops[0]}, random) == std::vector<game::Move>{own[0], noops[0]};
    std::printf("outcomes %zu, resolved %d\n", rules.outcomes(state, {own[0], noops[0]}).size(), resolved);
    attempt("swapped chance", [&] { rules.outcomes(state, {noops[0], own[0]}); });
    attempt("resolved nonsense", [&] { rules.resolve(state, {own[0], 999999u}, random); });
    attempt("swapped", [&] { rules.successor(state, {noops[0], own[0]}); });
    attempt("twice the first", [&] { rules.successor(state, {own[0], own[0]}); });
    attempt("nonsense", [&] { rules.successor(state, {999999u, noops[0]}); });
    attempt("too few", [&] { rules.successor(state, {own[0]}); });
    game::Game other = std::move(rules);
    attempt("terminal", [&] { rules.terminal(state); });
    attempt("initial", [&] { rules.initial(); });
    attempt("text", [&] { rules.fact_text(0); });
    attempt("moved to", [&] { other.move_text(own[0]); other.terminal(state); });
}
"""

MOVED = "this Game was moved from: use the one that it was moved to"
PRINTED = [
    "replies 72",
    "same 1",
    "open cells 3",
    "facts next 10",
    "outcomes 1, resolved 1",
    "swapped chance: the joint move gives xplayer a move that is not one of its own",
    "resolved nonsense: the joint move gives oplayer a move that is not one of its own",
    "swapped: the joint move gives xplayer a move that is not one of its own",
    "twice the first: the joint move gives oplayer a move that is not one of its own",
    "nonsense: the joint move gives xplayer a move that is not one of its own",
    "too few: a joint move has one move for each role",
    f"terminal: {MOVED}",
    f"initial: {MOVED}",
    f"text: {MOVED}",
    "moved to: no error",
]


def write(folder: Path, game: str, variant: str) -> str:
    """Write a game as C++; returns its namespace."""
    assert main(["compile", game, "--emit", "c++", "-o", str(folder), *["--grounded"] * (variant == "grounded")]) == 0
    return next(folder.glob("*.hpp")).stem


def compile_strictly(folder: Path, compiler: str, *sources: str) -> Path:
    """Compile sources without a warning; returns the program."""
    command = [compiler, *STRICT, *(str(folder / source) for source in sources), "-o", str(folder / "program")]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return folder / "program"


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_safe_unless_borrowed_and_belong_to_one_role(variant: str, tmp_path: Path) -> None:
    name = write(tmp_path, "tic_tac_toe", variant)
    (tmp_path / "own.cpp").write_text(PROGRAM.replace("@NAME@", name), encoding="utf-8")
    program = compile_strictly(tmp_path, CXX_COMPILERS[0], f"{name}.cpp", "own.cpp")

    assert subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines() == PRINTED

    misused = subprocess.run([program, "misuse"], capture_output=True, text=True, check=False)
    assert misused.returncode != 0
    assert "borrowed moves are used after another query of their Game" in misused.stderr
    assert "not reached" not in misused.stdout


UNBOUNDED = """
(role r) (role s) (init (heap nil)) (init (turns 0))
(<= (legal ?r (push ?x ?t)) (role ?r) (true (heap ?t)) (colour ?x)) (colour red) (colour blue)
(<= (next (heap (s ?x ?y ?t))) (does r (push ?x ?t)) (does s (push ?y ?t)))
(<= (next (turns 1)) (true (turns 0))) (<= (next (turns 2)) (true (turns 1))) (<= terminal (true (turns 2)))
(goal r 50) (goal s 50)
"""
"""Moves with terms that grow, which have no fixed numbers."""

OWNERS = r"""
#include <cstdio>
#include "@NAME@.hpp"
namespace game = ludens::@NAME@;
int main() {
    game::Game rules;
    game::State state = rules.initial();
    state = rules.successor(state, {rules.legal(state, 0)[0], rules.legal(state, 1)[1]});
    try {
        rules.successor(state, {rules.legal(state, 0)[0], rules.legal(state, 0)[0]});
    } catch (const game::Error& error) {
        std::printf("%s\n", error.what());
    }
    state = rules.successor(state, {rules.legal(state, 0)[0], rules.legal(state, 1)[0]});
    std::printf("%s%d\n", rules.text(state).c_str(), rules.terminal(state));
}
"""


@pytest.mark.slow
@peer("c++")
def test_moves_without_a_fixed_number_belong_to_one_role_too(tmp_path: Path) -> None:
    sheet = tmp_path / "heap.kif"
    sheet.write_text(UNBOUNDED, encoding="utf-8")
    name = write(tmp_path, str(sheet), "queries")
    (tmp_path / "own.cpp").write_text(OWNERS.replace("@NAME@", name), encoding="utf-8")
    program = compile_strictly(tmp_path, CXX_COMPILERS[0], f"{name}.cpp", "own.cpp")

    refusal, *facts, over = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()

    assert refusal == "the joint move gives s a move that is not one of its own"
    assert sorted(facts) == ["(heap (s blue blue (s blue red nil)))", "(turns 2)"]
    assert over == "1"


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("compiler", CXX_COMPILERS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("game", ["tic_tac_toe", "pig", "nim:1,2"])
def test_both_programs_compile_without_warnings_and_count_joint_moves(
    game: str, variant: str, compiler: str, tmp_path: Path
) -> None:
    name = write(tmp_path, game, variant)
    program = compile_strictly(tmp_path, compiler, f"{name}.cpp", "main.cpp")

    printed = subprocess.run([program, "0.05"], capture_output=True, text=True, check=True).stdout

    played = [tuple(map(int, found)) for found in re.findall(r"(\d+) playouts, (\d+) states", printed)]
    assert played
    if name == "nim":  # 2 or 3 joint moves take 1 + 2 matches; the 512 lanes of a Batch may be in the middle of one
        assert all(2 * playouts <= moves <= 3 * playouts + 512 * 3 for playouts, moves in played)
