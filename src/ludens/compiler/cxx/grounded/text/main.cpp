// Random playouts of @TITLE@, to measure their speed. Usage: playouts [seconds]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "@NAMESPACE@.hpp"

namespace game = ludens::@NAMESPACE@;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void print(const char* how, const game::Totals& totals, double seconds) {
    std::printf("%.*s, %s: %llu playouts, %llu states in %.2f s: %.0f states/s\n",
                static_cast<int>(game::Game::name().size()), game::Game::name().data(), how,
                static_cast<unsigned long long>(totals.playouts), static_cast<unsigned long long>(totals.states),
                seconds, static_cast<double>(totals.states) / seconds);
    for (std::size_t role = 0; role < game::role_count && totals.playouts > 0; ++role)
        std::printf("  %.*s: mean goal %.2f\n", static_cast<int>(game::Game::roles()[role].size()),
                    game::Game::roles()[role].data(),
                    static_cast<double>(totals.goals[role]) / static_cast<double>(totals.playouts));
}

void add(game::Totals& sum, const game::Totals& more) {
    sum.states += more.states;
    sum.playouts += more.playouts;
    for (std::size_t role = 0; role < game::role_count; ++role) sum.goals[role] += more.goals[role];
}

game::Totals one_at_a_time(game::Game& rules, game::Random& random) {
    const game::Playout playout = rules.playout(rules.initial(), random);
    game::Totals totals;
    totals.states = playout.steps;
    totals.playouts = playout.finished;
    for (std::size_t role = 0; role < game::role_count && playout.finished; ++role)
        totals.goals[role] = static_cast<std::uint64_t>(rules.goal(playout.last, role));
    return totals;
}

template <class Play>
void measure(const char* how, double seconds, Play play) {
    game::Totals totals;
    const double began = now();
    do add(totals, play());
    while (now() - began < seconds);
    print(how, totals, now() - began);
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 3.0;
    try {
        game::Game rules;
        const game::State start = rules.initial();
        game::Batch batch(1);
        game::Random random(1);
        measure("512 states at once", seconds / 2, [&] { return batch.play(start, 100); });
        measure("one state at a time", seconds / 2, [&] { return one_at_a_time(rules, random); });
    } catch (const game::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
