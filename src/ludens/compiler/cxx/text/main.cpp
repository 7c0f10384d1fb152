// Random playouts of @TITLE@, to measure their speed. Usage: playouts [seconds] [transpositions]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "@NAMESPACE@.hpp"

namespace game = ludens::@NAMESPACE@;

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 3.0;
    game::Options options;
    if (count > 2) options.transpositions = static_cast<std::size_t>(std::atol(arguments[2]));
    try {
        game::Game rules(options);
        const game::State start = rules.initial();
        game::Random random(1);
        std::vector<double> goals(game::role_count);
        std::size_t playouts = 0, finished = 0, states = 0;
        const auto began = std::chrono::steady_clock::now();
        double passed = 0;
        while (playouts == 0 || passed < seconds) {
            const game::Playout playout = rules.playout(start, random);
            ++playouts;
            states += playout.steps;
            if (playout.finished) {
                ++finished;
                for (std::size_t role = 0; role < game::role_count; ++role)
                    goals[role] += rules.goal(playout.last, role);
            }
            passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        }
        std::printf("%.*s: %zu playouts, %zu states in %.2f s: %.0f states/s, mean length %.2f\n",
                    static_cast<int>(game::Game::name().size()), game::Game::name().data(), playouts, states, passed,
                    static_cast<double>(states) / passed, static_cast<double>(states) / static_cast<double>(playouts));
        for (std::size_t role = 0; role < game::role_count && finished > 0; ++role)
            std::printf("  %.*s: mean goal %.2f\n", static_cast<int>(game::Game::roles()[role].size()),
                        game::Game::roles()[role].data(), goals[role] / static_cast<double>(finished));
    } catch (const game::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
