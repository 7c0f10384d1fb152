// Information sets, found by role and key, with the statistics of their moves. `make bitcode` compiles this file;
// sets.py describes the same structures for Python.
#include <math.h>
#include <stdint.h>
#include <string.h>

using Integer = int64_t;
using Word = uint64_t;

struct Set {
    Word key;
    int32_t role;
    int32_t first;   // the first move, as an edge; -1 if there is none yet
    int64_t visits;  // results recorded
};

struct Edge {
    int32_t move;
    int32_t next;  // the next edge of the set, or -1
    int32_t set;
    int32_t tries;
    double available;  // how often the move could be chosen
    double total;      // of the results, each from 0 to 1
    double squares;
    double regret;     // what always choosing this move would have gained, if that is positive
    double strategy;   // how likely it was, summed over visits, later ones more
};

struct Sets {
    Integer count, room;
    Integer edge_count, edge_room;
    Integer buckets;  // a power of two
    Word random;
    Set *set;
    Edge *edge;
    int32_t *table;  // sets by their hash, plus one; 0 is empty
};

struct Settings {
    double exploration;  // in standard deviations
    double prior;        // the variance that a move is expected to have
    Integer draws;       // draw the value of a move from its distribution, instead of taking an upper confidence bound
    Integer expanded;    // visits that a set needs for descents to continue after it
    double detours;      // how often a role that learns regrets chooses at random
};

constexpr Integer NONE = -1;

