// Grow the tree where descents left it: new states and their nodes.
#pragma once
#include <string.h>

#include "descent.hpp"

inline void clear_rows(Row *rows, Integer count) { memset(rows, 0, (size_t)count * sizeof(Row)); }

inline bool is_set(const Row *rows, Integer row, Integer lane) {
    return rows[row][lane / LANES_PER_WORD] >> (lane % LANES_PER_WORD) & 1;
}

// Write a state to neighbouring lanes, a power of two of them.
inline void put_state(Row *rows, const Word *state, Integer fluent_rows, Integer lane, Integer lanes) {
    Integer first_word = lane / LANES_PER_WORD, last_word = (lane + lanes - 1) / LANES_PER_WORD;
    Word mask = lanes < LANES_PER_WORD ? ((1ULL << lanes) - 1) << (lane % LANES_PER_WORD) : ~0ULL;
    Integer words = (fluent_rows + LANES_PER_WORD - 1) / LANES_PER_WORD;
    for (Integer n = 0; n < words; n++)
        for (Word bits = state[n]; bits; bits &= bits - 1) {
            Row &row = rows[n * LANES_PER_WORD + lowest_one(bits)];
            for (Integer place = first_word; place <= last_word; place++) row[place] |= mask;
        }
}

// Write a state to any number of neighbouring lanes.
inline void put_states(Row *rows, const Word *state, Integer fluent_rows, Integer lane, Integer lanes) {
    Row mask;
    for (Integer place = 0; place < ROW_WORDS; place++) {
        Integer low = most(lane - place * LANES_PER_WORD, 0), high = lane + lanes - place * LANES_PER_WORD;
        Word until = high >= LANES_PER_WORD ? ~0ULL : high <= 0 ? 0 : (1ULL << high) - 1;
        Word from = low >= LANES_PER_WORD ? ~0ULL : (1ULL << low) - 1;
        mask[place] = until & ~from;
    }
    Integer words = (fluent_rows + LANES_PER_WORD - 1) / LANES_PER_WORD;
    for (Integer n = 0; n < words; n++)
        for (Word bits = state[n]; bits; bits &= bits - 1) {
            Row &row = rows[n * LANES_PER_WORD + lowest_one(bits)];
            for (Integer place = 0; place < ROW_WORDS; place++) row[place] |= mask[place];
        }
}

// Call a function with each lane, of the first `count`, whose bit is set in a row.
template <typename Function> inline void each_lane(const Row &row, Integer count, Function function) {
    for (Integer place = 0; place * LANES_PER_WORD < count; place++)
        for (Word bits = row[place]; bits; bits &= bits - 1) {
            Integer lane = place * LANES_PER_WORD + lowest_one(bits);
            if (lane < count) function(lane);
        }
}

inline void take_states(const Tree &tree, const Rules &rules, Round &round, Integer count) {
    memset(round.states, 0, (size_t)(count * tree.width) * sizeof(Word));
    for (Integer row = 0; row < rules.fluent_rows; row++)
        each_lane(round.nexts[row], count, [&](Integer lane) {
            round.states[lane * tree.width + row / LANES_PER_WORD] |= 1ULL << (row % LANES_PER_WORD);
        });
}

// Play the joint moves by which descents left the tree, one lane each.
inline void play_last_moves(Tree &tree, const Rules &rules, Round &round, Integer count) {
    clear_rows(round.fluents, rules.fluent_rows);
    memset(round.idle, 0, sizeof(Row));
    for (Integer k = 0; k < count; k++)
        if (round.parents[k] >= 0 && round.same[k] < 0)
            put_state(round.fluents, tree.states + round.parents[k] * tree.width, rules.fluent_rows, k, 1);
        else
            round.idle[k / LANES_PER_WORD] |= 1ULL << (k % LANES_PER_WORD);
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, round.fluents, round.nexts, 0, round.idle, 1,
                  round.joint, tree.first_moves, tree.roles, count);
    take_states(tree, rules, round, count);
}

// Keep one move in each lane of chance on which nothing depends, so that nodes have few edges.
inline void leave_out_idle(const Tree &tree, const Rules &rules, Round &round) {
    for (Integer role = tree.players; role < tree.roles; role++) {
        Integer owner = rules.owners[role];
        if (owner < 0) continue;
        Row *legal = round.position + rules.first_legal + tree.first_moves[role];
        Row *choices = round.position + rules.first_legal + tree.first_moves[owner];
        const uint8_t *uses = rules.uses + role * rules.move_rows + tree.first_moves[owner];
        for (Integer place = 0; place < ROW_WORDS; place++) {
            Word used = 0, seen = 0;
            for (Integer move = 0; move < rules.move_counts[owner]; move++)
                if (uses[move]) used |= choices[move][place];
            for (Integer move = 0; move < rules.move_counts[role]; move++) {
                Word all = legal[move][place];
                legal[move][place] = all & (used | ~seen);
                seen |= all;
            }
        }
    }
}

// The goal of a player in a lane of `position`.
inline Integer goal_of(const Rules &rules, const Round &round, Integer player, Integer lane) {
    Integer goal = 0;
    for (Integer bit = 0; bit < 8; bit++)
        goal |= (Integer)is_set(round.position, rules.first_goal + 8 * player + bit, lane) << bit;
    return goal;
}

