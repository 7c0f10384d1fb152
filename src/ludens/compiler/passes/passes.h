/* Passes over hundreds of thousands of gates. `make bitcode` compiles them for the package. */

#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t Literal;

enum { FALSE = 0, TRUE = 1, INPUT = -1, NONE = -1 };

/* ludens.compiler.circuit.gates has the same structure. */
typedef struct {
    Literal *left, *right, *third; /* what each node reads */
    uint8_t *is_xor;
    int32_t *table; /* the gates by what they read; twice as many places as nodes have room, a power of two */
    int64_t count, room;
    int64_t is_full; /* whether there was no room */
} Gates;

/* Ground rules (ludens.compiler.ground.flat_rules). */
typedef struct {
    const int32_t *words;         /* the atoms of all bodies; negative ones must not hold */
    const int64_t *bodies;        /* where each body begins, and where the last ends */
    const int64_t *first, *after; /* by atom, its first body and the one after its last */
} Rules;

/* A list that grows. */
typedef struct {
    int32_t *items;
    int64_t count, room;
} Stack;

static inline void push(Stack *stack, int32_t item) {
    if (stack->count == stack->room) {
        stack->room = stack->room ? 2 * stack->room : 256;
        stack->items = realloc(stack->items, stack->room * sizeof *stack->items);
    }
    stack->items[stack->count++] = item;
}

Literal both(Gates *gates, Literal a, Literal b);
Literal all_of(Gates *gates, Literal *literals, int64_t count);
void sort(Literal *literals, int64_t count);
