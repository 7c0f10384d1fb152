// The tree as arrays: nodes, edges, links, and the tables by which they are found.
//
// A node has an edge for every legal move of every role, role by role; chance roles, whose moves are drawn, come after
// the players. Statistics belong to edges. If only one player has a choice and nothing is left to chance, its edges lead
// to children; otherwise joint moves do, through a table of links.
//
// tree.py describes the same structures for Python. All integers are fixed in size, all memory belongs to Python.
#pragma once
#include <stdint.h>

using Word = uint64_t;
using Integer = int64_t;

constexpr Integer LANES = 512;
constexpr Integer LANES_PER_WORD = 64;
constexpr Integer ROW_WORDS = LANES / LANES_PER_WORD;
constexpr Integer DEEPEST = 256;  // joint moves of a descent
constexpr double BEST_GOAL = 100.0;

// Bounds of goals are counted in these units and rounded outwards, so that means and mixed values have narrow bounds.
constexpr Integer UNITS = 512;
// Bounds that are this close count as a proof: a 32nd of a point.
constexpr Integer CLOSE = UNITS / 32;

// No child yet. Lower numbers, from -2 downwards, stand for a child that a descent is creating.
constexpr Integer NOTHING = -1;

// Who chooses in a node: a player, or one of these.
constexpr Integer SEVERAL = -1;  // each by regret matching
constexpr Integer RACE = -2;     // whoever answers first

struct Edge {
    double total;   // the sum of values for the role whose edge it is
    int32_t move;   // by its number
    int32_t tries;  // descents through the edge
    int32_t child;  // the node below, where one player has a choice and nothing is drawn
    uint16_t low;   // bounds of the role's goal by this move, cached so that a choice need not read nodes
    uint16_t high;
};

struct Mix {
    double regret;  // what always making this move would have gained, never below zero
    double weight;  // the sum of its probabilities, later ones counting more
};

struct Mean {
    double tries;
    double total;
};

struct Made {
    float tries;  // in leaves: a move that was made in a quarter of a leaf's playouts counts as a quarter
    float total;  // the sum of their values for the role that made it
};

struct Tree {
    Integer node_room, edge_room, bucket_count, link_room;
    Integer width;    // words of a state, with all that tells nodes apart
    Integer players;  // those who choose
    Integer roles;    // players and chance roles
    Integer head_size;
    Word *states;
    int32_t *heads;      // see Head
    Edge *edges;
    Made *amaf;          // for each edge: leaves in which its role made its move here or below, in the tree or in
                         // playouts; null without RAVE
    Mix *mixes;          // for each edge; null if players never choose at once
    float *priors;       // for each edge: the policy of an evaluator; null if leaves are valued without one
    float *estimates;    // for each edge: what the evaluation expects for the role that chooses, from 0 to 1, by minimax
                         // below it; negative if unknown; null without an evaluation
    double *means;        // for each node: descents through it without a detour, then the mean value of each player;
                         // with priors, 1 and the evaluator's values; null without either
    int32_t *table;      // nodes by the hash of their state, plus one
    int32_t *link_nodes; // links by the hash of node and joint move: the node plus one
    Word *link_joints;
    int32_t *link_children;
    double *link_means;   // like `means`
    Mean *mast;          // for each move: descents in which it was made, whatever the position
    const Integer *first_moves;  // the number of each role's first move among all moves
    const int32_t *lowest;       // the lowest goal of each player, in units
    const int32_t *highest;
    Integer is_open;             // whether only the caller can resolve chance, and knows the states
    Integer nodes, edge_count, links, root, is_full;
    Word random[2];
};

// The integers of a node, as they lie in Tree::heads.
struct Head {
    int32_t *at;
    Integer roles, players;

    Head(const Tree &tree, Integer node)
        : at(tree.heads + node * tree.head_size), roles(tree.roles), players(tree.players) {}
    int32_t &visits() { return at[0]; }
    int32_t &first() { return at[1]; }  // the first edge; -1 if it has none yet for want of room
    int32_t &chooser() { return at[2]; }  // the only player that has a choice; any if none has
    int32_t &count(Integer role) { return at[3 + role]; }  // edges of a role
    int32_t &low(Integer player) { return at[3 + roles + player]; }
    int32_t &high(Integer player) { return at[3 + roles + players + player]; }

