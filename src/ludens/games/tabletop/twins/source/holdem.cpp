// Texas Hold'em: one hand or a session, with side pots.
#include "poker.hpp"
#include "twin.hpp"

struct Holdem {
    // From CARDS on, rank and suit of each card. MOST_BETS is 0 without limit; RISE 0 if blinds stay.
    enum Setting { COUNT, MOST_BETS, BLIND, HANDS, RISE, CARDS };
    enum Stage { BET, DEAL };
    enum Move { FOLD, CALL, NEXT, RAISE };  // from RAISE on, the total of a raise
    static constexpr int PLAYERS = 9, MOVES = 4100, DECK = 52, STREETS = 4, BOARD = 5;
    static constexpr int LAID[STREETS] = {0, 3, 1, 1};

    struct State {
        int16_t stage, mover, hand, street, raised, bets, high, folded, pot;
        int16_t seat_count, seats[PLAYERS], waiting, pending[PLAYERS];
        int16_t stacks[PLAYERS], chips[PLAYERS], bet[PLAYERS];
        int16_t deck_size, deck[DECK], hole[PLAYERS][2], laid, board[BOARD];
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static void add(int16_t &number, int amount) { number = (int16_t)(number + amount); }

    static int blind_of(twin::Numbers set, int hand) { return set[BLIND] << (set[RISE] ? hand / set[RISE] : 0); }

    static bool is_active(const State &state, int player) { return !(state.folded >> player & 1); }

    // The players who have not folded, from the small blind on.
    static int active(const State &state, int *found) {
        int count = 0;
        for (int seat = 0; seat < state.seat_count; seat++)
            if (is_active(state, state.seats[seat])) found[count++] = state.seats[seat];
        return count;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0, most = state.chips[player] + state.bet[player], others = 0;
        if (state.stage == DEAL) {
            moves[0] = NEXT;
            return 1;
        }
        if (state.high > state.bet[player]) moves[count++] = FOLD;
        moves[count++] = CALL;
        for (int seat = 0; seat < state.seat_count; seat++) {
            int other = state.seats[seat];
            others += other != player && is_active(state, other) && state.chips[other] > 0;
        }
        if (most <= state.high || !others) return count;
        if (set[MOST_BETS]) {
            int total = state.high + blind_of(set, state.hand) * (state.street < 2 ? 1 : 2);
            if (state.bets < set[MOST_BETS]) moves[count++] = RAISE + (total < most ? total : most);
            return count;
        }
        int least = state.high + state.raised;
        for (int total = least < most ? least : most; total <= most; total++) moves[count++] = RAISE + total;
        return count;
    }

    static void pay(State &state, int player, int amount) {
        add(state.chips[player], -amount);
        add(state.bet[player], amount);
    }

    static void collect(twin::Numbers set, State &state) {
        for (int player = 0; player < set[COUNT]; player++) {
            add(state.pot, state.bet[player]);
            state.bet[player] = 0;
        }
    }

    static int draw(State &state) {
        int card = state.deck[--state.deck_size];
        state.deck[state.deck_size] = 0;
        return card;
    }

    static void lay(State &state, int count) {
        for (; count; count--) state.board[state.laid++] = (int16_t)draw(state);
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        int player = state.mover, move = chosen[player], count = 0;
        int16_t pending[PLAYERS];
        if (state.stage == DEAL) return next_hand(set, state, random, values);
        if (move >= RAISE) {
            int total = move - RAISE, high = state.high, at = 0;
            while (state.seats[at] != player) at++;
            for (int steps = 1; steps < state.seat_count; steps++) {
                int other = state.seats[(at + steps) % state.seat_count];
                if (is_active(state, other) && state.chips[other] > 0) pending[count++] = (int16_t)other;
            }
            pay(state, player, total - state.bet[player]);
            state.high = (int16_t)total;
            if (total - high > state.raised) state.raised = (int16_t)(total - high);
            state.bets++;
        } else {
            for (int n = 1; n < state.waiting; n++)
                if (state.chips[state.pending[n]] > 0) pending[count++] = state.pending[n];
            int owed = state.high - state.bet[player];
            if (move == FOLD) state.folded = (int16_t)(state.folded | 1 << player);
            else if (owed > 0) pay(state, player, owed < state.chips[player] ? owed : state.chips[player]);
        }
        return go_on(set, state, pending, count, values);
    }

    static void wait_for(State &state, const int16_t *pending, int count) {
        memset(state.pending, 0, sizeof(state.pending));
        memcpy(state.pending, pending, sizeof(int16_t) * (size_t)count);
        state.waiting = (int16_t)count;
        if (count) state.mover = pending[0];
    }

    // The next player, the next street, or the end.
    static twin::End go_on(twin::Numbers set, State &state, const int16_t *pending, int waiting, double *values) {
        int left[PLAYERS], count = active(state, left), able = 0;
        int16_t turns[PLAYERS];
        if (count == 1) return settle(set, state, values);
        if (waiting) {
            wait_for(state, pending, waiting);
            return twin::GOING;
        }
        if (state.street == STREETS - 1) return settle(set, state, values);
        collect(set, state);
        for (int n = 0; n < count; n++)
            if (state.chips[left[n]] > 0) turns[able++] = (int16_t)left[n];
        if (able < 2) {
            lay(state, BOARD - state.laid);
            return settle(set, state, values);
        }
        if (state.seat_count == 2) {
            int16_t first = turns[0];
            turns[0] = turns[1];
            turns[1] = first;
        }
        state.street++;
        lay(state, LAID[state.street]);
        state.raised = (int16_t)blind_of(set, state.hand);
        state.bets = state.high = 0;
        wait_for(state, turns, able);
        return twin::GOING;
    }

