// Deck Duel: both choose a deck, then fight with what they draw.
#include "twin.hpp"

struct DeckDuel {
    enum Setting { DECK, HEALTH, FIRST, CARDS };  // from CARDS on, the properties of each kind
    enum Property { COST, ATTACK, LIFE, GUARD, SWIFT, RANGED, HEALS, DAMAGE, STORM, DRAWS, PROPERTIES };
    enum Stage { CHOOSE, SHUFFLE, TURN };
    static constexpr int PLAYERS = 2, MOVES = 128, KINDS = 10, MOST_DECK = 20, MOST_CREATURES = 5, MOST_MANA = 6;
    static constexpr int TARGETS = 8, HERO = 7, ATTACKS = 128, MIX = 1000, END = 1001, FIRST_HAND = 3;

    struct Creature {
        int16_t kind, ready, damage;
    };

    struct Side {
        int16_t health, turn, fatigue, pool[KINDS], hand[KINDS], size, deck[MOST_DECK], count;
        Creature field[MOST_CREATURES];
    };

    struct State {
        int16_t stage, mover, mana;
        Side side[2];
    };

    static int players(twin::Numbers) { return 2; }

    static int of(twin::Numbers set, int kind, Property property) { return set[CARDS + PROPERTIES * kind + property]; }

    static unsigned actors(twin::Numbers, const State &state) { return state.stage == CHOOSE ? 3 : 1u << state.mover; }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        const Side &own = state.side[player], &other = state.side[1 - player];
        int count = 0;
        if (state.stage == CHOOSE) {
            for (int kind = 0; kind < KINDS; kind++)
                if (own.pool[kind]) moves[count++] = kind;
            return count;
        }
        if (state.stage == SHUFFLE) {
            moves[0] = MIX;
            return 1;
        }
        for (int kind = 0; kind < KINDS; kind++) {
            if (!own.hand[kind] || of(set, kind, COST) > state.mana) continue;
            if (of(set, kind, LIFE) && own.count == MOST_CREATURES) continue;
            if (!of(set, kind, DAMAGE)) {
                moves[count++] = kind * TARGETS;
                continue;
            }
            for (int target = 0; target < other.count; target++) moves[count++] = kind * TARGETS + target + 1;
            moves[count++] = kind * TARGETS + HERO;
        }
        bool guarded = false;
        for (int target = 0; target < other.count; target++) guarded |= of(set, other.field[target].kind, GUARD) != 0;
        for (int number = 0; number < own.count; number++) {
            if (!own.field[number].ready) continue;
            int attack = ATTACKS + TARGETS * (number + 1);
            for (int target = 0; target < other.count; target++)
                if (!guarded || of(set, other.field[target].kind, GUARD)) moves[count++] = attack + target + 1;
            if (!guarded) moves[count++] = attack + HERO;
        }
        moves[count++] = END;
        return count;
    }

    static void draw(Side &side, int count) {
        for (; count && side.size; count--) {
            int16_t &card = side.deck[--side.size];
            side.hand[card]++;
            card = 0;
        }
        for (; count; count--) side.health = (int16_t)(side.health - ++side.fatigue);
    }

    static void begin(State &state, int player) {
        Side &side = state.side[player];
        side.turn++;
        state.mana = side.turn < MOST_MANA ? side.turn : MOST_MANA;
        draw(side, 1);
        for (int number = 0; number < side.count; number++) side.field[number].ready = 1;
        state.mover = (int16_t)player;
        state.stage = TURN;
    }

    // Damages a creature, which may fall, or the hero.
    static void hurt(twin::Numbers set, Side &side, int target, int damage) {
        if (target == HERO) {
            side.health = (int16_t)(side.health - damage);
            return;
        }
        Creature &creature = side.field[target - 1];
        creature.damage = (int16_t)(creature.damage + damage);
        if (creature.damage < of(set, creature.kind, LIFE)) return;
        memmove(&creature, &creature + 1, sizeof(Creature) * (size_t)(side.count - target));
        side.field[--side.count] = Creature{0, 0, 0};
    }

    static void play_card(twin::Numbers set, State &state, int kind, int target) {
        Side &own = state.side[state.mover], &other = state.side[1 - state.mover];
        state.mana = (int16_t)(state.mana - of(set, kind, COST));
        own.hand[kind]--;
        if (of(set, kind, LIFE)) own.field[own.count++] = Creature{(int16_t)kind, (int16_t)of(set, kind, SWIFT), 0};
        int healed = own.health + of(set, kind, HEALS);
        if (of(set, kind, HEALS)) own.health = (int16_t)(healed < set[HEALTH] ? healed : set[HEALTH]);
        if (of(set, kind, DAMAGE)) hurt(set, other, target, of(set, kind, DAMAGE));
        if (of(set, kind, STORM))
            for (int number = other.count; number; number--) hurt(set, other, number, of(set, kind, STORM));
        draw(own, of(set, kind, DRAWS));
    }

    static void strike(twin::Numbers set, State &state, int number, int target) {
        Side &own = state.side[state.mover], &other = state.side[1 - state.mover];
        int kind = own.field[number - 1].kind, back = target == HERO ? 0 : of(set, other.field[target - 1].kind, ATTACK);
        own.field[number - 1].ready = 0;
        hurt(set, other, target, of(set, kind, ATTACK));
        if (target != HERO && !of(set, kind, RANGED)) hurt(set, own, number, back);
    }

    static void choose(twin::Numbers set, State &state, const int32_t *chosen) {
        for (int player = 0; player < 2; player++) {
            Side &side = state.side[player];
            side.pool[chosen[player]]--;
            side.deck[side.size++] = (int16_t)chosen[player];
        }
        if (state.side[0].size == set[DECK]) {
            state.stage = SHUFFLE;
            state.mover = (int16_t)set[FIRST];
        }
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        if (state.stage == CHOOSE) {
            choose(set, state, chosen);
            return twin::GOING;
        }
        int move = chosen[state.mover];
        if (move == MIX) {
            for (Side &side : state.side) random.shuffle(side.deck, side.size);
            for (Side &side : state.side) draw(side, FIRST_HAND);
            begin(state, set[FIRST]);
        } else if (move == END) {
            begin(state, 1 - state.mover);
        } else if (move >= ATTACKS) {
            strike(set, state, move / TARGETS - ATTACKS / TARGETS, move % TARGETS);
        } else {
            play_card(set, state, move / TARGETS, move % TARGETS);
        }
        unsigned standing = (state.side[0].health > 0 ? 1u : 0u) | (state.side[1].health > 0 ? 2u : 0u);
        return standing == 3 ? twin::GOING : standing ? twin::winners(values, 2, standing) : twin::draw(values, 2);
    }
};

LUDENS_TWIN(DeckDuel)
