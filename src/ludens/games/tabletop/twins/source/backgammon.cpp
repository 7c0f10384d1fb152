// Backgammon, checker by checker, with the doubling cube as an option.
#include "twin.hpp"

struct Backgammon {
    enum Stage { OPENING, ROLL, MOVE, ANSWER, THROW };
    enum Choice { ONLY, DOUBLE, TAKE = 0, DROP };
    static constexpr int PLAYERS = 2, MOVES = 64, DICE = 4, OFF = 0, BAR = 25, HOME = 7, FAR = 19, CHECKERS = 15;
    static constexpr int HIGHEST_CUBE = 64, NOBODY = -1, BASE = 8;

    struct Board {
        int16_t at[2][BAR + 1];  // each player's checkers, as it counts places
    };

    struct State {
        int16_t mover, stage, cube, owner, left[DICE];
        Board board;
    };

    static int players(twin::Numbers) { return 2; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    // The places from which a player can move a checker by a die.
    static int sources(const Board &board, int player, int die, int *places) {
        const int16_t *own = board.at[player], *other = board.at[1 - player];
        if (own[BAR]) {
            places[0] = BAR;
            return other[die] < 2;
        }
        int count = 0, highest = 0;
        for (int source = 1; source < BAR; source++) {
            if (!own[source]) continue;
            highest = source;
            if (source > die && other[BAR - source + die] < 2) places[count++] = source;
        }
        if (highest < HOME) {
            if (own[die]) places[count++] = die;
            else if (highest && highest < die) places[count++] = highest;
        }
        return count;
    }

    static void step(Board &board, int player, int source, int die) {
        int target = source > die ? source - die : OFF;
        int16_t *other = board.at[1 - player];
        board.at[player][source]--;
        board.at[player][target]++;
        if (target != OFF && other[BAR - target]) {
            other[BAR - target]--;
            other[BAR]++;
        }
    }

    static int remove(const int16_t *left, int count, int at, int16_t *rest) {
        int found = 0;
        for (int n = 0; n < count; n++)
            if (n != at) rest[found++] = left[n];
        return found;
    }

    // How many of the dice can be used.
    static int longest(const Board &board, int player, const int16_t *left, int count) {
        int most = 0, places[BAR];
        for (int n = 0; n < count; n++) {
            if (n && left[n] == left[n - 1]) continue;
            int16_t rest[DICE];
            int rests = remove(left, count, n, rest), found = sources(board, player, left[n], places);
            for (int place = 0; place < found; place++) {
                if (rests == 0) return 1;
                Board after = board;
                step(after, player, places[place], left[n]);
                int length = 1 + longest(after, player, rest, rests);
                if (length > most) most = length;
                if (most == count) return most;
            }
        }
        return most;
    }

    // The first steps of the plays that use as many dice as possible, and the higher die if only one can be used.
    static int steps(const Board &board, int player, const int16_t *left, int count, int32_t *moves) {
        int lengths[MOVES], found = 0, most = 0, places[BAR];
        for (int n = 0; n < count; n++) {
            if (n && left[n] == left[n - 1]) continue;
            int16_t rest[DICE];
            int rests = remove(left, count, n, rest), sourced = sources(board, player, left[n], places);
            for (int place = 0; place < sourced; place++) {
                Board after = board;
                step(after, player, places[place], left[n]);
                lengths[found] = 1 + (rests ? longest(after, player, rest, rests) : 0);
                moves[found] = places[place] * BASE + left[n];
                if (lengths[found] > most) most = lengths[found];
                found++;
            }
        }
        bool is_single = most == 1 && count == 2 && left[0] != left[1];
        int highest = 0, kept = 0;
        for (int n = 0; n < found; n++)
            if (lengths[n] == most && moves[n] % BASE > highest) highest = moves[n] % BASE;
        for (int n = 0; n < found; n++)
            if (lengths[n] == most && (!is_single || moves[n] % BASE == highest)) moves[kept++] = moves[n];
        return kept;
    }

    static int dice(const State &state) {
        int count = 0;
        while (count < DICE && state.left[count]) count++;
        return count;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        moves[0] = ONLY;
        moves[1] = DOUBLE;
        switch (state.stage) {
        case MOVE: return steps(state.board, player, state.left, dice(state), moves);
        case ANSWER: return 2;
        case ROLL:
            return set[0] && state.cube < HIGHEST_CUBE && (state.owner == NOBODY || state.owner == player) ? 2 : 1;
        default: return 1;
        }
    }

    // A player's turn to use the dice, passed if none can be used.
    static void ready(State &state, int player, int one, int two) {
        int16_t left[DICE] = {(int16_t)(one > two ? one : two), (int16_t)(one > two ? two : one), 0, 0};
        if (one == two) left[2] = left[3] = left[0];
        use(state, player, left, one == two ? 4 : 2);
    }

    static void use(State &state, int player, const int16_t *left, int count) {
        memset(state.left, 0, sizeof(state.left));
        state.stage = ROLL;
        state.mover = (int16_t)(1 - player);
        if (!count || !longest(state.board, player, left, count)) return;
        memcpy(state.left, left, sizeof(int16_t) * (size_t)count);
        state.stage = MOVE;
        state.mover = (int16_t)player;
    }

    static twin::End finish(int winner, int stake, double *values) {
        values[winner] = stake;
        values[1 - winner] = -stake;
        return twin::POINTS;
    }

    static twin::End play(twin::Numbers, State &state, const int32_t *chosen, twin::Random &random, double *values) {
        int mover = state.mover, choice = chosen[mover];
        if (state.stage == MOVE) return move(state, mover, choice, values);
        if (state.stage == ANSWER) {
            if (choice == DROP) return finish(1 - mover, state.cube, values);
            state.cube = (int16_t)(2 * state.cube);
            state.owner = (int16_t)mover;
            state.stage = THROW;
            state.mover = (int16_t)(1 - mover);
            return twin::GOING;
        }
        if (state.stage == ROLL && choice == DOUBLE) {
            state.stage = ANSWER;
            state.mover = (int16_t)(1 - mover);
            return twin::GOING;
        }
        int one = random.die(6), two = random.die(6);
        if (state.stage == OPENING && one == two) return twin::GOING;
        ready(state, state.stage == OPENING ? one < two : mover, one, two);
        return twin::GOING;
    }

    static twin::End move(State &state, int mover, int choice, double *values) {
        int16_t rest[DICE];
        int count = dice(state), die = choice % BASE, at = 0;
        while (state.left[at] != die) at++;
        step(state.board, mover, choice / BASE, die);
        use(state, mover, rest, remove(state.left, count, at, rest));
        if (state.board.at[mover][OFF] < CHECKERS) return twin::GOING;
        const int16_t *other = state.board.at[1 - mover];
        int behind = 0;
        for (int place = FAR; place <= BAR; place++) behind += other[place];
        return finish(mover, state.cube * (other[OFF] ? 1 : behind ? 3 : 2), values);
    }
};

LUDENS_TWIN(Backgammon)