    bool is_known(Integer player) { return high(player) - low(player) <= CLOSE; }
    bool is_settled() {
        for (Integer player = 0; player < players; player++)
            if (!is_known(player)) return false;
        return true;
    }
    double value(Integer player) { return (low(player) + high(player)) * (0.5 / UNITS); }
    Integer edges() {
        Integer sum = 0;
        for (Integer role = 0; role < roles; role++) sum += count(role);
        return sum;
    }
    Integer first_of(Integer role) {
        Integer edge = first();
        for (Integer earlier = 0; earlier < role; earlier++) edge += count(earlier);
        return edge;
    }
};

struct Bounds {
    Integer low, high;
};

inline Integer least(Integer a, Integer b) { return a < b ? a : b; }
inline Integer most(Integer a, Integer b) { return a > b ? a : b; }
inline double within(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

inline Integer lowest_one(Word word) { return __builtin_ctzll(word); }
inline Integer count_ones(Word word) { return __builtin_popcountll(word); }

// Random numbers, by xorshift.

enum Generator { DICE, SAMPLES };  // the search's own, and one that repeats the same sample of chance

inline double draw(Tree &tree, Generator generator) {
    Word x = tree.random[generator];
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    tree.random[generator] = x;
    return (double)(x >> 11) * 0x1p-53;
}

// Tables.

constexpr Word MIX = 0x9E3779B97F4A7C15;

inline Word mix_bits(Word number) {
    number = (number ^ (number >> 29)) * MIX;
    number = (number ^ (number >> 29)) * MIX;
    return number ^ (number >> 29);
}

inline Word state_hash(const Word *state, Integer width) {
    Word hash = (Word)width;
    for (Integer n = 0; n < width; n++) {
        hash = (hash ^ state[n]) * MIX;
        hash ^= hash >> 29;
    }
    return hash;
}

// The bucket of a state: where its node is, or belongs.
inline Integer find_bucket(const Tree &tree, const Word *state) {
    Word mask = (Word)tree.bucket_count - 1;
    Integer bucket = (Integer)(state_hash(state, tree.width) & mask);
    for (; tree.table[bucket]; bucket = (bucket + 1) & (Integer)mask) {
        const Word *other = tree.states + (tree.table[bucket] - 1) * tree.width;
        Integer n = 0;
        while (n < tree.width && other[n] == state[n]) n++;
        if (n == tree.width) break;
    }
    return bucket;
}

// The place where the link of a node's joint move is, or belongs.
inline Integer find_link(const Tree &tree, Integer node, Word joint) {
    Word mask = (Word)tree.link_room - 1;
    Word mixed = ((Word)node * MIX) ^ joint;
    mixed = (mixed ^ (mixed >> 29)) * MIX;
    Integer place = (Integer)((mixed ^ (mixed >> 29)) & mask);
    while (tree.link_nodes[place] && (tree.link_nodes[place] != node + 1 || tree.link_joints[place] != joint))
        place = (place + 1) & (Integer)mask;
    return place;
}

// The place of a link, which is added if it is missing; NOTHING if there is no room.
inline Integer make_link(Tree &tree, Integer node, Word joint) {
    Integer place = find_link(tree, node, joint);
    if (tree.link_nodes[place]) return place;
    if (2 * tree.links >= tree.link_room) {
        tree.is_full = 1;
        return NOTHING;
    }
    tree.link_nodes[place] = (int32_t)(node + 1);
    tree.link_joints[place] = joint;
    tree.link_children[place] = NOTHING;
    if (tree.link_means)
        for (Integer n = 0; n <= tree.players; n++) tree.link_means[place * (tree.players + 1) + n] = 0.0;
    tree.links++;
    return place;
}

// The number of a joint move with one more move: move `place` of `count`. Factors are odd, so that overflow loses
// nothing.
inline Word append_move(Word joint, Integer count, Integer place) {
    return joint * ((Word)count | 1) + (Word)place;
}
