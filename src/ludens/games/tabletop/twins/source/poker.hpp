// How strong poker hands are: the numbers of ludens.tabletop.poker.strength.
#pragma once
#include <stdint.h>

namespace poker {

// The highest card of the best straight in a set of ranks (bits 2 to 14); 0 if there is none.
inline int straight(uint32_t mask) {
    constexpr uint32_t WHEEL = 1u << 14 | 0b111100;
    for (int high = 14; high > 5; high--)
        if ((mask >> (high - 4) & 0b11111) == 0b11111) return high;
    return (mask & WHEEL) == WHEEL ? 5 : 0;
}

inline int highest(uint32_t mask) { return 31 - __builtin_clz(mask); }

// A category, then so many ranks from some on, then the highest of the others, five in all.
struct Number {
    uint32_t value;
    int places;

    explicit Number(int category) : value((uint32_t)category), places(5) {}

    Number &add(int rank) {
        value = value << 4 | (uint32_t)rank;
        places--;
        return *this;
    }

    Number &add_highest(uint32_t mask, int count) {
        for (; mask && count; count--) {
            int rank = highest(mask);
            add(rank);
            mask &= ~(1u << rank);
        }
        return *this;
    }

    uint32_t done() const { return value << (4 * places); }
};

// The best five of up to seven cards, or all if there are fewer. Ranks are 2 to 14, suits 0 to 3.
inline uint32_t strength(const int *ranks, const int *suits, int count) {
    uint32_t mask = 0, of_suit[4] = {}, flush = 0, twice = 0, thrice = 0, four = 0;
    for (int n = 0; n < count; n++) {
        uint32_t bit = 1u << ranks[n];
        of_suit[suits[n]] |= bit;
        four |= thrice & bit;
        thrice |= twice & bit;
        twice |= mask & bit;
        mask |= bit;
    }
    for (uint32_t ranks_of_suit : of_suit) {
        if (__builtin_popcount(ranks_of_suit) < 5) continue;
        if (int high = straight(ranks_of_suit)) return Number(8).add(high).done();
        flush = Number(5).add_highest(ranks_of_suit, 5).done();
    }
    if (four) {
        int rank = highest(four);
        return Number(7).add(rank).add_highest(mask & ~(1u << rank), 1).done();
    }
    if (thrice) {
        int rank = highest(thrice);
        uint32_t others = twice & ~(1u << rank);
        if (others) return Number(6).add(rank).add(highest(others)).done();
    }
    if (flush) return flush;
    if (int high = straight(mask)) return Number(4).add(high).done();
    if (thrice) {
        int rank = highest(thrice);
        return Number(3).add(rank).add_highest(mask & ~(1u << rank), 2).done();
    }
    if (!twice) return Number(0).add_highest(mask, 5).done();
    int first = highest(twice);
    uint32_t second = twice & ~(1u << first);
    if (!second) return Number(1).add(first).add_highest(mask & ~(1u << first), 3).done();
    int other = highest(second);
    return Number(2).add(first).add(other).add_highest(mask & ~(1u << first | 1u << other), 1).done();
}

}  // namespace poker
