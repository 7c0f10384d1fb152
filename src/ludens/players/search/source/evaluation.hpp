// The value of leaves: proven, or the mean of playouts, all in one block of lanes.
#pragma once
#include "lookahead.hpp"

inline Integer phase_of(const Rules &rules, const Word *state) {
    for (Integer phase = 0; phase < rules.phase_count; phase++) {
        Integer n = 0;
        for (; n < rules.known_count; n++) {
            Integer fluent = rules.known[n];
            Word bit = state[fluent / LANES_PER_WORD] >> (fluent % LANES_PER_WORD) & 1;
            if (bit != rules.present[phase * rules.known_count + n]) break;
        }
        if (n == rules.known_count) return phase;
    }
    return 0;
}

inline void set_lanes(Word *row, Integer lane, Integer lanes) {
    if (lanes < LANES_PER_WORD)
        row[lane / LANES_PER_WORD] |= ((1ULL << lanes) - 1) << (lane % LANES_PER_WORD);
    else
        for (Integer place = lane / LANES_PER_WORD; place < (lane + lanes) / LANES_PER_WORD; place++) row[place] = ~0ULL;
}

inline Integer count_lanes(const Word *row, Integer lane, Integer lanes) {
    if (lanes < LANES_PER_WORD)
        return count_ones(row[lane / LANES_PER_WORD] >> (lane % LANES_PER_WORD) & ((1ULL << lanes) - 1));
    Integer count = 0;
    for (Integer place = lane / LANES_PER_WORD; place < (lane + lanes) / LANES_PER_WORD; place++)
        count += count_ones(row[place]);
    return count;
}

// Call a function with each fluent and lane, of the first ones that are open, in which it holds after playouts.
template <typename Function>
inline void each_fluent(const Rules &rules, const Row &open, Integer lanes, Function function) {
    for (Integer fluent = 0; fluent < rules.weight_count; fluent++) {
        Row row;
        const Row &all = rules.play_out_values[rules.first_fluent + fluent];
        for (Integer place = 0; place < ROW_WORDS; place++) row[place] = all[place] & open[place];
        each_lane(row, lanes, [&](Integer lane) { function(fluent, lane); });
    }
}

// The logits of the players in the open lanes.
inline void judge_cutoffs(const Tree &tree, const Rules &rules, Round &round, const Row &open, Integer lanes) {
    if (rules.network) {
        Network network(rules.network, rules.weight_count);
        Units sums[LANES];
        for (Integer lane = 0; lane < lanes; lane++) sums[lane] = network.every();
        each_fluent(rules, open, lanes, [&](Integer fluent, Integer lane) { sums[lane] += network.rows[fluent]; });
        for (Integer lane = 0; lane < lanes; lane++) put_logit(round, lane, logit_of(network, sums[lane]));
        return;
    }
    Integer players = tree.players;
    const double *every = rules.weights + rules.weight_count * players;
    for (Integer lane = 0; lane < lanes; lane++)
        for (Integer player = 0; player < players; player++) round.estimates[lane * players + player] = every[player];
    each_fluent(rules, open, lanes, [&](Integer fluent, Integer lane) {
        for (Integer player = 0; player < players; player++)
            round.estimates[lane * players + player] += rules.weights[fluent * players + player];
    });
}

// Evaluate the playouts in the first lanes that were cut off; 0 for those that ended.
inline void estimate_cutoffs(const Tree &tree, const Rules &rules, Round &round, Integer lanes) {
    Integer players = tree.players;
    Row open;
    for (Integer place = 0; place < ROW_WORDS; place++) open[place] = ~round.results[0][place];
    judge_cutoffs(tree, rules, round, open, lanes);
    for (Integer lane = 0; lane < lanes; lane++)
        for (Integer player = 0; player < players; player++) {
            double &estimate = round.estimates[lane * players + player];
            double low = tree.lowest[player] * (1.0 / UNITS), high = tree.highest[player] * (1.0 / UNITS);
            estimate = is_set(&open, 0, lane) ? within(BEST_GOAL / (1.0 + exp(-estimate)), low, high) : 0.0;
        }
}

inline bool is_open_leaf(const Tree &tree, const Round &round, Integer k) {
    return round.nodes[k] < 0 || !Head(tree, round.nodes[k]).is_settled();
}

inline const Word *state_of_leaf(const Tree &tree, const Round &round, Integer k) {
    Integer node = round.nodes[k];
    return node >= 0 ? tree.states + node * tree.width
                     : round.states + (round.same[k] >= 0 ? round.same[k] : k) * tree.width;
}

// Compute the value of each leaf that is not proven by the network, and return their number.
inline Integer judge_leaves(const Tree &tree, const Rules &rules, Round &round, Integer count) {
    Network network(rules.network, rules.weight_count);
    Integer judged = 0;
    for (Integer k = 0; k < count; k++) {
        if (!is_open_leaf(tree, round, k)) continue;
        double logit = (double)logit_of(network, sums_of(network, state_of_leaf(tree, round, k), tree.width));
        double *values = round.values + k * tree.players, low = tree.lowest[0] * (1.0 / UNITS);
        values[0] = within(BEST_GOAL * share_of(logit), low, tree.highest[0] * (1.0 / UNITS));
        values[1] = BEST_GOAL - values[0];
        judged++;
    }
    return judged;
}

