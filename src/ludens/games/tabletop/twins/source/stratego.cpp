// Stratego: two armies with hidden ranks; ranks are numbered by strength.
#include "twin.hpp"

struct Stratego {
    // From TABLES on: the worth of each rank, for each square its four neighbours, and both camps in order.
    enum Setting { SQUARES, CAMP, FIRST, LIMIT, TABLES };
    enum Stage { DEPLOY, TURN };
    static constexpr int PLAYERS = 2, MOVES = 512, MOST_SQUARES = 100, RANKS = 12, WAYS = 4, RECENT = 3, BASE = 128;
    static constexpr int FLAG = 0, SPY = 1, SCOUT = 2, MINER = 3, MARSHAL = 10, BOMB = 11;
    static constexpr double SPREAD = 8;

    struct State {
        int16_t stage, mover, turn, lost[2], recent[2][RECENT], box[2][RANKS];
        int16_t square[MOST_SQUARES];  // 1 + rank + RANKS * player, or 0
    };

    static int players(twin::Numbers) { return 2; }

    static int worth(twin::Numbers set, int rank) { return set[TABLES + rank]; }

    static twin::Numbers near(twin::Numbers set, int square) { return set + TABLES + RANKS + WAYS * square; }

    static int camp(twin::Numbers set, int player, int number) {
        return near(set, set[SQUARES])[player * set[CAMP] + number];
    }

    static int side_of(int piece) { return piece > RANKS; }

    static int rank_of(int piece) { return (piece - 1) % RANKS; }

    static bool moves_at_all(int piece) { return rank_of(piece) != FLAG && rank_of(piece) != BOMB; }

    static unsigned actors(twin::Numbers, const State &state) { return state.stage == DEPLOY ? 3 : 1u << state.mover; }

    // The fourth step to and fro between two squares is not allowed.
    static bool is_shuttling(const State &state, int player, int source, int target) {
        const int16_t *recent = state.recent[player];
        int back = target * BASE + source, again = source * BASE + target;
        return recent[0] == back && recent[1] == again && recent[2] == back;
    }

    static int ways(twin::Numbers set, const State &state, int player, int32_t *moves, int most) {
        int count = 0;
        for (int source = 0; source < set[SQUARES] && count < most; source++) {
            int piece = state.square[source];
            if (!piece || side_of(piece) != player || !moves_at_all(piece)) continue;
            for (int way = 0; way < WAYS; way++)
                for (int target = near(set, source)[way]; target >= 0; target = near(set, target)[way]) {
                    int there = state.square[target];
                    if ((!there || side_of(there) != player) && !is_shuttling(state, player, source, target))
                        moves[count++] = source * BASE + target;
                    if (there || rank_of(piece) != SCOUT) break;
                }
        }
        return count;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        if (state.stage == TURN) return ways(set, state, player, moves, MOVES);
        int count = 0;
        for (int rank = 0; rank < RANKS; rank++)
            if (state.box[player][rank]) moves[count++] = rank;
        return count;
    }

    static int left(const State &state, int player) {
        int count = 0;
        for (int rank = 0; rank < RANKS; rank++) count += state.box[player][rank];
        return count;
    }

    static twin::End end_without_moves(twin::Numbers set, const State &state, int player, double *values) {
        int32_t moves[MOVES];
        if (ways(set, state, player, moves, 1)) return twin::GOING;
        for (int square = 0; square < set[SQUARES]; square++) {
            int piece = state.square[square];
            if (piece && side_of(piece) != player && moves_at_all(piece))
                return twin::winners(values, 2, 1u << (1 - player));
        }
        return twin::draw(values, 2);
    }

    static twin::End deploy(twin::Numbers set, State &state, const int32_t *chosen, double *values) {
        for (int player = 0; player < 2; player++) {
            if (chosen[player] == twin::NONE) continue;
            int square = camp(set, player, set[CAMP] - left(state, player));
            state.box[player][chosen[player]]--;
            state.square[square] = (int16_t)(1 + chosen[player] + RANKS * player);
        }
        if (left(state, 0) || left(state, 1)) return twin::GOING;
        state.stage = TURN;
        state.mover = (int16_t)set[FIRST];
        return end_without_moves(set, state, set[FIRST], values);
    }

    // 1 if the attacker wins, -1 if the defender does, 0 if both fall.
    static int battle(int attacker, int defender) {
        if ((attacker == SPY && defender == MARSHAL) || (attacker == MINER && defender == BOMB)) return 1;
        return (attacker > defender) - (attacker < defender);
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        if (state.stage == DEPLOY) return deploy(set, state, chosen, values);
        int player = state.mover, move = chosen[player], source = move / BASE, target = move % BASE;
        int piece = state.square[source], other = state.square[target];
        int won = other ? battle(rank_of(piece), rank_of(other)) : 1;
        int16_t *recent = state.recent[player];
        memmove(recent, recent + 1, sizeof(int16_t) * (RECENT - 1));
        recent[RECENT - 1] = (int16_t)move;
        state.turn++;
        state.square[source] = 0;
        if (won > 0) state.square[target] = (int16_t)piece;
        else if (!won) state.square[target] = 0;
        if (other && won >= 0) state.lost[1 - player] = (int16_t)(state.lost[1 - player] + worth(set, rank_of(other)));
        if (won <= 0) state.lost[player] = (int16_t)(state.lost[player] + worth(set, rank_of(piece)));
        state.mover = (int16_t)(1 - player);
        if (other && won >= 0 && rank_of(other) == FLAG) return twin::winners(values, 2, 1u << player);
        twin::End end = end_without_moves(set, state, 1 - player, values);
        if (end != twin::GOING) return end;
        return state.turn >= set[LIMIT] ? twin::draw(values, 2) : twin::GOING;
    }

    static void leads(twin::Numbers, const State &state, double *values) {
        for (int player = 0; player < 2; player++) values[player] = -state.lost[player] / SPREAD;
    }
};

LUDENS_TWIN(Stratego)
