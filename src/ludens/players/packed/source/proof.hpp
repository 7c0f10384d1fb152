// Depth-first proofs for two players who move in turns and whose goals have a constant sum: is the first player's goal
// at least so high? Every test is alpha-beta with a null window; results are kept in a table as bounds.
//
// All children of the undecided children of a node are computed at once: so a win at the next move, and moves that allow
// one to the opponent, cost one call of the rules. What was computed stays in the arena until the child is searched.
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

constexpr Integer SLOTS_TOGETHER = 4;

// A position that waits in the arena, with the moves of the player who chooses.
struct Child {
    int32_t state;      // its place in the arena, in words
    int32_t first_move, move_count;
    int32_t other_move; // the only move of the player who does not choose
    int32_t move;       // by which it is reached
    uint8_t chooser;
    uint8_t is_decided; // the player who chooses gets what is wanted, or the opposite: `has_won`
    uint8_t has_won;
    int32_t first_child, child_count;  // in the arena; -1 if they are not computed
    Word key;
    Integer rank;
};

struct Prover {
    Integer width, total, value_count;
    const int32_t *values;  // the first player's goals, ascending
    Integer slot_mask;      // groups of slots, less one
    Slot *slots;
    Integer symmetry_count;
    const Word *marks;      // random words of each kept fluent, and of its images (1 + symmetries, kept fluents)
    Integer *history;           // how good it was for each player to make a fluent true (2, kept fluents)
    Integer state_room, child_room, move_room, deepest;
    Word *states;
    Child *children;
    int32_t *moves;
    const Integer *move_counts;
    Integer roles;
    Integer legal_width;
    Word *legal;  // the legal moves of each lane (LANES, legal_width)
    Integer nodes, node_end, computed, failure, stored;
};

// A state in the arena is followed by its hash and those of its images: sums of the marks of what is true.
inline Integer state_words(const Prover &prover) { return prover.width + 1 + prover.symmetry_count; }

// Write the hashes of a state that differs from another, whose hashes are known; without one, from nothing.
inline void put_hashes(const Prover &prover, Word *state, const Word *other) {
    Word *hashes = state + prover.width;
    Integer count = 1 + prover.symmetry_count, places = prover.width * WORD_BITS;
    for (Integer k = 0; k < count; k++) hashes[k] = other ? other[prover.width + k] : 0x243F6A8885A308D3ULL;
    for (Integer n = 0; n < prover.width; n++)
        for (Word bits = other ? state[n] ^ other[n] : state[n]; bits; bits &= bits - 1) {
            const Word *mark = prover.marks + n * WORD_BITS + lowest_one(bits);
            for (Integer k = 0; k < count; k++) hashes[k] ^= mark[k * places];
        }
}

// The same for all images of a state, so that what is known of one is known of all.
inline Word key_of(const Prover &prover, const Word *state) {
    const Word *hashes = state + prover.width;
    Word key = hashes[0];
    for (Integer k = 1; k <= prover.symmetry_count; k++) key = hashes[k] < key ? hashes[k] : key;
    key *= 0xD6E8FEB86659FD93ULL;
    key ^= key >> 29;
    return key ? key : 1;
}

