// Squares of 64 rows and 64 lanes: rows of bits to the bits of each lane and back, eight squares side by side.
#pragma once
#include <stdint.h>
#include <string.h>

using Integer = int64_t;
using Word = uint64_t;

constexpr Integer LANES = 512, WORD_BITS = 64, ROW_WORDS = LANES / WORD_BITS, GOAL_ROWS = 8;

#pragma clang diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
typedef Word Row __attribute__((vector_size(64)));  // one bit for each lane
typedef uint8_t Bytes __attribute__((vector_size(64)));
typedef int8_t Flags __attribute__((vector_size(64)));
typedef uint32_t Quads __attribute__((vector_size(64)));
constexpr Integer QUADS = 16;

inline Row all_lanes(Word value) { return Row{value, value, value, value, value, value, value, value}; }

// Exchange the high bits of `low` with the low bits of `high`, in every group of twice `width` bits.
template <Integer width>
inline void exchange(Row &low, Row &high, Word mask) {
    Row swapped = (low >> width ^ high) & all_lanes(mask);
    low ^= swapped << width;
    high ^= swapped;
}

// Two steps of the transposition at once, so that four rows stay in registers.
template <Integer width>
inline void exchange_twice(Row *square, Word mask, Word half_mask) {
    constexpr Integer half = width / 2;
    for (Integer first = 0; first < WORD_BITS; first += 2 * width)
        for (Integer n = first; n < first + half; n++) {
            Row a = square[n], b = square[n + half], c = square[n + width], d = square[n + width + half];
            exchange<width>(a, c, mask);
            exchange<width>(b, d, mask);
            exchange<half>(a, b, half_mask);
            exchange<half>(c, d, half_mask);
            square[n] = a, square[n + half] = b, square[n + width] = c, square[n + width + half] = d;
        }
}

// Bit j of row i becomes bit i of row j, in each of the eight words.
inline void transpose(Row *square) {
    exchange_twice<32>(square, 0x00000000FFFFFFFFULL, 0x0000FFFF0000FFFFULL);
    exchange_twice<8>(square, 0x00FF00FF00FF00FFULL, 0x0F0F0F0F0F0F0F0FULL);
    exchange_twice<2>(square, 0x3333333333333333ULL, 0x5555555555555555ULL);
}

// The bits of each lane, from a transposed square.
inline void take_lanes(const Row *square, Word *lanes) {
    for (Integer n = 0; n < WORD_BITS; n++)
        for (Integer place = 0; place < ROW_WORDS; place++) lanes[place * WORD_BITS + n] = square[n][place];
}

// The reverse: the bits of each lane as a square that is not transposed yet.
inline void put_lanes(Row *square, const Word *lanes) {
    for (Integer n = 0; n < WORD_BITS; n++)
        for (Integer place = 0; place < ROW_WORDS; place++) square[n][place] = lanes[place * WORD_BITS + n];
}

// All ones in the bytes whose bit is set.
inline Flags spread(Word bits) {
    Bytes bytes = (Bytes)all_lanes(bits);
    bytes = __builtin_shufflevector(
        bytes, bytes, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19,
        19, 19, 19, 19, 36, 36, 36, 36, 36, 36, 36, 36, 37, 37, 37, 37, 37, 37, 37, 37, 54, 54, 54, 54, 54, 54, 54, 54,
        55, 55, 55, 55, 55, 55, 55, 55);
    Bytes bit = (Bytes)all_lanes(0x8040201008040201ULL);
    return (bytes & bit) == bit;
}

// In every word a byte, 0 or 1, for each of its lowest eight bits.
inline Row spread_eight(Row words) {
    Bytes bytes = (Bytes)words;
    bytes = __builtin_shufflevector(
        bytes, bytes, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16, 24, 24, 24, 24,
        24, 24, 24, 24, 32, 32, 32, 32, 32, 32, 32, 32, 40, 40, 40, 40, 40, 40, 40, 40, 48, 48, 48, 48, 48, 48, 48, 48, 56,
        56, 56, 56, 56, 56, 56, 56);
    Bytes bit = (Bytes)all_lanes(0x8040201008040201ULL);
    return (Row)((Flags)((bytes & bit) == bit) & 1);
}
