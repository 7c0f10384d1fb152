// Totem: cards are turned one by one, and the first to see a match grabs.
#include "twin.hpp"

struct Totem {
    enum Setting { COUNT, TURNS, CARDS };  // from CARDS on, the shape and the colour of each card
    enum Stage { TURN, REACT };
    enum Move { FLIP, WAIT, GRAB };
    enum Shape { COLOUR = 100, INWARD, OUTWARD };  // lower numbers are plain shapes
    static constexpr int PLAYERS = 8, MOVES = 2, MOST_CARDS = 70, NOBODY = -1;
    static constexpr double SPREAD = 8;

    struct Pile {
        int16_t size, cards[MOST_CARDS];

        int top() const { return cards[size - 1]; }

        void add(int card) { cards[size++] = (int16_t)card; }

        int pop() {
            int card = cards[--size];
            cards[size] = 0;
            return card;
        }

        void add_all(Pile &other) {
            for (int n = 0; n < other.size; n++) add(other.cards[n]);
            other.clear();
        }

        void clear() {
            memset(cards, 0, sizeof(int16_t) * (size_t)size);
            size = 0;
        }
    };

    struct State {
        int16_t stage, mover, turn, by_colour, turned;
        Pile pot, stack[PLAYERS], pile[PLAYERS];
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static int shape(twin::Numbers set, int card) { return set[CARDS + 2 * card]; }

    static unsigned actors(twin::Numbers set, const State &state) {
        return state.stage == REACT ? (1u << set[COUNT]) - 1 : 1u << state.mover;
    }

    static int moves(twin::Numbers, const State &state, int, int32_t *moves) {
        moves[0] = state.stage == REACT ? WAIT : FLIP;
        moves[1] = GRAB;
        return state.stage == REACT ? 2 : 1;
    }

    static void flip(twin::Numbers set, State &state) {
        int player = state.mover, card = state.stack[player].pop();
        state.pile[player].add(card);
        state.turn++;
        state.turned = (int16_t)player;
        state.stage = REACT;
        state.mover = 0;  // all may act
        if (shape(set, card) == COLOUR) state.by_colour = 1;
        if (shape(set, card) == OUTWARD)
            for (int other = 0; other < set[COUNT]; other++)
                if (state.stack[other].size) state.pile[other].add(state.stack[other].pop());
    }

    // The turn of the first player from here on who has cards to turn.
    static void next_turn(twin::Numbers set, State &state, int first) {
        state.stage = TURN;
        state.mover = (int16_t)first;
        for (int steps = 0; steps < set[COUNT]; steps++) {
            int player = (first + steps) % set[COUNT];
            if (!state.stack[player].size) continue;
            state.mover = (int16_t)player;
            return;
        }
    }

    static void go_on(twin::Numbers set, State &state) { next_turn(set, state, (state.turned + 1) % set[COUNT]); }

    static int rivals(twin::Numbers set, const State &state, int player, int *found) {
        int count = 0, what = state.by_colour ? 1 : 0;
        if (!state.pile[player].size || shape(set, state.pile[player].top()) >= COLOUR) return 0;
        int own = set[CARDS + 2 * state.pile[player].top() + what];
        for (int other = 0; other < set[COUNT]; other++) {
            if (other == player || !state.pile[other].size) continue;
            int card = state.pile[other].top();
            if (shape(set, card) < COLOUR && set[CARDS + 2 * card + what] == own) found[count++] = other;
        }
        return count;
    }

    // Puts cards under a player's stack.
    static void take(State &state, int player, const Pile &cards) {
        Pile stack = cards;
        stack.add_all(state.stack[player]);
        state.stack[player] = stack;
    }

    static void grab(twin::Numbers set, State &state, int player) {
        int others[PLAYERS], count;
        const Pile &turned = state.pile[state.turned];
        if (turned.size && shape(set, turned.top()) == INWARD) {
            state.pot.add_all(state.pile[player]);
            state.turned = (int16_t)player;
            go_on(set, state);
            return;
        }
        count = rivals(set, state, player, others);
        Pile cards = {};
        if (count) {
            cards.add_all(state.pile[player]);
            cards.add_all(state.pot);
            for (int number = 0; number < count; number++) {
                Pile own = {};
                own.add_all(state.pile[others[number]]);
                for (int n = number; n < cards.size; n += count) own.add(cards.cards[n]);
                take(state, others[number], own);
            }
        } else {
            for (int other = 0; other < set[COUNT]; other++) cards.add_all(state.pile[other]);
            cards.add_all(state.pot);
            take(state, player, cards);
        }
        state.by_colour = 0;
        next_turn(set, state, count ? others[0] : player);
    }

    static void react(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random) {
        int fast[PLAYERS], count = 0;
        for (int player = 0; player < set[COUNT]; player++)
            if (chosen[player] == GRAB) fast[count++] = player;
        if (count) grab(set, state, fast[count > 1 ? random.below(count) : 0]);
        else go_on(set, state);
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        bool reacts = state.stage == REACT, can_turn = false;
        unsigned out = 0;
        if (reacts) react(set, state, chosen, random);
        else flip(set, state);
        for (int player = 0; player < set[COUNT]; player++) {
            can_turn |= state.stack[player].size > 0;
            out |= (unsigned)(state.stack[player].size + state.pile[player].size == 0) << player;
        }
        if (out) return twin::winners(values, set[COUNT], out);
        if (!reacts || (can_turn && state.turn < set[TURNS])) return twin::GOING;
        for (int player = 0; player < set[COUNT]; player++)
            values[player] = -(state.stack[player].size + state.pile[player].size);
        return twin::POINTS;
    }

    static void leads(twin::Numbers set, const State &state, double *values) {
        for (int player = 0; player < set[COUNT]; player++)
            values[player] = -(state.stack[player].size + state.pile[player].size) / SPREAD;
    }
};

LUDENS_TWIN(Totem)
