// What the passes share: graphs of gates and ground rules in memory that Python owns, and lists that grow.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

using Literal = int32_t;

constexpr Literal FALSE = 0, TRUE = 1, INPUT = -1, NONE = -1;

// ludens.compiler.circuit.gates has the same structure.
struct Gates {
    Literal *left, *right, *third; // what each node reads
    uint8_t *is_xor;
    int32_t *table; // the gates by what they read; twice as many places as there is room for nodes, a power of two
    int64_t count, room;
    int64_t is_full; // whether there was no room
};

// Ground rules; ludens.compiler.ground.flat_rules has the same structure.
struct Rules {
    const int32_t *words;         // the atoms of all bodies; negative ones must not hold
    const int64_t *bodies;        // where each body begins, and where the last ends
    const int64_t *first, *after; // by atom, its first body and the one after its last; -1 if it has none
};

// Whether an allocation has failed. Whoever allocates leaves its loops then and returns, and Python raises MemoryError
// (ludens.compiler.passes.library): what was computed does not count.
extern "C" int64_t out_of_memory;

// Memory that is zero at first; not there if `out_of_memory`.
template <class Item> struct Array {
    Item *items;

    explicit Array(int64_t count) : items((Item *)calloc(count + 1, sizeof(Item))) {
        if (!items) out_of_memory = 1;
    }
    Array(const Array &) = delete;
    ~Array() { free(items); }
    operator Item *() const { return items; }
};

// A list that grows, unless `out_of_memory`.
template <class Item> struct List {
    Item *items = nullptr;
    int64_t count = 0, room = 0;

    List() = default;
    List(const List &) = delete;
    ~List() { free(items); }
    Item &operator[](int64_t place) const { return items[place]; }
    Item &last() const { return items[count - 1]; }
    void push(Item item) {
        if (count < room || grow()) items[count++] = item;
    }
    bool grow() {
        int64_t more = room ? 2 * room : 256;
        Item *larger = (Item *)realloc(items, more * sizeof(Item));
        if (!larger) return out_of_memory = 1, false;
        items = larger, room = more;
        return true;
    }
};

inline void sort(Literal *literals, int64_t count) {
    auto compare = [](const void *a, const void *b) { return *(const Literal *)a - *(const Literal *)b; };
    if (count > 16) return qsort(literals, count, sizeof *literals, compare);
    for (int64_t n = 1; n < count; n++) {
        Literal moved = literals[n];
        int64_t place = n;
        for (; place && literals[place - 1] > moved; place--) literals[place] = literals[place - 1];
        literals[place] = moved;
    }
}

// Put the different ones of sorted literals first; returns how many they are.
inline int64_t remove_repeated(Literal *literals, int64_t count) {
    int64_t different = 0;
    for (int64_t n = 0; n < count; n++)
        if (!n || literals[n] != literals[n - 1]) literals[different++] = literals[n];
    return different;
}
