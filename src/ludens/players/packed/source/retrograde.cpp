// Retrograde analysis. `make bitcode` compiles this file to retrograde.bc, which Python loads.
#include "retrograde.hpp"

extern "C" {

// A mark of the sources, by which a test sees whether retrograde.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Begin at the state in the first lane of `fluents`.
void ludens_begin(const Rules *rules, Retrograde *table) {
    rules->position(rules->position_values, rules->position_code, rules->rng, rules->fluents, rules->seen, 1);
    take_states(*rules, rules->fluents, table->width, 1);
    note_state(*rules, *table, 0);
}

// Find positions until so many children are computed, or something is in the way.
Integer ludens_enumerate(const Rules *rules, Retrograde *table, Integer children) {
    Integer end = table->computed + children;
    while (table->computed < end)
        if (Progress found = expand_nodes(*rules, *table)) return found;
    return FOUND_MORE;
}

// Fill new buckets, which are empty, with all nodes.
void ludens_fill_buckets(Retrograde *table) {
    for (Integer node = 0; node < table->count; node++)
        table->buckets[bucket_of(*table, table->states + node * table->width)] = (int32_t)node + 1;
}

void ludens_list_parents(Retrograde *table) { list_parents(*table); }

void ludens_attract(Retrograde *table, Integer outcome, Integer player) { attract(*table, outcome, player); }
}
