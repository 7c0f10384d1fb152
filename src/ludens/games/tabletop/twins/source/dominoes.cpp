// Dominoes: the draw game and the block game.
#include "twin.hpp"

struct Dominoes {
    enum Setting { COUNT, DRAWS, TILES, PIPS };  // from PIPS on, low and high of each tile
    static constexpr int PLAYERS = 4, MOST_TILES = 55, MOVES = 2 * MOST_TILES, DRAW = 1000, PASS = 1001, NOTHING = -1;

    struct State {
        int16_t mover, ends[2], passes, yard, stock[MOST_TILES];
        int16_t owner[MOST_TILES];  // the player's number from 1 on, or 0
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int low(twin::Numbers set, int tile) { return set[PIPS + 2 * tile]; }

    static int high(twin::Numbers set, int tile) { return set[PIPS + 2 * tile + 1]; }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0, left = state.ends[0], right = state.ends[1];
        for (int tile = 0; tile < set[TILES]; tile++) {
            if (state.owner[tile] != player + 1) continue;
            int one = low(set, tile), other = high(set, tile);
            if (left == NOTHING || one == left || other == left) moves[count++] = 2 * tile;
            if (left != right && (one == right || other == right)) moves[count++] = 2 * tile + 1;
        }
        if (!count) moves[count++] = set[DRAWS] && state.yard ? DRAW : PASS;
        return count;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int mover = state.mover, move = chosen[mover], pips[PLAYERS] = {}, tiles = 0;
        if (move == DRAW) {
            int16_t tile = state.stock[--state.yard];
            state.stock[state.yard] = 0;
            state.owner[tile] = (int16_t)(mover + 1);
            return twin::GOING;
        }
        if (move == PASS) {
            state.passes++;
        } else {
            int tile = move / 2, sum = low(set, tile) + high(set, tile);
            state.owner[tile] = 0;
            state.passes = 0;
            if (state.ends[0] == NOTHING) {
                state.ends[0] = (int16_t)low(set, tile);
                state.ends[1] = (int16_t)high(set, tile);
            } else {
                int16_t &end = state.ends[move & 1];
                end = (int16_t)(sum - end);
            }
        }
        state.mover = (int16_t)((mover + 1) % set[COUNT]);
        for (int tile = 0; tile < set[TILES]; tile++)
            if (state.owner[tile]) {
                pips[state.owner[tile] - 1] += low(set, tile) + high(set, tile);
                tiles += state.owner[tile] == mover + 1;
            }
        if (!tiles) return twin::winners(values, set[COUNT], 1u << mover);
        if (state.passes < set[COUNT]) return twin::GOING;
        return blocked(set, pips, values);
    }

    // All are blocked: the fewest pips win, and players may share the place.
    static twin::End blocked(twin::Numbers set, const int *pips, double *values) {
        unsigned won = 0;
        int fewest = pips[0];
        for (int player = 1; player < set[COUNT]; player++)
            if (pips[player] < fewest) fewest = pips[player];
        for (int player = 0; player < set[COUNT]; player++) {
            values[player] = pips[player] == fewest;
            won |= (unsigned)(pips[player] == fewest) << player;
        }
        return won & (won - 1) ? twin::POINTS : twin::winners(values, set[COUNT], won);
    }
};

LUDENS_TWIN(Dominoes)
