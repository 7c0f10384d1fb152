// Look one move ahead when nodes are new: all their children are computed in blocks, without nodes of their own.
//
// Moves that end the game get their exact values, so that a node in which its player wins at once is proven when it is
// created. With an evaluation, all other moves get estimates.
#pragma once
#include "../../evaluation/source/network.hpp"
#include "growth.hpp"

constexpr Integer MOST_AHEAD = LANES;  // moves of a node that is looked ahead

// Add the weights of the fluents of a state to the logits of the players.
inline void add_weights(const Tree &tree, const Rules &rules, const Word *state, double *logits) {
    Integer players = tree.players;
    const double *every = rules.weights + rules.weight_count * players;
    for (Integer player = 0; player < players; player++) logits[player] = every[player];
    for (Integer n = 0; n * LANES_PER_WORD < rules.weight_count; n++)
        for (Word bits = state[n]; bits; bits &= bits - 1) {
            Integer fluent = n * LANES_PER_WORD + lowest_one(bits);
            if (fluent >= rules.weight_count) break;
            for (Integer player = 0; player < players; player++)
                logits[player] += rules.weights[fluent * players + player];
        }
}

inline double share_of(double logit) { return 1.0 / (1.0 + exp(-logit)); }

// Write what a network says of a lane.
inline void put_logit(Round &round, Integer lane, float logit) {
    round.estimates[2 * lane] = (double)logit, round.estimates[2 * lane + 1] = -(double)logit;
}

// The logits of the children in the first lanes by the network.
inline void judge_children(const Tree &tree, const Rules &rules, Round &round, Integer lanes) {
    Network network(rules.network, rules.weight_count);
    Units sums[LANES];
    for (Integer lane = 0; lane < lanes; lane++)
        sums[lane] = lane && round.next_leaves[lane] == round.next_leaves[lane - 1]
                         ? sums[lane - 1]
                         : sums_of(network, tree.states + round.nodes[round.next_leaves[lane]] * tree.width, tree.width);
    for (Integer fluent = 0; fluent < rules.weight_count; fluent++) {
        const Row &before = round.fluents[fluent], &after = round.nexts[fluent];
        Row changed;
        for (Integer place = 0; place < ROW_WORDS; place++) changed[place] = before[place] ^ after[place];
        each_lane(changed, lanes, [&](Integer lane) {
            sums[lane] = is_set(&after, 0, lane) ? sums[lane] + network.rows[fluent] : sums[lane] - network.rows[fluent];
        });
    }
    for (Integer lane = 0; lane < lanes; lane++) put_logit(round, lane, logit_of(network, sums[lane]));
}

// The logits of the children in the first lanes: those of the parents, and the weights of what changed.
inline void estimate_children(const Tree &tree, const Rules &rules, Round &round, Integer lanes) {
    if (rules.network) return judge_children(tree, rules, round, lanes);
    Integer players = tree.players;
    Integer leaf = NOTHING;
    for (Integer lane = 0; lane < lanes; lane++) {
        double *logits = round.estimates + lane * players;
        if (round.next_leaves[lane] == leaf) {
            memcpy(logits, logits - players, (size_t)players * sizeof(double));
            continue;
        }
        leaf = round.next_leaves[lane];
        add_weights(tree, rules, tree.states + round.nodes[leaf] * tree.width, logits);
    }
    for (Integer fluent = 0; fluent < rules.weight_count; fluent++) {
        Row gone, come;
        for (Integer place = 0; place < ROW_WORDS; place++) {
            gone[place] = round.fluents[fluent][place] & ~round.nexts[fluent][place];
            come[place] = round.nexts[fluent][place] & ~round.fluents[fluent][place];
        }
        const double *weights = rules.weights + fluent * players;
        each_lane(gone, lanes, [&](Integer lane) {
            for (Integer player = 0; player < players; player++)
                round.estimates[lane * players + player] -= weights[player];
        });
        each_lane(come, lanes, [&](Integer lane) {
            for (Integer player = 0; player < players; player++)
                round.estimates[lane * players + player] += weights[player];
        });
    }
}

// Compute the children in the first lanes, and write what is known of them to the edges.
inline void compute_children(Tree &tree, const Rules &rules, Round &round, Integer lanes) {
    Integer players = tree.players;
    memset(round.idle, 0, sizeof(Row));
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, round.fluents, round.nexts, 0, round.idle, 1,
                  round.next_joint, tree.first_moves, tree.roles, lanes);
    rules.position(rules.position_values, rules.position_code, rules.rng, round.nexts, round.position, 1);
    if (tree.estimates) estimate_children(tree, rules, round, lanes);
    for (Integer lane = 0; lane < lanes; lane++) {
        Integer leaf = round.next_leaves[lane], chooser = Head(tree, round.nodes[leaf]).chooser();
        Edge &edge = tree.edges[round.next_edges[lane]];
        bool has_ended = is_set(round.position, 0, lane) || is_set(round.position, 1, lane);
        if (has_ended) {
            edge.low = edge.high = (uint16_t)(goal_of(rules, round, chooser, lane) * UNITS);
            if (edge.low == tree.highest[chooser])
                for (Integer player = 0; player < players; player++)
                    round.won[leaf * players + player] = (int32_t)goal_of(rules, round, player, lane);
        }
        if (tree.estimates)
            tree.estimates[round.next_edges[lane]] = (float)(has_ended ? edge.low / (UNITS * BEST_GOAL)
                                                    : share_of(round.estimates[lane * players + chooser]));
    }
}

// Look ahead from the new leaves in which one player chooses and nothing is left to chance.
inline void look_ahead(Tree &tree, const Rules &rules, Round &round, Integer count) {
    for (Integer n = 0; n < count * tree.players; n++) round.won[n] = NOTHING;
    if (tree.roles > tree.players) return;
    Integer lanes = 0;
    for (Integer k = 0; k < count; k++) {
        if (!round.fresh[k] || round.ended[k]) continue;
        Head head(tree, round.nodes[k]);
        if (head.chooser() < 0 || head.first() < 0) continue;
        Integer chooser = head.chooser(), first = head.first_of(chooser), moves = head.count(chooser);
        if (moves < 1 || moves > MOST_AHEAD) continue;
        if (lanes + moves > LANES) {
            compute_children(tree, rules, round, lanes);
            lanes = 0;
        }
        if (!lanes) clear_rows(round.fluents, rules.fluent_rows);
        put_states(round.fluents, tree.states + round.nodes[k] * tree.width, rules.fluent_rows, lanes, moves);
        for (Integer n = 0; n < moves; n++, lanes++) {
            round.next_leaves[lanes] = k;
            round.next_edges[lanes] = first + n;
            Integer own = head.first();
            for (Integer role = 0; role < tree.roles; role++) {
                round.next_joint[lanes * tree.roles + role] = tree.edges[role == chooser ? first + n : own].move;
                own += head.count(role);
            }
        }
    }
    if (lanes) compute_children(tree, rules, round, lanes);
}

// Prove leaves in which the player that chooses gets its highest goal at once.
inline void prove_leaves(Tree &tree, const Round &round, Integer count) {
    for (Integer k = 0; k < count; k++) {
        const int32_t *goals = round.won + k * tree.players;
        if (goals[0] < 0) continue;
        Head head(tree, round.nodes[k]);
        for (Integer player = 0; player < tree.players; player++)
            head.low(player) = head.high(player) = goals[player] * (int32_t)UNITS;
    }
}