    static void share_pots(twin::Numbers set, State &state, int *won) {
        int rivals[PLAYERS], count = active(state, rivals), paid[PLAYERS], below = 0, most = 0;
        uint32_t strengths[PLAYERS] = {};
        for (int player = 0; player < set[COUNT]; player++) paid[player] = state.stacks[player] - state.chips[player];
        for (int n = 0; n < count; n++) {
            if (count > 1) strengths[n] = strength(set, state, rivals[n]);
            if (paid[rivals[n]] > most) most = paid[rivals[n]];
        }
        while (below < most) {
            int level = most, size = 0, winners = 0;
            uint32_t best = 0;
            for (int n = 0; n < count; n++)
                if (paid[rivals[n]] > below && paid[rivals[n]] < level) level = paid[rivals[n]];
            for (int player = 0; player < set[COUNT]; player++) {
                int top = level == most || paid[player] < level ? paid[player] : level;  // the last pot takes the rest
                if (top > below) size += top - below;
            }
            for (int n = 0; n < count; n++)
                if (paid[rivals[n]] >= level && strengths[n] > best) best = strengths[n];
            for (int n = 0; n < count; n++) winners += paid[rivals[n]] >= level && strengths[n] == best;
            int odd = size % winners, share = size / winners;
            for (int n = 0; n < count; n++)
                if (paid[rivals[n]] >= level && strengths[n] == best) won[rivals[n]] += share + (odd-- > 0);
            below = level;
        }
    }

    static uint32_t strength(twin::Numbers set, const State &state, int player) {
        int ranks[BOARD + 2], suits[BOARD + 2], count = 0;
        auto add_card = [&](int card) {
            ranks[count] = set[CARDS + 2 * card];
            suits[count++] = set[CARDS + 2 * card + 1];
        };
        for (int16_t card : state.hole[player]) add_card(card);
        for (int n = 0; n < state.laid; n++) add_card(state.board[n]);
        return poker::strength(ranks, suits, count);
    }

    // The pots are paid; in a session the next hand follows.
    static twin::End settle(twin::Numbers set, State &state, double *values) {
        int won[PLAYERS] = {}, rich = 0, first = 0;
        share_pots(set, state, won);
        collect(set, state);
        for (int player = set[COUNT] - 1; player >= 0; player--) {
            add(state.chips[player], won[player]);
            add(state.pot, -won[player]);
            if (state.chips[player] > 0) {
                rich++;
                first = player;
            }
            values[player] = state.chips[player];
        }
        wait_for(state, nullptr, 0);
        if (state.hand + 1 == set[HANDS] || rich == 1) return twin::POINTS;
        state.stage = DEAL;
        state.mover = (int16_t)first;
        return twin::GOING;
    }

    static void gather(State &state) {
        state.deck_size = DECK;
        for (int card = 0; card < DECK; card++) state.deck[card] = (int16_t)card;
        memset(state.hole, 0, sizeof(state.hole));
        memset(state.board, 0, sizeof(state.board));
        memset(state.seats, 0, sizeof(state.seats));
        state.laid = 0;
    }

    static twin::End next_hand(twin::Numbers set, State &state, twin::Random &random, double *values) {
        int first = state.seats[0] + 1, count = 0, players = set[COUNT], turning = 0, paid[PLAYERS] = {};
        int16_t turns[PLAYERS];
        gather(state);
        random.shuffle(state.deck, DECK);
        for (int steps = 0; steps < players; steps++) {
            int player = (first + steps) % players;
            if (state.chips[player] > 0) state.seats[count++] = (int16_t)player;
        }
        state.seat_count = (int16_t)count;
        state.hand++;
        memcpy(state.stacks, state.chips, sizeof(state.stacks));
        for (int n = 0; n < 2 * count; n++) state.hole[state.seats[n % count]][n / count] = (int16_t)draw(state);
        int blind = blind_of(set, state.hand), small = state.seats[0], big = state.seats[1];
        paid[small] = blind / 2 < state.chips[small] ? blind / 2 : state.chips[small];
        paid[big] = blind < state.chips[big] ? blind : state.chips[big];
        for (int n = 0; n < count; n++) {
            int player = state.seats[(n + 2) % count];
            if (paid[player] < state.chips[player]) turns[turning++] = (int16_t)player;
        }
        if (turning == 1 && turns[0] == big && paid[small] <= paid[big]) turning = 0;  // nothing to answer
        pay(state, small, paid[small]);
        pay(state, big, paid[big]);
        state.stage = BET;
        state.street = state.folded = 0;
        state.bets = 1;
        state.raised = state.high = (int16_t)blind;
        state.mover = (int16_t)small;
        wait_for(state, turns, turning);
        if (turning) return twin::GOING;
        lay(state, BOARD);
        return settle(set, state, values);
    }
};

LUDENS_TWIN(Holdem)

// How strong some cards are, for the comparison with ludens.tabletop.poker.
extern "C" int64_t ludens_poker_strength(const int32_t *ranks, const int32_t *suits, int64_t count) {
    return poker::strength(ranks, suits, (int)count);
}
