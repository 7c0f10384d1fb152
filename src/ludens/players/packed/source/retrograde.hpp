// All positions that can be reached, each once, with the moves between them; then values from the ends backwards.
#pragma once
#include "rules.hpp"
#include "store.hpp"

constexpr Integer UNKNOWN = 255, MOST_OUTCOMES = 254, ANYBODY = 2;
enum Progress : Integer { FOUND_MORE, FOUND_ALL, NO_ROOM, FEW_BUCKETS, CHOOSING_AT_ONCE, NO_MOVE, MANY_OUTCOMES };

struct Retrograde {
    Integer width, roles, bucket_mask;
    Integer node_room, edge_room, node_bytes, edge_bytes, byte_room;
    Integer count, next, edges, computed, failed, outcome_count;
    Word *states;           // (node_room, width)
    uint8_t *outcomes;      // the outcome of each node, UNKNOWN while there is none
    uint8_t *choosers;      // the player who chooses
    Integer *first_edges;   // the first child of each node; one more than nodes
    int32_t *buckets;       // by hash: the number of a node plus one
    int32_t *children;      // (edge_room)
    int32_t *goals;         // the goals of each outcome (MOST_OUTCOMES, 2)
    const Integer *move_counts;
    Integer pair_room;
    int32_t *pair_owners, *pair_moves;
    // Backwards.
    Integer *first_parents;
    int32_t *parents, *pending, *distances, *line;
};

inline Integer bucket_of(const Retrograde &table, const Word *state) {
    Integer bucket = (Integer)hash_of(state, table.width) & table.bucket_mask;
    for (;; bucket = (bucket + 1) & table.bucket_mask) {
        Integer node = table.buckets[bucket] - 1;
        if (node < 0 || !memcmp(table.states + node * table.width, state, (size_t)table.width * sizeof(Word)))
            return bucket;
    }
}

// The number of the outcome of a lane that is over; UNKNOWN if there are too many.
inline Integer outcome_at(const Rules &rules, Retrograde &table, Integer lane) {
    int32_t goals[2] = {0, 0};
    for (Integer role = 0; role < table.roles; role++)
        for (Integer n = 0; n < GOAL_ROWS; n++)
            goals[role] |= (int32_t)is_set(rules.seen[rules.first_goal + GOAL_ROWS * role + n], lane) << n;
    for (Integer n = 0; n < table.outcome_count; n++)
        if (table.goals[2 * n] == goals[0] && table.goals[2 * n + 1] == goals[1]) return n;
    if (table.outcome_count == MOST_OUTCOMES) return UNKNOWN;
    memcpy(table.goals + 2 * table.outcome_count, goals, sizeof goals);
    return table.outcome_count++;
}

// The node of the state in a lane of `packed` and `seen`; -1 if its outcome is one too many.
inline Integer note_state(const Rules &rules, Retrograde &table, Integer lane) {
    const Word *state = rules.packed + lane * table.width;
    Integer bucket = bucket_of(table, state);
    if (table.buckets[bucket]) return table.buckets[bucket] - 1;
    Integer outcome = UNKNOWN;
    if (is_set(rules.seen[0], lane) && (outcome = outcome_at(rules, table, lane)) == UNKNOWN) return -1;
    Integer node = table.count++;
    memcpy(table.states + node * table.width, state, (size_t)table.width * sizeof(Word));
    table.outcomes[node] = (uint8_t)outcome;
    table.choosers[node] = 0;
    table.buckets[bucket] = (int32_t)node + 1;
    return node;
}

// What the players of a block of nodes can choose from.
struct Choices {
    int32_t nodes[LANES];
    int32_t counts[2][LANES], only[2][LANES];
    Integer firsts[LANES + 1];
    Integer lanes, pairs;
};

template <typename Function>
inline void each_legal(const Rules &rules, const Retrograde &table, Integer lanes, Function function) {
    const Row used = first_lanes(lanes);
    for (Integer role = 0; role < table.roles; role++)
        for (Integer move = 0; move < table.move_counts[role]; move++) {
            const Row legal = rules.seen[rules.first_legal + rules.first_moves[role] + move] & used;
            for (Integer place = 0; place < ROW_WORDS; place++)
                for (Word bits = legal[place]; bits; bits &= bits - 1)
                    function(role, move, place * WORD_BITS + lowest_one(bits));
        }
}

// Count the moves of some nodes, and see who chooses in each.
inline Progress read_choices(const Rules &rules, Retrograde &table, Choices &choices) {
    memset(choices.counts, 0, sizeof choices.counts);
    each_legal(rules, table, choices.lanes, [&](Integer role, Integer move, Integer lane) {
        choices.counts[role][lane]++;
        choices.only[role][lane] = (int32_t)move;
    });
    choices.firsts[0] = 0;
    for (Integer lane = 0; lane < choices.lanes; lane++) {
        Integer node = choices.nodes[lane], chooser = table.roles > 1 && choices.counts[1][lane] > 1;
        bool stuck = is_set(rules.seen[1], lane);
        for (Integer role = 0; role < table.roles; role++) stuck |= !choices.counts[role][lane];
        if (stuck) return table.failed = node, NO_MOVE;
        if (chooser && choices.counts[0][lane] > 1) return table.failed = node, CHOOSING_AT_ONCE;
        table.choosers[node] = (uint8_t)chooser;
        choices.firsts[lane + 1] = choices.firsts[lane] + choices.counts[chooser][lane];
    }
    choices.pairs = choices.firsts[choices.lanes];
    return FOUND_MORE;
}

