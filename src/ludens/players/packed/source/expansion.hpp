// Expand positions: compute their children, hundreds at a time, and queue those that are new.
#pragma once
#include "transport.hpp"

enum Policy : Integer {
    BREADTH,   // nearest to the root first
    DISTANCE,  // steps made plus the least number of steps to go: the first line found is the shortest
    GREEDY,    // in turns: nearest to the goal, novel and near, and any kind of position
    DEPTH      // deepest first, ordered by the number of legal moves
};
enum Outcome : Integer { GOING_ON, BETTER, EXHAUSTED, FULL, CROWDED };

struct Order {
    Integer policy;
    Integer at_once;    // positions expanded together at most
    Integer mobility;   // DEPTH: 1 few legal moves first, -1 many first, 0 random
    Integer evaluates;  // whether distances are computed
    Integer most_depth;
    Integer reopens;    // whether positions are expanded again when a shorter way to them is found
};

struct Novelty {
    Integer levels, pair_mask;
    uint8_t *single;     // (levels, kept fluents)
    Word *pairs;         // bits by hash
    Integer *type_counts;  // (levels): positions of each distance so far
    Integer turn;
};

// What distances are computed from.
struct Guide {
    Relaxation *relaxation;  // or none
    Transport *transport;    // or none
};

constexpr int32_t MOST_KEY_DEPTH = 0xFFFFF;
constexpr Word LATER = 1ULL << 63;  // GREEDY: positions without this mark are expanded at once

// Store the counting fluents after `depth` steps, from a lane.
inline void note_counters(const Rules &rules, Store &store, const Row *rows, Integer lane, Integer depth) {
    if (depth < store.known_depths || depth >= store.depth_room) return;
    Word *bits = store.counters + depth * store.counter_width;
    memset(bits, 0, (size_t)store.counter_width * sizeof(Word));
    for (Integer n = 0; n < rules.counting_count; n++)
        if (is_set(rows[rules.counting[n]], lane)) bits[n / WORD_BITS] |= 1ULL << (n % WORD_BITS);
    store.known_depths = depth + 1;
}

// Put nodes into the lanes of `fluents`.
inline void put_nodes(const Rules &rules, const Store &store, const int32_t *nodes, Integer count) {
    for (Integer lane = 0; lane < count; lane++)
        memcpy(rules.packed + lane * store.width, store.states + (Integer)nodes[lane] * store.width,
               (size_t)store.width * sizeof(Word));
    put_states(rules, rules.fluents, store.width, count);
    for (Integer n = 0; n < rules.counting_count; n++) rules.fluents[rules.counting[n]] = all_lanes(0);
    for (Integer lane = 0; lane < count && store.counter_width; lane++) {
        const Word *counters = store.counters + (Integer)store.depths[nodes[lane]] * store.counter_width;
        for (Integer word = 0; word < store.counter_width; word++)
            for (Word bits = counters[word]; bits; bits &= bits - 1) {
                Row &row = rules.fluents[rules.counting[word * WORD_BITS + lowest_one(bits)]];
                row[lane / WORD_BITS] |= 1ULL << (lane % WORD_BITS);
            }
    }
}

// Compute the distances of the nodes in `owners` by the relaxed rules.
inline void measure_owners(const Rules &rules, Store &store, Relaxation &relaxation, bool highest, Integer count) {
    put_nodes(rules, store, rules.owners, count);
    measure(relaxation, rules.fluents, count, highest);
}

// Whether the tokens of a node are where they are in its parent.
inline bool inherits(const Store &store, const Guide &guide, Integer node) {
    Integer parent = store.parents[node];
    return guide.transport && parent >= 0 &&
           !moved_tokens(*guide.transport, store.states + node * store.width, store.states + parent * store.width,
                         store.width);
}

// Find dead ends among the nodes in `owners` by the relaxed rules.
inline void leave_out_dead_ends(const Rules &rules, Store &store, Relaxation &relaxation, Integer count) {
    measure_owners(rules, store, relaxation, true, count);
    for (Integer lane = 0; lane < count; lane++)
        if (relaxation.distances[lane] == DEAD) store.distances[rules.owners[lane]] = DEAD;
}

