// Mah-Jong: sets from a wall of tiles; claims on a discard have priorities. Kinds of tiles are numbered: three suits of
// nine, four winds, three dragons.
#include "twin.hpp"

struct MahJong {
    enum Setting { LEAST, PREVAILING };
    enum Stage { TURN, CLAIM, ROB };
    enum Sort { CHOW, PUNG, KONG };
    enum Move { MELD = 40, ADD = 80, HU = 120, PASS, TAKE_PUNG, TAKE_KONG, TAKE_CHOW = 130 };
    static constexpr int PLAYERS = 4, MOVES = 64, KINDS = 34, WALL = 136, DEAD = 15, SETS = 4, LIMIT = 8, NOTHING = -1;
    static constexpr int FIRST_WIND = 27, FIRST_DRAGON = 31;

    struct Meld {
        int16_t sort, kind, is_open;
    };

    struct Hand {
        int16_t tiles[KINDS], count;
        Meld melds[SETS];
    };

    struct State {
        int16_t stage, seat, tile, drawn, replaced, wall_size, wall[WALL], dead_size, dead[DEAD];
        Hand hand[PLAYERS];
    };

    static int players(twin::Numbers) { return PLAYERS; }

    static unsigned actors(twin::Numbers, const State &state) {
        return state.stage == TURN ? 1u << state.seat : 15u & ~(1u << state.seat);
    }

    static bool is_suited(int kind) { return kind < FIRST_WIND; }

    static bool is_orphan(int kind) { return !is_suited(kind) || kind % 9 == 0 || kind % 9 == 8; }

    // --- Complete hands, and their value

    struct Value {
        const Hand &hand;
        int wind, prevailing, best;
        Meld found[SETS];
        int16_t left[KINDS];

        int sets_worth(int pair, int concealed) const {
            int pungs = 0, worth = 0, dragons = 0, winds = 0;
            for (int n = 0; n < SETS; n++) {
                const Meld &meld = n < concealed ? found[n] : hand.melds[n - concealed];
                if (meld.sort == CHOW) continue;
                pungs++;
                dragons += meld.kind >= FIRST_DRAGON;
                winds += meld.kind >= FIRST_WIND && meld.kind < FIRST_DRAGON;
                worth += (meld.kind >= FIRST_DRAGON) + (meld.kind == FIRST_WIND + wind);
                worth += meld.kind == FIRST_WIND + prevailing;
            }
            worth += pungs == SETS ? 3 : !pungs && is_suited(pair) ? 1 : 0;
            bool is_wind = pair >= FIRST_WIND && pair < FIRST_DRAGON;
            if (dragons == 3 || winds == 4 || (winds == 3 && is_wind)) return LIMIT;
            return worth + (dragons == 2 && pair >= FIRST_DRAGON ? 3 : 0);
        }

        // All ways to split what is left into sets.
        void split(int pair, int concealed, int start) {
            int kind = start;
            while (kind < KINDS && !left[kind]) kind++;
            if (kind == KINDS) {
                int worth = sets_worth(pair, concealed);
                if (worth > best) best = worth;
                return;
            }
            if (left[kind] >= 3) {
                left[kind] = (int16_t)(left[kind] - 3);
                found[concealed] = Meld{PUNG, (int16_t)kind, 0};
                split(pair, concealed + 1, kind);
                left[kind] = (int16_t)(left[kind] + 3);
            }
            if (is_suited(kind) && kind % 9 < 7 && left[kind + 1] && left[kind + 2]) {
                for (int tile = kind; tile < kind + 3; tile++) left[tile]--;
                found[concealed] = Meld{CHOW, (int16_t)kind, 0};
                split(pair, concealed + 1, kind);
                for (int tile = kind; tile < kind + 3; tile++) left[tile]++;
            }
        }
    };

    // Six for one suit alone, three for one suit and honours, and for honours alone the limit.
    static int purity(const Hand &hand, const int16_t *tiles) {
        unsigned suits = 0;
        for (int kind = 0; kind < KINDS; kind++)
            if (tiles[kind]) suits |= 1u << kind / 9;
        for (int n = 0; n < hand.count; n++) suits |= 1u << hand.melds[n].kind / 9;
        unsigned plain = suits & 7;
        if (!plain) return LIMIT;
        return plain & (plain - 1) ? 0 : suits & 8 ? 3 : 6;
    }

