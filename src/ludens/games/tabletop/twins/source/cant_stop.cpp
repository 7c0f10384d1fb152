// Can't Stop: eleven columns, three runners, four dice.
#include "twin.hpp"

struct CantStop {
    enum Stage { ROLL, CHOOSE, DECIDE };
    enum Decision { AGAIN, STOP };
    static constexpr int PLAYERS = 4, MOVES = 6, COLUMNS = 13, RUNNERS = 3, TO_WIN = 3, BASE = 16;

    struct State {
        int16_t mover, stage, dice[4], won[PLAYERS], runner[COLUMNS], stands[PLAYERS][COLUMNS];
    };

    static int players(twin::Numbers set) { return set[0]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int length(int column) { return 13 - 2 * (column > 7 ? column - 7 : 7 - column); }

    static bool is_open(twin::Numbers set, const State &state, int column) {
        if (state.runner[column] >= length(column)) return false;
        for (int player = 0; player < set[0]; player++)
            if (state.stands[player][column] >= length(column)) return false;
        return true;
    }

    static int position(const State &state, int column) {
        return state.runner[column] ? state.runner[column] : state.stands[state.mover][column];
    }

    static void add(int32_t *moves, int &count, int32_t move) {
        for (int n = 0; n < count; n++)
            if (moves[n] == move) return;
        moves[count++] = move;
    }

    // Columns to advance in: one, or one * BASE + another.
    static int choices(twin::Numbers set, const State &state, int32_t *moves) {
        static constexpr int PAIRS[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
        int count = 0, running = 0;
        for (int column = 2; column < COLUMNS; column++) running += state.runner[column] > 0;
        for (const int *pair : PAIRS) {
            int sums[2] = {state.dice[pair[0]] + state.dice[pair[1]], state.dice[pair[2]] + state.dice[pair[3]]};
            bool usable[2];
            int fresh = 0;
            for (int n = 0; n < 2; n++) {
                usable[n] = is_open(set, state, sums[n]) && (state.runner[sums[n]] || running < RUNNERS);
                fresh += usable[n] && !state.runner[sums[n]];
            }
            int low = sums[0] < sums[1] ? sums[0] : sums[1], high = sums[0] + sums[1] - low;
            if (usable[0] && usable[1] && low == high) {
                bool twice = position(state, low) + 2 <= length(low);
                add(moves, count, twice ? low * BASE + low : low);
            } else if (usable[0] && usable[1] && running + fresh <= RUNNERS) {
                add(moves, count, low * BASE + high);
            } else {
                for (int n = 0; n < 2; n++)
                    if (usable[n]) add(moves, count, sums[n]);
            }
        }
        return count;
    }

    static int moves(twin::Numbers set, const State &state, int, int32_t *moves) {
        if (state.stage == CHOOSE) return choices(set, state, moves);
        moves[0] = AGAIN;
        moves[1] = STOP;
        return state.stage == ROLL ? 1 : 2;
    }

    static void pass(twin::Numbers set, State &state) {
        memset(state.runner, 0, sizeof(state.runner));
        memset(state.dice, 0, sizeof(state.dice));
        state.stage = ROLL;
        state.mover = (int16_t)((state.mover + 1) % set[0]);
    }

    static void roll(twin::Numbers set, State &state, twin::Random &random) {
        int32_t moves[MOVES];
        for (int n = 0; n < 4; n++) {
            int16_t die = (int16_t)random.die(6);
            int at = n;
            for (; at && state.dice[at - 1] > die; at--) state.dice[at] = state.dice[at - 1];
            state.dice[at] = die;
        }
        state.stage = CHOOSE;
        if (!choices(set, state, moves)) pass(set, state);
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        int mover = state.mover, move = chosen[mover];
        if (state.stage == CHOOSE) {
            int one = move % BASE, other = move / BASE;
            int16_t target = (int16_t)(position(state, one) + 1 + (one == other));
            if (other && other != one) state.runner[other] = (int16_t)(position(state, other) + 1);
            state.runner[one] = target;
            state.stage = DECIDE;
            memset(state.dice, 0, sizeof(state.dice));
            return twin::GOING;
        }
        if (state.stage == ROLL || move == AGAIN) {
            roll(set, state, random);
            return twin::GOING;
        }
        for (int column = 2; column < COLUMNS; column++) {
            if (!state.runner[column]) continue;
            state.stands[mover][column] = state.runner[column];
            state.won[mover] += state.runner[column] == length(column);
        }
        pass(set, state);
        return state.won[mover] >= TO_WIN ? twin::winners(values, set[0], 1u << mover) : twin::GOING;
    }
};

LUDENS_TWIN(CantStop)
