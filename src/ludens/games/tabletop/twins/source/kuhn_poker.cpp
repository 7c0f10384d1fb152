// Kuhn's poker.
#include "twin.hpp"

struct Kuhn {
    enum Word { PASS, BET };
    static constexpr int PLAYERS = 2, MOVES = 2;

    struct State {
        int16_t mover, card[2], paid[2], count, said[3];
    };

    static int players(twin::Numbers) { return 2; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int moves(twin::Numbers, const State &, int, int32_t *moves) {
        moves[0] = PASS;
        moves[1] = BET;
        return 2;
    }

    static twin::End play(twin::Numbers, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int mover = state.mover, word = chosen[mover];
        if (word == BET) state.paid[mover]++;
        state.said[state.count++] = (int16_t)word;
        state.mover = (int16_t)(1 - mover);
        if (state.count < 2 || (state.count == 2 && state.said[0] == PASS && word == BET)) return twin::GOING;
        bool folds = word == PASS && state.said[state.count - 2] == BET;
        int winner = folds ? 1 - mover : state.card[0] > state.card[1] ? 0 : 1;
        int stake = state.paid[0] < state.paid[1] ? state.paid[0] : state.paid[1];
        values[winner] = stake;
        values[1 - winner] = -stake;
        return twin::POINTS;
    }
};

LUDENS_TWIN(Kuhn)
