// The rules as code that computes blocks of states (core/block.py documents its arguments), and rows of bits.
#pragma once
#include <stdint.h>
#include <string.h>

using Integer = int64_t;
using Word = uint64_t;

constexpr Integer LANES = 512, WORD_BITS = 64, ROW_WORDS = LANES / WORD_BITS, GOAL_ROWS = 8;

#pragma clang diagnostic ignored "-Wpsabi"  // rows are passed between inlined functions only
typedef Word Row __attribute__((vector_size(64)));  // one bit for each lane

using Position = Integer (*)(Word *, Integer, Word *, Row *, Row *, Integer);
using Advance = Integer (*)(Word *, Integer, Word *, Row *, Row *, Integer, Row *, Integer, int32_t *, const Integer *,
                            Integer, Integer);

struct Rules {
    Position position;
    Advance advance;
    Integer position_code, advance_code;
    Word *position_values, *advance_values, *rng;
    Integer fluent_rows, first_goal, first_legal, move_count;
    const Integer *first_moves;
    Integer kept_count;           // fluents that distinguish positions
    const int32_t *kept;          // their rows
    Integer counting_count;       // fluents that depend on nothing but the number of steps
    const int32_t *counting;      // their rows
    Row *fluents, *nexts, *seen;  // a block of states, the states after them, and what holds in these
    Row *idle;
    Word *packed;     // the kept fluents of each lane (LANES, width)
    int32_t *joint;   // the move of each lane
    int32_t *owners;  // the node of each lane
    Integer pair_room;
    int32_t *pairs;    // nodes and moves that are to be played (pair_room, 2)
    const Row *fixed;  // the other fluents, in every lane as in the root
};

inline Integer lowest_one(Word bits) { return __builtin_ctzll(bits); }
inline Row all_lanes(Word value) { return Row{value, value, value, value, value, value, value, value}; }
inline bool is_zero(const Row &row) {
    Word any = 0;
    for (Integer n = 0; n < ROW_WORDS; n++) any |= row[n];
    return !any;
}
inline bool is_set(const Row &row, Integer lane) { return row[lane / WORD_BITS] >> (lane % WORD_BITS) & 1; }
inline Row first_lanes(Integer count) {
    Row found = {};
    for (Integer n = 0; n < ROW_WORDS; n++) {
        Integer left = count - n * WORD_BITS;
        found[n] = left >= WORD_BITS ? ~0ULL : left > 0 ? (1ULL << left) - 1 : 0;
    }
    return found;
}

// Transpose a square of 64 by 64 bits: bit j of word i becomes bit i of word j.
inline void transpose(Word *square) {
    Word mask = 0x00000000FFFFFFFFULL;
    for (Integer width = 32; width; width >>= 1, mask ^= mask << width)
        for (Integer i = 0; i < WORD_BITS; i = ((i | width) + 1) & ~width) {
            Word swapped = (square[i] >> width ^ square[i | width]) & mask;
            square[i] ^= swapped << width;
            square[i | width] ^= swapped;
        }
}

// Read the kept fluents of the first lanes into `packed`.
inline void take_states(const Rules &rules, const Row *rows, Integer width, Integer count) {
    Word square[WORD_BITS];
    for (Integer column = 0; column < width; column++)
        for (Integer place = 0; place * WORD_BITS < count; place++) {
            for (Integer n = 0; n < WORD_BITS; n++) {
                Integer fluent = column * WORD_BITS + n;
                square[n] = fluent < rules.kept_count ? rows[rules.kept[fluent]][place] : 0;
            }
            transpose(square);
            for (Integer n = 0; n < WORD_BITS; n++) rules.packed[(place * WORD_BITS + n) * width + column] = square[n];
        }
}

// Write the kept fluents of the first lanes, which are in `packed`; the counting ones are not written.
inline void put_states(const Rules &rules, Row *rows, Integer width, Integer count) {
    memcpy(rows, rules.fixed, (size_t)rules.fluent_rows * sizeof(Row));
    Word square[WORD_BITS];
    for (Integer column = 0; column < width; column++)
        for (Integer place = 0; place * WORD_BITS < count; place++) {
            for (Integer n = 0; n < WORD_BITS; n++) {
                Integer lane = place * WORD_BITS + n;
                square[n] = lane < count ? rules.packed[lane * width + column] : rules.packed[column];
            }
            transpose(square);
            Integer most = rules.kept_count - column * WORD_BITS;
            for (Integer n = 0; n < WORD_BITS && n < most; n++)
                rows[rules.kept[column * WORD_BITS + n]][place] = square[n];
        }
}

inline Integer goal_of(const Rules &rules, Integer lane) {
    Integer goal = 0;
    for (Integer n = 0; n < GOAL_ROWS; n++) goal |= (Integer)is_set(rules.seen[rules.first_goal + n], lane) << n;
    return goal;
}
