// Graphs of gates in which equal gates are one (ludens.compiler.circuit.gates), and copies of them.
//
// A literal is twice the number of a node, plus one if its value is inverted. Python owns the memory of a graph.
// Whatever adds gates sets `is_full` and returns when there is no room; Python then makes room and calls again, which
// finds the gates that are there already.

#pragma once

#include "passes.hpp"

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c, uint64_t is_xor) {
    uint64_t mixed = (a << 32 | b) * 0x9E3779B97F4A7C15u ^ (c << 1 | is_xor) * 0xC2B2AE3D27D4EB4Fu;
    return mixed ^ mixed >> 29;
}

// Where a gate is in the table, or the free place where it belongs.
static uint64_t place_of(const Gates *gates, Literal a, Literal b, Literal c, uint8_t is_xor) {
    uint64_t mask = 2 * gates->room - 1, place = hash(a, b, (uint32_t)c, is_xor) & mask;
    for (int32_t node; (node = gates->table[place]); place = place + 1 & mask)
        if (gates->left[node] == a && gates->right[node] == b && gates->third[node] == c &&
            gates->is_xor[node] == is_xor)
            break;
    return place;
}

static Literal append(Gates *gates, Literal a, Literal b, Literal c, uint8_t is_xor) {
    if (gates->count >= gates->room) {
        gates->is_full = 1;
        return FALSE;
    }
    int64_t node = gates->count++;
    gates->left[node] = a, gates->right[node] = b, gates->third[node] = c, gates->is_xor[node] = is_xor;
    return 2 * (Literal)node;
}

static Literal gate(Gates *gates, Literal a, Literal b, Literal c, uint8_t is_xor) {
    uint64_t place = place_of(gates, a, b, c, is_xor);
    if (gates->table[place]) return 2 * gates->table[place];
    Literal found = append(gates, a, b, c, is_xor);
    gates->table[place] = found >> 1;
    return found;
}

// Enter all gates into an empty table.
extern "C" void fill_table(Gates *gates) {
    for (int64_t node = 1; node < gates->count; node++)
        if (gates->left[node] != INPUT) {
            Literal a = gates->left[node], b = gates->right[node], c = gates->third[node];
            gates->table[place_of(gates, a, b, c, gates->is_xor[node])] = node;
        }
}

extern "C" Literal new_input(Gates *gates) { return append(gates, INPUT, INPUT, NONE, 0); }

static void put_in_order(Literal *a, Literal *b) {
    if (*a > *b) {
        Literal smaller = *b;
        *b = *a, *a = smaller;
    }
}

extern "C" Literal both(Gates *gates, Literal a, Literal b) {
    put_in_order(&a, &b);
    if (a == FALSE || (a ^ b) == 1) return FALSE;
    return a == TRUE || a == b ? b : gate(gates, a, b, NONE, 0);
}

extern "C" Literal differ(Gates *gates, Literal a, Literal b) {
    Literal inverted = (a ^ b) & 1;
    a &= ~1, b &= ~1;
    put_in_order(&a, &b);
    return (a == b ? FALSE : a == FALSE ? b : gate(gates, a, b, NONE, 1)) ^ inverted;
}

extern "C" Literal parity(Gates *gates, Literal a, Literal b, Literal c) {
    Literal inverted = (a ^ b ^ c) & 1;
    a &= ~1, b &= ~1, c &= ~1;
    put_in_order(&a, &b), put_in_order(&b, &c), put_in_order(&a, &b);
    if (a == FALSE) return differ(gates, b, c) ^ inverted;
    return (a == b ? c : b == c ? a : gate(gates, a, b, c, 1)) ^ inverted;
}

extern "C" Literal majority(Gates *gates, Literal a, Literal b, Literal c) {
    put_in_order(&a, &b), put_in_order(&b, &c), put_in_order(&a, &b);
    if (a == FALSE) return both(gates, b, c);
    if (a == TRUE) return both(gates, b ^ 1, c ^ 1) ^ 1;
    if (a >> 1 == b >> 1) return a == b ? a : c;
    if (b >> 1 == c >> 1) return b == c ? b : a;
    return gate(gates, a, b, c, 0);
}

// The conjunction of different literals in their order, as a tree by their binary digits: sets that differ in few
// literals share all but a few of their gates, unlike with a balanced tree.
static Literal tree(Gates *gates, const Literal *ordered, int64_t count) {
    if (count == 1) return ordered[0];
    if (count == 2) return both(gates, ordered[0], ordered[1]);
    Literal last = ordered[count - 1];
    int digit = 31 - __builtin_clz(ordered[0] ^ last);
    Literal bound = last >> digit << digit;
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (ordered[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return both(gates, tree(gates, ordered, low), tree(gates, ordered + low, count - low));
}

// The conjunction of literals, which are sorted in place.
extern "C" Literal all_of(Gates *gates, Literal *literals, int64_t count) {
    sort(literals, count);
    int64_t different = remove_repeated(literals, count);
    if (!different) return TRUE;
    return literals[0] == FALSE ? FALSE : tree(gates, literals, different);
}

// Copy what some literals need, with the values that are known. `literal_of` has the copies of nodes, or -1.
extern "C" void translate(Gates *gates, const Gates *old, Literal *literal_of, const Literal *wanted, int64_t count) {
    List<int32_t> waiting;
    for (int64_t n = 0; n < count && !gates->is_full; n++) {
        waiting.push(wanted[n] >> 1);
        while (waiting.count && !out_of_memory) {
            int32_t node = waiting.last();
            if (literal_of[node] >= 0) {
                waiting.count--;
                continue;
            }
            Literal a = old->left[node], b = old->right[node], c = old->third[node], made;
            if (a == INPUT)
                made = new_input(gates);
            else {
                Literal x = literal_of[a >> 1], y = literal_of[b >> 1], z = c == NONE ? FALSE : literal_of[c >> 1];
                if (x < 0 || y < 0 || z < 0) {
                    if (x < 0)
                        waiting.push(a >> 1);
                    if (y < 0)
                        waiting.push(b >> 1);
                    if (z < 0)
                        waiting.push(c >> 1);
                    continue;
                }
                x ^= a & 1, y ^= b & 1, z ^= c & 1;
                if (c == NONE)
                    made = old->is_xor[node] ? differ(gates, x, y) : both(gates, x, y);
                else
                    made = old->is_xor[node] ? parity(gates, x, y, z) : majority(gates, x, y, z);
            }
            if (gates->is_full) break;
            literal_of[node] = made;
        }
        waiting.count = 0;
    }
}
