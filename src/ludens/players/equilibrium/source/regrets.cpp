// Counterfactual regret minimisation on a game tree in arrays, and best responses. `make bitcode` compiles this file;
// solver.py describes the same structures for Python.
//
// Nodes are histories, each after its parent, children side by side. A node belongs to an information set, whose role
// chooses there, or to chance, or is an end. All sums are gathered by the one that needs them. Where nothing is hidden,
// nodes are positions: several histories lead to one by links, which are chance nodes with one child.
#include <stdint.h>

using Integer = int64_t;

struct Node {
    int32_t parent;
    int32_t first;  // the first child
    int32_t count;  // of children
    int32_t set;    // the information set; -1 for chance, -2 for an end
};

struct Set {
    int32_t role;
    int32_t count;   // of moves
    int64_t action;  // the place of its first move among the moves of all sets
    int64_t begin;   // its histories in `members`
    int64_t end;
    int64_t depth;   // how often its role has chosen before
};

struct Tree {
    Integer nodes, sets, actions, roles;
    const Node *node;
    const Set *set;
    const int32_t *members;
    const double *chance;  // the probability of each node after its parent, if that is chance
    double *values;        // for each role, the value of each node; those of ends are given (roles, nodes)
    double *own;           // the probability that the role plays to a node, and that all others and chance do
    double *others;
};

struct Learner {
    double *regrets;     // for each move of each set: what it would have gained, never below zero
    double *predictions; // the last gains, expected to come again
    double *current;     // the strategy by these
    double *average;     // the weighted sum of strategies
};

// Threads that work on one tree. Each takes its part of every range of nodes, whose parents are all in earlier ranges, and
// of the sets; results do not depend on their number.
struct Team {
    Integer threads;
    Integer first_set, last_set;  // the sets that learn, and where they end
    Integer range_count;
    const Integer *ranges;  // where each begins, and where the last ends
    double *scratch;        // for each thread, room for the moves of one set
    Integer scratch_size;
    int (*yield)();         // lets other threads of the machine run
    Integer arrived, phase;
};

constexpr int32_t CHANCE = -1, END = -2;
constexpr Integer SPINS = 4096;

// One thread's part of some numbers.
struct Part {
    Integer begin, end;
};

static Part part_of(const Team &team, Integer thread, Integer begin, Integer end) {
    const Integer count = end - begin;
    return {begin + count * thread / team.threads, begin + count * (thread + 1) / team.threads};
}

// Wait until all threads have come here.
static void meet(Team &team) {
    if (team.threads == 1) return;
    const Integer phase = __atomic_load_n(&team.phase, __ATOMIC_ACQUIRE);
    if (__atomic_add_fetch(&team.arrived, 1, __ATOMIC_ACQ_REL) == team.threads) {
        __atomic_store_n(&team.arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&team.phase, phase + 1, __ATOMIC_RELEASE);
        return;
    }
    for (Integer spin = 0; __atomic_load_n(&team.phase, __ATOMIC_ACQUIRE) == phase; spin++)
        if (spin > SPINS) team.yield();
}

