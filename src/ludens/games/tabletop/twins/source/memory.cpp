// Memory: pairs of cards face down.
#include "twin.hpp"

struct Memory {
    enum Setting { COUNT, PLACES, TURNS };
    static constexpr int PLAYERS = 6, MOVES = 64, NOWHERE = -1;

    struct State {
        int16_t mover, turned, turn, won[PLAYERS];
        int16_t picture[MOVES];  // NOWHERE where no card is left
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int moves(twin::Numbers set, const State &state, int, int32_t *moves) {
        int count = 0;
        for (int place = 0; place < set[PLACES]; place++)
            if (state.picture[place] != NOWHERE && place != state.turned) moves[count++] = place;
        return count;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int place = chosen[state.mover], before = state.turned;
        if (before == NOWHERE) {
            state.turned = (int16_t)place;
            return twin::GOING;
        }
        state.turned = NOWHERE;
        state.turn++;
        if (state.picture[place] == state.picture[before]) {
            state.picture[place] = state.picture[before] = NOWHERE;
            state.won[state.mover]++;
        } else {
            state.mover = (int16_t)((state.mover + 1) % set[COUNT]);
        }
        bool is_left = false;
        for (int other = 0; other < set[PLACES]; other++) is_left |= state.picture[other] != NOWHERE;
        if (is_left && state.turn < set[TURNS]) return twin::GOING;
        for (int player = 0; player < set[COUNT]; player++) values[player] = state.won[player];
        return twin::POINTS;
    }
};

LUDENS_TWIN(Memory)
