// Chinese Poker: four players arrange thirteen cards into three rows.
#include "poker.hpp"
#include "twin.hpp"

struct ChinesePoker {
    enum Setting { SCOOP, CARDS };  // from CARDS on, rank and suit of each card
    static constexpr int PLAYERS = 4, MOVES = 3, ROWS = 3, DECK = 52, REST = ROWS, NOBODY = -1;
    static constexpr int SIZE[ROWS] = {3, 5, 5};

    struct State {
        int16_t owner[DECK], row[DECK];  // rows from 1 on; 0 for the hand
    };

    static int players(twin::Numbers) { return PLAYERS; }

    static unsigned actors(twin::Numbers, const State &) { return (1u << PLAYERS) - 1; }

    static int moves(twin::Numbers, const State &state, int player, int32_t *moves) {
        int size[ROWS + 1] = {}, count = 0;
        for (int card = 0; card < DECK; card++)
            if (state.owner[card] == player) size[state.row[card]]++;
        for (int row = 0; row < ROWS; row++)
            if (size[row + 1] < SIZE[row]) moves[count++] = row;
        if (count == 1) moves[0] += REST;
        return count;
    }

    static void put(State &state, int player, int move) {
        for (int card = DECK - 1; card >= 0; card--) {
            if (state.owner[card] != player || state.row[card]) continue;
            state.row[card] = (int16_t)(1 + move % REST);
            if (move < REST) return;
        }
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        bool is_left = false;
        for (int player = 0; player < PLAYERS; player++)
            if (chosen[player] != twin::NONE) put(state, player, chosen[player]);
        for (int card = 0; card < DECK; card++) is_left |= !state.row[card];
        if (is_left) return twin::GOING;
        uint32_t hands[PLAYERS][ROWS];
        for (int player = 0; player < PLAYERS; player++)
            for (int row = 0; row < ROWS; row++) hands[player][row] = strength(set, state, player, row);
        for (int player = 0; player < PLAYERS; player++) {
            values[player] = 0;
            for (int other = 0; other < PLAYERS; other++)
                if (other != player) values[player] += compare(set, hands[player], hands[other]);
        }
        return twin::POINTS;
    }

    static uint32_t strength(twin::Numbers set, const State &state, int player, int row) {
        int ranks[DECK], suits[DECK], count = 0;
        for (int card = 0; card < DECK; card++) {
            if (state.owner[card] != player || state.row[card] != row + 1) continue;
            ranks[count] = set[CARDS + 2 * card];
            suits[count++] = set[CARDS + 2 * card + 1];
        }
        return poker::strength(ranks, suits, count);
    }

    static bool is_foul(const uint32_t *rows) { return rows[0] > rows[1] || rows[1] > rows[2]; }

    static int compare(twin::Numbers set, const uint32_t *own, const uint32_t *other) {
        int bonus = set[SCOOP], rows = 0;
        if (is_foul(own) || is_foul(other)) return (is_foul(other) - is_foul(own)) * (ROWS + bonus);
        for (int row = 0; row < ROWS; row++) rows += (own[row] > other[row]) - (own[row] < other[row]);
        return rows == ROWS ? rows + bonus : rows == -ROWS ? rows - bonus : rows;
    }
};

LUDENS_TWIN(ChinesePoker)
