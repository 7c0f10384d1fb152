// Players who choose at once: regret matching on the mean values of joint moves.
//
// Each player draws its move by its regrets, or now and then at random: a detour, without which joint moves that look
// bad would never be tried again. A detour teaches the value of its joint move, but it is not play: neither the other
// players' regrets nor the nodes above learn from it. Regrets are those of regret matching plus, never below zero, and
// later choices count by the square of their number in the mean strategy, which is the one that converges. Once all
// joint moves of two players with opposite interests are proven, the matrix game is solved exactly.
#pragma once
#include "chance.hpp"
#include "matrix.hpp"

// The n-th value of a mean counts as n to the power of minus this; 1 would be the plain mean.
constexpr double FORGETTING = 0.75;

// The probabilities of a player's moves, by their regrets.
inline void mix_moves(const Tree &tree, Integer first, Integer count, double *shares) {
    double total = 0.0;
    for (Integer n = 0; n < count; n++) total += tree.mixes[first + n].regret;
    for (Integer n = 0; n < count; n++)
        shares[n] = total > 0.0 ? tree.mixes[first + n].regret / total : 1.0 / (double)count;
}

inline Integer draw_mixed(Tree &tree, Integer first, Integer count, const double *shares) {
    double index = draw(tree, DICE);
    Integer n = 0;
    for (; n < count - 1; n++) {
        index -= shares[n];
        if (index < 0.0) break;
    }
    return first + n;
}

// The link that keeps the statistics of the players' joint move: the one to its child, or one apart if it has several
// children.
inline Word statistics_of(const Tree &tree, Integer node, Word joint) {
    bool is_apart = tree.is_open;
    for (Integer role = tree.players; role < tree.roles; role++) is_apart |= Head(tree, node).count(role) > 1;
    return is_apart ? ~joint * MIX : joint;
}

// The mean value of a joint move for a player; of the player's move alone while it is untried, or of the whole node.
inline double joint_value(const Tree &tree, Integer node, Word joint, Integer edge, Integer player) {
    Integer link = find_link(tree, node, statistics_of(tree, node, joint));
    Integer stride = tree.players + 1;
    if (tree.link_nodes[link]) {
        Integer child = tree.link_children[link];
        if (child >= 0 && Head(tree, child).is_settled()) return Head(tree, child).value(player);
        const double *means = tree.link_means + link * stride;
        if (means[0] > 0.0) return means[1 + player];
    }
    if (tree.edges[edge].tries > 0) return tree.edges[edge].total / tree.edges[edge].tries;
    return tree.means[node * stride + 1 + player];
}

// Add values to means, in which later ones count more: play below gets better, and what it was at first is no measure.
inline void add_to_means(const Tree &tree, double *means, const double *values) {
    means[0] += 1.0;
    double share = pow(means[0], -FORGETTING);
    for (Integer player = 0; player < tree.players; player++)
        means[1 + player] += share * (values[player] - means[1 + player]);
}

// Update a player's regrets and mean strategy by the moves of the others.
inline void learn_regrets(Tree &tree, Round &round, Integer node, const Integer *edges, Integer player) {
    Head head(tree, node);
    Integer first = head.first_of(player), count = head.count(player);
    double *shares = round.scratch, *values = round.scratch + count;
    mix_moves(tree, first, count, shares);
    double expected = 0.0;
    for (Integer n = 0; n < count; n++) {
        Word joint = 0;
        Integer start = head.first();
        for (Integer role = 0; role < tree.players; role++) {
            joint = append_move(joint, head.count(role), (role == player ? first + n : edges[role]) - start);
            start += head.count(role);
        }
        values[n] = joint_value(tree, node, joint, first + n, player);
        expected += shares[n] * values[n];
    }
    double weight = (double)head.visits() * (double)head.visits();
    for (Integer n = 0; n < count; n++) {
        Mix &mix = tree.mixes[first + n];
        mix.regret = fmax(0.0, mix.regret + values[n] - expected);
        mix.weight += weight * shares[n];
    }
}

// Add the values of a descent to its joint move and to the node, and learn from them. A detour passes on the mean value
// of the node instead of its own.
inline void learn_joint(Tree &tree, Round &round, Integer number, Integer depth) {
    Integer row = number * (DEEPEST + 1) + depth, stride = tree.players + 1;
    Integer node = round.path_nodes[row];
    const Integer *edges = round.path_edges + row * tree.roles;
    Word detours = round.path_detours[row];
    double *values = round.values + number * tree.players;
    Integer link = find_link(tree, node, round.path_links[row]);
    if (tree.link_nodes[link]) add_to_means(tree, tree.link_means + link * stride, values);
    Head head(tree, node);
    // Descents that began before a node was solved must not add to its exact strategies.
    for (Integer player = 0; player < tree.players && !head.is_settled(); player++)
        if (head.count(player) > 1 && !(detours & ~(1ULL << (player & 63))))
            learn_regrets(tree, round, node, edges, player);
    double *means = tree.means + node * stride;
    if (!detours || means[0] == 0.0)
        add_to_means(tree, means, values);
    else
        for (Integer player = 0; player < tree.players; player++) values[player] = means[1 + player];
}

// Solve a node in which two players choose, if all their joint moves are proven, their goals have a constant sum, and
// nothing else decides. Returns whether it was solved.
inline bool solve_joint(Tree &tree, Integer node) {
    Head head(tree, node);
    if (tree.players != 2 || head.chooser() != SEVERAL) return false;
    Integer rows = head.count(0), columns = head.count(1);
    if (rows > MATRIX_SIDE || columns > MATRIX_SIDE) return false;
    for (Integer role = tree.players; role < tree.roles; role++)
        if (head.count(role) > 1) return false;
    double matrix[MATRIX_SIDE * MATRIX_SIDE];
    double sum = -1.0;
    for (Integer row = 0; row < rows; row++)
        for (Integer column = 0; column < columns; column++) {
            Word joint = append_move(append_move(0, rows, row), columns, column);
            for (Integer role = tree.players; role < tree.roles; role++) joint = append_move(joint, head.count(role), 0);
            Integer link = find_link(tree, node, joint);
            if (!tree.link_nodes[link] || tree.link_children[link] < 0) return false;
            Head child(tree, tree.link_children[link]);
            if (!child.is_settled()) return false;
            double both = child.value(0) + child.value(1);
            if (sum < 0.0) sum = both;
            if (fabs(both - sum) > 0.125) return false;
            matrix[row * columns + column] = child.value(0);
        }
    double strategies[2 * MATRIX_SIDE];
    double value = solve_matrix(matrix, rows, columns, strategies, strategies + rows);
    if (value < 0.0) return false;
    Integer first = head.first();
    for (Integer n = 0; n < rows + columns; n++) tree.mixes[first + n].weight = strategies[n];
    for (Integer player = 0; player < 2; player++) {
        double own = player == 0 ? value : sum - value;
        head.low(player) = (int32_t)most(tree.lowest[player], (Integer)floor(own * UNITS + 1e-6));
        head.high(player) = (int32_t)least(tree.highest[player], (Integer)ceil(own * UNITS - 1e-6));
        if (head.high(player) < head.low(player)) head.high(player) = head.low(player);
    }
    return true;
}
