"""The C++ that `ludens compile --emit c++` writes, compiled and run as its users would."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from ludens.cli.main import main
from ludens.compiler.cxx.prepare import prepare
from ludens.compiler.cxx.project import CodeOptions, generate
from ludens.compiler.cxx.usage import Profile
from ludens.games.library import find
from ludens.gdl.read import read_rules
from tests.games.record_traces import NAMES
from tests.games.shelf import all_but_representative_slow
from tests.peers import CXX_COMPILERS, peer

GUIDE = Path(__file__).parents[3] / "docs" / "cxx.md"
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror")


def compile_and_run(
    folder: Path, *sources: Path, compiler: str = CXX_COMPILERS[0] if CXX_COMPILERS else "", level: str = "-O0"
) -> str:
    program = folder / "program"
    command = [compiler, *STRICT, level, f"-I{folder}", *map(str, sources), "-o", str(program)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return subprocess.run([program, "0.01"], capture_output=True, text=True, check=True).stdout


@peer("c++")
@pytest.mark.slow
def test_the_guides_example_compiles_without_warnings_and_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```cpp title=.my_program.cpp.\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert main(["compile", "tic_tac_toe", "--emit", "c++", "-o", str(tmp_path)]) == 0
    (tmp_path / "example.cpp").write_text(example, encoding="utf-8")

    printed = compile_and_run(tmp_path, tmp_path / "tic_tac_toe.cpp", tmp_path / "example.cpp")

    assert printed.splitlines() == [
        "xplayer has 1 legal moves, the first is noop",
        "oplayer has 8 legal moves, the first is (mark 1 1)",
        "10 facts, x in the middle",
        "cell 2 1 is b",
        "cell 2 2 is x",
        "cell 2 3 is b",
        "x wins more: yes, different ends: many",
    ]


@peer("c++")
@pytest.mark.slow
@pytest.mark.parametrize("compiler", CXX_COMPILERS)
def test_the_written_program_plays_at_random(tmp_path: Path, compiler: str) -> None:
    profile = tmp_path / "profile.json"
    folder = tmp_path / "game"
    arguments = ["compile", "connect_four", "--emit", "c++", "-o", str(folder), "--profile", str(profile)]
    assert main(arguments) == 0
    first = (folder / "connect_four.cpp").read_text(encoding="utf-8")
    assert json.loads(profile.read_text(encoding="utf-8"))["queries"]
    assert main(arguments) == 0
    assert (folder / "connect_four.cpp").read_text(encoding="utf-8") == first

    printed = compile_and_run(folder, *folder.glob("*.cpp"), compiler=compiler, level="-O2")

    assert re.match(r"connect_four: \d+ playouts, \d+ states in .* states/s", printed)
    assert "red: mean goal" in printed


@pytest.mark.slow
@peer("c++", "cmake")
def test_cmake_builds_it(tmp_path: Path) -> None:
    folder, build = tmp_path / "game", tmp_path / "build"
    assert main(["compile", "nim:1,2", "--emit", "c++", "-o", str(folder)]) == 0
    subprocess.run(["cmake", "-S", folder, "-B", build], capture_output=True, check=True)
    subprocess.run(["cmake", "--build", build], capture_output=True, check=True)

    assert "nim" in subprocess.run([build / "nim_playouts", "0.01"], capture_output=True, text=True, check=True).stdout


QUESTIONS = r"""
#include <cstdio>
#include <string>
#include <vector>
#include "tower.hpp"
namespace game = ludens::tower;
static void ask(game::Game& rules, const game::State& state, const char* relation, std::vector<std::string> arguments,
                std::vector<game::Move> joint_move = {}) {
    std::printf("%s:", relation);
    try {
        for (const auto& answer : rules.query(state, relation, arguments, joint_move)) {
            std::printf(" [");
            for (const auto& value : answer) std::printf("%s%s", &value == &answer[0] ? "" : " ", value.c_str());
            std::printf("]");
        }
    } catch (const game::Error& error) {
        std::printf(" %s", error.what());
    }
    std::printf("\n");
}
int main() {
    game::Options options;
    options.transpositions = 2;
    game::Game rules(options);
    game::State state = rules.initial();
    ask(rules, state, "above", {"?x", "?y"});
    ask(rules, state, "above", {"a", "?y"});
    ask(rules, state, "ABOVE", {"?x", "?x"});
    ask(rules, state, "above", {"a", "c"});
    ask(rules, state, "legal", {"r", "?move"});
    ask(rules, state, "legal", {"?r", "(put ?x (on ?y))"});
    ask(rules, state, "size", {"?x", "2"});
    ask(rules, state, "on", {"?x", "b"});
    ask(rules, state, "true", {"?f"});
    ask(rules, state, "nonsense", {"?f"});
    ask(rules, state, "moved", {"?x"});
    ask(rules, state, "moved", {"?x"}, {rules.move(state, 0, "( PUT a (on c) )")});
    ask(rules, state, "on", {"(((", "b"});
    state = rules.successor(state, std::vector<game::Move>{rules.move(state, 0, "(put a (on c))")});
    std::printf("%s", rules.text(state).c_str());
    game::State same;
    state.each_fact([&](game::Fact fact) { same.add(rules.fact(rules.fact_text(fact))); });
    std::printf("%d %d\n", same == state, same.hash() == state.hash());
    for (int n = 0; n < 3; ++n) {
        game::State other = rules.initial();
        std::printf("%zu ", rules.legal(other, 0).size());
        other = rules.successor(other, std::vector<game::Move>{rules.legal(other, 0).back()});
        std::printf("%d %d, ", rules.terminal(other), rules.goal(other, 0));
    }
    auto told = [](const game::Error& error) { std::printf("%s\n", error.what()); };
    try { rules.move(state, 0, "(put x (on y))"); } catch (const game::Error& error) { told(error); }
    try { rules.fact("(on x nowhere)"); } catch (const game::Error& error) { told(error); }
}
"""

TOWER = """
(role r) (size a 1) (size b 2) (size c 2) (init (on a b)) (init (on b c))
(<= (above ?x ?y) (true (on ?x ?y))) (<= (above ?x ?z) (true (on ?x ?y)) (above ?y ?z))
(<= (legal r (put ?x (on ?y))) (size ?x ?n) (size ?y ?m) (distinct ?x ?y) (not (covered ?x)) (not (above ?y ?x)))
(<= (covered ?x) (true (on ?y ?x)))
(<= (moved ?x) (does r (put ?x ?where)))
(<= (next (on ?x ?y)) (does r (put ?x (on ?y)))) (<= (next (on ?x ?y)) (true (on ?x ?y)) (not (moved ?x)))
(<= terminal (true (on a c))) (<= (goal r 100) (true (on a c))) (<= (goal r 0) (not (true (on a c))))
"""


@peer("c++")
@pytest.mark.slow
def test_anything_can_be_asked_with_unknowns(tmp_path: Path) -> None:
    (tmp_path / "tower.kif").write_text(TOWER, encoding="utf-8")
    assert main(["compile", str(tmp_path / "tower.kif"), "--emit", "c++", "-o", str(tmp_path)]) == 0
    (tmp_path / "questions.cpp").write_text(QUESTIONS, encoding="utf-8")

    printed = compile_and_run(tmp_path, tmp_path / "tower.cpp", tmp_path / "questions.cpp")

    assert printed.splitlines() == [
        "above: [a b] [a c] [b c]",
        "above: [b] [c]",
        "ABOVE:",
        "above: []",
        "legal: [(put a (on b))] [(put a (on c))]",
        "legal: [r a b] [r a c]",
        "size: [b] [c]",
        "on: [a]",
        "true: [(on a b)] [(on b c)]",
        "nonsense:",
        "moved: this relation depends on the joint move; name one",
        "moved: [a]",
        "on: not a term: (((",
        "(on a c)",
        "(on b c)",
        "1 1",
        "2 1 100, 2 1 100, 2 1 100, not a legal move here: (put x (on y))",
        "no state can have this fact: (on x nowhere)",
    ]


@pytest.mark.parametrize("name", all_but_representative_slow(NAMES))
def test_every_game_of_the_library_becomes_cxx(name: str) -> None:
    prepared = prepare(find(name).rule_sheet(), name, everything=True)

    project = generate(prepared, Profile(), CodeOptions())

    examples = {"examples/perft.cpp", "examples/uct.cpp"}
    assert set(project.files()) == {f"{name}.hpp", f"{name}.cpp", "main.cpp", "CMakeLists.txt", *examples}
    assert "@" not in re.sub(r'"[^"\n]*"', "", project.source + project.header)


@pytest.mark.parametrize("name", ["class", "9 lives", "a/b", "é", "main", "?"])
def test_every_name_gives_a_namespace(name: str) -> None:
    sheet = read_rules("(role r) (init a) (legal r go) (<= (next a) (true a)) (<= terminal (true b)) (goal r 0)")

    namespace = generate(prepare(sheet, name), Profile(), CodeOptions()).namespace

    assert re.fullmatch(r"[a-z][a-z0-9_]*", namespace)
    assert namespace not in ("class", "main")


def test_wrong_options_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "nim", "--emit", "c++"]) == 2
    assert "-o DIR" in capsys.readouterr().err
    assert main(["compile", "nim", "-o", str(tmp_path)]) == 2
    assert "--emit c++" in capsys.readouterr().err
    (tmp_path / "bad.json").write_text("{}")
    assert main(["compile", "nim", "--emit", "c++", "-o", str(tmp_path), "--profile", str(tmp_path / "bad.json")]) == 2
    assert "is not a profile" in capsys.readouterr().err