// Note the children after some pairs of nodes and moves; the last edges of the table are theirs.
inline bool play_pairs(const Rules &rules, Retrograde &table, const Choices &choices, Integer begin, Integer count) {
    for (Integer lane = 0; lane < count; lane++) {
        Integer owner = table.pair_owners[begin + lane], node = choices.nodes[owner], chooser = table.choosers[node];
        memcpy(rules.packed + lane * table.width, table.states + node * table.width,
               (size_t)table.width * sizeof(Word));
        rules.joint[lane * table.roles + chooser] = table.pair_moves[begin + lane];
        if (table.roles > 1) rules.joint[lane * table.roles + !chooser] = choices.only[!chooser][owner];
    }
    put_states(rules, rules.fluents, table.width, count);
    *rules.idle = ~first_lanes(count);
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, rules.fluents, rules.nexts, 0, rules.idle, 1,
                  rules.joint, rules.first_moves, table.roles, count);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.nexts, rules.seen, 1);
    take_states(rules, rules.nexts, table.width, count);
    table.computed += count;
    for (Integer lane = 0; lane < count; lane++)
        __builtin_prefetch(table.buckets +
                           (hash_of(rules.packed + lane * table.width, table.width) & (Word)table.bucket_mask));
    for (Integer lane = 0; lane < count; lane++) {
        Integer child = note_state(rules, table, lane);
        if (child < 0) return false;
        table.children[table.edges++] = (int32_t)child;
    }
    return true;
}

// Expand the next nodes. Nothing has changed if there is no room.
inline Progress expand_nodes(const Rules &rules, Retrograde &table) {
    Choices choices;
    Integer most = 1, end = table.next;
    for (Integer role = 0; role < table.roles; role++)
        most = table.move_counts[role] > most ? table.move_counts[role] : most;
    most = table.pair_room / most < LANES ? table.pair_room / most : LANES;
    choices.lanes = 0, choices.firsts[0] = 0;
    for (; end < table.count && choices.lanes < most; end++)
        if (table.outcomes[end] == UNKNOWN) choices.nodes[choices.lanes++] = (int32_t)end;
    if (!choices.lanes && end == table.next) return FOUND_ALL;
    choices.pairs = 0;
    if (choices.lanes) {
        for (Integer lane = 0; lane < choices.lanes; lane++)
            memcpy(rules.packed + lane * table.width, table.states + choices.nodes[lane] * table.width,
                   (size_t)table.width * sizeof(Word));
        put_states(rules, rules.fluents, table.width, choices.lanes);
        rules.position(rules.position_values, rules.position_code, rules.rng, rules.fluents, rules.seen, 1);
        if (Progress failure = read_choices(rules, table, choices)) return failure;
    }
    Integer nodes = table.count + choices.pairs, edges = table.edges + choices.pairs;
    if (nodes * table.node_bytes + edges * table.edge_bytes > table.byte_room || nodes >= table.node_room ||
        edges >= table.edge_room)
        return NO_ROOM;
    if (2 * nodes > table.bucket_mask) return FEW_BUCKETS;
    for (Integer lane = 0; table.next < end; table.next++) {
        table.first_edges[table.next] = table.edges + choices.firsts[lane];
        lane += table.outcomes[table.next] == UNKNOWN;
    }
    table.first_edges[end] = edges;
    // `seen` is overwritten by the children, so pairs are stored first.
    each_legal(rules, table, choices.lanes, [&](Integer role, Integer move, Integer lane) {
        if (table.choosers[choices.nodes[lane]] != role) return;
        Integer pair = choices.firsts[lane]++;
        table.pair_owners[pair] = (int32_t)lane, table.pair_moves[pair] = (int32_t)move;
    });
    for (Integer begin = 0; begin < choices.pairs; begin += LANES) {
        Integer left = choices.pairs - begin;
        if (!play_pairs(rules, table, choices, begin, left < LANES ? left : LANES)) return MANY_OUTCOMES;
    }
    return FOUND_MORE;
}

// List the parents of each node.
inline void list_parents(Retrograde &table) {
    Integer *first = table.first_parents;
    for (Integer node = 0; node <= table.count; node++) first[node] = 0;
    for (Integer edge = 0; edge < table.edges; edge++) first[table.children[edge]]++;
    Integer sum = 0;
    for (Integer node = 0; node <= table.count; node++) sum += first[node], first[node] = sum;
    for (Integer node = table.count - 1; node >= 0; node--) {
        for (Integer edge = table.first_edges[node]; edge < table.first_edges[node + 1]; edge++)
            table.parents[--first[table.children[edge]]] = (int32_t)node;
        table.pending[node] = (int32_t)(table.first_edges[node + 1] - table.first_edges[node]);
        table.distances[node] = table.outcomes[node] == UNKNOWN ? -1 : 0;
    }
}

// Give an outcome to all nodes from which a player can enforce it, or something better that was attracted before: where
// it is that player's turn, one child is enough, elsewhere all are needed. Nearest nodes come first, so distances are
// those of a winner in a hurry and a loser who delays. For ANYBODY one child is always enough.
inline void attract(Retrograde &table, Integer outcome, Integer player) {
    Integer end = 0;
    for (Integer node = 0; node < table.count; node++)
        if (table.outcomes[node] == outcome) table.line[end++] = (int32_t)node;
    for (Integer n = 0; n < end; n++) {
        Integer node = table.line[n];
        for (Integer k = table.first_parents[node]; k < table.first_parents[node + 1]; k++) {
            Integer parent = table.parents[k];
            if (table.outcomes[parent] != UNKNOWN) continue;
            bool is_free = player == ANYBODY || table.choosers[parent] == player;
            if (!is_free && --table.pending[parent]) continue;
            table.outcomes[parent] = (uint8_t)outcome;
            table.distances[parent] = table.distances[node] + 1;
            table.line[end++] = (int32_t)parent;
        }
    }
}
