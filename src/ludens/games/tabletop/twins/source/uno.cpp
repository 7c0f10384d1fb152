// Uno with jump-in, and challenges as an option.
#include "twin.hpp"

struct Uno {
    enum Setting { COUNT, JUMPS, MUST_PLAY, CHALLENGES };
    enum Stage { TURN, ANSWER };
    enum Move { DRAW = 1000, KEEP, JUMP, WAIT, ACCEPT, CHALLENGE };
    // Kinds of cards are colour * FACES + face, and two wild ones.
    static constexpr int PLAYERS = 10, MOVES = 64, CARDS = 108, COLOURS = 4, FACES = 13, KINDS = 54;
    static constexpr int DRAW_TWO = 10, SKIP = 11, REVERSE = 12, WILD = 52, WILD_FOUR = 53, LOST = 6;
    static constexpr double SPREAD = 3;

    struct State {
        int16_t mover, stage, colour, step, drawn, fresh, before, by;
        int16_t deck_size, pile_size, deck[CARDS], pile[CARDS], hand[PLAYERS][KINDS];
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static int colour_of(int kind) { return kind < WILD ? kind / FACES : COLOURS; }

    static int face_of(int kind) { return kind < WILD ? kind % FACES : kind; }

    static int drawn_by(int kind) { return face_of(kind) == DRAW_TWO ? 2 : kind == WILD_FOUR ? 4 : 0; }

    static int top(const State &state) { return state.pile[state.pile_size - 1]; }

    static int size(const State &state, int player) {
        int count = 0;
        for (int kind = 0; kind < KINDS; kind++) count += state.hand[player][kind];
        return count;
    }

    static bool has_colour(const State &state, int player, int colour) {
        for (int face = 0; face < FACES; face++)
            if (state.hand[player][colour * FACES + face]) return true;
        return false;
    }

    static bool may_jump(const State &state, int player) {
        return top(state) < WILD && state.hand[player][top(state)];
    }

    static unsigned actors(twin::Numbers set, const State &state) {
        unsigned found = 1u << state.mover;
        if (state.stage == TURN && set[JUMPS])
            for (int player = 0; player < set[COUNT]; player++)
                if (player != state.mover && may_jump(state, player)) found |= 1u << player;
        return found;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        if (state.stage == ANSWER) {
            moves[0] = ACCEPT;
            moves[1] = CHALLENGE;
            return 2;
        }
        if (player != state.mover) {
            moves[0] = JUMP;
            moves[1] = WAIT;
            return 2;
        }
        const int16_t *hand = state.hand[player];
        int count = 0, face = face_of(top(state));
        for (int kind = 0; kind < WILD; kind++)
            if (hand[kind] && (!state.drawn || kind == state.fresh))
                if (kind / FACES == state.colour || kind % FACES == face) moves[count++] = kind * COLOURS;
        for (int kind = WILD; kind < KINDS; kind++) {
            if (!hand[kind] || (state.drawn && kind != state.fresh)) continue;
            if (kind == WILD_FOUR && !set[CHALLENGES] && has_colour(state, player, state.colour)) continue;
            for (int wanted = 0; wanted < COLOURS; wanted++) moves[count++] = kind * COLOURS + wanted;
        }
        if (state.drawn) moves[count++] = KEEP;
        else if (!count || !set[MUST_PLAY]) moves[count++] = state.deck_size || state.pile_size > 1 ? DRAW : KEEP;
        return count;
    }

    // The pile except its top is shuffled into a deck that has fewer cards than needed.
    static void refill(State &state, int needed, twin::Random &random) {
        if (state.deck_size >= needed || state.pile_size < 2) return;
        int below = state.pile_size - 1;
        memcpy(state.deck + state.deck_size, state.pile, sizeof(int16_t) * (size_t)below);
        state.deck_size = (int16_t)(state.deck_size + below);
        state.pile[0] = state.pile[below];
        memset(state.pile + 1, 0, sizeof(int16_t) * (size_t)below);
        state.pile_size = 1;
        random.shuffle(state.deck, state.deck_size);
    }

    static void draw(State &state, int player, int count) {
        for (; count && state.deck_size; count--) {
            int16_t &card = state.deck[--state.deck_size];
            state.hand[player][card]++;
            state.fresh = card;
            card = 0;
        }
        if (!state.drawn) state.fresh = 0;
    }

    static int seat(twin::Numbers set, int player, int steps) {
        int count = set[COUNT];
        return (player + steps % count + count) % count;
    }

    static void go_on(twin::Numbers set, State &state, int player, int seats) {
        state.mover = (int16_t)seat(set, player, seats * state.step);
        state.stage = TURN;
        state.drawn = state.fresh = state.before = state.by = 0;
    }

    static void play_card(twin::Numbers set, State &state, int player, int kind, int colour, twin::Random &random) {
        int seats = 1, drawn = drawn_by(kind), face = face_of(kind), held = size(state, player);
        refill(state, drawn, random);
        state.drawn = state.fresh = 0;
        state.hand[player][kind]--;
        state.pile[state.pile_size++] = (int16_t)kind;
        if (face == REVERSE) {
            state.step = (int16_t)-state.step;
            seats = set[COUNT] == 2 ? 2 : 1;
        } else if (face == SKIP || drawn) {
            seats = 2;
        }
        if (kind == WILD_FOUR && set[CHALLENGES] && held > 1) {
            state.before = state.colour;
            state.by = (int16_t)player;
            state.colour = (int16_t)colour;
            state.mover = (int16_t)seat(set, player, state.step);
            state.stage = ANSWER;
            return;
        }
        draw(state, seat(set, player, state.step), drawn);
        state.colour = (int16_t)colour;
        go_on(set, state, player, seats);
    }

    static void answer(twin::Numbers set, State &state, bool challenges, twin::Random &random) {
        int player = state.mover, by = state.by;
        refill(state, challenges ? LOST : 4, random);
        if (challenges && has_colour(state, by, state.before)) {
            draw(state, by, 4);
            go_on(set, state, player, 0);
        } else {
            draw(state, player, challenges ? LOST : 4);
            go_on(set, state, player, 1);
        }
    }

    // Of several players one is first; a card has priority over waiting.
    static int fastest(twin::Numbers set, const int32_t *chosen, twin::Random &random) {
        int players[PLAYERS], count = 0, waiting = 0;
        for (int player = 0; player < set[COUNT]; player++) {
            if (chosen[player] == twin::NONE) continue;
            if (chosen[player] == WAIT) waiting = player;
            else players[count++] = player;
        }
        return count ? players[count > 1 ? random.below(count) : 0] : waiting;
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        int player = fastest(set, chosen, random), move = chosen[player];
        switch (move) {
        case WAIT: return twin::GOING;
        case ACCEPT:
        case CHALLENGE: answer(set, state, move == CHALLENGE, random); break;
        case KEEP: go_on(set, state, player, 1); break;
        case DRAW:
            refill(state, 1, random);
            state.drawn = 1;
            draw(state, player, 1);
            break;
        case JUMP: play_card(set, state, player, top(state), colour_of(top(state)), random); break;
        default: {
            int kind = move / COLOURS;
            play_card(set, state, player, kind, kind < WILD ? kind / FACES : move % COLOURS, random);
        }
        }
        return size(state, player) ? twin::GOING : twin::winners(values, set[COUNT], 1u << player);
    }

    static void leads(twin::Numbers set, const State &state, double *values) {
        for (int player = 0; player < set[COUNT]; player++) values[player] = -size(state, player) / SPREAD;
    }
};

LUDENS_TWIN(Uno)
