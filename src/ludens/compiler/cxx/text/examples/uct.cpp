// A player of @TITLE@ by UCT (Kocsis and Szepesvari, 2006), in matches of the first role against random play.
// Usage: uct [matches] [simulations per move]
//
// The tree is a table of states, since states that meet again share their statistics. Each role chooses by its own
// statistics (decoupled UCT), so simultaneous moves need nothing else; chance is drawn anew in every simulation.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "@NAMESPACE@.hpp"

namespace game = ludens::@NAMESPACE@;

namespace {

/// The statistics of one move of a role.
struct Arm {
    game::Move move;
    double total = 0;
    unsigned visits = 0;
};

/// A state in the tree: the moves of each role.
struct Node {
    std::vector<std::vector<Arm>> arms;
    unsigned visits = 0;
};

/// Searches from one state.
class Search {
public:
    explicit Search(std::uint64_t seed) : random_(seed) {}

    /// The most visited move of a role after some simulations.
    game::Move choose(const game::State& state, std::size_t role, std::size_t simulations) {
        tree_.clear();
        for (std::size_t n = 0; n < simulations; ++n) simulate(state, 0);
        const std::vector<Arm>& arms = node(state).arms[role];
        const Arm* best = &arms.front();
        for (const Arm& arm : arms)
            if (arm.visits > best->visits) best = &arm;
        return best->move;
    }

    /// A random legal move of a role.
    game::Move draw(const game::State& state, std::size_t role) {
        const game::BorrowedMoves moves = rules_.borrow_legal(state, role);
        if (moves.empty()) throw game::Error("a role has no legal move");
        return moves[random_.below(moves.size())];
    }

    /// The state after a joint move; chance is drawn.
    game::State play(const game::State& state, const std::vector<game::Move>& joint_move) {
        if (!game::has_chance) return rules_.successor(state, joint_move);
        return rules_.successor(state, rules_.resolve(state, joint_move, random_));
    }

    game::Game& rules() { return rules_; }

private:
    static constexpr std::size_t deepest = 200;  // states with cycles are left to a playout after this many moves

    Node& node(const game::State& state) {
        const auto [place, is_new] = tree_.try_emplace(state);
        if (is_new)
            for (std::size_t role = 0; role < game::role_count; ++role) {
                place->second.arms.emplace_back();
                if (role == game::random_role) continue;
                for (game::Move move : rules_.legal(state, role)) place->second.arms[role].push_back({move});
                if (place->second.arms[role].empty()) throw game::Error("a role has no legal move");
            }
        return place->second;
    }

    /// The goals of one simulation, with the statistics on its way updated.
    std::vector<int> simulate(const game::State& state, std::size_t depth) {
        if (rules_.terminal(state)) return goals(state);
        if (depth == deepest) return goals(rules_.playout(state, random_).last);
        const bool is_new = tree_.find(state) == tree_.end();
        Node& here = node(state);  // references into the table stay valid when it grows
        std::vector<game::Move> joint_move;
        std::vector<Arm*> chosen(game::role_count, nullptr);
        for (std::size_t role = 0; role < game::role_count; ++role) {
            if (role != game::random_role) chosen[role] = &select(here, here.arms[role]);
            joint_move.push_back(chosen[role] ? chosen[role]->move : game::left_to_chance);
        }
        const game::State after = play(state, joint_move);
        std::vector<int> result = is_new ? goals(rules_.playout(after, random_).last) : simulate(after, depth + 1);
        ++here.visits;
        for (std::size_t role = 0; role < game::role_count; ++role)
            if (chosen[role]) {
                ++chosen[role]->visits;
                chosen[role]->total += result[role];
            }
        return result;
    }

    /// The arm with the largest upper confidence bound; those without visits come first, in random order.
    Arm& select(const Node& here, std::vector<Arm>& arms) {
        Arm* best = nullptr;
        double highest = 0;
        std::size_t fresh = 0;
        for (Arm& arm : arms) {
            if (arm.visits == 0 && random_.below(++fresh) == 0) best = &arm;
            if (fresh > 0) continue;
            const double bound =
                arm.total / arm.visits + 60.0 * std::sqrt(std::log(static_cast<double>(here.visits)) / arm.visits);
            if (best == nullptr || bound > highest) {
                best = &arm;
                highest = bound;
            }
        }
        return *best;
    }

    std::vector<int> goals(const game::State& state) {
        std::vector<int> found;
        for (std::size_t role = 0; role < game::role_count; ++role) found.push_back(rules_.goal(state, role));
        return found;
    }

    game::Game rules_;
    game::Random random_;
    std::unordered_map<game::State, Node> tree_;
};

}  // namespace

int main(int count, char** arguments) {
    const int matches = count > 1 ? std::atoi(arguments[1]) : 10;
    const std::size_t simulations = count > 2 ? static_cast<std::size_t>(std::atol(arguments[2])) : 1000;
    const std::size_t searcher = game::random_role == 0 && game::role_count > 1 ? 1 : 0;
    try {
        Search search(1);
        double total = 0;
        for (int match = 0; match < matches; ++match) {
            game::State state = search.rules().initial();
            for (int turn = 0; turn < 1000 && !search.rules().terminal(state); ++turn) {
                std::vector<game::Move> joint_move;
                for (std::size_t role = 0; role < game::role_count; ++role)
                    joint_move.push_back(role == game::random_role ? game::left_to_chance
                                         : role == searcher        ? search.choose(state, role, simulations)
                                                                   : search.draw(state, role));
                state = search.play(state, joint_move);
            }
            total += search.rules().goal(state, searcher);
        }
        std::printf("%s by UCT against random play: mean goal %.1f in %d matches\n",
                    std::string(game::Game::roles()[searcher]).c_str(), total / matches, matches);
    } catch (const game::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
