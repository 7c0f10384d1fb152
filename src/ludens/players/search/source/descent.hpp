// Descents from the root to leaves.
//
// A descent counts as a visit of every edge on its path at once, and its value is added later: until then the edge looks
// worse than it is (virtual loss), so that the next descents of the same round go elsewhere. All descents of a round
// advance in step, a node at a time: trees are larger than caches, and while one chooses, the nodes of others are
// fetched.
#pragma once
#include <string.h>

#include "mixing.hpp"

constexpr double UNTRIED = 1e6;
constexpr double AMAF_PRIOR = 0.5;  // leaves with the value of the node, by which averages for RAVE begin
constexpr double UNTRIED_PENALTY = 0.15;  // with priors, for values from 0 to 1
constexpr Integer LINE_BYTES = 64;
constexpr Integer MOST_FETCHED = 32;  // edges of a node that are prefetched; the processor prefetches the rest by itself
// In a race the width of each player's confidence bounds is random, up to this multiple, so that players in the same
// situation do not all switch moves at the same time.
constexpr double WIDEST = 1.5;

// The edge of a role's move in a node, where moves are in order; NOTHING if the move is not legal there.
inline Integer edge_of(const Tree &tree, Integer node, Integer role, Integer move) {
    Head head(tree, node);
    Integer low = head.first_of(role), end = low + head.count(role), high = end;
    while (low < high) {
        Integer middle = (low + high) / 2;
        if (tree.edges[middle].move < move)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && tree.edges[low].move == move ? low : NOTHING;
}

// With RAVE, the mean of an edge, in which the average of its move anywhere below the reference, the node or an ancestor,
// counts less with each visit of the edge. A prior counts as a visit.
inline double with_amaf(const Tree &tree, const Settings &settings, Integer node, Integer reference, Integer role,
                        Integer edge, double mean, double expected, double visits) {
    Integer place = reference == node ? edge : edge_of(tree, reference, role, tree.edges[edge].move);
    if (place < 0) return mean;
    const Made &made = tree.amaf[place];
    if (made.tries <= 0.0f) return mean;
    double elsewhere = ((double)made.total + AMAF_PRIOR * expected) / ((double)made.tries + AMAF_PRIOR);
    double share = made.tries / (made.tries + visits + made.tries * visits / settings.rave);
    return mean + share * (elsewhere - mean);
}

// The edge that a player tries next: the best upper confidence bound among those that can still change its value. With
// RAVE, edges that were not tried are valued by what their moves were worth below, or by the node.
inline Integer choose_edge(Tree &tree, const Settings &settings, Integer node, Integer role, Integer first,
                           double exploration, Integer reference) {
    Head head(tree, node);
    Integer guaranteed = head.low(role), last = first + head.count(role);
    double logarithm = log((double)head.visits() + 1.0);
    double expected = BEST_GOAL / 2;
    if (settings.rave > 0.0) {
        double total = 0.0, tries = 0.0;
        for (Integer edge = first; edge < last; edge++) total += tree.edges[edge].total, tries += tree.edges[edge].tries;
        if (tries > 0.0) expected = total / tries;
    }
    Integer best = -1, surest = first, surest_low = -1;
    double best_score = -1.0;
    for (Integer edge = first; edge < last; edge++) {
        const Edge &known = tree.edges[edge];
        if (known.low > surest_low) surest = edge, surest_low = known.low;
        if (known.high <= guaranteed) continue;
        double score;
        if (settings.rave > 0.0) {
            double mean = known.tries ? known.total / known.tries : expected;
            mean = with_amaf(tree, settings, node, reference, role, edge, mean, expected, known.tries);
            mean = within(mean, known.low * (1.0 / UNITS), known.high * (1.0 / UNITS));
            score = mean / BEST_GOAL + exploration * sqrt(logarithm / (known.tries + 1.0));
        } else if (known.tries == 0) {
            score = UNTRIED + draw(tree, DICE);
            const Mean &mast = tree.mast[tree.first_moves[role] + known.move];
            if (settings.mast && mast.tries > 0) score += mast.total / mast.tries;
        } else {
            double one = 1.0 / known.tries;
            double mean = within(known.total * one, known.low * (1.0 / UNITS), known.high * (1.0 / UNITS));
            score = mean / BEST_GOAL + exploration * sqrt(logarithm * one);
        }
        if (score > best_score) best = edge, best_score = score;
    }
    return best >= 0 ? best : surest;
}

// The best estimate of a role's edges in a node; negative if it is unknown.
inline double best_estimate(const Tree &tree, Integer first, Integer count) {
    float best = -1.0f;
    for (Integer edge = first; edge < first + count; edge++)
        if (tree.estimates[edge] > best) best = tree.estimates[edge];
    return best;
}

// The edge that a player tries next where children have estimates: means are mixed with estimates, and untried edges are
// expected to be as much worse than the node as their estimates are worse than the best.
inline Integer choose_estimated(Tree &tree, const Settings &settings, Integer node, Integer role, Integer first,
                                double exploration, Integer reference) {
    Head head(tree, node);
    Integer guaranteed = head.low(role), last = first + head.count(role);
    double logarithm = log((double)head.visits() + 1.0);
    double best_known = best_estimate(tree, first, head.count(role));
    double total = 0.0, tries = 0.0;
    for (Integer edge = first; edge < last; edge++) total += tree.edges[edge].total, tries += tree.edges[edge].tries;
    double expected = tries > 0.0 ? total / (tries * BEST_GOAL) : best_known;
    Integer best = -1, surest = first, surest_low = -1;
    double best_score = 0.0;
    for (Integer edge = first; edge < last; edge++) {
        const Edge &known = tree.edges[edge];
        if (known.low > surest_low) surest = edge, surest_low = known.low;
        if (known.high <= guaranteed) continue;
        double estimate = tree.estimates[edge];
        double mean = known.tries ? known.total / (known.tries * BEST_GOAL) : expected + estimate - best_known;
        if (settings.rave > 0.0)
            mean = with_amaf(tree, settings, node, reference, role, edge, BEST_GOAL * mean, BEST_GOAL * expected,
                             known.tries + 1.0) / BEST_GOAL;
        mean = within(mean, known.low * (1.0 / (UNITS * BEST_GOAL)), known.high * (1.0 / (UNITS * BEST_GOAL)));
        double score = mean + settings.minimax * (estimate - mean) + exploration * sqrt(logarithm / (known.tries + 1.0));
        if (best < 0 || score > best_score) best = edge, best_score = score;
    }
    return best >= 0 ? best : surest;
}

// The edge that a player tries next where an evaluator gave priors (PUCT), among those that can still change its value.
// Untried edges are valued a little below the evaluator's value of the node.
inline Integer choose_by_prior(const Tree &tree, Integer node, Integer role, Integer first, double exploration) {
    Head head(tree, node);
    Integer guaranteed = head.low(role);
    double untried = tree.means[node * (tree.players + 1) + 1 + role] / BEST_GOAL - UNTRIED_PENALTY;
    double weight = exploration * sqrt((double)head.visits());
    Integer best = -1, surest = first, surest_low = -1;
    double best_score = 0.0;
    for (Integer edge = first; edge < first + head.count(role); edge++) {
        const Edge &known = tree.edges[edge];
        if (known.low > surest_low) surest = edge, surest_low = known.low;
        if (known.high <= guaranteed) continue;
        double mean = known.tries ? within(known.total / known.tries, known.low * (1.0 / UNITS),
                                           known.high * (1.0 / UNITS)) / BEST_GOAL
                                  : untried;
        double score = mean + weight * tree.priors[edge] / (1.0 + known.tries);
        if (best < 0 || score > best_score) best = edge, best_score = score;
    }
    return best >= 0 ? best : surest;
}

// The move of one of several players who choose at once.
inline Integer choose_mixed(Tree &tree, const Settings &settings, Round &round, Integer row, Integer role,
                            Integer first, Integer count) {
    if (draw(tree, DICE) < settings.detours) {
        round.path_detours[row] |= 1ULL << (role & 63);
        return first + least((Integer)(draw(tree, DICE) * (double)count), count - 1);
    }
    mix_moves(tree, first, count, round.scratch);
    return draw_mixed(tree, first, count, round.scratch);
}

// The child after a joint move; `place` gets the edge or link that leads there. A missing child is marked as being
// created.
inline Integer follow(Tree &tree, Round &round, Integer number, Integer row, Integer node, Word joint, Integer &place) {
    Integer chooser = Head(tree, node).chooser();
    int32_t *child;
    if (chooser >= 0 && !round.path_drawn[row]) {
        place = round.path_edges[row * tree.roles + chooser];
        child = &tree.edges[place].child;
    } else {
        place = make_link(tree, node, joint);
        if (place < 0) return NOTHING;
        child = &tree.link_children[place];
    }
    Integer before = *child;
    if (before == NOTHING) *child = (int32_t)(-2 - number);
    return before;
}

inline void fetch_edges(const Tree &tree, Integer node) {
    Head head(tree, node);
    const char *start = (const char *)(tree.edges + head.first());
    Integer bytes = least(head.edges(), MOST_FETCHED) * (Integer)sizeof(Edge);
    for (Integer offset = 0; offset < bytes; offset += LINE_BYTES) __builtin_prefetch(start + offset);
}

// Make one joint move of a descent; returns whether it goes on. It ends outside the tree or at a proven value.
inline bool step(Tree &tree, const Rules &rules, Round &round, const Settings &settings, Integer number) {
    Integer node = round.nodes[number], depth = round.depths[number];
    Integer row = number * (DEEPEST + 1) + depth;
    Head head(tree, node);
    head.visits()++;
    if (depth == DEEPEST || head.first() < 0 || head.is_settled()) {
        round.parents[number] = NOTHING;
        return false;
    }
    if (head.visits() > settings.grave) round.references[number] = node;
    Integer first = head.first();
    Integer chooser = head.chooser();
    Word joint = 0;
    round.path_nodes[row] = (int32_t)node;
    round.path_detours[row] = 0;
    round.path_drawn[row] = 0;
    for (Integer role = 0; role < tree.players; role++) {
        Integer count = head.count(role);
        Integer edge = first;
        if (count > 1) {
            if (chooser == SEVERAL) {
                edge = choose_mixed(tree, settings, round, row, role, first, count);
            } else if (tree.priors) {
                edge = choose_by_prior(tree, node, role, first, settings.exploration);
            } else {
                double width = settings.exploration * (chooser == RACE ? WIDEST * draw(tree, DICE) : 1.0);
                if (tree.estimates && tree.estimates[first] >= 0.0f)
                    edge = choose_estimated(tree, settings, node, role, first, width, round.references[number]);
                else
                    edge = choose_edge(tree, settings, node, role, first, width, round.references[number]);
            }
            tree.edges[edge].tries++;
        } else if (count && depth == 0) {
            tree.edges[edge].tries++;  // an only move at the root has a value too
        }
        round.path_edges[row * tree.roles + role] = edge;
        if (count > 0) round.joint[number * tree.roles + role] = tree.edges[edge].move;
        joint = append_move(joint, count, edge - first);
        first += count;
    }
    if (chooser == SEVERAL) {
        round.path_links[row] = statistics_of(tree, node, joint);
        make_link(tree, node, round.path_links[row]);
    }
    round.depths[number] = depth + 1;
    if (settings.resolve && (tree.is_open || chooser == RACE)) {
        round.path_drawn[row] = 1;
        joint = settings.resolve(number, node, depth);
    } else if (tree.players < tree.roles) {
        joint = draw_chance(tree, rules, round, number, depth, first, joint);
    }
    Integer place;
    Integer child = follow(tree, round, number, row, node, joint, place);
    if (child >= 0) {
        round.nodes[number] = child;
        return true;
    }
    round.parents[number] = node;
    round.places[number] = place;
    round.nodes[number] = NOTHING;
    if (child < NOTHING) round.same[number] = -2 - child;
    return false;
}

inline void descend(Tree &tree, const Rules &rules, Round &round, const Settings &settings) {
    if (tree.amaf) memset(round.made, 0, (size_t)(settings.leaves * round.made_stride) * sizeof(Made));
    Integer left = settings.leaves;
    for (Integer number = 0; number < left; number++) {
        round.nodes[number] = round.references[number] = round.roots ? round.roots[number] : tree.root;
        round.depths[number] = 0;
        round.same[number] = NOTHING;
        round.active[number] = number;
    }
    while (left) {
        for (Integer n = 0; n < left; n++) fetch_edges(tree, round.nodes[round.active[n]]);
        Integer going = 0;
        for (Integer n = 0; n < left; n++) {
            Integer number = round.active[n];
            if (step(tree, rules, round, settings, number)) {
                __builtin_prefetch(tree.heads + round.nodes[number] * tree.head_size);
                round.active[going++] = number;
            } else if (round.parents[number] >= 0) {
                __builtin_prefetch(tree.states + round.parents[number] * tree.width);
            }
        }
        left = going;
    }
}
