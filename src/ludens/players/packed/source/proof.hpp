// Depth-first proofs for two players who move in turns and whose goals have a constant sum: is the first player's goal
// at least so high? Every test is alpha-beta with a null window; results are kept in a table as bounds.
//
// All children of a node are computed at once, and then all their children: so a win at the next move, and moves that
// allow one to the opponent, cost two calls of the rules.
#pragma once
#include "rules.hpp"

enum Answer : Integer { NO, YES, STOPPED };
enum Failure : Integer { NONE, SIMULTANEOUS, NO_TOTAL, STUCK, TOO_DEEP };

struct Slot {
    Word key;
    uint8_t low, high;  // bounds, as numbers of goals
    uint16_t best;      // the move that decided, plus one
    uint32_t work;      // nodes below
};

constexpr Integer SLOTS_TOGETHER = 4, MOST_REPLIES = 128;

// A position that waits in the arena, with the moves of the player who chooses.
struct Child {
    int32_t state;      // its place in the arena, in words
    int32_t first_move, move_count;
    int32_t other_move; // the only move of the player who does not choose
    int32_t move;       // by which it is reached
    uint8_t chooser, low, high;
    uint8_t lost;
    Word key;
    Integer rank;
};

struct Prover {
    Integer width, total, value_count;
    const int32_t *values;  // the first player's goals, ascending
    Integer slot_mask;      // groups of slots, less one
    Slot *slots;
    Integer symmetry_count;
    const int32_t *symmetries;  // where each kept fluent goes (symmetries, kept fluents)
    Integer *history;           // how good it was for each player to make a fluent true (2, kept fluents)
    Integer state_room, child_room, move_room, deepest;
    Word *states;
    Child *children;
    int32_t *moves;
    const Integer *move_counts;
    Integer roles;
    Integer nodes, node_end, computed, failure, stored;
};

inline Word mix(Word hash, Word word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
}

inline Word key_of(const Prover &prover, const Word *state) {
    Word plain = 0x243F6A8885A308D3ULL;
    for (Integer n = 0; n < prover.width; n++) plain = mix(plain, state[n]);
    for (Integer k = 0; k < prover.symmetry_count; k++) {
        const int32_t *places = prover.symmetries + k * prover.width * WORD_BITS;
        Word image[64] = {};
        for (Integer n = 0; n < prover.width; n++)
            for (Word bits = state[n]; bits; bits &= bits - 1) {
                int32_t place = places[n * WORD_BITS + lowest_one(bits)];
                image[place / WORD_BITS] |= 1ULL << (place % WORD_BITS);
            }
        Word other = 0x243F6A8885A308D3ULL;
        for (Integer n = 0; n < prover.width; n++) other = mix(other, image[n]);
        plain = other < plain ? other : plain;
    }
    plain *= 0xD6E8FEB86659FD93ULL;
    plain ^= plain >> 29;
    return plain ? plain : 1;
}

inline Slot *find_slot(const Prover &prover, Word key) {
    Slot *group = prover.slots + ((Integer)key & prover.slot_mask) * SLOTS_TOGETHER;
    for (Integer n = 0; n < SLOTS_TOGETHER; n++)
        if (group[n].key == key) return group + n;
    return nullptr;
}

// Store bounds; the entry with the least work below it is replaced.
inline void store_bounds(Prover &prover, Word key, Integer low, Integer high, Integer best, Integer work) {
    Slot *slot = find_slot(prover, key);
    if (!slot) {
        Slot *group = prover.slots + ((Integer)key & prover.slot_mask) * SLOTS_TOGETHER;
        slot = group;
        for (Integer n = 1; n < SLOTS_TOGETHER; n++)
            if (group[n].work < slot->work) slot = group + n;
        prover.stored += slot->key == 0;
        *slot = {key, 0, (uint8_t)(prover.value_count - 1), 0, 0};
    }
    if (low > slot->low) slot->low = (uint8_t)low;
    if (high < slot->high) slot->high = (uint8_t)high;
    if (best) slot->best = (uint16_t)best;
    Integer sum = (Integer)slot->work + work;
    slot->work = (uint32_t)(sum < UINT32_MAX ? sum : UINT32_MAX);
}

inline Integer goal_at(const Rules &rules, Integer role, Integer lane) {
    Integer goal = 0, first = rules.first_goal + GOAL_ROWS * role;
    for (Integer n = 0; n < GOAL_ROWS; n++) goal |= (Integer)is_set(rules.seen[first + n], lane) << n;
    return goal;
}

