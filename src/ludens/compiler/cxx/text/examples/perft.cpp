// Counts the lines of play of @TITLE@ by length, to check and time an engine. Usage: perft [depth]
//
// A line is a sequence of joint moves; where chance draws, every outcome is one. Lines that end early are not counted
// among the longer ones.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "@NAMESPACE@.hpp"

namespace game = ludens::@NAMESPACE@;

namespace {

/// All joint moves of a state, one vector for each; the move of the role `random` is left to chance.
std::vector<std::vector<game::Move>> joint_moves(game::Game& rules, const game::State& state) {
    std::vector<std::vector<game::Move>> found(1);
    for (std::size_t role = 0; role < game::role_count; ++role) {
        std::vector<std::vector<game::Move>> longer;
        const std::vector<game::Move> moves =
            role == game::random_role ? std::vector<game::Move>{game::left_to_chance} : rules.legal(state, role);
        for (const std::vector<game::Move>& joint_move : found)
            for (game::Move move : moves) {
                longer.push_back(joint_move);
                longer.back().push_back(move);
            }
        found = std::move(longer);
    }
    return found;
}

/// The number of lines of `depth` joint moves.
unsigned long long count_lines(game::Game& rules, const game::State& state, int depth) {
    if (depth == 0) return 1;
    if (rules.terminal(state)) return 0;
    unsigned long long lines = 0;
    for (const std::vector<game::Move>& joint_move : joint_moves(rules, state)) {
        if (!game::has_chance) {
            lines += count_lines(rules, rules.successor(state, joint_move), depth - 1);
            continue;
        }
        for (const game::Outcome& outcome : rules.outcomes(state, joint_move))
            lines += count_lines(rules, rules.successor(state, outcome.joint_move), depth - 1);
    }
    return lines;
}

}  // namespace

int main(int count, char** arguments) {
    const int deepest = count > 1 ? std::atoi(arguments[1]) : 3;
    try {
        game::Game rules;
        const game::State start = rules.initial();
        for (int depth = 1; depth <= deepest; ++depth)
            std::printf("%d %llu\n", depth, count_lines(rules, start, depth));
    } catch (const game::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
