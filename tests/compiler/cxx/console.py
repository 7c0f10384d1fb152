"""A program around generated C++ that does what it is told line by line, as users of the library would write it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ludens.cli.main import main
from tests.peers import CXX_COMPILERS

VARIANTS = ("queries", "grounded")
"""The two ways of writing a game in C++."""

CONSOLE = r"""
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include "@NAME@.hpp"
namespace game = ludens::@NAME@;
using Counts = std::unordered_map<game::State, std::size_t>;
static game::Game rules;
static game::State state;
static game::Random source(1);
static std::vector<std::string> facts_of(const game::State& of) {
    std::vector<std::string> facts;
    of.each_fact([&](game::Fact fact) { facts.push_back(rules.fact_text(fact)); });
    std::erase_if(facts, [](const std::string& fact) { return fact.starts_with("(is told "); });
    std::sort(facts.begin(), facts.end());
    return facts;
}
static std::string joined(const std::vector<std::string>& texts, char between) {
    std::string all;
    for (const std::string& text : texts) all += between + text;
    return all;
}
static void print(const char* what, std::vector<std::string> texts) {
    std::sort(texts.begin(), texts.end());
    std::cout << what << joined(texts, '\t') << '\n';
}
static void print(const Counts& counts) {
    std::map<std::string, std::size_t> by_facts;
    for (const auto& [after, count] : counts) by_facts[joined(facts_of(after), ' ')] += count;
    for (const auto& [facts, count] : by_facts) std::cout << count << '\t' << facts << '\n';
}
static std::vector<game::Move> read_moves() {
    std::vector<game::Move> joint_move;
    std::string line;
    for (std::size_t role = 0; role < game::role_count && std::getline(std::cin, line); ++role)
        joint_move.push_back(line == "?" ? game::left_to_chance : rules.move(state, role, line));
    return joint_move;
}
static void show() {
    print("facts", facts_of(state));
    print(rules.terminal(state) ? "over" : "going", {});
    for (std::size_t role = 0; role < game::role_count; ++role) {
        std::vector<std::string> moves;
        for (game::Move move : rules.legal(state, role)) moves.push_back(rules.move_text(move));
        if (!rules.terminal(state)) print("legal", moves);
        if (rules.terminal(state)) print("goal", {std::to_string(rules.goal(state, role))});
    }
}
static void list_outcomes(const std::vector<game::Move>& joint_move) {
    for (const game::Outcome& outcome : rules.outcomes(state, joint_move)) {
        std::printf("%.17g", outcome.probability);
        std::vector<game::Move> read;  // two legal moves can become the same one, so numbers may differ
        for (std::size_t role = 0; role < game::role_count; ++role) {
            read.push_back(rules.move(state, role, rules.move_text(outcome.joint_move[role])));
            std::printf("\t%s", rules.move_text(read.back()).c_str());
        }
        const game::State after = rules.successor(state, outcome.joint_move);
        const bool same = rules.successor(state, read) == after;
        std::printf("\t%s\n", same ? joined(facts_of(after), ' ').c_str() : "a text was read differently");
    }
    std::fflush(stdout);
}
static void answer(const std::string& line) {
    Counts counts;
    const std::size_t count = line.find(' ') == std::string::npos ? 0 : std::stoul(line.substr(line.find(' ')));
    if (line == "again") {
        state = rules.initial();
    } else if (line == "play") {
        const std::vector<game::Move> joint_move = read_moves();
        state = rules.successor(state, joint_move);
    } else if (line == "show") {
        show();
    } else if (line == "outcomes") {
        list_outcomes(read_moves());
    } else if (line.starts_with("draws")) {
        const std::vector<game::Move> joint_move = read_moves();
        for (std::size_t n = 0; n < count; ++n) {
            const std::vector<game::Move> resolved = rules.resolve(state, joint_move, source);
            ++counts[rules.successor(state, resolved)];
        }
    } else if (line.starts_with("playouts")) {
        for (std::size_t n = 0; n < count; ++n)
            ++counts[rules.playout(state, source, 1).last];
    } else if (line.starts_with("batch")) {
#ifdef GROUNDED
        game::Batch batch(count);
        for (std::size_t n = 0; n < count / game::lane_count; ++n) {
            batch.fill(state);
            batch.advance();
            for (std::size_t lane = 0; lane < game::lane_count; ++lane)
                ++counts[batch.state(lane)];
        }
#endif
    } else if (line == "query") {
        std::string relation, argument;
        std::vector<std::string> arguments;
        std::getline(std::cin, relation);
        while (std::getline(std::cin, argument) && argument != "with") arguments.push_back(argument);
        const std::vector<game::Move> joint_move = rules.terminal(state) ? std::vector<game::Move>() : read_moves();
        for (const auto& found : rules.query(state, relation, arguments, joint_move))
            std::cout << relation << joined(found, '\t') << '\n';
    }
    print(counts);
}
int main() {
    std::string line;
    state = rules.initial();
    while (std::getline(std::cin, line)) {
        try {
            answer(line);
        } catch (const game::Error& error) {
            std::cout << "error\t" << error.what() << '\n';
        }
        std::cout << "." << std::endl;
    }
}
"""


class Console:
    """A game that was written as C++ and compiled, ready to be asked."""

    def __init__(self, folder: Path, game: str, variant: str) -> None:
        grounded = variant == "grounded"
        program = ("#define GROUNDED\n" if grounded else "") + CONSOLE
        self._program = build(folder, game, program, grounded=grounded)

    def ask(self, questions: Iterable[Iterable[str]]) -> list[list[str]]:
        """The lines of the answer to each question; a question is a command and the lines that go with it."""
        told = "".join(f"{line}\n" for question in questions for line in question)
        printed = subprocess.run([self._program], input=told, capture_output=True, text=True, check=True).stdout
        answers: list[list[str]] = [[]]
        for line in printed.splitlines():
            if line == ".":
                answers.append([])
            else:
                answers[-1].append(line)
        return answers[:-1]


def build(folder: Path, game: str, program: str, *, grounded: bool) -> Path:
    """Write a game as C++ and compile it with a program that uses it; @NAME@ stands for its namespace."""
    arguments = ["compile", game, "--emit", "c++", "-o", str(folder)]
    assert main([*arguments, *(["--grounded"] if grounded else [])]) == 0
    name = next(folder.glob("*.hpp")).stem
    (folder / "own.cpp").write_text(program.replace("@NAME@", name), encoding="utf-8")
    sources = [str(folder / f"{name}.cpp"), str(folder / "own.cpp")]
    subprocess.run([CXX_COMPILERS[0], "-std=c++20", "-O0", *sources, "-o", str(folder / "own")], check=True)
    return folder / "own"


def spelled(term: str) -> str:
    """A term with the spaces that ludens writes."""
    return re.sub(r"\s+", " ", re.sub(r"\(\s+", "(", re.sub(r"\s+\)", ")", term)))


def assert_plays_as_recorded(console: Console, trace: list[dict[str, Any]]) -> None:
    """Play a trace and compare every state."""
    questions: list[list[str]] = []
    expected: list[list[str]] = []
    moves: list[str] = []
    for line in trace[1:]:
        questions += [["again"] if line["step"] == 0 else ["play", *moves], ["show"]]
        moves = [spelled(move) for move in line.get("moves") or []]
        facts = sorted({spelled(fact) for fact in line["state"]})
        answer = ["\t".join(["facts", *facts]), "over" if line["terminal"] else "going"]
        if line["terminal"]:
            answer += [f"goal\t{goal or 0}" for goal in line["goals"]]
        else:
            answer += ["\t".join(["legal", *sorted({spelled(move) for move in own})]) for own in line["legal"]]
        expected += [[], answer]

    assert console.ask(questions) == expected


def chi_square(counts: Mapping[str, int], expected: Mapping[str, float]) -> float:
    """How far counts are from a distribution; something that it does not have is infinitely far."""
    total = sum(counts.values())
    if not counts.keys() <= expected.keys():
        return float("inf")
    return sum((counts.get(key, 0) - share * total) ** 2 / (share * total) for key, share in expected.items())