static Word mix_bits(Word x) {
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27, x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static Word draw_bits(Sets &sets) {
    sets.random += 0x9e3779b97f4a7c15u;
    return mix_bits(sets.random);
}

// Nearly normal: the sum of four uniform numbers, with mean 0 and variance 1.
static double draw_normal(Sets &sets) {
    Word bits = draw_bits(sets);
    Integer sum = (Integer)((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    return ((double)sum - 131070.0) * (1.7320508075688772 / 65536.0);
}

// The table's place for a set: its own, or an empty one.
static Integer find_bucket(const Sets &sets, Integer role, Word key) {
    Integer bucket = (Integer)(mix_bits(key + (Word)role) & (Word)(sets.buckets - 1));
    for (;; bucket = (bucket + 1) & (sets.buckets - 1)) {
        int32_t number = sets.table[bucket] - 1;
        if (number < 0 || (sets.set[number].key == key && sets.set[number].role == role)) return bucket;
    }
}

static Integer find_or_add(Sets &sets, Integer role, Word key) {
    Integer bucket = find_bucket(sets, role, key);
    if (sets.table[bucket]) return sets.table[bucket] - 1;
    if (sets.count == sets.room) return NONE;
    sets.set[sets.count] = {key, (int32_t)role, (int32_t)NONE, 0};
    sets.table[bucket] = (int32_t)++sets.count;
    return sets.count - 1;
}

// The edge of a move. Moves mostly come in the order of the edges, so the one after `last` is looked at first.
static Integer find_edge(Sets &sets, Integer set, Integer last, int32_t move) {
    Integer first = sets.set[set].first, expected = last < 0 ? first : sets.edge[last].next;
    if (expected >= 0 && sets.edge[expected].move == move) return expected;
    Integer end = NONE;
    for (Integer e = first; e >= 0; e = sets.edge[e].next) {
        if (sets.edge[e].move == move) return e;
        end = e;
    }
    if (sets.edge_count == sets.edge_room) return NONE;
    Integer added = sets.edge_count++;
    sets.edge[added] = {move, (int32_t)NONE, (int32_t)set, 0, 0.0, 0.0, 0.0, 0.0, 0.0};
    (end < 0 ? sets.set[set].first : sets.edge[end].next) = (int32_t)added;
    return added;
}

static double draw_share(Sets &sets) { return (double)(draw_bits(sets) >> 11) * 0x1.0p-53; }

// The sum of all regrets of a set, and the number of its moves.
static double sum_regrets(const Sets &sets, Integer set, Integer &moves) {
    double sum = 0.0;
    moves = 0;
    for (Integer e = sets.set[set].first; e >= 0; e = sets.edge[e].next) sum += sets.edge[e].regret, moves++;
    return sum;
}

// How likely regret matching chooses a move.
static double match_regret(const Edge &edge, double sum, Integer moves) {
    return sum > 0.0 ? edge.regret / sum : 1.0 / (double)moves;
}

static double score(Sets &sets, const Settings &settings, const Edge &edge) {
    double tries = edge.tries, mean = edge.total / tries;
    double variance = fmax(0.0, edge.squares / tries - mean * mean) + settings.prior / tries;
    double width = settings.draws ? draw_normal(sets) : sqrt(log(edge.available));
    return mean + settings.exploration * sqrt(variance / tries) * width;
}

extern "C" {

extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Let a role choose in many states. Each has the key of an information set and some moves; writes the place of the move
// chosen among them, its edge (-1 if there is no more room) and whether the descent goes on below it.
void ludens_choose(Sets *sets, const Settings *settings, Integer role, Integer count, const Word *keys,
                   const Integer *starts, const int32_t *moves, int32_t *places, int32_t *edges, uint8_t *goes_on) {
    for (Integer k = 0; k < count; k++) {
        const int32_t *legal = moves + starts[k];
        Integer many = starts[k + 1] - starts[k], best = NONE, place = 0, last = NONE, untried = 0;
        Integer set = find_or_add(*sets, role, keys[k]);
        double highest = -INFINITY;
        for (Integer m = 0; m < many && set >= 0; m++) {
            Integer e = find_edge(*sets, set, last, legal[m]);
            if (e < 0) {
                best = NONE;
                break;
            }
            last = e;
            Edge &edge = sets->edge[e];
            edge.available += 1.0;
            if (edge.tries == 0) {
                if (draw_bits(*sets) % (Word)++untried == 0) best = e, place = m;
            } else if (untried == 0) {
                double value = score(*sets, *settings, edge);
                if (value > highest) highest = value, best = e, place = m;
            }
        }
        if (best < 0) {
            places[k] = (int32_t)(draw_bits(*sets) % (Word)many);
            edges[k] = (int32_t)NONE;
            goes_on[k] = 0;
            continue;
        }
        places[k] = (int32_t)place;
        edges[k] = (int32_t)best;
        goes_on[k] = sets->edge[best].tries > 0 && sets->set[set].visits >= settings->expanded;
    }
}

// Record the results of choices: from 0 to 1, or NaN where a playout did not end.
void ludens_back_up(Sets *sets, Integer count, const int32_t *edges, const double *results) {
    for (Integer k = 0; k < count; k++) {
        if (edges[k] < 0) continue;
        Edge &edge = sets->edge[edges[k]];
        sets->set[edge.set].visits++;
        if (isnan(results[k])) continue;
        edge.tries++;
        edge.total += results[k];
        edge.squares += results[k] * results[k];
    }
}

// Let a role choose by regret matching, as `ludens_choose`. A role that learns also makes detours, and writes how likely
// it was to choose as it did; of others the mean strategy is recorded.
void ludens_mix(Sets *sets, const Settings *settings, Integer role, Integer learns, Integer count, const Word *keys,
                const Integer *starts, const int32_t *moves, int32_t *places, int32_t *edges, uint8_t *goes_on,
                double *chances) {
    for (Integer k = 0; k < count; k++) {
        const int32_t *legal = moves + starts[k];
        Integer many = starts[k + 1] - starts[k], last = NONE, known = 0;
        Integer set = find_or_add(*sets, role, keys[k]);
        for (Integer m = 0; m < many && set >= 0; m++) {
            last = find_edge(*sets, set, last, legal[m]);
            if (last < 0) set = NONE;
        }
        places[k] = (int32_t)(draw_bits(*sets) % (Word)many);
        edges[k] = (int32_t)NONE;
        goes_on[k] = 0;
        chances[k] = 1.0;
        if (set < 0) continue;
        double sum = sum_regrets(*sets, set, known), left = draw_share(*sets);
        bool is_detour = learns && draw_share(*sets) < settings->detours;
        double weight = (double)++sets->set[set].visits;
        goes_on[k] = sets->set[set].visits > settings->expanded;
        last = NONE;
        for (Integer m = 0; m < many; m++) {
            last = find_edge(*sets, set, last, legal[m]);
            Edge &edge = sets->edge[last];
            double share = match_regret(edge, sum, known);
            if (!learns) edge.strategy += weight * share;
            if (is_detour ? m == places[k] : left >= 0.0) {
                // after the last positive share, rounding may leave a little: the last move with one keeps the choice
                if (is_detour || share > 0.0) {
                    places[k] = (int32_t)m;
                    edges[k] = (int32_t)last;
                    chances[k] = learns ? settings->detours / (double)many + (1.0 - settings->detours) * share : share;
                }
            }
            left -= share;
        }
    }
}

// Learn regrets from the values of choices, from 0 to 1 or NaN, and replace each by the value of its set. The mean value
// of a move stands for what was not chosen, so estimates vary less (Schmid et al., Variance reduction in Monte Carlo
// counterfactual regret minimization, 2019).
void ludens_learn(Sets *sets, Integer count, const int32_t *edges, const double *chances, double *values) {
    for (Integer k = 0; k < count; k++) {
        if (edges[k] < 0 || isnan(values[k])) continue;
        Edge &chosen = sets->edge[edges[k]];
        Integer moves = 0, first = sets->set[chosen.set].first;
        double sum = sum_regrets(*sets, chosen.set, moves), value = 0.0;
        double expected = chosen.tries ? chosen.total / chosen.tries : values[k];
        double estimate = expected + (values[k] - expected) / chances[k];
        for (Integer e = first; e >= 0; e = sets->edge[e].next) {
            const Edge &edge = sets->edge[e];
            double worth = &edge == &chosen ? estimate : edge.tries ? edge.total / edge.tries : expected;
            value += match_regret(edge, sum, moves) * worth;
        }
        for (Integer e = first; e >= 0; e = sets->edge[e].next) {
            Edge &edge = sets->edge[e];
            double worth = &edge == &chosen ? estimate : edge.tries ? edge.total / edge.tries : expected;
            edge.regret = fmax(0.0, edge.regret + worth - value);
        }
        chosen.tries++;
        chosen.total += values[k];
        values[k] = value;
    }
}

// The number of a set, or -1.
Integer ludens_find(const Sets *sets, Integer role, Word key) { return sets->table[find_bucket(*sets, role, key)] - 1; }

void ludens_clear(Sets *sets) {
    memset(sets->table, 0, (size_t)sets->buckets * sizeof(int32_t));
    sets->count = sets->edge_count = 0;
}
}