// Compute the distances of nodes by their tokens. Where no token moved, the distance is that of the parent; elsewhere
// the relaxed rules show some dead ends.
inline void evaluate_tokens(const Rules &rules, Store &store, const Guide &guide, Integer first, Integer end) {
    Integer count = 0;
    for (Integer node = first; node < end; node++) {
        const Word *state = store.states + node * store.width;
        if (inherits(store, guide, node)) {
            store.distances[node] = store.distances[store.parents[node]];
            continue;
        }
        store.distances[node] = transport_distance(*guide.transport, state, store.width);
        if (guide.relaxation && store.distances[node] != DEAD) rules.owners[count++] = (int32_t)node;
        if (count < LANES) continue;
        leave_out_dead_ends(rules, store, *guide.relaxation, count);
        count = 0;
    }
    if (count) leave_out_dead_ends(rules, store, *guide.relaxation, count);
}

// Compute the distances of nodes.
inline void evaluate_nodes(const Rules &rules, Store &store, const Guide &guide, const Order &order, Integer first,
                           Integer end) {
    if (!order.evaluates) return;
    if (guide.transport) return evaluate_tokens(rules, store, guide, first, end);
    for (; first < end; first += LANES) {
        Integer count = end - first < LANES ? end - first : LANES;
        for (Integer lane = 0; lane < count; lane++) rules.owners[lane] = (int32_t)(first + lane);
        measure_owners(rules, store, *guide.relaxation, order.policy == DISTANCE, count);
        memcpy(store.distances + first, guide.relaxation->distances, (size_t)count * sizeof(uint16_t));
    }
}

// 0 if a fluent is new among positions of the same distance, 1 if a pair of fluents is, else 2. What is new was not
// true in the parent. With tokens, only they count.
inline Integer novelty_of(Store &store, Novelty &novelty, const Guide &guide, Integer node, Integer level,
                          Integer fluents) {
    const Word *mask = guide.transport ? guide.transport->mask : nullptr;
    const Word *state = store.states + node * store.width;
    Integer parent = store.parents[node], found = 2;
    for (Integer word = 0; word < store.width; word++) {
        Word before = parent < 0 ? 0 : store.states[parent * store.width + word];
        for (Word fresh = state[word] & ~before & (mask ? mask[word] : ~0ULL); fresh; fresh &= fresh - 1) {
            Integer fluent = word * WORD_BITS + lowest_one(fresh);
            uint8_t &known = novelty.single[level * fluents + fluent];
            if (!known) found = 0;
            known = 1;
            Word seed = (Word)(level * fluents + fluent + 1) * 0x9E3779B97F4A7C15ULL;
            for (Integer other = 0; other < store.width; other++)
                for (Word bits = state[other] & (mask ? mask[other] : ~0ULL); bits; bits &= bits - 1) {
                    Word hash = (seed ^ (Word)(other * WORD_BITS + lowest_one(bits))) * 0xD6E8FEB86659FD93ULL;
                    hash = (hash ^ hash >> 32) & (Word)novelty.pair_mask;
                    Word &bucket = novelty.pairs[hash / WORD_BITS], bit = 1ULL << (hash % WORD_BITS);
                    if (!(bucket & bit) && found > 1) found = 1;
                    bucket |= bit;
                }
        }
    }
    return found;
}

inline void queue(Store &store, const Guide &guide, Novelty &novelty, const Order &order, Integer node) {
    Integer depth = store.depths[node], distance = store.distances[node];
    if (order.policy == BREADTH || (order.evaluates && distance == DEAD) || depth >= order.most_depth) return;
    Word tie = next_random(store);
    if (order.policy == DISTANCE) {
        push(store, 0, (Word)(depth + distance) << 40 | (Word)(MOST_KEY_DEPTH - depth) << 20 | tie >> 44, node);
    } else if (order.policy == DEPTH) {
        Word rank = order.mobility > 0 ? store.ranks[node] : order.mobility < 0 ? 0xFFFF - store.ranks[node] : 0;
        push(store, 0, (Word)(MOST_KEY_DEPTH - depth) << 40 | rank << 24 | tie >> 40, node);
    } else {
        Integer level = distance < novelty.levels ? distance : novelty.levels - 1;
        Integer fluents = store.width * WORD_BITS;
        Word far = (Word)distance << 32;
        if (inherits(store, guide, node)) return push(store, 0, (Word)node, node);
        push(store, 0, LATER | far | (Word)node, node);
        if (node >= store.fresh) store.ranks[node] = (uint16_t)novelty_of(store, novelty, guide, node, level, fluents);
        push(store, 1, (Word)store.ranks[node] << 48 | far | (Word)node, node);
        push(store, 2, (Word)novelty.type_counts[level]++ << 24 | tie >> 40, node);
    }
}