// The values of a player's playouts in the lanes of a word: each value counts in the lanes of its mask.
struct Levels {
    Word masks[8];
    double values[8];
    Integer count;
};

inline Levels levels_of(const Tree &tree, const Rules &rules, const Round &round, Integer player, Integer place,
                        Word lanes) {
    Word planes[8];
    for (Integer bit = 0; bit < 8; bit++) planes[bit] = round.results[rules.first_goal + 8 * player + bit][place] & lanes;
    for (Word open = rules.weight_count ? lanes & ~round.results[0][place] : 0; open; open &= open - 1) {
        Integer lane = lowest_one(open);
        Integer value = (Integer)(round.estimates[(place * LANES_PER_WORD + lane) * tree.players + player] + 0.5);
        for (; value; value &= value - 1) planes[lowest_one((Word)value)] |= 1ULL << lane;
    }
    Levels levels;
    levels.count = 0;
    for (Integer bit = 0; bit < 8; bit++) {
        if (!planes[bit]) continue;
        Integer same = 0;
        while (same < levels.count && levels.masks[same] != planes[bit]) same++;
        if (same == levels.count) levels.masks[levels.count] = planes[bit], levels.values[levels.count++] = 0.0;
        levels.values[same] += (double)(1 << bit);
    }
    return levels;
}

// Write down in how many of a leaf's playouts, which have `share` lanes, each move was made, and their values. Values of
// playouts that were cut off are rounded to points.
inline void note_made(const Tree &tree, const Rules &rules, Round &round, Integer k, Integer lane, Integer share,
                      Integer counted) {
    Made *made = round.made + k * round.made_stride;
    double one = 1.0 / (double)counted;
    Integer first_place = lane / LANES_PER_WORD, last_place = (lane + share - 1) / LANES_PER_WORD;
    for (Integer place = first_place; place <= last_place; place++) {
        Word lanes = share < LANES_PER_WORD ? ((1ULL << share) - 1) << (lane % LANES_PER_WORD) : ~0ULL;
        if (!rules.weight_count) lanes &= round.results[0][place];
        for (Integer player = 0; player < tree.players; player++) {
            Levels levels = levels_of(tree, rules, round, player, place, lanes);
            Integer first = tree.first_moves[player];
            for (Integer move = first; move < first + rules.move_counts[player]; move++) {
                Word own = rules.play_out_values[rules.first_made + move][place] & lanes;
                if (!own) continue;
                double total = 0.0;
                for (Integer n = 0; n < levels.count; n++)
                    total += levels.values[n] * (double)count_ones(own & levels.masks[n]);
                made[move].tries += (float)((double)count_ones(own) * one);
                made[move].total += (float)(total * one);
            }
        }
    }
}

// Compute the value of each leaf that is not proven, and return the number of playouts. With `lanes` 0, the leaves share
// all lanes of a block.
inline Integer play_out(const Tree &tree, const Rules &rules, Round &round, const Settings &settings) {
    Integer count = settings.leaves, open_leaves = 0;
    for (Integer k = 0; k < count; k++) open_leaves += is_open_leaf(tree, round, k);
    if (!open_leaves) return 0;
    Integer share = LANES;
    while (share * open_leaves > LANES) share /= 2;
    if (settings.lanes) share = least(share, settings.lanes);
    clear_rows(round.fluents, rules.fluent_rows);
    clear_rows(round.begins, most(1, rules.phase_count));
    clear_rows(round.results, rules.first_legal);
    Integer lane = 0;
    for (Integer k = 0; k < count; k++) {
        if (!is_open_leaf(tree, round, k)) continue;
        const Word *state = state_of_leaf(tree, round, k);
        put_state(round.fluents, state, rules.fluent_rows, lane, share);
        set_lanes(round.begins[phase_of(rules, state)], lane, share);
        lane += share;
    }
    bool is_noting = tree.amaf && rules.first_made >= 0;
    if (is_noting)
        clear_rows((Row *)rules.play_out_values + rules.first_made,
                   tree.first_moves[tree.players - 1] + rules.move_counts[tree.players - 1]);
    rules.play_out((Word *)rules.play_out_values, rules.play_out_code, rules.phase_count, rules.rng, round.fluents,
                   round.begins, settings.cutoff, round.results, 1);
    if (rules.weight_count) estimate_cutoffs(tree, rules, round, lane);
    lane = 0;
    for (Integer k = 0; k < count; k++) {
        if (!is_open_leaf(tree, round, k)) continue;
        Integer ended = count_lanes(round.results[0], lane, share);
        for (Integer player = 0; player < tree.players; player++) {
            double total = 0.0;
            Integer counted = ended;
            for (Integer bit = 0; bit < 8; bit++)
                total += (double)(count_lanes(round.results[rules.first_goal + 8 * player + bit], lane, share) << bit);
            if (rules.weight_count && ended < share) {
                for (Integer own = lane; own < lane + share; own++) total += round.estimates[own * tree.players + player];
                counted = share;
            }
            double middle = (tree.lowest[player] + tree.highest[player]) * (0.5 / UNITS);
            round.values[k * tree.players + player] = counted ? total / (double)counted : middle;
        }
        Integer valued = rules.weight_count ? share : ended;
        if (is_noting && valued) note_made(tree, rules, round, k, lane, share, valued);
        lane += share;
    }
    return lane;
}