    // The value of a hand with a tile that it could claim; NOTHING if it is not complete or worth too little.
    static int worth(twin::Numbers set, const State &state, int player, int extra) {
        const Hand &hand = state.hand[player];
        Value value{hand, player, set[PREVAILING], NOTHING, {}, {}};
        int total = 0, pairs = 0, orphans = 0, kinds = 0, best = NOTHING;
        memcpy(value.left, hand.tiles, sizeof(value.left));
        if (extra != NOTHING) value.left[extra]++;
        for (int kind = 0; kind < KINDS; kind++) {
            int count = value.left[kind];
            total += count;
            pairs += count == 2;
            if (is_orphan(kind)) {
                orphans += count;
                kinds += count > 0;
            }
        }
        int common = purity(hand, value.left) + (state.wall_size == 0) + (state.stage == ROB);
        common += extra == NOTHING ? 1 + (state.replaced != 0) : 0;
        bool is_open = false;
        for (int n = 0; n < hand.count; n++) is_open |= hand.melds[n].is_open != 0;
        common += !is_open;
        if (!hand.count && total == 14 && orphans == 14 && kinds == 13) return LIMIT;
        if (!hand.count && pairs == 7) best = common + 4;
        if (total == 3 * (SETS - hand.count) + 2 && may_split(value.left))
            for (int pair = 0; pair < KINDS; pair++) {
                if (value.left[pair] < 2) continue;
                value.left[pair] = (int16_t)(value.left[pair] - 2);
                value.split(pair, 0, 0);
                value.left[pair] = (int16_t)(value.left[pair] + 2);
            }
        if (value.best != NOTHING && common + value.best > best) best = common + value.best;
        if (best > LIMIT) best = LIMIT;
        return best >= set[LEAST] ? best : NOTHING;
    }

    // False if a suit or honour has one or four tiles too many.
    static bool may_split(const int16_t *tiles) {
        for (int first = 0; first < FIRST_WIND; first += 9) {
            int count = 0;
            for (int kind = first; kind < first + 9; kind++) count += tiles[kind];
            if (count % 3 == 1) return false;
        }
        for (int kind = FIRST_WIND; kind < KINDS; kind++)
            if (tiles[kind] % 3 == 1) return false;
        return true;
    }

