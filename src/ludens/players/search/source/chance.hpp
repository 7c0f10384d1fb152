// Chance: drawing the moves of chance roles, and proofs over their outcomes.
//
// Chance roles come after the players: the role `random` of GDL-II, and one for each random variable and role that may
// use it. Their moves are edges like those of players, but are drawn by weight.
#pragma once
#include <math.h>

#include "rules.hpp"

// Progressive widening: a joint move gets this many outcomes, or this many times the root of its visits; where there are
// more, a fixed sample of them is searched again and again.
constexpr double OUTCOMES = 40;
constexpr double WIDENING = 4.0;
constexpr double PROVABLE = 256;  // the most outcomes of a move over which bounds are averaged

// Whether a chance role has several moves after the players' choices, of which one is drawn.
inline bool is_drawn(const Tree &tree, const Rules &rules, Integer node, Integer role, const Integer *edges) {
    if (Head(tree, node).count(role) < 2) return false;
    Integer owner = rules.owners[role];
    return owner < 0 || rules.uses[role * rules.move_rows + tree.first_moves[owner] + tree.edges[edges[owner]].move];
}

inline double count_outcomes(const Tree &tree, const Rules &rules, Integer node, const Integer *edges) {
    double outcomes = 1.0;
    for (Integer role = tree.players; role < tree.roles; role++)
        if (is_drawn(tree, rules, node, role, edges)) outcomes *= Head(tree, node).count(role);
    return outcomes;
}

inline double weight_of(const Tree &tree, const Rules &rules, Integer role, Integer edge) {
    return rules.odds[tree.first_moves[role] + tree.edges[edge].move];
}

inline Integer draw_edge(Tree &tree, const Rules &rules, Integer role, Integer first, Integer count,
                         Generator generator) {
    Integer last = first + count - 1;
    double total = 0.0;
    for (Integer edge = first; edge <= last; edge++) total += weight_of(tree, rules, role, edge);
    double index = total * draw(tree, generator);
    Integer edge = first;
    for (; edge < last; edge++) {
        index -= weight_of(tree, rules, role, edge);
        if (index < 0.0) break;
    }
    return edge;
}

// The generator to draw with; if there are too many outcomes, one that repeats a fixed sample. Samples come from the
// true distribution, so their mean is unbiased. They depend on the state and not on the node's number, so they stay the
// same when nodes are recycled.
inline Generator choose_generator(Tree &tree, const Rules &rules, Integer node, const Integer *edges, Integer tries,
                                  Word joint) {
    double samples = fmax(OUTCOMES, ceil(WIDENING * sqrt((double)tries)));
    if (count_outcomes(tree, rules, node, edges) <= samples) return DICE;
    Word sample = (Word)(draw(tree, DICE) * samples);
    Word hash = state_hash(tree.states + node * tree.width, tree.width);
    tree.random[SAMPLES] = mix_bits(mix_bits(hash ^ joint) + sample) | 1;
    return SAMPLES;
}

// Draw the moves of all chance roles, and return the joint move with them appended. Where nothing depends on chance, its
// first move is taken. `first` is the first of their edges.
inline Word draw_chance(Tree &tree, const Rules &rules, Round &round, Integer number, Integer depth, Integer first,
                        Word joint) {
    Integer row = number * (DEEPEST + 1) + depth;
    Integer node = round.path_nodes[row];
    Integer *edges = round.path_edges + row * tree.roles;
    Head head(tree, node);
    Integer tries = head.visits();
    for (Integer role = 0; role < tree.players; role++)
        if (head.count(role) > 1) tries = least(tries, tree.edges[edges[role]].tries);
    Generator generator = choose_generator(tree, rules, node, edges, tries, joint);
    round.path_drawn[row] = 0;
    for (Integer role = tree.players; role < tree.roles; role++) {
        Integer count = head.count(role);
        Integer edge = first;
        if (is_drawn(tree, rules, node, role, edges)) {
            round.path_drawn[row] = 1;
            edge = draw_edge(tree, rules, role, first, count, generator);
            tree.edges[edge].tries++;
        }
        edges[role] = edge;
        round.joint[number * tree.roles + role] = tree.edges[edge].move;
        joint = append_move(joint, count, edge - first);
        first += count;
    }
    return joint;
}

inline Bounds bounds_of(const Tree &tree, Integer node, Integer player) {
    if (node < 0) return {tree.lowest[player], tree.highest[player]};
    Head head(tree, node);
    return {head.low(player), head.high(player)};
}

// The weight of one outcome of chance; `child` gets the node to which it leads.
inline double outcome_weight(const Tree &tree, const Rules &rules, Integer node, const Integer *edges, Integer first,
                             Word joint, Integer number, Integer &child) {
    double weight = 1.0;
    for (Integer role = tree.players; role < tree.roles; role++) {
        Integer count = Head(tree, node).count(role);
        Integer place = 0;
        if (is_drawn(tree, rules, node, role, edges)) {
            place = number % count;
            number /= count;
            weight *= weight_of(tree, rules, role, first + place);
        }
        joint = append_move(joint, count, place);
        first += count;
    }
    Integer link = find_link(tree, node, joint);
    child = tree.link_nodes[link] ? tree.link_children[link] : NOTHING;
    return weight;
}

// The mean bounds over all outcomes, rounded outwards.
inline Bounds mean_bounds(const Tree &tree, const Rules &rules, Round &round, Integer node, Integer edge,
                          Integer player) {
    Head head(tree, node);
    Integer *edges = round.edges;
    Integer first = head.first();
    Word joint = 0;
    for (Integer role = 0; role < tree.players; role++) {
        edges[role] = role == head.chooser() ? edge : first;
        joint = append_move(joint, head.count(role), edges[role] - first);
        first += head.count(role);
    }
    double outcomes = count_outcomes(tree, rules, node, edges);
    if (outcomes == 1.0) return bounds_of(tree, tree.edges[edge].child, player);
    if (outcomes > PROVABLE) return bounds_of(tree, NOTHING, player);
    double total = 0.0, low = 0.0, high = 0.0;
    for (Integer outcome = 0; outcome < (Integer)outcomes; outcome++) {
        Integer child;
        double weight = outcome_weight(tree, rules, node, edges, first, joint, outcome, child);
        Bounds bounds = bounds_of(tree, child, player);
        total += weight;
        low += weight * (double)bounds.low;
        high += weight * (double)bounds.high;
    }
    return {(Integer)floor(low / total + 1e-9), (Integer)ceil(high / total - 1e-9)};
}

// Bounds of a player's goal after a move of the only player that chooses.
inline Bounds bounds_after(const Tree &tree, const Rules &rules, Round &round, Integer node, Integer edge,
                           Integer player) {
    if (tree.roles > tree.players) return mean_bounds(tree, rules, round, node, edge, player);
    return bounds_of(tree, tree.edges[edge].child, player);
}
