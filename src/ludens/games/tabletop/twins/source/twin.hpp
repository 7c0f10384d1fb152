// What every engine of a page shares: random numbers, playouts, and the functions that engine_playouts.py calls. `make
// bitcode` compiles the engines.
//
// An engine is a struct with
//   State                                a struct of int16_t alone: what differs between two tables of the page
//   PLAYERS, MOVES                       the most players, and the most moves of one of them
//   players(set)                         how many play; `set` are the numbers that the page gives once
//   actors(set, state)                   who may act now, as bits
//   moves(set, state, player, moves)     writes the numbers of a player's moves, and returns how many
//   play(set, state, chosen, random, values)   plays a turn: for each player the number of its move, or NONE. Returns
//                                        GOING, or how the play ended, with a number for each player in values
//   leads(set, state, values)            if the page has prospects: the same numbers
#pragma once
#include <stdint.h>
#include <string.h>

namespace twin {

using Numbers = const int32_t *;

constexpr int32_t NONE = -1;

// How a playout ended: not at all, with goals, with points, or with prospects.
enum End : uint8_t { GOING, GOALS, POINTS, LEADS };

struct Random {
    uint64_t state;

    uint32_t next() {  // splitmix64
        uint64_t mixed = (state += 0x9e3779b97f4a7c15u);
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return (uint32_t)((mixed ^ (mixed >> 31)) >> 32);
    }

    int below(int count) { return (int)(((uint64_t)next() * (uint32_t)count) >> 32); }

    int die(int faces) { return 1 + below(faces); }

    void shuffle(int16_t *cards, int count) {
        for (int left = count; left > 1; left--) {
            int other = below(left);
            int16_t card = cards[left - 1];
            cards[left - 1] = cards[other];
            cards[other] = card;
        }
    }
};

// Goals of winners, as a set of players.
inline End winners(double *values, int players, unsigned won) {
    for (int player = 0; player < players; player++) values[player] = won >> player & 1 ? 100 : 0;
    return GOALS;
}

// Goals of a draw.
inline End draw(double *values, int players) {
    for (int player = 0; player < players; player++) values[player] = players > 1 ? 100 / players : 50;
    return GOALS;
}

// True if an array of cards has one of a number.
inline bool has(const int16_t *cards, int count, int card) {
    for (int n = 0; n < count; n++)
        if (cards[n] == card) return true;
    return false;
}

// Takes a card out of an array; the others keep their order.
inline void take(int16_t *cards, int16_t &count, int card) {
    int n = 0;
    while (cards[n] != card) n++;
    memmove(cards + n, cards + n + 1, sizeof(int16_t) * (size_t)(count - n - 1));
    cards[--count] = 0;
}

// A turn in which all players choose at random, but for the moves given.
template <class Engine>
bool choose(Numbers set, const typename Engine::State &state, const int32_t *first, Random &random, int32_t *chosen) {
    int32_t moves[Engine::MOVES];
    bool found = false;
    unsigned actors = Engine::actors(set, state);
    for (int player = 0; player < Engine::PLAYERS; player++) {
        chosen[player] = NONE;
        if (!(actors >> player & 1)) continue;
        if (first && first[player] != NONE) {
            chosen[player] = first[player];
        } else {
            int count = Engine::moves(set, state, player, moves);
            if (count) chosen[player] = moves[count > 1 ? random.below(count) : 0];
        }
        found |= chosen[player] != NONE;
    }
    return found;
}

// Plays out a state on the spot; returns how many turns it took.
template <class Engine>
int64_t play_out(
    Numbers set, typename Engine::State &state, const int32_t *first, int64_t most, Random &random, double *values,
    uint8_t &end
) {
    int32_t chosen[Engine::PLAYERS];
    end = GOING;
    int64_t turn = 0;
    for (; turn < most && choose<Engine>(set, state, turn ? nullptr : first, random, chosen); turn++) {
        end = Engine::play(set, state, chosen, random, values);
        if (end != GOING) return turn + 1;
    }
    if constexpr (requires { Engine::leads(set, state, values); }) {
        Engine::leads(set, state, values);
        end = LEADS;
    }
    return turn;
}

}  // namespace twin

// The functions of an engine, as Python calls them.
#define LUDENS_TWIN(Engine)                                                                                            \
    extern "C" {                                                                                                       \
    extern const char ludens_sources[];                                                                                \
    const char ludens_sources[] = SOURCES;                                                                             \
    int64_t ludens_twin_size(void) { return sizeof(Engine::State) / sizeof(int16_t); }                                 \
    int64_t ludens_twin_most_moves(void) { return Engine::MOVES; }                                                     \
    int64_t ludens_twin_most_players(void) { return Engine::PLAYERS; }                                                 \
    int64_t ludens_twin_moves(const int32_t *set, const Engine::State *state, int64_t player, int32_t *moves) {        \
        if (!(Engine::actors(set, *state) >> player & 1)) return 0;                                                    \
        return Engine::moves(set, *state, (int)player, moves);                                                         \
    }                                                                                                                  \
    int64_t ludens_twin_play(                                                                                          \
        const int32_t *set, Engine::State *state, const int32_t *chosen, uint64_t seed, double *values                 \
    ) {                                                                                                                \
        twin::Random random{seed};                                                                                     \
        return Engine::play(set, *state, chosen, random, values);                                                      \
    }                                                                                                                  \
    int64_t ludens_twin_play_out(                                                                                      \
        const int32_t *set, const Engine::State *states, const int32_t *first, int64_t count, int64_t each,            \
        int64_t most, uint64_t seed, double *values, uint8_t *ends                                                     \
    ) {                                                                                                                \
        twin::Random random{seed};                                                                                     \
        int64_t turns = 0;                                                                                             \
        int players = Engine::players(set);                                                                            \
        for (int64_t n = 0; n < count; n++)                                                                            \
            for (int64_t lane = n * each; lane < (n + 1) * each; lane++) {                                             \
                Engine::State state = states[n];                                                                       \
                const int32_t *own = first ? first + n * Engine::PLAYERS : nullptr;                                    \
                turns += twin::play_out<Engine>(set, state, own, most, random, values + lane * players, ends[lane]);   \
            }                                                                                                          \
        return turns;                                                                                                  \
    }                                                                                                                  \
    }
