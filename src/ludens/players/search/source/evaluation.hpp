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
        lane += share;
    }
    return lane;
}
