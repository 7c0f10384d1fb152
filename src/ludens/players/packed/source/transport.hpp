// Tokens: fluents of which always the same number is true, such as boxes, and the moves that bring each to its place.
#pragma once
#include "relaxation.hpp"
#include "store.hpp"

constexpr Integer MOST_TOKENS = 32;
constexpr int32_t FOREVER = 1 << 20;

struct TokenGroup {
    Integer demand_count;
    const uint16_t *costs;  // moves from a member to a demand, or DEAD (members, demands)
    const Word *mask;       // all members (width)
};

struct Transport {
    Integer group_count;
    const TokenGroup *groups;
    const int32_t *member_of;  // by bit: the number of the member in its group
    const Word *mask;          // the members of all groups (width)
};

// The least sum of costs that serves each demand by another token: shortest augmenting paths (Jonker and Volgenant).
inline int32_t assign(const uint16_t *const *rows, Integer demands, Integer tokens) {
    int32_t of_demand[MOST_TOKENS + 1] = {}, of_token[MOST_TOKENS + 1] = {};
    Integer served[MOST_TOKENS + 1] = {};  // by token: its demand plus one
    for (Integer demand = 1; demand <= demands; demand++) {
        int32_t least[MOST_TOKENS + 1];
        Integer before[MOST_TOKENS + 1];
        bool used[MOST_TOKENS + 1] = {};
        for (Integer token = 0; token <= tokens; token++) least[token] = INT32_MAX, before[token] = 0;
        Integer current = 0;
        served[0] = demand;
        do {
            used[current] = true;
            Integer row = served[current], next = 0;
            int32_t delta = INT32_MAX;
            for (Integer token = 1; token <= tokens; token++) {
                if (used[token]) continue;
                uint16_t cost = rows[token - 1][row - 1];
                int32_t reduced = (cost == DEAD ? FOREVER : cost) - of_demand[row] - of_token[token];
                if (reduced < least[token]) least[token] = reduced, before[token] = current;
                if (least[token] < delta) delta = least[token], next = token;
            }
            for (Integer token = 0; token <= tokens; token++)
                if (used[token])
                    of_demand[served[token]] += delta, of_token[token] -= delta;
                else if (least[token] != INT32_MAX)
                    least[token] -= delta;
            current = next;
        } while (served[current]);
        for (; current; current = before[current]) served[current] = served[before[current]];
    }
    int32_t sum = 0;
    for (Integer token = 1; token <= tokens; token++)
        if (served[token]) {
            uint16_t cost = rows[token - 1][served[token] - 1];
            sum += cost == DEAD ? FOREVER : cost;
            if (sum >= FOREVER) return FOREVER;
        }
    return sum;
}

// The moves that the tokens need at least if none is in the way of another; DEAD if a place cannot be served.
inline uint16_t transport_distance(const Transport &transport, const Word *state, Integer width) {
    int32_t sum = 0;
    for (Integer n = 0; n < transport.group_count; n++) {
        const TokenGroup &group = transport.groups[n];
        const uint16_t *rows[MOST_TOKENS];
        Integer tokens = 0;
        for (Integer word = 0; word < width; word++)
            for (Word bits = state[word] & group.mask[word]; bits && tokens < MOST_TOKENS; bits &= bits - 1)
                rows[tokens++] =
                    group.costs + transport.member_of[word * WORD_BITS + lowest_one(bits)] * group.demand_count;
        if (tokens < group.demand_count) return DEAD;
        sum += assign(rows, group.demand_count, tokens);
        if (sum >= FOREVER) return DEAD;
    }
    return (uint16_t)(sum < MOST_DISTANCE ? sum : MOST_DISTANCE);
}

inline bool moved_tokens(const Transport &transport, const Word *state, const Word *before, Integer width) {
    for (Integer word = 0; word < width; word++)
        if ((state[word] ^ before[word]) & transport.mask[word]) return true;
    return false;
}