    // --- Choices

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        if (state.stage == TURN) return turn(set, state, player, moves);
        const int16_t *tiles = state.hand[player].tiles;
        int count = 0, kind = state.tile;
        moves[count++] = PASS;
        if (worth(set, state, player, kind) != NOTHING) moves[count++] = HU;
        if (state.stage == ROB) return count;
        if (tiles[kind] >= 2) moves[count++] = TAKE_PUNG;
        if (tiles[kind] == 3 && state.wall_size) moves[count++] = TAKE_KONG;
        if ((state.seat + 1) % PLAYERS == player && is_suited(kind))
            for (int lowest = 0; lowest < 3; lowest++) {
                int first = kind - lowest;
                if (first / 9 != kind / 9 || first < 0 || first % 9 > 6) continue;
                bool has_all = true;
                for (int one = first; one < first + 3; one++) has_all &= one == kind || tiles[one];
                if (has_all) moves[count++] = TAKE_CHOW + lowest;
            }
        return count;
    }

    static int turn(twin::Numbers set, const State &state, int player, int32_t *moves) {
        const Hand &hand = state.hand[player];
        int count = 0;
        for (int kind = 0; kind < KINDS; kind++)
            if (hand.tiles[kind]) moves[count++] = kind;
        if (!state.drawn) return count;
        for (int kind = 0; kind < KINDS && state.wall_size; kind++) {
            bool has_pung = false;
            for (int n = 0; n < hand.count; n++) has_pung |= hand.melds[n].sort == PUNG && hand.melds[n].kind == kind;
            if (hand.tiles[kind] == 4) moves[count++] = MELD + kind;
            else if (hand.tiles[kind] && has_pung) moves[count++] = ADD + kind;
        }
        if (worth(set, state, player, NOTHING) != NOTHING) moves[count++] = HU;
        return count;
    }

    // --- What they do

    static void begin(State &state, int player, bool drawn, bool replaced) {
        state.stage = TURN;
        state.seat = (int16_t)player;
        state.tile = NOTHING;
        state.drawn = drawn;
        state.replaced = replaced;
    }

    // Takes a tile from the wall; false if there is none.
    static bool draw(State &state, int player) {
        if (!state.wall_size) return false;
        int16_t &top = state.wall[--state.wall_size];
        state.hand[player].tiles[top]++;
        top = 0;
        begin(state, player, true, false);
        return true;
    }

    // Takes a tile from the dead wall, which is refilled from the other end of the wall.
    static void replace(State &state, int player) {
        int16_t first = state.wall[0];
        state.hand[player].tiles[state.dead[state.dead_size - 1]]++;
        state.dead[state.dead_size - 1] = first;
        memmove(state.wall, state.wall + 1, sizeof(int16_t) * (size_t)(state.wall_size - 1));
        state.wall[--state.wall_size] = 0;
        begin(state, player, true, true);
    }

    static void meld(State &state, int player, Sort sort, int kind, bool is_open) {
        Hand &hand = state.hand[player];
        hand.melds[hand.count++] = Meld{(int16_t)sort, (int16_t)kind, (int16_t)is_open};
    }

    static void take(State &state, int player, int move) {
        int16_t *tiles = state.hand[player].tiles;
        int kind = state.tile;
        if (move >= TAKE_CHOW) {
            int first = kind - (move - TAKE_CHOW);
            for (int one = first; one < first + 3; one++) tiles[one] = (int16_t)(tiles[one] - (one != kind));
            meld(state, player, CHOW, first, true);
        } else {
            tiles[kind] = (int16_t)(tiles[kind] - (move == TAKE_KONG ? 3 : 2));
            meld(state, player, move == TAKE_KONG ? KONG : PUNG, kind, true);
        }
        begin(state, player, false, false);
        if (move == TAKE_KONG) replace(state, player);
    }

    static twin::End win(twin::Numbers set, const State &state, int player, double *values) {
        bool is_claimed = state.stage != TURN;
        int value = 1 << worth(set, state, player, is_claimed ? state.tile : NOTHING), sum = 0;
        for (int other = 0; other < PLAYERS; other++) {
            if (other == player) continue;
            values[other] = -value * (!is_claimed || other == state.seat ? 2 : 1);
            sum -= (int)values[other];
        }
        values[player] = sum;
        return twin::POINTS;
    }

    // Hu has priority over pung and kong, these over chow; ties go to the next player after the discarder.
    static int fastest(const State &state, const int32_t *chosen) {
        int best = NOTHING, most = 0;
        for (int player = 0; player < PLAYERS; player++) {
            int move = chosen[player];
            if (move == twin::NONE) continue;
            int rank = move == HU ? 3 : move == PASS ? 0 : move >= TAKE_CHOW ? 1 : 2;
            int priority = rank * PLAYERS - (player - state.seat + PLAYERS) % PLAYERS;
            if (best == NOTHING || priority > most) {
                best = player;
                most = priority;
            }
        }
        return best;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int seat = state.seat, player = fastest(state, chosen), move = chosen[player];
        Hand &hand = state.hand[player];
        if (move == HU) return win(set, state, player, values);
        if (state.stage == TURN) {
            if (move >= ADD || move < MELD) {
                int kind = move >= ADD ? move - ADD : move;
                hand.tiles[kind]--;
                state.tile = (int16_t)kind;
                state.stage = move >= ADD ? ROB : CLAIM;
            } else {
                hand.tiles[move - MELD] = 0;
                meld(state, player, KONG, move - MELD, false);
                replace(state, player);
            }
        } else if (state.stage == ROB) {
            Hand &own = state.hand[seat];
            for (Meld &one : own.melds)
                if (one.sort == PUNG && one.kind == state.tile && one.is_open) one.sort = KONG;
            replace(state, seat);
        } else if (move != PASS) {
            take(state, player, move);
        } else if (!draw(state, (seat + 1) % PLAYERS)) {
            for (int other = 0; other < PLAYERS; other++) values[other] = 0;
            return twin::POINTS;
        }
        return twin::GOING;
    }

    // Two for each set, one for each pair and for two tiles of a chow.
    static void leads(twin::Numbers, const State &state, double *values) {
        for (int player = 0; player < PLAYERS; player++) {
            int16_t left[KINDS];
            int sets = state.hand[player].count, parts = 0;
            memcpy(left, state.hand[player].tiles, sizeof(left));
            for (int kind = 0; kind < KINDS; kind++) {
                if (left[kind] >= 3) {
                    left[kind] = (int16_t)(left[kind] - 3);
                    sets++;
                }
                while (is_suited(kind) && kind % 9 < 7 && left[kind] && left[kind + 1] && left[kind + 2]) {
                    for (int tile = kind; tile < kind + 3; tile++) left[tile]--;
                    sets++;
                }
            }
            for (int kind = 0; kind < KINDS; kind++) parts += left[kind] == 2;
            for (int kind = 0; kind < FIRST_WIND; kind++)
                for (int other = kind + 1; other < kind + 3; other++)
                    if (kind / 9 == other / 9 && left[kind] == 1 && left[other] == 1) {
                        left[kind] = left[other] = 0;
                        parts++;
                    }
            int most = SETS + 1 - sets;
            values[player] = 2 * sets + (parts < most ? parts : most);
        }
    }
};

LUDENS_TWIN(MahJong)