// Choose the nodes to expand; returns how many.
inline Integer choose(Store &store, Novelty &novelty, const Order &order, int32_t *nodes) {
    Integer count = 0;
    if (order.policy == BREADTH) {
        for (; count < order.at_once && store.next < store.count; store.next++)
            if (!store.closed[store.next] && store.depths[store.next] < order.most_depth)
                nodes[count++] = (int32_t)store.next;
        return count;
    }
    Integer heap = 0, heaps = order.policy == GREEDY ? HEAPS : 1;
    Integer wanted = order.policy == GREEDY ? store.count / 128 + 4 : order.at_once;
    wanted = wanted < order.at_once ? wanted : order.at_once;
    for (Integer empty = 0; count < wanted && empty < heaps;) {
        bool at_once = heaps > 1 && store.sizes[0] && !(store.heaps[0][0].key & LATER);
        if (heaps > 1) heap = at_once ? 0 : novelty.turn++ % heaps;
        bool taken = false;
        while (store.sizes[heap] && !taken) {
            Entry top = pop(store, heap);
            if (store.closed[top.node]) continue;
            if (order.policy == DISTANCE) {
                Integer priority = (Integer)(top.key >> 40);
                if (priority > store.depths[top.node] + store.distances[top.node]) continue;  // it was queued again
                if (count && priority > store.lowest) {
                    push(store, heap, top.key, top.node);
                    return count;
                }
                store.lowest = priority;
            }
            taken = true;
            store.closed[top.node] = 1;
            nodes[count++] = (int32_t)top.node;
        }
        empty = taken ? 0 : empty + 1;
    }
    return count;
}

// Keep a child; returns whether its line is better than the best.
inline bool keep_child(const Rules &rules, Store &store, const Guide &guide, Novelty &novelty, const Order &order, Integer lane, Word hash,
                       Integer parent, int32_t move, Integer rank) {
    const Word *state = rules.packed + lane * store.width;
    Integer bucket = find_bucket(store, state, hash);
    Integer node = store.table[bucket] - 1, depth = store.depths[parent] + 1;
    bool over = is_set(rules.seen[0], lane);
    if (node < 0) {
        node = add_node(store, bucket, state, parent, move);
        store.closed[node] = over || is_set(rules.seen[1], lane);
        store.ranks[node] = (uint16_t)rank;
    } else if (depth < store.depths[node] && order.policy != BREADTH) {
        store.parents[node] = (int32_t)parent, store.moves[node] = move, store.depths[node] = (int32_t)depth;
        if (!over && node < store.fresh && order.reopens) {
            store.closed[node] = 0;
            queue(store, guide, novelty, order, node);
        }
    } else {
        return false;
    }
    if (!over) return false;
    Integer goal = goal_of(rules, lane);
    bool better = goal > store.best_goal ||
                  (goal == store.best_goal && (store.best_node < 0 || depth < store.depths[store.best_node]));
    if (better) store.best_goal = goal, store.best_node = node;
    return better;
}

// Count the legal moves of each lane.
inline void count_moves(const Rules &rules, Row *sums, uint16_t *counts, Integer lanes) {
    constexpr Integer BITS = 12;
    for (Integer bit = 0; bit < BITS; bit++) sums[bit] = all_lanes(0);
    for (Integer move = 0; move < rules.move_count; move++) {
        Row carry = rules.seen[rules.first_legal + move];
        for (Integer bit = 0; bit < BITS && !is_zero(carry); bit++) {
            const Row both = sums[bit] & carry;
            sums[bit] ^= carry;
            carry = both;
        }
    }
    for (Integer lane = 0; lane < lanes; lane++) {
        Integer sum = 0;
        for (Integer bit = 0; bit < BITS; bit++) sum |= (Integer)is_set(sums[bit], lane) << bit;
        counts[lane] = (uint16_t)sum;
    }
}

