// Gates become operations with up to three inputs (ludens.compiler.native.cover).

#pragma once

#include "passes.hpp"

enum { MOST_USERS = 16, MOST_INPUTS = 3, ALL = 0xFF, COPY = 0xAA, INVERT = 0x55, UNWANTED = 2 };

static const uint8_t PATTERNS[] = {0xF0, 0xCC, 0xAA};

// The nodes that a gate reads while others disappear into it, and one more while one does.
struct Reads {
    int32_t nodes[MOST_INPUTS + 1], count;
};

// A list of gates that read a node. Some have disappeared, or do not read it any more.
struct Reader {
    int32_t gate, next;
};

struct Cover {
    const Gates *gates;
    const uint8_t *wanted;
    int32_t most_readers;
    List<int32_t> order;    // the gates that are needed, each after what it reads
    Array<Reads> reads;     // by node; none for inputs, and for gates that disappeared
    Array<int32_t> first;   // by node, one more than the number of its first reader
    Array<int32_t> readers; // by node, how many there are
    List<Reader> pool;
};

static int contains(const Reads *reads, int32_t node) {
    for (int n = 0; n < reads->count; n++)
        if (reads->nodes[n] == node) return 1;
    return 0;
}

static void find_needed(Cover *cover, const int32_t *roots, int64_t count) {
    const Gates *gates = cover->gates;
    List<int32_t> waiting;
    for (int64_t n = 0; n < count; n++) {
        waiting.push(roots[n]);
        while (waiting.count) {
            int32_t node = waiting.last();
            int64_t before = waiting.count;
            if (!cover->reads[node].count) {
                Literal literals[] = {gates->third[node], gates->right[node], gates->left[node]};
                for (int k = 0; k < 3; k++) {
                    int32_t other = literals[k] >> 1;
                    if (literals[k] != NONE && gates->left[other] != INPUT && !cover->reads[other].count)
                        waiting.push(other);
                }
            }
            if (waiting.count > before) continue;
            waiting.count--;
            if (cover->reads[node].count) continue;
            Reads *own = &cover->reads[node];
            own->nodes[own->count++] = gates->left[node] >> 1;
            if (!contains(own, gates->right[node] >> 1))
                own->nodes[own->count++] = gates->right[node] >> 1;
            if (gates->third[node] != NONE && !contains(own, gates->third[node] >> 1))
                own->nodes[own->count++] = gates->third[node] >> 1;
            cover->order.push(node);
        }
    }
}

static void add_reader(Cover *cover, int32_t node, int32_t gate) {
    cover->pool.push({gate, cover->first[node]});
    if (out_of_memory) return;
    cover->first[node] = cover->pool.count;
    cover->readers[node]++;
}

// Whether all readers of a gate can do its work; then they do.
static void merge_into_readers(Cover *cover, int32_t node) {
    Reads *own = &cover->reads[node];
    int32_t users[MOST_USERS], count = 0;
    if (cover->readers[node] > cover->most_readers) return;
    for (int32_t reader = cover->first[node]; reader; reader = cover->pool[reader - 1].next) {
        int32_t user = cover->pool[reader - 1].gate;
        if (!contains(&cover->reads[user], node)) continue;
        int32_t together = cover->reads[user].count - 1;
        for (int n = 0; n < own->count; n++)
            together += !contains(&cover->reads[user], own->nodes[n]);
        if (together > MOST_INPUTS) return;
        users[count++] = user;
    }
    for (int n = 0; n < own->count; n++)
        cover->readers[own->nodes[n]]--;
    for (int k = 0; k < count; k++) {
        Reads *theirs = &cover->reads[users[k]];
        for (int n = 0; n < theirs->count; n++)
            if (theirs->nodes[n] == node)
                theirs->nodes[n] = theirs->nodes[--theirs->count];
        for (int n = 0; n < own->count; n++)
            if (!contains(theirs, own->nodes[n])) {
                theirs->nodes[theirs->count++] = own->nodes[n];
                add_reader(cover, own->nodes[n], users[k]);
            }
    }
    own->count = 0;
}

