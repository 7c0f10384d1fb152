// Chinese checkers on a star: steps and chains of jumps.
#include "twin.hpp"

struct ChineseCheckers {
    // From NEAR on: for each hole its six neighbours and the holes beyond them, for each player its target as flags,
    // and for each player the distance of each hole to its target.
    enum Setting { COUNT, LIMIT, HOLES, PEGS, NEAR };
    static constexpr int PLAYERS = 6, MOST_HOLES = 181, WAYS = 6, MOVES = 3000, BASE = 256, PASS = BASE * BASE;
    static constexpr double SPREAD = 6;

    struct State {
        int16_t mover, turn, peg[MOST_HOLES];  // the player's number from 1 on
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static twin::Numbers near(twin::Numbers set, int hole) { return set + NEAR + 2 * WAYS * hole; }

    static twin::Numbers target(twin::Numbers set, int player) { return near(set, set[HOLES]) + player * set[HOLES]; }

    static twin::Numbers distance(twin::Numbers set, int player) { return target(set, set[COUNT] + player); }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        twin::Numbers own = target(set, player);
        int count = 0;
        for (int hole = 0; hole < set[HOLES]; hole++)
            if (state.peg[hole] == player + 1) count = add_targets(set, state, hole, own, moves, count);
        if (!count) moves[count++] = PASS;
        return count;
    }

    // The moves of one peg. It has left its hole, so it cannot jump over it.
    static int add_targets(
        twin::Numbers set, const State &state, int hole, twin::Numbers own, int32_t *moves, int count
    ) {
        bool seen[MOST_HOLES] = {};
        int16_t jumped[MOST_HOLES];
        int found = 0;
        jumped[found++] = (int16_t)hole;
        seen[hole] = true;
        for (int n = 0; n < found; n++) {
            twin::Numbers ways = near(set, jumped[n]);
            for (int way = 0; way < WAYS; way++) {
                int over = ways[way], beyond = ways[WAYS + way];
                if (beyond < 0 || seen[beyond] || state.peg[beyond] || over == hole || !state.peg[over]) continue;
                seen[beyond] = true;
                jumped[found++] = (int16_t)beyond;
            }
        }
        for (int way = 0; way < WAYS; way++) {
            int step = near(set, hole)[way];
            if (step >= 0 && !state.peg[step] && !seen[step]) jumped[found++] = (int16_t)step;
        }
        for (int n = 1; n < found; n++)
            if (!own[hole] || own[jumped[n]]) moves[count++] = hole * BASE + jumped[n];
        return count;
    }

    static int arrived(twin::Numbers set, const State &state, int player) {
        twin::Numbers own = target(set, player);
        int count = 0;
        for (int hole = 0; hole < set[HOLES]; hole++) count += own[hole] && state.peg[hole] == player + 1;
        return count;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int mover = state.mover, move = chosen[mover];
        if (move != PASS) {
            state.peg[move / BASE] = 0;
            state.peg[move % BASE] = (int16_t)(mover + 1);
        }
        state.turn++;
        state.mover = (int16_t)((mover + 1) % set[COUNT]);
        if (arrived(set, state, mover) == set[PEGS]) return twin::winners(values, set[COUNT], 1u << mover);
        if (state.turn < set[LIMIT]) return twin::GOING;
        for (int player = 0; player < set[COUNT]; player++) values[player] = arrived(set, state, player);
        return twin::POINTS;
    }

    static void leads(twin::Numbers set, const State &state, double *values) {
        for (int player = 0; player < set[COUNT]; player++) {
            twin::Numbers far = distance(set, player);
            int steps = 0;
            for (int hole = 0; hole < set[HOLES]; hole++)
                if (state.peg[hole] == player + 1) steps += far[hole];
            values[player] = -steps / SPREAD;
        }
    }
};

LUDENS_TWIN(ChineseCheckers)