// The number of a finished lane's value; notes if goals do not have the constant sum.
inline Integer value_at(const Rules &rules, Prover &prover, Integer lane) {
    Integer goal = goal_at(rules, 0, lane);
    if (prover.roles > 1 && goal + goal_at(rules, 1, lane) != prover.total) prover.failure = NO_TOTAL;
    Integer number = 0;
    while (number + 1 < prover.value_count && prover.values[number] < goal) number++;
    return number;
}

// Read the legal moves of a lane into the arena; returns false if there is no room, or both players choose.
inline bool read_moves(const Rules &rules, Prover &prover, Integer lane, Integer &used, Child &child) {
    child.first_move = (int32_t)used, child.chooser = 0, child.other_move = -1;
    Integer counts[2] = {0, 0}, starts[2] = {used, used};
    for (Integer role = 0; role < prover.roles; role++) {
        starts[role] = used;
        const Row *legal = rules.seen + rules.first_legal + rules.first_moves[role];
        for (Integer move = 0; move < prover.move_counts[role]; move++)
            if (is_set(legal[move], lane)) {
                if (used >= prover.move_room) return prover.failure = TOO_DEEP, false;
                prover.moves[used++] = (int32_t)move;
            }
        counts[role] = used - starts[role];
        if (!counts[role]) return prover.failure = STUCK, false;
    }
    if (counts[0] > 1 && counts[1] > 1) return prover.failure = SIMULTANEOUS, false;
    child.chooser = counts[1] > 1;
    child.first_move = (int32_t)starts[child.chooser];
    child.move_count = (int32_t)counts[child.chooser];
    child.other_move = prover.roles > 1 ? prover.moves[starts[!child.chooser]] : -1;
    return true;
}

inline void play_lanes(const Rules &rules, Prover &prover, Integer count) {
    put_states(rules, rules.fluents, prover.width, count);
    *rules.idle = ~first_lanes(count);
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, rules.fluents, rules.nexts, 0, rules.idle, 1,
                  rules.joint, rules.first_moves, prover.roles, count);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.nexts, rules.seen, 1);
    prover.computed += count;
}

inline void put_move(const Rules &rules, const Prover &prover, Integer lane, const Child &node, Integer move) {
    memcpy(rules.packed + lane * prover.width, prover.states + node.state, (size_t)prover.width * sizeof(Word));
    rules.joint[lane * prover.roles + node.chooser] = (int32_t)move;
    if (prover.roles > 1) rules.joint[lane * prover.roles + !node.chooser] = node.other_move;
}

// What is left of the arena.
struct Used {
    Integer states, children, moves;
};

// Whether a value is what the player who chooses wants.
inline bool suits(Integer value, Integer chooser, Integer wanted) { return (value >= wanted) == (chooser == 0); }

// Compute the children of a node. Returns YES or NO if that decides (for the chooser: YES is good), else STOPPED with the
// undecided children in the arena.
inline Answer open_node(const Rules &rules, Prover &prover, const Child &node, Integer wanted, Used &used,
                        Integer &best) {
    Integer first = used.children;
    for (Integer begin = 0; begin < node.move_count; begin += LANES) {
        Integer count = node.move_count - begin < LANES ? node.move_count - begin : LANES;
        for (Integer lane = 0; lane < count; lane++)
            put_move(rules, prover, lane, node, prover.moves[node.first_move + begin + lane]);
        play_lanes(rules, prover, count);
        for (Integer lane = 0; lane < count; lane++)
            if (is_set(rules.seen[0], lane) && suits(value_at(rules, prover, lane), node.chooser, wanted)) {
                best = prover.moves[node.first_move + begin + lane];
                return YES;
            }
        take_states(rules, rules.nexts, prover.width, count);
        for (Integer lane = 0; lane < count; lane++) {
            if (is_set(rules.seen[0], lane)) continue;
            if (used.children >= prover.child_room || used.states + prover.width > prover.state_room) {
                prover.failure = TOO_DEEP;
                return STOPPED;
            }
            Child &child = prover.children[used.children];
            child.move = prover.moves[node.first_move + begin + lane];
            const Word *state = rules.packed + lane * prover.width;
            child.key = key_of(prover, state);
            child.low = 0, child.high = (uint8_t)(prover.value_count - 1), child.lost = 0, child.rank = 0;
            if (const Slot *slot = find_slot(prover, child.key)) {
                child.low = slot->low, child.high = slot->high;
                if (child.low >= wanted || child.high < wanted) {
                    if (!suits(child.low >= wanted ? child.low : child.high, node.chooser, wanted)) continue;
                    best = child.move;
                    return YES;
                }
            }
            if (!read_moves(rules, prover, lane, used.moves, child)) return STOPPED;
            child.state = (int32_t)used.states;
            memcpy(prover.states + used.states, state, (size_t)prover.width * sizeof(Word));
            used.states += prover.width;
            used.children++;
        }
    }
    return used.children > first ? STOPPED : NO;
}

