// Delete relaxation on the circuit: what may become true if nothing that was once possible is ever lost.
//
// Every literal has a row: the lanes in which it may be true by now. A step does all legal moves at once and adds what
// they may make true to what was possible before. So a literal that is possible after n steps at the earliest needs at
// least n moves, and one that never becomes possible is unreachable.
#pragma once
#include "rules.hpp"

enum Kind : int32_t { AND, XOR, MAJORITY, PARITY };

struct Gate {
    int32_t kind, node, a, b, c;
};

constexpr Integer SUM_ROWS = 16;
constexpr int32_t DEAD = 65535, MOST_DISTANCE = 60000;

struct Relaxation {
    Integer early_count, late_count;  // gates that depend on fluents only, and the others
    const Gate *early, *late;
    Integer loop_count;               // recursion: inputs that are set to their updates until nothing changes
    const int32_t *loop_inputs, *loop_updates;
    Integer fluent_count, literals;
    const int32_t *fluent_inputs, *fluent_rows, *next;
    Integer free_count;               // inputs of which nothing is known
    const int32_t *free_inputs;
    Integer move_count;
    const int32_t *does, *legal;
    Integer part_count;               // what the goal is a conjunction of
    const int32_t *parts;
    Integer most_steps;
    Row *may;                         // (literals)
    Row *sums;                        // (SUM_ROWS)
    uint16_t *distances;              // (LANES)
    Integer steps_made;
};

inline void evaluate(Row *may, const Gate *gates, Integer count) {
    for (Integer n = 0; n < count; n++) {
        const Gate &gate = gates[n];
        const Row a = may[gate.a], not_a = may[gate.a ^ 1], b = may[gate.b], not_b = may[gate.b ^ 1];
        Row &yes = may[2 * gate.node], &no = may[2 * gate.node + 1];
        if (gate.kind == AND) {
            yes = a & b, no = not_a | not_b;
        } else if (gate.kind == XOR) {
            yes = (a & not_b) | (not_a & b), no = (a & b) | (not_a & not_b);
        } else {
            const Row c = may[gate.c], not_c = may[gate.c ^ 1];
            if (gate.kind == MAJORITY) {
                yes = (a & b) | (c & (a | b)), no = (not_a & not_b) | (not_c & (not_a | not_b));
            } else {
                const Row odd = (a & not_b) | (not_a & b), even = (a & b) | (not_a & not_b);
                yes = (odd & not_c) | (even & c), no = (odd & c) | (even & not_c);
            }
        }
    }
}

inline Row widen(Row &row, const Row &more) {
    const Row fresh = more & ~row;
    row |= more;
    return fresh;
}

// All gates, again while recursion finds more.
inline void evaluate_all(Relaxation &relaxation) {
    Row *may = relaxation.may;
    for (bool again = true; again;) {
        evaluate(may, relaxation.early, relaxation.early_count);
        for (Integer n = 0; n < relaxation.move_count; n++) may[relaxation.does[n]] = may[relaxation.legal[n]];
        evaluate(may, relaxation.late, relaxation.late_count);
        Row fresh = {};
        for (Integer n = 0; n < relaxation.loop_count; n++)
            fresh |= widen(may[relaxation.loop_inputs[n]], may[relaxation.loop_updates[n]]);
        again = !is_zero(fresh);
    }
}

// For each lane the sum, over the parts of the goal, of the steps until each is possible; with `highest`, the largest.
inline void measure(Relaxation &relaxation, const Row *fluents, Integer count, bool highest) {
    Row *may = relaxation.may;
    const Row used = first_lanes(count);
    may[0] = all_lanes(0), may[1] = all_lanes(~0ULL);
    for (Integer n = 0; n < relaxation.free_count; n++)
        may[relaxation.free_inputs[n]] = may[relaxation.free_inputs[n] ^ 1] = all_lanes(~0ULL);
    for (Integer n = 0; n < relaxation.loop_count; n++) {
        may[relaxation.loop_inputs[n]] = all_lanes(0);
        may[relaxation.loop_inputs[n] ^ 1] = all_lanes(~0ULL);
    }
    for (Integer n = 0; n < relaxation.move_count; n++) may[relaxation.does[n] ^ 1] = all_lanes(~0ULL);
    for (Integer n = 0; n < relaxation.fluent_count; n++) {
        may[relaxation.fluent_inputs[n]] = fluents[relaxation.fluent_rows[n]];
        may[relaxation.fluent_inputs[n] ^ 1] = ~fluents[relaxation.fluent_rows[n]];
    }
    for (Integer n = 0; n < SUM_ROWS; n++) relaxation.sums[n] = all_lanes(0);
    Row missing = {};
    bool grows = true;
    for (Integer step = 0;; step++) {
        evaluate_all(relaxation);
        missing = all_lanes(0);
        for (Integer n = 0; n < relaxation.part_count; n++) {
            Row carry = ~may[relaxation.parts[n]] & used;
            missing |= carry;
            if (highest) continue;
            for (Integer bit = 0; bit < SUM_ROWS && !is_zero(carry); bit++) {
                const Row both = relaxation.sums[bit] & carry;
                relaxation.sums[bit] ^= carry;
                carry = both;
            }
        }
        if (highest) {
            Row carry = missing;
            for (Integer bit = 0; bit < SUM_ROWS && !is_zero(carry); bit++) {
                const Row both = relaxation.sums[bit] & carry;
                relaxation.sums[bit] ^= carry;
                carry = both;
            }
        }
        relaxation.steps_made++;
        if (is_zero(missing) || step >= relaxation.most_steps) break;
        Row fresh = {};
        for (Integer n = 0; n < relaxation.fluent_count; n++) {
            Integer input = relaxation.fluent_inputs[n], next = relaxation.next[n];
            fresh |= widen(may[input], may[next]) | widen(may[input ^ 1], may[next ^ 1]);
        }
        grows = !is_zero(fresh & used);
        if (!grows) break;
    }
    for (Integer lane = 0; lane < count; lane++) {
        int32_t sum = 0;
        for (Integer bit = 0; bit < SUM_ROWS; bit++) sum |= (int32_t)is_set(relaxation.sums[bit], lane) << bit;
        bool dead = !grows && is_set(missing, lane);
        relaxation.distances[lane] = (uint16_t)(dead ? DEAD : sum < MOST_DISTANCE ? sum : MOST_DISTANCE);
    }
}
