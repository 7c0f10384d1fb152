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

// Exchange two rows of blocks of `WIDTH` by `WIDTH` bits that are in the same vector of eight words.
template <Integer WIDTH>
inline Row exchange_inside(Row rows, Word mask) {
    const Row numbers = {0, 1, 2, 3, 4, 5, 6, 7}, is_second = (Row)((numbers & all_lanes(WIDTH)) != all_lanes(0));
    constexpr Integer W = WIDTH;
    const Row first = __builtin_shufflevector(rows, rows, 0 & ~W, 1 & ~W, 2 & ~W, 3 & ~W, 4 & ~W, 5 & ~W, 6 & ~W, 7 & ~W);
    const Row second = __builtin_shufflevector(rows, rows, 0 | W, 1 | W, 2 | W, 3 | W, 4 | W, 5 | W, 6 | W, 7 | W);
    const Row swapped = (first >> WIDTH ^ second) & all_lanes(mask);
    return rows ^ ((swapped << WIDTH & ~is_second) | (swapped & is_second));
}

// Transpose a square of 64 by 64 bits: bit j of word i becomes bit i of word j.
inline void transpose(Row *rows) {
    Word mask = 0x00000000FFFFFFFFULL;
    Integer width = 32;
    for (; width >= ROW_WORDS; width >>= 1, mask ^= mask << width)
        for (Integer n = 0; n < ROW_WORDS; n++) {
            Integer other = n | width / ROW_WORDS;
            if (other == n) continue;
            const Row swapped = (rows[n] >> width ^ rows[other]) & all_lanes(mask);
            rows[n] ^= swapped << width;
            rows[other] ^= swapped;
        }
    for (Integer n = 0; n < ROW_WORDS; n++)
        rows[n] = exchange_inside<1>(
            exchange_inside<2>(exchange_inside<4>(rows[n], 0x0F0F0F0F0F0F0F0FULL), 0x3333333333333333ULL),
            0x5555555555555555ULL);
}

// A square of bits, as words or as vectors.
union Square {
    Word words[WORD_BITS];
    Row rows[WORD_BITS / ROW_WORDS];
};

inline void copy_words(Word *to, const Word *from, Integer count) {
    for (Integer n = 0; n < count; n++) to[n] = from[n];
}

// Read the kept fluents of the first lanes into `packed`.
inline void take_states(const Rules &rules, const Row *rows, Integer width, Integer count) {
    Square square;
    for (Integer column = 0; column < width; column++)
        for (Integer place = 0; place * WORD_BITS < count; place++) {
            for (Integer n = 0; n < WORD_BITS; n++) {
                Integer fluent = column * WORD_BITS + n;
                square.words[n] = fluent < rules.kept_count ? rows[rules.kept[fluent]][place] : 0;
            }
            transpose(square.rows);
            for (Integer n = 0; n < WORD_BITS; n++) rules.packed[(place * WORD_BITS + n) * width + column] = square.words[n];
        }
}

// Write the kept fluents of the first lanes, which are in `packed`; all others stay as they are.
inline void put_states(const Rules &rules, Row *rows, Integer width, Integer count) {
    Square square;
    for (Integer column = 0; column < width; column++)
        for (Integer place = 0; place * WORD_BITS < count; place++) {
            for (Integer n = 0; n < WORD_BITS; n++) {
                Integer lane = place * WORD_BITS + n;
                square.words[n] = lane < count ? rules.packed[lane * width + column] : rules.packed[column];
            }
            transpose(square.rows);
            Integer most = rules.kept_count - column * WORD_BITS;
            for (Integer n = 0; n < WORD_BITS && n < most; n++)
                rows[rules.kept[column * WORD_BITS + n]][place] = square.words[n];
        }
}

inline Integer goal_of(const Rules &rules, Integer lane) {
    Integer goal = 0;
    for (Integer n = 0; n < GOAL_ROWS; n++) goal |= (Integer)is_set(rules.seen[rules.first_goal + n], lane) << n;
    return goal;
}
