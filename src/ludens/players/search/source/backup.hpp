// Add the results of descents to the edges on their paths, and update proofs.
//
// Every node keeps lower and upper bounds of each player's goal. A player that chooses gets the best of its children; the
// others get what it leaves them; where chance decides, all get the mean of the outcomes. Bounds that meet are a proof.
#pragma once
#include "evaluation.hpp"

// Bounds for another player: those of all children that the chooser may prefer.
inline Bounds bounds_for_others(const Tree &tree, const Rules &rules, Round &round, Integer node, Integer first,
                                Integer last, Integer best_low, Integer player) {
    Integer low = tree.highest[player], high = tree.lowest[player];
    for (Integer edge = first; edge < last; edge++) {
        if (tree.edges[edge].high < best_low) continue;
        Bounds bounds = bounds_after(tree, rules, round, node, edge, player);
        if (bounds.low == tree.lowest[player] && bounds.high == tree.highest[player]) return bounds;
        low = least(low, bounds.low), high = most(high, bounds.high);
    }
    return {low, high};
}

// Tighten a node's bounds by its children's; returns whether they changed.
inline bool tighten(Tree &tree, const Rules &rules, Round &round, Integer node) {
    Head head(tree, node);
    Integer chooser = head.chooser();
    if (chooser < 0) return solve_joint(tree, node);
    Integer first = head.first_of(chooser), last = first + head.count(chooser);
    Integer best_low = -1, best_high = -1, favourite = -1;
    for (Integer edge = first; edge < last; edge++) {
        best_high = most(best_high, tree.edges[edge].high);
        if (tree.edges[edge].low > best_low) best_low = tree.edges[edge].low, favourite = edge;
    }
    bool changed = false;
    for (Integer player = 0; player < tree.players; player++) {
        Integer low = head.low(player), high = head.high(player);
        Bounds bounds = {best_low, best_high};
        if (player != chooser && best_high - best_low <= CLOSE)
            // Nothing is better for the chooser, so it may choose this one, whatever it means for others.
            bounds = bounds_after(tree, rules, round, node, favourite, player);
        else if (player != chooser)
            bounds = bounds_for_others(tree, rules, round, node, first, last, best_low, player);
        head.low(player) = (int32_t)most(low, least(bounds.low, high));
        head.high(player) = (int32_t)least(high, most(bounds.high, head.low(player)));
        changed |= low != head.low(player) || high != head.high(player);
    }
    return changed;
}

// Add what was made in a node or below to its averages for RAVE.
inline void add_to_amaf(Tree &tree, const Round &round, Integer number, Integer node) {
    Head head(tree, node);
    if (head.first() < 0 || head.chooser() == SEVERAL) return;
    const Made *made = round.made + number * round.made_stride;
    Integer edge = head.first();
    for (Integer player = 0; player < tree.players; player++) {
        const Made *own = made + tree.first_moves[player];
        Integer end = edge + head.count(player);
        for (; edge < end; edge++) {
            const Made &here = own[tree.edges[edge].move];
            tree.amaf[edge].tries += here.tries;
            tree.amaf[edge].total += here.total;
        }
    }
}

// Add a descent's value to the statistics of its moves at a depth: for MAST, and for RAVE in this node and those above.
inline void note_moves(Tree &tree, Round &round, Integer number, Integer depth) {
    Integer row = number * (DEEPEST + 1) + depth;
    Integer node = round.path_nodes[row];
    for (Integer player = 0; player < tree.players; player++) {
        if (Head(tree, node).count(player) < 2) continue;
        Integer move = tree.first_moves[player] + tree.edges[round.path_edges[row * tree.roles + player]].move;
        double value = round.values[number * tree.players + player];
        tree.mast[move].tries += 1.0;
        tree.mast[move].total += value;
        if (tree.amaf) round.made[number * round.made_stride + move] = {1.0f, (float)value};
    }
    if (tree.amaf) add_to_amaf(tree, round, number, node);
}

// What the evaluation expects for a player in a node, from 0 to 1, by the estimates of its edges; negative if unknown.
inline double estimate_of(const Tree &tree, const Settings &settings, Integer node, Integer player) {
    Head head(tree, node);
    if (head.is_known(player)) return head.value(player) / BEST_GOAL;
    Integer chooser = head.chooser();
    if (chooser < 0 || head.first() < 0 || (chooser != player && !settings.is_zero_sum)) return -1.0;
    double best = best_estimate(tree, head.first_of(chooser), head.count(chooser));
    return best < 0.0 || chooser == player ? best : 1.0 - best;
}

// Add the value of a leaf to all edges on its path.
inline void back_up(Tree &tree, const Rules &rules, Round &round, const Settings &settings, Integer number) {
    Integer players = tree.players;
    double *values = round.values + number * players;
    Integer below = round.nodes[number];
    bool is_closer = false, has_drawn = false, is_news = tree.estimates && below >= 0;
    if (below >= 0 && Head(tree, below).is_settled()) {
        is_closer = true;
        for (Integer player = 0; player < players; player++) values[player] = Head(tree, below).value(player);
    }
    if (tree.amaf && below >= 0 && !Head(tree, below).is_settled()) add_to_amaf(tree, round, number, below);
    for (Integer depth = round.depths[number] - 1; depth >= 0; depth--) {
        Integer row = number * (DEEPEST + 1) + depth;
        Integer node = round.path_nodes[row];
        const Integer *edges = round.path_edges + row * tree.roles;
        Head head(tree, node);
        Word detours = round.path_detours[row];
        for (Integer player = 0; player < players; player++) {
            if (head.count(player) < (depth ? 2 : 1)) continue;
            Edge &edge = tree.edges[edges[player]];
            // What a move is worth when others explore says nothing of its worth when they play: it keeps its mean.
            bool is_misled = detours & ~(1ULL << (player & 63)) && edge.tries > 1;
            edge.total += is_misled ? edge.total / (edge.tries - 1) : values[player];
        }
        if (settings.mast || tree.amaf) note_moves(tree, round, number, depth);
        Integer chooser = head.chooser();
        bool is_drawn = round.path_drawn[row];
        has_drawn |= is_drawn || chooser < 0;
        if (chooser == SEVERAL) learn_joint(tree, round, number, depth);
        if (chooser >= 0 && below >= 0 && (is_closer || !is_drawn)) {
            Edge &edge = tree.edges[edges[chooser]];
            Bounds bounds = is_drawn ? bounds_after(tree, rules, round, node, edges[chooser], chooser)
                                     : bounds_of(tree, below, chooser);
            edge.low = (uint16_t)most(edge.low, bounds.low);
            edge.high = (uint16_t)least(edge.high, bounds.high);
        }
        if (is_news && chooser >= 0 && !is_drawn) {
            float &known = tree.estimates[edges[chooser]];
            double estimate = estimate_of(tree, settings, below, chooser);
            is_news = known >= 0.0f && estimate >= 0.0 && (float)estimate != known;
            if (is_news) known = (float)estimate;
        } else {
            is_news = false;
        }
        below = node;
        if (!is_closer) continue;
        is_closer = tighten(tree, rules, round, node);
        for (Integer player = 0; player < players; player++)
            // Bounds of a mean do not bound a single outcome.
            if (head.is_known(player) || !has_drawn)
                values[player] =
                    within(values[player], head.low(player) * (1.0 / UNITS), head.high(player) * (1.0 / UNITS));
    }
}
