// Proofs for two players. `make bitcode` compiles this file to proof.bc, which Python loads.
#include "proof.hpp"

// Put the state in the first lane of `root` into the arena as its first position; false if nobody can choose there.
static bool plant(const Rules &rules, Prover &prover, const Row *root, Used &used) {
    memcpy(rules.fluents, root, (size_t)rules.fluent_rows * sizeof(Row));
    take_states(rules, rules.fluents, prover.width, 1);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.fluents, rules.seen, 1);
    used = {state_words(prover), 1, 0};
    Child &node = prover.children[0];
    node.state = 0, node.key = key_of_lane(rules, prover, prover.states);
    take_legal(rules, prover, 1);
    return read_moves(rules, prover, 0, used.moves, node);
}

extern "C" {

// A mark of the sources, by which a test sees whether proof.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Whether the first player gets at least the goal number `wanted` from the state in the first lane of `fluents`;
// STOPPED after so many nodes, or if `failure` says why. What was proved is in the table, so the next call goes on.
Integer ludens_prove(const Rules *rules, Prover *prover, const Row *root, Integer wanted, Integer nodes) {
    Used used;
    Child &node = prover->children[0];
    if (!plant(*rules, *prover, root, used)) return STOPPED;
    if (const Slot *slot = find_slot(*prover, node.key)) {
        if (slot->low >= wanted) return YES;
        if (slot->high < wanted) return NO;
    }
    prover->node_end = prover->nodes + nodes;
    return prove(*rules, *prover, node, wanted, used, 0);
}

// The move that decided the last test at the root, -1 if none did.
Integer ludens_deciding_move(const Rules *rules, Prover *prover, const Row *root) {
    take_states(*rules, root, prover->width, 1);
    const Slot *slot = find_slot(*prover, key_of_lane(*rules, *prover, prover->states));
    return slot ? slot->best - 1 : -1;
}
}
