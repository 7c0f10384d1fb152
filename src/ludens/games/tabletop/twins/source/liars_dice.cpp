// Liar's dice: bids on all dice, each player's own under a cup.
#include "twin.hpp"

struct LiarsDice {
    enum Setting { COUNT, DICE, FACES, WILD, ONE_ROUND };
    static constexpr int PLAYERS = 6, MOST_DICE = 6, MOST_FACES = 6, MOVES = PLAYERS * MOST_DICE * MOST_FACES + 1;
    static constexpr int DOUBT = 0, ROLL = 0, NOBODY = -1, WILD_FACE = 1, BASE = 8;

    struct State {
        int16_t mover, rolls, count, face, bidder, left[PLAYERS];
        int16_t dice[PLAYERS][MOST_DICE];  // sorted; zeros before they are rolled
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int rank(twin::Numbers set, int face) { return set[WILD] && face == WILD_FACE ? set[FACES] + 1 : face; }

    static int moves(twin::Numbers set, const State &state, int, int32_t *moves) {
        int count = 0, dice = 0;
        if (state.rolls) {
            moves[0] = ROLL;
            return 1;
        }
        for (int player = 0; player < set[COUNT]; player++) dice += state.left[player];
        for (int number = state.count ? state.count : 1; number <= dice; number++)
            for (int face = 1; face <= set[FACES]; face++)
                if (number > state.count || rank(set, face) > rank(set, state.face))
                    moves[count++] = number * BASE + face;
        if (state.count) moves[count++] = DOUBT;
        return count;
    }

    static int next_with_dice(twin::Numbers set, const State &state, int player) {
        do player = (player + 1) % set[COUNT];
        while (!state.left[player]);
        return player;
    }

    static void roll(twin::Numbers set, State &state, twin::Random &random) {
        state.count = state.face = state.rolls = 0;
        state.bidder = NOBODY;
        for (int player = 0; player < set[COUNT]; player++)
            for (int n = 0; n < state.left[player]; n++) {
                int16_t die = (int16_t)random.die(set[FACES]);
                int at = n;
                for (; at && state.dice[player][at - 1] > die; at--)
                    state.dice[player][at] = state.dice[player][at - 1];
                state.dice[player][at] = die;
            }
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        int mover = state.mover, move = chosen[mover];
        if (state.rolls) {
            roll(set, state, random);
            return twin::GOING;
        }
        if (move != DOUBT) {
            state.count = (int16_t)(move / BASE);
            state.face = (int16_t)(move % BASE);
            state.bidder = (int16_t)mover;
            state.mover = (int16_t)next_with_dice(set, state, mover);
            return twin::GOING;
        }
        int found = 0, alive = 0;
        unsigned standing = 0;
        for (int player = 0; player < set[COUNT]; player++)
            for (int n = 0; n < state.left[player]; n++) {
                int die = state.dice[player][n];
                found += die == state.face || (set[WILD] && die == WILD_FACE);
            }
        int loser = found < state.count ? state.bidder : mover;
        state.left[loser]--;
        memset(state.dice, 0, sizeof(state.dice));
        for (int player = 0; player < set[COUNT]; player++)
            if (state.left[player]) {
                alive++;
                standing |= 1u << player;
            }
        if (set[ONE_ROUND]) return twin::winners(values, set[COUNT], ~(1u << loser));
        if (alive == 1) return twin::winners(values, set[COUNT], standing);
        state.mover = (int16_t)(state.left[loser] ? loser : next_with_dice(set, state, loser));
        state.rolls = 1;
        return twin::GOING;
    }
};

LUDENS_TWIN(LiarsDice)