static void merge(Cover *cover) {
    for (int64_t place = 0; place < cover->order.count; place++) {
        int32_t node = cover->order.items[place];
        for (int n = 0; n < cover->reads[node].count; n++)
            add_reader(cover, cover->reads[node].nodes[n], node);
    }
    for (int64_t place = cover->order.count; place-- && !out_of_memory;)
        if (cover->wanted[cover->order.items[place]] == UNWANTED)
            merge_into_readers(cover, cover->order.items[place]);
}

// The truth table of a node from those of others; only few gates are between them.
static uint8_t value(const Gates *gates, int32_t node, uint8_t *values, int32_t *known, int32_t mark) {
    if (known[node] == mark || !node) return node ? values[node] : 0;
    Literal a = gates->left[node], b = gates->right[node], c = gates->third[node];
    uint8_t x = value(gates, a >> 1, values, known, mark) ^ -(a & 1);
    uint8_t y = value(gates, b >> 1, values, known, mark) ^ -(b & 1);
    uint8_t found = gates->is_xor[node] ? x ^ y : x & y;
    if (c != NONE) {
        uint8_t z = value(gates, c >> 1, values, known, mark) ^ -(c & 1);
        found = gates->is_xor[node] ? found ^ z : found | x & z | y & z;
    }
    known[node] = mark;
    return values[node] = found;
}

// For each table the smallest one that an order of its inputs gives, and that order.
struct Smallest {
    uint8_t table, inputs, places[MOST_INPUTS];
};

static uint8_t permute(uint8_t table, const uint8_t *places) {
    uint8_t found = 0;
    for (int entry = 0; entry < 8; entry++) {
        int before = 0;
        for (int place = 0; place < 3; place++)
            before |= (entry >> (2 - place) & 1) << (2 - places[place]);
        found |= (table >> before & 1) << entry;
    }
    return found;
}

static int inputs_of(uint8_t table) {
    for (int place = 0; place < 3; place++)
        if ((table & PATTERNS[place]) >> (4 >> place) != (table & ~PATTERNS[place] & ALL)) return 3 - place;
    return 0;
}

static void find_smallest(Smallest *smallest) {
    static const uint8_t ORDERS[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int table = 0; table < 256; table++)
        for (int n = 0; n < 6; n++) {
            uint8_t other = permute(table, ORDERS[n]), inputs = inputs_of(other);
            Smallest *best = &smallest[table];
            if (!n || inputs < best->inputs || (inputs == best->inputs && other < best->table)) {
                best->table = other, best->inputs = inputs;
                memcpy(best->places, ORDERS[n] + 3 - inputs, inputs);
            }
        }
}

// Write the operations for some outputs as rows of table, number of inputs, three inputs, and result. `wanted` says of
// each node whether its value is stored inverted, or that it is no output. The number of operations is returned.
extern "C" int64_t write_cover(const Gates *gates, const int32_t *roots, int64_t count, const uint8_t *wanted,
                               int32_t most_readers, uint8_t *inverted, int32_t *rows) {
    int64_t nodes = gates->count, written = 0;
    Cover cover{gates, wanted, most_readers, {}, Array<Reads>(nodes), Array<int32_t>(nodes), Array<int32_t>(nodes), {}};
    Array<int32_t> known(nodes);
    Array<uint8_t> values(nodes);
    if (out_of_memory) return 0;
    find_needed(&cover, roots, count);
    merge(&cover);
    if (out_of_memory) return 0;
    Smallest smallest[256];
    find_smallest(smallest);
    for (int64_t place = 0; place < cover.order.count; place++) {
        int32_t node = cover.order[place];
        Reads *own = &cover.reads[node];
        if (!own->count) continue;
        sort(own->nodes, own->count);
        for (int n = 0; n < own->count; n++) {
            values[own->nodes[n]] = PATTERNS[n] ^ -inverted[own->nodes[n]];
            known[own->nodes[n]] = node;
        }
        uint8_t table = value(gates, node, values, known, node);
        inverted[node] = wanted[node] == UNWANTED ? table & 1 : wanted[node];
        table ^= -inverted[node];
        Smallest *best = &smallest[table];
        int32_t *row = rows + 6 * written++;
        row[0] = best->table, row[1] = best->inputs, row[5] = node;
        for (int n = 0; n < best->inputs; n++)
            row[2 + n] = own->nodes[best->places[n]];
        if (!best->inputs) // a constant: a copy of node 0, which is false
            row[0] = table ? INVERT : COPY, row[1] = 1, row[2] = 0;
    }
    return written;
}