// Mark children that lose at the opponent's next move.
inline void look_ahead(const Rules &rules, Prover &prover, Integer first, Integer end, Integer chooser, Integer wanted) {
    int32_t owners[LANES];
    Integer lanes = 0;
    auto play = [&] {
        play_lanes(rules, prover, lanes);
        for (Integer lane = 0; lane < lanes; lane++)
            if (is_set(rules.seen[0], lane) && !suits(value_at(rules, prover, lane), chooser, wanted))
                prover.children[owners[lane]].lost = 1;
        lanes = 0;
    };
    for (Integer n = first; n < end; n++) {
        const Child &child = prover.children[n];
        if (child.chooser == chooser || child.move_count > MOST_REPLIES) continue;
        for (Integer move = 0; move < child.move_count; move++) {
            owners[lanes] = (int32_t)n;
            put_move(rules, prover, lanes++, child, prover.moves[child.first_move + move]);
            if (lanes == LANES) play();
        }
    }
    if (lanes) play();
}

// Call a function with each fluent, by its place in packed positions, that a move made true.
template <typename Function>
inline void each_fresh(const Prover &prover, const Child &node, const Child &child, Function function) {
    const Word *before = prover.states + node.state, *after = prover.states + child.state;
    for (Integer n = 0; n < prover.width; n++)
        for (Word bits = after[n] & ~before[n]; bits; bits &= bits - 1) function(n * WORD_BITS + lowest_one(bits));
}

// Whether the first player gets at least the goal number `wanted` at a node.
inline Answer prove(const Rules &rules, Prover &prover, const Child &node, Integer wanted, Used used, Integer depth) {
    if (prover.nodes >= prover.node_end || prover.failure) return STOPPED;
    if (depth >= prover.deepest) return prover.failure = TOO_DEEP, STOPPED;
    Integer before = prover.nodes++, best = -1, first = used.children;
    Answer found = open_node(rules, prover, node, wanted, used, best);
    if (prover.failure) return STOPPED;
    if (found == STOPPED) {
        look_ahead(rules, prover, first, used.children, node.chooser, wanted);
        if (prover.failure) return STOPPED;
        const Slot *slot = find_slot(prover, node.key);
        Integer known = slot ? slot->best - 1 : -1;
        Integer *history = prover.history + node.chooser * prover.width * WORD_BITS;
        Integer count = 0;
        for (Integer n = first; n < used.children; n++) {
            Child child = prover.children[n];
            if (child.lost) continue;
            child.rank = child.move == known ? INT64_MAX / 2 : 0;
            each_fresh(prover, node, child, [&](Integer fluent) { child.rank += history[fluent]; });
            Integer place = first + count++;
            for (; place > first && prover.children[place - 1].rank < child.rank; place--)
                prover.children[place] = prover.children[place - 1];
            prover.children[place] = child;
        }
        used.children = first + count;
        found = NO;
        for (Integer n = 0; n < count; n++) {
            Child &child = prover.children[first + n];
            Answer answer = prove(rules, prover, child, wanted, used, depth + 1);
            if (answer == STOPPED) return STOPPED;
            if ((answer == YES) == (node.chooser == 0)) {
                found = YES, best = child.move;
                for (Integer k = 0; k < n; k++)
                    each_fresh(prover, node, prover.children[first + k], [&](Integer fluent) { history[fluent]--; });
                each_fresh(prover, node, child, [&](Integer fluent) { history[fluent] += n; });
                break;
            }
        }
    }
    bool reached = (found == YES) == (node.chooser == 0);
    store_bounds(prover, node.key, reached ? wanted : 0, reached ? prover.value_count - 1 : wanted - 1, best + 1,
                 prover.nodes - before);
    return reached ? YES : NO;
}
