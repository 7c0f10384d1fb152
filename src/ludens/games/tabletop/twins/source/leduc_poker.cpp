// Leduc poker: two rounds of betting, one open card.
#include "twin.hpp"

struct Leduc {
    enum Choice { FOLD, CALL, RAISE };
    static constexpr int PLAYERS = 2, MOVES = 3, ROUNDS = 2;

    struct State {
        int16_t mover, card[2], next, open, round, raises, checked, paid[2];
    };

    static int players(twin::Numbers) { return 2; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int debt(const State &state) { return state.paid[1 - state.mover] - state.paid[state.mover]; }

    // `set` are the sizes of raises in both rounds, and the most raises.
    static int moves(twin::Numbers set, const State &state, int, int32_t *moves) {
        int count = 0;
        moves[count++] = CALL;
        if (debt(state)) moves[count++] = FOLD;
        if (state.raises < set[ROUNDS]) moves[count++] = RAISE;
        return count;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int mover = state.mover, choice = chosen[mover];
        if (choice == FOLD) return finish(state, mover ? 1 : -1, state.paid[mover], values);
        state.paid[mover] = (int16_t)(state.paid[mover] + debt(state));
        state.mover = (int16_t)(1 - mover);
        if (choice == RAISE) {
            state.paid[mover] = (int16_t)(state.paid[mover] + set[state.round]);
            state.raises++;
            state.checked = 1;
        } else if (!state.checked) {
            state.checked = 1;
        } else if (state.round) {
            int first = strength(state, 0), second = strength(state, 1);
            return finish(state, (first > second) - (first < second), state.paid[0], values);
        } else {
            state.open = state.next;
            state.next = 0;
            state.round = 1;
            state.raises = state.checked = state.mover = 0;
        }
        return twin::GOING;
    }

    static int strength(const State &state, int player) {
        return state.card[player] + (state.card[player] == state.open ? 100 : 0);
    }

    static twin::End finish(const State &, int sign, int stake, double *values) {
        values[0] = sign * stake;
        values[1] = -sign * stake;
        return twin::POINTS;
    }
};

LUDENS_TWIN(Leduc)