// Read what holds in the leaves: their ends, goals and legal moves.
inline void read_positions(const Tree &tree, const Rules &rules, Round &round, Integer count) {
    rules.position(rules.position_values, rules.position_code, rules.rng, round.nexts, round.position, 1);
    leave_out_idle(tree, rules, round);
    memset(round.legal_counts, 0, (size_t)(count * tree.roles) * sizeof(int32_t));
    for (Integer role = 0; role < tree.roles; role++) {
        const Row *legal = round.position + rules.first_legal + tree.first_moves[role];
        for (Integer move = 0; move < rules.move_counts[role]; move++)
            each_lane(legal[move], count, [&](Integer lane) { round.legal_counts[lane * tree.roles + role]++; });
    }
    Integer offset = 0;
    for (Integer k = 0; k < count; k++) {
        round.races[k] = 0;
        round.ended[k] = is_set(round.position, 0, k) || is_set(round.position, 1, k);
        round.offsets[k] = offset;
        // Lanes without a leaf of their own repeat others' positions, and their moves are not needed.
        if (round.ended[k] || round.parents[k] == NOTHING || round.same[k] >= 0) continue;
        for (Integer role = 0; role < tree.roles; role++) offset += round.legal_counts[k * tree.roles + role];
    }
    for (Integer role = 0; role < tree.roles; role++) {
        const Row *legal = round.position + rules.first_legal + tree.first_moves[role];
        for (Integer move = 0; move < rules.move_counts[role]; move++)
            each_lane(legal[move], count, [&](Integer lane) {
                if (!round.ended[lane] && round.parents[lane] != NOTHING && round.same[lane] < 0)
                    round.moves[round.offsets[lane]++] = (int32_t)move;
            });
    }
    for (Integer k = 0; k < count; k++) {
        if (!round.ended[k]) {
            if (round.parents[k] != NOTHING && round.same[k] < 0)
                for (Integer role = 0; role < tree.roles; role++)
                    round.offsets[k] -= round.legal_counts[k * tree.roles + role];
            continue;
        }
        for (Integer player = 0; player < tree.players; player++) {
            round.goals[k * tree.players + player] = (int32_t)goal_of(rules, round, player, k);
        }
    }
}

// Give a new node its bounds and edges.
inline void fill_node(Tree &tree, Round &round, Integer k) {
    Integer node = round.nodes[k];
    Head head(tree, node);
    head.visits() = 0;
    head.first() = -1;
    head.chooser() = 0;
    for (Integer role = 0; role < tree.roles; role++) head.count(role) = 0;
    if (tree.means)
        for (Integer n = 0; n <= tree.players; n++) tree.means[node * (tree.players + 1) + n] = 0.0;
    for (Integer player = 0; player < tree.players; player++) {
        int32_t goal = round.goals[k * tree.players + player] * (int32_t)UNITS;
        head.low(player) = round.ended[k] ? goal : tree.lowest[player];
        head.high(player) = round.ended[k] ? goal : tree.highest[player];
    }
    if (round.ended[k]) return;
    Integer chooser = 0, choosing = 0, wanted = 0;
    for (Integer role = 0; role < tree.roles; role++) {
        int32_t own = round.legal_counts[k * tree.roles + role];
        head.count(role) = own;
        wanted += own;
        if (role >= tree.players) continue;
        if (own > 1) choosing++;
        if (own > 1 || (own == 1 && !head.count(chooser))) chooser = role;
    }
    head.chooser() = (int32_t)(round.races[k] ? RACE : choosing > 1 ? SEVERAL : chooser);
    if (tree.edge_count + wanted > tree.edge_room) {
        tree.is_full = 1;
        return;
    }
    Integer edge = head.first() = (int32_t)tree.edge_count;
    tree.edge_count += wanted;
    const int32_t *move = round.moves + round.offsets[k];
    for (Integer role = 0; role < tree.roles; role++) {
        uint16_t low = role < tree.players ? (uint16_t)tree.lowest[role] : 0;
        uint16_t high = role < tree.players ? (uint16_t)tree.highest[role] : 0;
        for (Integer end = edge + head.count(role); edge < end; edge++) {
            tree.edges[edge] = {0.0, *move++, 0, (int32_t)NOTHING, low, high};
            if (tree.amaf) tree.amaf[edge] = {0.0f, 0.0f};
            if (tree.mixes) tree.mixes[edge] = {0.0, 0.0};
            if (tree.priors) tree.priors[edge] = 0.0f;
            if (tree.estimates) tree.estimates[edge] = -1.0f;
        }
    }
}

// Give every leaf its node: an existing one, or a new one with its edges.
inline void make_nodes(Tree &tree, Round &round, Integer count) {
    for (Integer k = 0; k < count; k++) {
        round.fresh[k] = 0;
        if (round.parents[k] == NOTHING || round.same[k] >= 0) continue;
        const Word *state = round.states + k * tree.width;
        Integer bucket = find_bucket(tree, state);
        round.nodes[k] = tree.table[bucket] - 1;
        if (tree.table[bucket]) continue;
        if (tree.nodes == tree.node_room) {
            tree.is_full = 1;
            continue;
        }
        round.nodes[k] = tree.nodes++;
        round.fresh[k] = 1;
        tree.table[bucket] = (int32_t)(round.nodes[k] + 1);
        memcpy(tree.states + round.nodes[k] * tree.width, state, (size_t)tree.width * sizeof(Word));
        fill_node(tree, round, k);
    }
    for (Integer k = 0; k < count; k++) {
        Integer parent = round.parents[k];
        if (parent < 0) continue;
        if (round.same[k] >= 0)
            round.nodes[k] = round.nodes[round.same[k]];
        else if (round.places[k] >= 0) {
            bool has_edge = Head(tree, parent).chooser() >= 0 &&
                            !round.path_drawn[k * (DEEPEST + 1) + round.depths[k] - 1];
            (has_edge ? tree.edges[round.places[k]].child : tree.link_children[round.places[k]]) =
                (int32_t)round.nodes[k];
        }
        if (round.nodes[k] >= 0) Head(tree, round.nodes[k]).visits()++;
    }
}
