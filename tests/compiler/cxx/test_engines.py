"""What authors of engines get: examples, a single header, and a package for CMake."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from ludens.cli.main import main
from tests.compiler.cxx.console import VARIANTS
from tests.peers import CXX_COMPILERS, peer

STRICT = ("-std=c++20", "-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def write(folder: Path, game: str, variant: str, *options: str) -> str:
    """Write a game as C++; returns its namespace."""
    grounded = ["--grounded"] if variant == "grounded" else []
    assert main(["compile", game, "--emit", "c++", "-o", str(folder), *grounded, *options]) == 0
    return next(folder.glob("*.hpp")).stem


def build(folder: Path, compiler: str, *arguments: str) -> Path:
    """Compile without a warning, with sanitizers; returns the program."""
    program = folder / "program"
    command = [compiler, *STRICT, *SANITIZED, f"-I{folder}", *arguments, "-o", str(program)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return program


def run(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("compiler", CXX_COMPILERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_examples_count_lines_and_play_well(variant: str, compiler: str, tmp_path: Path) -> None:
    name = write(tmp_path, "tic_tac_toe", variant)
    source = str(tmp_path / f"{name}.cpp")

    counted = run(build(tmp_path, compiler, source, str(tmp_path / "examples" / "perft.cpp")), "4")
    played = run(build(tmp_path, compiler, source, str(tmp_path / "examples" / "uct.cpp")), "10", "200")

    assert counted.splitlines() == ["1 9", "2 72", "3 504", "4 3024"]
    assert played.startswith("xplayer by UCT against random play: mean goal ")
    assert float(played.split("mean goal ")[1].split()[0]) >= 85  # random play gets 64 on average


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_examples_draw_chance(variant: str, tmp_path: Path) -> None:
    name = write(tmp_path, "pig", variant)
    source = str(tmp_path / f"{name}.cpp")

    counted = run(build(tmp_path, CXX_COMPILERS[0], source, str(tmp_path / "examples" / "perft.cpp")), "1")
    played = run(build(tmp_path, CXX_COMPILERS[0], source, str(tmp_path / "examples" / "uct.cpp")), "1", "5")

    assert counted.splitlines()[0] in {"1 6", "1 7"}  # the faces, and holding if the rules allow it
    assert "mean goal" in played


USER = r"""
#include "@NAME@.hpp"
int count_moves() {
    ludens::@NAME@::Game rules;
    return static_cast<int>(rules.legal(rules.initial(), 0).size());
}
"""

PROGRAM = r"""
#define LUDENS_@MACRO@_IMPLEMENTATION
#include "@NAME@.hpp"
#include "@NAME@.hpp"
#include <cstdio>
int count_moves();
int main() {
    ludens::@NAME@::Game rules;
    std::printf("%d %d\n", count_moves(), rules.terminal(rules.initial()));
}
"""


@pytest.mark.slow
@peer("c++")
@pytest.mark.parametrize("compiler", CXX_COMPILERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_single_header_is_the_whole_library(variant: str, compiler: str, tmp_path: Path) -> None:
    name = write(tmp_path, "tic_tac_toe", variant, "--single-header")
    assert [path.name for path in tmp_path.iterdir()] == [f"{name}.hpp"]
    for file, text in (("user.cpp", USER), ("program.cpp", PROGRAM)):
        (tmp_path / file).write_text(text.replace("@NAME@", name).replace("@MACRO@", name.upper()), encoding="utf-8")

    program = build(tmp_path, compiler, str(tmp_path / "user.cpp"), str(tmp_path / "program.cpp"))

    assert run(program) == "9 0\n"


@pytest.mark.slow
@peer("c++", "cmake")
def test_cmake_finds_the_installed_package(tmp_path: Path) -> None:
    name = write(tmp_path / "game", "nim:1,2", "queries")
    user = tmp_path / "user"
    user.mkdir()
    (user / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(user CXX)\n"
        f"find_package({name} CONFIG REQUIRED)\nadd_executable(user user.cpp)\n"
        f"target_link_libraries(user PRIVATE ludens::{name})\n",
        encoding="utf-8",
    )
    counting = "#include <cstdio>\n" + USER + 'int main() { std::printf("%d\\n", count_moves()); }\n'
    (user / "user.cpp").write_text(counting.replace("@NAME@", name), encoding="utf-8")

    def cmake(*arguments: str) -> None:
        done = subprocess.run(["cmake", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    cmake("-S", "game", "-B", "build", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'installed'}", "-DCMAKE_BUILD_TYPE=Debug")
    cmake("--build", "build")
    cmake("--install", "build")
    cmake("-S", "user", "-B", "own", f"-DCMAKE_PREFIX_PATH={tmp_path / 'installed'}", "-DCMAKE_BUILD_TYPE=Debug")
    cmake("--build", "own")

    assert run(tmp_path / "own" / "user") == "3\n"
    assert run(tmp_path / "build" / f"{name}_perft", "1") == "1 3\n"


def test_every_public_member_of_the_header_has_a_comment(tmp_path: Path) -> None:
    name = write(tmp_path, "nim:1,2", "grounded")
    lines = (tmp_path / f"{name}.hpp").read_text(encoding="utf-8").splitlines()

    undocumented = [
        line.strip()
        for before, line in pairwise(lines)
        if line.startswith(("class ", "struct ", "    class ", "inline constexpr", "using "))
        and not before.strip().startswith("///")
    ]

    assert [line for line in undocumented if not line.startswith("struct std::hash")] == []