extern "C" {

extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

static void pass_down(const Tree &tree, const double *strategy, Integer role, Part part) {
    for (Integer n = part.begin; n < part.end; n++) {
        const Node node = tree.node[n];
        if (node.set == END) continue;
        if (node.set == CHANCE && node.count == 1) {
            // What is best in a position does not depend on how it was reached.
            tree.own[node.first] = tree.others[node.first] = 1.0;
            continue;
        }
        const double own = tree.own[n], others = tree.others[n];
        const double *shares = node.set == CHANCE ? tree.chance + node.first : strategy + tree.set[node.set].action;
        bool is_own = node.set != CHANCE && tree.set[node.set].role == role;
        for (Integer k = 0; k < node.count; k++) {
            tree.own[node.first + k] = is_own ? own * shares[k] : own;
            tree.others[node.first + k] = is_own ? others : others * shares[k];
        }
    }
}

static void pass_up(const Tree &tree, const double *strategy, double *values, Part part) {
    for (Integer n = part.end - 1; n >= part.begin; n--) {
        const Node node = tree.node[n];
        if (node.set == END) continue;
        const double *shares = node.set == CHANCE ? tree.chance + node.first : strategy + tree.set[node.set].action;
        double value = 0.0;
        for (Integer k = 0; k < node.count; k++) value += shares[k] * values[node.first + k];
        values[n] = value;
    }
}

// What each move of a set is worth, weighted by how likely the others play to its histories.
static void weigh_moves(const Tree &tree, const Set &set, const double *values, double *worth) {
    for (Integer k = 0; k < set.count; k++) worth[k] = 0.0;
    for (Integer m = set.begin; m < set.end; m++) {
        const Integer n = tree.members[m];
        const double weight = tree.others[n];
        if (weight == 0.0) continue;
        const double *below = values + tree.node[n].first;
        for (Integer k = 0; k < set.count; k++) worth[k] += weight * below[k];
    }
}

static void match_regrets(const Set &set, Learner &learner) {
    double total = 0.0;
    for (Integer k = set.action; k < set.action + set.count; k++) {
        double regret = learner.regrets[k] + learner.predictions[k];
        learner.current[k] = regret > 0.0 ? regret : 0.0;
        total += learner.current[k];
    }
    for (Integer k = set.action; k < set.action + set.count; k++)
        learner.current[k] = total > 0.0 ? learner.current[k] / total : 1.0 / (double)set.count;
}

// Improve a role's strategy in one set, by the values of its moves.
static void learn(const Tree &tree, Learner &learner, const Set &set, const double *values, double weight,
                  double *scratch) {
    weigh_moves(tree, set, values, scratch);
    const double *current = learner.current + set.action;
    double expected = 0.0;
    for (Integer k = 0; k < set.count; k++) expected += current[k] * scratch[k];
    const double played = weight * tree.own[tree.members[set.begin]];
    for (Integer k = 0; k < set.count; k++) {
        const double gain = scratch[k] - expected;
        const double regret = learner.regrets[set.action + k] + gain;
        learner.average[set.action + k] += played * current[k];
        learner.regrets[set.action + k] = regret > 0.0 ? regret : 0.0;
        learner.predictions[set.action + k] = gain;
    }
    match_regrets(set, learner);
}

// Iterations of predictive CFR+ with alternating updates; later strategies count by the square of their number. All
// threads of the team call it.
void ludens_iterate(const Tree *tree, Learner *learner, Integer first, Integer count, Team *team, Integer thread) {
    double *scratch = team->scratch + thread * team->scratch_size;
    const Part sets = part_of(*team, thread, team->first_set, team->last_set);
    if (thread == 0) tree->own[0] = tree->others[0] = 1.0;
    for (Integer t = first; t < first + count; t++)
        for (Integer role = 0; role < tree->roles; role++) {
            double *values = tree->values + role * tree->nodes;
            for (Integer r = 0; r < team->range_count; r++) {
                meet(*team);
                pass_down(*tree, learner->current, role, part_of(*team, thread, team->ranges[r], team->ranges[r + 1]));
            }
            for (Integer r = team->range_count - 1; r >= 0; r--) {
                pass_up(*tree, learner->current, values,
                        part_of(*team, thread, team->ranges[r], team->ranges[r + 1]));
                meet(*team);
            }
            const double weight = (double)t * (double)t;
            for (Integer s = sets.begin; s < sets.end; s++)
                if (tree->set[s].role == role) learn(*tree, *learner, tree->set[s], values, weight, scratch);
        }
    meet(*team);
}

// The probability of every node if all play a strategy, in `own`.
void ludens_reach(const Tree *tree, const double *strategy) {
    for (Integer n = 0; n < tree->nodes; n++) tree->own[n] = n == 0 ? 1.0 : 0.0;
    for (Integer n = 0; n < tree->nodes; n++) {
        const Node node = tree->node[n];
        if (node.set == END) continue;
        const double *shares = node.set == CHANCE ? tree->chance + node.first : strategy + tree->set[node.set].action;
        for (Integer k = 0; k < node.count; k++) tree->own[node.first + k] += tree->own[n] * shares[k];
    }
}

// The values of some nodes for each role if all play a strategy; those of their children outside are known.
void ludens_evaluate(const Tree *tree, const double *strategy, Integer begin, Integer end) {
    for (Integer role = 0; role < tree->roles; role++)
        pass_up(*tree, strategy, tree->values + role * tree->nodes, {begin, end});
}

// What a role gets by its best response to the others' strategies; `reply` has the strategies of all, and gets the
// response in the role's sets. `gains` gets what the best move of each set is worth above the strategy before, weighted
// by how likely the others play there.
double ludens_respond(const Tree *tree, double *reply, Integer role, double *gains, double *scratch) {
    double *values = tree->values + role * tree->nodes;
    Integer deepest = -1;
    for (Integer s = 0; s < tree->sets; s++)
        if (tree->set[s].role == role && tree->set[s].depth > deepest) deepest = tree->set[s].depth;
    tree->own[0] = tree->others[0] = 1.0;
    pass_down(*tree, reply, role, {0, tree->nodes});
    for (Integer depth = deepest; depth >= 0; depth--) {
        pass_up(*tree, reply, values, {0, tree->nodes});
        for (Integer s = 0; s < tree->sets; s++) {
            const Set &set = tree->set[s];
            if (set.role != role || set.depth != depth) continue;
            weigh_moves(*tree, set, values, scratch);
            Integer best = 0;
            double before = 0.0;
            for (Integer k = 0; k < set.count; k++) {
                before += reply[set.action + k] * scratch[k];
                if (scratch[k] > scratch[best]) best = k;
            }
            gains[s] = scratch[best] - before;
            for (Integer k = 0; k < set.count; k++) reply[set.action + k] = k == best ? 1.0 : 0.0;
        }
    }
    pass_up(*tree, reply, values, {0, tree->nodes});
    return values[0];
}
}
