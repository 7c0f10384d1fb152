// The positions of a search, each once, with the move by which it was reached; and heaps of those to expand.
#pragma once
#include "rules.hpp"

constexpr Integer HEAPS = 3;

struct Entry {
    Word key;
    Integer node;
};

struct Store {
    Integer room, width, bucket_mask, count;
    Word *states;         // (room, width)
    int32_t *parents, *moves, *depths;
    uint16_t *distances;  // to the goal, as estimated
    uint16_t *ranks;      // what orders positions of the same depth
    uint8_t *closed;      // whether it was expanded, or is over
    int32_t *table;       // by hash: the number of a node plus one
    Entry *heaps[HEAPS];
    Integer sizes[HEAPS];
    Integer heap_room;
    Integer depth_room, known_depths, counter_width;
    Word *counters;       // the counting fluents after so many steps (depth_room, counter_width)
    Integer next;         // the node to expand next where the order is that of the numbers
    Integer best_goal, best_node;
    Integer fresh;        // the first node of the expansion that is being made
    Integer expanded, computed;
    Integer lowest;       // the priority of the last node that was taken from the first heap
    Word random;
};

inline Word next_random(Store &store) {
    store.random ^= store.random << 13;
    store.random ^= store.random >> 7;
    store.random ^= store.random << 17;
    return store.random;
}

inline Word hash_of(const Word *state, Integer width) {
    Word hash = 0x243F6A8885A308D3ULL;
    for (Integer n = 0; n < width; n++) {
        hash = (hash ^ state[n]) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32;
    }
    hash *= 0xD6E8FEB86659FD93ULL;
    return hash ^ hash >> 29;
}

// The bucket of a state: with its node, or empty.
inline Integer find_bucket(const Store &store, const Word *state, Word hash) {
    for (Integer bucket = (Integer)hash & store.bucket_mask;; bucket = (bucket + 1) & store.bucket_mask) {
        Integer node = store.table[bucket] - 1;
        if (node < 0) return bucket;
        const Word *known = store.states + node * store.width;
        Integer n = 0;
        while (n < store.width && known[n] == state[n]) n++;
        if (n == store.width) return bucket;
    }
}

inline Integer add_node(Store &store, Integer bucket, const Word *state, Integer parent, int32_t move) {
    Integer node = store.count++;
    memcpy(store.states + node * store.width, state, (size_t)store.width * sizeof(Word));
    store.parents[node] = (int32_t)parent;
    store.moves[node] = move;
    store.depths[node] = parent < 0 ? 0 : store.depths[parent] + 1;
    store.closed[node] = 0;
    store.distances[node] = store.ranks[node] = 0;
    store.table[bucket] = (int32_t)node + 1;
    return node;
}

inline void push(Store &store, Integer heap, Word key, Integer node) {
    if (store.sizes[heap] >= store.heap_room) return;
    Entry *entries = store.heaps[heap];
    Integer place = store.sizes[heap]++;
    while (place && entries[(place - 1) / 2].key > key) {
        entries[place] = entries[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    entries[place] = {key, node};
}

inline Entry pop(Store &store, Integer heap) {
    Entry *entries = store.heaps[heap], top = entries[0];
    Integer size = --store.sizes[heap], place = 0;
    Entry last = entries[size];
    for (;;) {
        Integer child = 2 * place + 1;
        if (child >= size) break;
        if (child + 1 < size && entries[child + 1].key < entries[child].key) child++;
        if (entries[child].key >= last.key) break;
        entries[place] = entries[child];
        place = child;
    }
    entries[place] = last;
    return top;
}