// Put the state of the first lane into the arena; returns its key.
inline Word key_of_lane(const Rules &rules, const Prover &prover, Word *state) {
    copy_words(state, rules.packed, prover.width);
    put_hashes(prover, state, nullptr);
    return key_of(prover, state);
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

// Read the legal moves of the first lanes as bits.
inline void take_legal(const Rules &rules, Prover &prover, Integer count) {
    Square square;
    Integer rows = rules.first_moves[prover.roles - 1] + prover.move_counts[prover.roles - 1];
    const Row *legal = rules.seen + rules.first_legal;
    for (Integer column = 0; column < prover.legal_width; column++)
        for (Integer place = 0; place * WORD_BITS < count; place++) {
            for (Integer n = 0; n < WORD_BITS; n++) {
                Integer row = column * WORD_BITS + n;
                square.words[n] = row < rows ? legal[row][place] : 0;
            }
            transpose(square.rows);
            for (Integer n = 0; n < WORD_BITS; n++)
                prover.legal[(place * WORD_BITS + n) * prover.legal_width + column] = square.words[n];
        }
}

// Read the legal moves of a lane, which were taken, into the arena; returns false if there is no room, or both players
// choose.
inline bool read_moves(const Rules &rules, Prover &prover, Integer lane, Integer &used, Child &child) {
    child.first_move = (int32_t)used, child.chooser = 0, child.other_move = -1;
    child.first_child = -1, child.child_count = 0, child.is_decided = child.has_won = 0;
    const Word *legal = prover.legal + lane * prover.legal_width;
    Integer counts[2] = {0, 0}, starts[2] = {used, used};
    for (Integer role = 0; role < prover.roles; role++) {
        starts[role] = used;
        Integer begin = rules.first_moves[role], end = begin + prover.move_counts[role];
        if (used + prover.move_counts[role] > prover.move_room) return prover.failure = TOO_DEEP, false;
        for (Integer n = begin / WORD_BITS; n * WORD_BITS < end; n++) {
            Word bits = legal[n];
            if (n * WORD_BITS < begin) bits &= ~0ULL << (begin - n * WORD_BITS);
            if (end - n * WORD_BITS < WORD_BITS) bits &= (1ULL << (end - n * WORD_BITS)) - 1;
            for (; bits; bits &= bits - 1)
                prover.moves[used++] = (int32_t)(n * WORD_BITS + lowest_one(bits) - begin);
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
    copy_words(rules.packed + lane * prover.width, prover.states + node.state, prover.width);
    rules.joint[lane * prover.roles + node.chooser] = (int32_t)move;
    if (prover.roles > 1) rules.joint[lane * prover.roles + !node.chooser] = node.other_move;
}

// What is left of the arena.
struct Used {
    Integer states, children, moves;
};

// Whether a value is what the player who chooses wants.
inline bool suits(Integer value, Integer chooser, Integer wanted) { return (value >= wanted) == (chooser == 0); }

// Put the state in a lane of `packed` into the arena as a child; returns false if there is no room, or no single player
// chooses.
inline bool add_child(const Rules &rules, Prover &prover, Integer lane, const Child &node, int32_t move, Used &used) {
    if (used.children >= prover.child_room || used.states + state_words(prover) > prover.state_room)
        return prover.failure = TOO_DEEP, false;
    Child &child = prover.children[used.children];
    child.move = move;
    if (!read_moves(rules, prover, lane, used.moves, child)) return false;
    child.state = (int32_t)used.states;
    copy_words(prover.states + used.states, rules.packed + lane * prover.width, prover.width);
    put_hashes(prover, prover.states + used.states, prover.states + node.state);
    child.key = key_of(prover, prover.states + used.states);
    __builtin_prefetch(prover.slots + ((Integer)child.key & prover.slot_mask) * SLOTS_TOGETHER);
    used.states += state_words(prover);
    used.children++;
    return true;
}

// Compute the children of a node, and whether one of them ends the match as the player who chooses wants.
inline void open_node(const Rules &rules, Prover &prover, Child &node, Integer wanted, Used &used, Integer &best) {
    node.first_child = (int32_t)used.children;
    for (Integer begin = 0; begin < node.move_count; begin += LANES) {
        Integer count = node.move_count - begin < LANES ? node.move_count - begin : LANES;
        const int32_t *moves = prover.moves + node.first_move + begin;
        for (Integer lane = 0; lane < count; lane++) put_move(rules, prover, lane, node, moves[lane]);
        play_lanes(rules, prover, count);
        for (Integer lane = 0; lane < count; lane++)
            if (is_set(rules.seen[0], lane) && suits(value_at(rules, prover, lane), node.chooser, wanted)) {
                best = moves[lane];
                node.is_decided = node.has_won = 1;
                return;
            }
        take_states(rules, rules.nexts, prover.width, count);
        take_legal(rules, prover, count);
        for (Integer lane = 0; lane < count; lane++)
            if (!is_set(rules.seen[0], lane) && !add_child(rules, prover, lane, node, moves[lane], used)) return;
    }
    node.child_count = (int32_t)(used.children - node.first_child);
}

// Look up the children of a node; those that are decided against its chooser are dropped. Returns whether one decides.
inline bool look_up(Prover &prover, Child &node, Integer wanted, Integer &best) {
    Child *children = prover.children + node.first_child;
    Integer count = 0;
    for (Integer n = 0; n < node.child_count; n++) {
        const Slot *slot = find_slot(prover, children[n].key);
        if (slot && (slot->low >= wanted || slot->high < wanted)) {
            if (!suits(slot->low >= wanted ? slot->low : slot->high, node.chooser, wanted)) continue;
            best = children[n].move;
            return true;
        }
        children[count++] = children[n];
    }
    node.child_count = (int32_t)count;
    return false;
}

// Compute the children of some children: see which of these end the match as their choosers want, and keep the others.
// The lanes are the moves of the children from `begin` on.
inline void play_replies(const Rules &rules, Prover &prover, Integer begin, Integer end, Integer wanted, Used &used) {
    Integer lanes = 0;
    for (Integer n = begin; n < end; n++) {
        const Child &child = prover.children[n];
        for (Integer k = 0; k < child.move_count; k++)
            put_move(rules, prover, lanes++, child, prover.moves[child.first_move + k]);
    }
    play_lanes(rules, prover, lanes);
    Integer lane = 0;
    for (Integer n = begin; n < end; n++) {
        Child &child = prover.children[n];
        for (Integer k = 0; k < child.move_count; k++, lane++)
            if (is_set(rules.seen[0], lane) && suits(value_at(rules, prover, lane), child.chooser, wanted))
                child.is_decided = child.has_won = 1;
    }
    take_states(rules, rules.nexts, prover.width, lanes);
    take_legal(rules, prover, lanes);
    lane = 0;
    for (Integer n = begin; n < end; n++) {
        Child &child = prover.children[n];
        Integer first = used.children;
        if (child.is_decided) {
            lane += child.move_count;
            continue;
        }
        for (Integer k = 0; k < child.move_count; k++, lane++)
            if (!is_set(rules.seen[0], lane) &&
                !add_child(rules, prover, lane, child, prover.moves[child.first_move + k], used))
                return;
        child.first_child = (int32_t)first, child.child_count = (int32_t)(used.children - first);
        if (!child.child_count) child.is_decided = 1;
    }
}

// Look one move further in all children of a node, as many at once as fit into a block. Nothing is kept of children with
// very many moves, nor where the arena is getting full.
inline void look_ahead(const Rules &rules, Prover &prover, const Child &node, Integer wanted, Used &used) {
    Integer end = node.first_child + node.child_count;
    for (Integer begin = node.first_child; begin < end;) {
        Integer lanes = 0, stop = begin;
        while (stop < end && lanes + prover.children[stop].move_count <= LANES) lanes += prover.children[stop++].move_count;
        bool has_room = used.children + lanes < prover.child_room / 2 && used.moves < prover.move_room / 2 &&
                        used.states + lanes * state_words(prover) < prover.state_room / 2;
        if (stop > begin && has_room) play_replies(rules, prover, begin, stop, wanted, used);
        if (prover.failure) return;
        begin = stop > begin ? stop : begin + 1;
    }
}

// Call a function with each fluent, by its place in packed positions, that a move made true.
template <typename Function>
inline void each_fresh(const Prover &prover, const Child &node, const Child &child, Function function) {
    const Word *before = prover.states + node.state, *after = prover.states + child.state;
    for (Integer n = 0; n < prover.width; n++)
        for (Word bits = after[n] & ~before[n]; bits; bits &= bits - 1) function(n * WORD_BITS + lowest_one(bits));
}

// Drop children that are decided against the chooser and order the others. Returns whether one decides.
inline bool order_children(Prover &prover, Child &node, Integer &best) {
    const Slot *slot = find_slot(prover, node.key);
    Integer known = slot ? slot->best - 1 : -1, count = 0;
    const Integer *history = prover.history + node.chooser * prover.width * WORD_BITS;
    Child *children = prover.children + node.first_child;
    for (Integer n = 0; n < node.child_count; n++) {
        Child child = children[n];
        if (child.is_decided) {
            if (child.has_won != (child.chooser == node.chooser)) continue;
            best = child.move;
            return true;
        }
        child.rank = child.move == known ? INT64_MAX / 2 : 0;
        each_fresh(prover, node, child, [&](Integer fluent) { child.rank += history[fluent]; });
        Integer place = count++;
        for (; place > 0 && children[place - 1].rank < child.rank; place--) children[place] = children[place - 1];
        children[place] = child;
    }
    node.child_count = (int32_t)count;
    return false;
}

// Whether the first player gets at least the goal number `wanted` at a node.
inline Answer prove(const Rules &rules, Prover &prover, Child &node, Integer wanted, Used used, Integer depth) {
    if (prover.nodes >= prover.node_end || prover.failure) return STOPPED;
    if (depth >= prover.deepest) return prover.failure = TOO_DEEP, STOPPED;
    Integer before = prover.nodes++, best = -1;
    if (node.first_child < 0) open_node(rules, prover, node, wanted, used, best);
    if (prover.failure) return STOPPED;
    bool found = node.is_decided ? node.has_won : look_up(prover, node, wanted, best);
    if (!found && !node.is_decided && node.child_count) {
        look_ahead(rules, prover, node, wanted, used);
        if (prover.failure) return STOPPED;
        found = order_children(prover, node, best);
        Child *children = prover.children + node.first_child;
        for (Integer n = 0; n < node.child_count && !found; n++) {
            Answer answer = prove(rules, prover, children[n], wanted, used, depth + 1);
            if (answer == STOPPED) return STOPPED;
            if ((answer == YES) != (node.chooser == 0)) continue;
            found = true, best = children[n].move;
            Integer *history = prover.history + node.chooser * prover.width * WORD_BITS;
            for (Integer k = 0; k < n; k++)
                each_fresh(prover, node, children[k], [&](Integer fluent) { history[fluent]--; });
            each_fresh(prover, node, children[n], [&](Integer fluent) { history[fluent] += n; });
        }
    }
    bool reached = found == (node.chooser == 0);
    store_bounds(prover, node.key, reached ? wanted : 0, reached ? prover.value_count - 1 : wanted - 1, best + 1,
                 prover.nodes - before);
    return reached ? YES : NO;
}
