// Searches for the best line of one role on packed positions. `make bitcode` compiles this file to graph.bc, which
// Python loads; the functions below are all it calls.
#include "expansion.hpp"

extern "C" {

// A mark of the sources, by which a test sees whether graph.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Begin at the state in the first lane of `fluents`.
void ludens_begin(const Rules *rules, Store *store, const Guide *guide, Novelty *novelty, const Order *order) {
    take_states(*rules, rules->fluents, store->width, 1);
    note_counters(*rules, *store, rules->fluents, 0, 0);
    Integer bucket = find_bucket(*store, rules->packed, hash_of(rules->packed, store->width));
    Integer node = add_node(*store, bucket, rules->packed, -1, -1);
    evaluate_nodes(*rules, *store, *guide, *order, 0, 1);
    queue(*store, *guide, *novelty, *order, node);
}

// Expand positions until so many children are computed, or something changes: a better line, no position or no room
// left.
Integer ludens_search(const Rules *rules, Store *store, const Guide *guide, Novelty *novelty, const Order *order,
                      Integer most_children) {
    Integer end = store->computed + most_children;
    while (store->computed < end) {
        Integer found = expand(*rules, *store, *guide, *novelty, *order);
        if (found != GOING_ON) return found;
    }
    return GOING_ON;
}

// Compute the steps in the relaxed rules from the states in the first lanes.
void ludens_measure(Relaxation *relaxation, const Row *fluents, Integer count) {
    measure(*relaxation, fluents, count, false);
}

// Fill a new table, which is empty, with all positions.
void ludens_fill_table(Store *store) {
    for (Integer node = 0; node < store->count; node++) {
        const Word *state = store->states + node * store->width;
        Integer bucket = (Integer)hash_of(state, store->width) & store->bucket_mask;
        while (store->table[bucket]) bucket = (bucket + 1) & store->bucket_mask;
        store->table[bucket] = (int32_t)node + 1;
    }
}
}
