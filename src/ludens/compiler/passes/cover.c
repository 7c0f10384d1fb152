/* Gates become operations with up to three inputs (ludens.compiler.native.cover). */

#include "passes.h"

enum { MOST_READERS = 6, MOST_INPUTS = 3, ALL = 0xFF, COPY = 0xAA, INVERT = 0x55, UNWANTED = 2 };
/* Gates with more readers stay: one operation less is not worth so many longer ones. */

static const uint8_t PATTERNS[] = {0xF0, 0xCC, 0xAA};

/* The nodes that a gate reads while others disappear into it, and one more while one does. */
typedef struct {
    int32_t nodes[MOST_INPUTS + 1];
    int32_t count;
} Reads;

/* A list of gates that read a node. Some have disappeared, or do not read it any more. */
typedef struct {
    int32_t gate, next;
} Reader;

typedef struct {
    const Gates *gates;
    const uint8_t *wanted;
    Stack order;    /* the gates that are needed, each after what it reads */
    Reads *reads;   /* by node; none for inputs, and for gates that disappeared */
    int32_t *first; /* by node, its first reader */
    int32_t *readers;
    Reader *pool;
    int64_t pooled, room;
} Cover;

static int contains(const Reads *reads, int32_t node) {
    for (int n = 0; n < reads->count; n++)
        if (reads->nodes[n] == node)
            return 1;
    return 0;
}

static void find_needed(Cover *cover, const int32_t *roots, int64_t count) {
    const Gates *gates = cover->gates;
    Stack waiting = {0};
    for (int64_t n = 0; n < count; n++) {
        push(&waiting, roots[n]);
        while (waiting.count) {
            int32_t node = waiting.items[waiting.count - 1];
            int64_t before = waiting.count;
            if (!cover->reads[node].count) {
                Literal literals[] = {gates->third[node], gates->right[node], gates->left[node]};
                for (int k = 0; k < 3; k++) {
                    int32_t other = literals[k] >> 1;
                    if (literals[k] != NONE && gates->left[other] != INPUT && !cover->reads[other].count)
                        push(&waiting, other);
                }
            }
            if (waiting.count > before)
                continue;
            waiting.count--;
            if (cover->reads[node].count)
                continue;
            Reads *own = &cover->reads[node];
            own->nodes[own->count++] = gates->left[node] >> 1;
            if (!contains(own, gates->right[node] >> 1))
                own->nodes[own->count++] = gates->right[node] >> 1;
            if (gates->third[node] != NONE && !contains(own, gates->third[node] >> 1))
                own->nodes[own->count++] = gates->third[node] >> 1;
            push(&cover->order, node);
        }
    }
    free(waiting.items);
}

static void add_reader(Cover *cover, int32_t node, int32_t gate) {
    if (cover->pooled == cover->room)
        cover->pool = realloc(cover->pool, (cover->room *= 2) * sizeof *cover->pool);
    cover->pool[cover->pooled] = (Reader){gate, cover->first[node]};
    cover->first[node] = cover->pooled++;
    cover->readers[node]++;
}

/* Whether all readers of a gate can do its work; then they do. */
static void merge_into_readers(Cover *cover, int32_t node) {
    Reads *own = &cover->reads[node];
    int32_t users[MOST_READERS], count = 0;
    if (cover->readers[node] > MOST_READERS)
        return;
    for (int32_t reader = cover->first[node]; reader >= 0; reader = cover->pool[reader].next) {
        int32_t user = cover->pool[reader].gate;
        if (!contains(&cover->reads[user], node))
            continue;
        int32_t together = cover->reads[user].count - 1;
        for (int n = 0; n < own->count; n++)
            together += !contains(&cover->reads[user], own->nodes[n]);
        if (together > MOST_INPUTS)
            return;
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
    for (int64_t place = cover->order.count; place--;)
        if (cover->wanted[cover->order.items[place]] == UNWANTED)
            merge_into_readers(cover, cover->order.items[place]);
}

/* The truth table of a node from those of others; only few gates are between them. */
static uint8_t value(const Gates *gates, int32_t node, uint8_t *values, int32_t *known, int32_t mark) {
    if (known[node] == mark || !node)
        return node ? values[node] : 0;
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

/* For each table the smallest one that an order of its inputs gives, and that order. */
typedef struct {
    uint8_t table, inputs, places[MOST_INPUTS];
} Smallest;

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
        if ((table & PATTERNS[place]) >> (4 >> place) != (table & ~PATTERNS[place] & ALL))
            return 3 - place;
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

/* Write the operations for some outputs as rows of table, number of inputs, three inputs, and result. `wanted` says of
each node whether its value is stored inverted, or that it is no output. The number of operations is returned. */
int64_t cover(const Gates *gates, const int32_t *roots, int64_t count, const uint8_t *wanted, uint8_t *inverted, int32_t *rows) {
    Cover all = {.gates = gates, .wanted = wanted};
    all.reads = calloc(gates->count, sizeof *all.reads);
    all.first = malloc(gates->count * sizeof *all.first);
    memset(all.first, -1, gates->count * sizeof *all.first);
    all.readers = calloc(gates->count, sizeof *all.readers);
    all.room = 4 * gates->count;
    all.pool = malloc(all.room * sizeof *all.pool);
    find_needed(&all, roots, count);
    merge(&all);
    free(all.pool);
    int32_t *known = all.first;
    memset(known, -1, gates->count * sizeof *known);
    uint8_t *values = calloc(gates->count, 1);
    Smallest smallest[256];
    find_smallest(smallest);
    int64_t written = 0;
    for (int64_t place = 0; place < all.order.count; place++) {
        int32_t node = all.order.items[place];
        Reads *own = &all.reads[node];
        if (!own->count)
            continue;
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
        if (!best->inputs) /* a constant: a copy of node 0, which is false */
            row[0] = table ? INVERT : COPY, row[1] = 1, row[2] = 0;
    }
    free(all.order.items), free(all.reads), free(all.first), free(all.readers), free(values);
    return written;
}