// Play a move in each lane, whose nodes are in `owners` and whose moves are in `joint`; returns whether a line is better.
inline bool play(const Rules &rules, Store &store, const Guide &guide, Novelty &novelty, const Order &order, const int32_t *parents, Integer count) {
    put_nodes(rules, store, parents, count);
    *rules.idle = ~first_lanes(count);
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, rules.fluents, rules.nexts, 0, rules.idle, 1,
                  rules.joint, rules.first_moves, 1, count);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.nexts, rules.seen, 1);
    store.computed += count;
    Row sums[SUM_ROWS];
    uint16_t ranks[LANES];
    if (order.policy == DEPTH) count_moves(rules, sums, ranks, count);
    take_states(rules, rules.nexts, store.width, count);
    Word hashes[LANES];
    for (Integer lane = 0; lane < count; lane++) {
        hashes[lane] = hash_of(rules.packed + lane * store.width, store.width);
        __builtin_prefetch(store.table + (hashes[lane] & (Word)store.bucket_mask));
    }
    for (Integer lane = 0; lane < count; lane++) {
        Integer node = store.table[hashes[lane] & (Word)store.bucket_mask] - 1;
        if (node >= 0) __builtin_prefetch(store.states + node * store.width);
    }
    bool better = false;
    for (Integer lane = 0; lane < count; lane++) {
        note_counters(rules, store, rules.nexts, lane, store.depths[parents[lane]] + 1);
        better |= keep_child(rules, store, guide, novelty, order, lane, hashes[lane], parents[lane],
                             rules.joint[lane], order.policy == DEPTH ? ranks[lane] : 0);
    }
    return better;
}

// Expand some positions.
inline Integer expand(const Rules &rules, Store &store, const Guide &guide, Novelty &novelty, const Order &order) {
    int32_t chosen[LANES], parents[LANES];
    Integer room = store.room - store.count;
    for (Integer heap = 0; heap < HEAPS && order.policy != BREADTH; heap++) {
        Integer left = store.heap_room - store.sizes[heap];
        room = room < left ? room : left;
    }
    if (room <= LANES * 4) return FULL;
    Integer unused = store.bucket_mask / 2 - store.count;  // the table is half full at most
    if (unused < LANES * 4 || unused < rules.move_count) return CROWDED;
    room = room < unused ? room : unused;
    Order limited = order;
    Integer fitting = room / (rules.move_count < 4096 ? rules.move_count + 1 : 4096);
    Integer listed = rules.pair_room / (rules.move_count + 1);
    fitting = fitting < listed ? fitting : listed;
    limited.at_once = fitting < 1 ? 1 : fitting < order.at_once ? fitting : order.at_once;
    Integer count = choose(store, novelty, limited, chosen);
    if (!count) return EXHAUSTED;
    store.expanded += count;
    put_nodes(rules, store, chosen, count);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.fluents, rules.seen, 1);
    Row used = first_lanes(count);
    Integer first = store.fresh = store.count, lanes = 0, pairs = 0;
    for (Integer move = 0; move < rules.move_count; move++) {
        const Row legal = rules.seen[rules.first_legal + move] & used;
        for (Integer place = 0; place < ROW_WORDS; place++) pairs += __builtin_popcountll(legal[place]);
    }
    if (pairs > room) return FULL;
    // `seen` is overwritten by the children, so pairs are stored first.
    int32_t *waiting = rules.pairs;
    for (Integer move = 0, n = 0; move < rules.move_count; move++) {
        const Row legal = rules.seen[rules.first_legal + move] & used;
        for (Integer place = 0; place < ROW_WORDS; place++)
            for (Word bits = legal[place]; bits; bits &= bits - 1) {
                waiting[2 * n] = chosen[place * WORD_BITS + lowest_one(bits)];
                waiting[2 * n + 1] = (int32_t)move;
                n++;
            }
    }
    bool better = false;
    for (Integer n = 0; n < pairs; n++) {
        parents[lanes] = waiting[2 * n];
        rules.joint[lanes++] = waiting[2 * n + 1];
        if (lanes == LANES || n + 1 == pairs) {
            better |= play(rules, store, guide, novelty, order, parents, lanes);
            lanes = 0;
        }
    }
    evaluate_nodes(rules, store, guide, order, first, store.count);
    if (order.policy != BREADTH)
        for (Integer node = first; node < store.count; node++)
            if (!store.closed[node]) queue(store, guide, novelty, order, node);
    return better ? BETTER : GOING_ON;
}
