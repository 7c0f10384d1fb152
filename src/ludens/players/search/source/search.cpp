// The tree search: rounds of descents whose leaves are evaluated together. `make bitcode` compiles this file to
// search.bc, which Python loads; the functions below are all it calls.
#include "recycling.hpp"

extern "C" {

// A mark of the sources, by which a test sees whether search.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Begin a tree at the states in the first rows of `round`, whose positions are there too.
void ludens_plant(Tree *tree, Round *round, Integer count) {
    memset(tree->table, 0, (size_t)tree->bucket_count * sizeof(int32_t));
    memset(tree->link_nodes, 0, (size_t)tree->link_room * sizeof(int32_t));
    tree->nodes = tree->edge_count = tree->links = tree->is_full = 0;
    for (Integer k = 0; k < count; k++) round->parents[k] = -2, round->same[k] = NOTHING;
    make_nodes(*tree, *round, count);
    tree->root = round->nodes[0];
}

// Move the root to a state if it has a node; returns whether it has.
Integer ludens_find(Tree *tree, const Word *state) {
    Integer node = tree->table[find_bucket(*tree, state)] - 1;
    if (node >= 0) tree->root = node;
    return node >= 0;
}

// Begin a tree at a state, whose position the rules compute.
void ludens_plant_block(Tree *tree, const Rules *rules, Round *round, const Settings *settings, const Word *state) {
    clear_rows(round->nexts, rules->fluent_rows);
    put_state(round->nexts, state, rules->fluent_rows, 0, 1);
    memcpy(round->states, state, (size_t)tree->width * sizeof(Word));
    round->parents[0] = -2;
    round->same[0] = NOTHING;
    read_positions(*tree, *rules, *round, 1);
    ludens_plant(tree, round, 1);
    if (settings->lookahead) look_ahead(*tree, *rules, *round, 1);
}

void ludens_make_room(Tree *tree) { make_room(*tree); }

// The parts of a round, for callers that know the states or evaluate the leaves.

void ludens_descend(Tree *tree, const Rules *rules, Round *round, const Settings *settings) {
    descend(*tree, *rules, *round, *settings);
}

void ludens_make_nodes(Tree *tree, Round *round, Integer count) { make_nodes(*tree, *round, count); }

void ludens_back_up(Tree *tree, const Rules *rules, Round *round, const Settings *settings) {
    for (Integer number = 0; number < settings->leaves; number++) back_up(*tree, *rules, *round, *settings, number);
}

// Take the values of leaves from their nodes, to which an evaluator wrote them; without room for a node, its parent's.
void ludens_take_values(const Tree *tree, Round *round, Integer count) {
    for (Integer k = 0; k < count; k++) {
        Integer node = round->nodes[k] >= 0 ? round->nodes[k] : round->parents[k];
        memcpy(round->values + k * tree->players, tree->means + node * (tree->players + 1) + 1,
               (size_t)tree->players * sizeof(double));
    }
}

// Run whole rounds until the root is proven for a player or the tree is full; returns the number of rounds, and adds to
// the number of playouts.
Integer ludens_search(Tree *tree, const Rules *rules, Round *round, const Settings *settings, Integer rounds,
                      Integer *playouts) {
    for (Integer made = 0; made < rounds; made++) {
        if (Head(*tree, tree->root).is_known(settings->role)) return made;
        descend(*tree, *rules, *round, *settings);
        play_last_moves(*tree, *rules, *round, settings->leaves);
        read_positions(*tree, *rules, *round, settings->leaves);
        make_nodes(*tree, *round, settings->leaves);
        if (settings->lookahead) {
            look_ahead(*tree, *rules, *round, settings->leaves);
            prove_leaves(*tree, *round, settings->leaves);
        }
        *playouts += rules->judges_leaves ? judge_leaves(*tree, *rules, *round, settings->leaves)
                                    : play_out(*tree, *rules, *round, *settings);
        ludens_back_up(tree, rules, round, settings);
        if (tree->is_full) return made + 1;
    }
    return rounds;
}

// The child after a joint move of several players; NOTHING if there is none.
Integer ludens_child(const Tree *tree, Integer node, Word joint) {
    Integer link = find_link(*tree, node, joint);
    return tree->link_nodes[link] ? tree->link_children[link] : NOTHING;
}

// The value of a matrix game, and both players' strategies one after the other.
double ludens_matrix(const double *matrix, Integer rows, Integer columns, double *strategies) {
    return solve_matrix(matrix, rows, columns, strategies, strategies + rows);
}
}
