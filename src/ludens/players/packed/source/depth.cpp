// Depth-first search for two players. `make bitcode` compiles this file to depth.bc, which Python loads.
#include "depth.hpp"

extern "C" {

// A mark of the sources, by which a test sees whether depth.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Make the state in the first lane of `root` the first item of the arena; returns false if both players choose.
static bool begin(const Rules &rules, Searcher &searcher, const Row *root, Room &room) {
    memcpy(rules.fluents, root, (size_t)rules.fluent_rows * sizeof(Row));
    take_states(rules, rules.fluents, searcher.width, 1);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.fluents, rules.seen, 1);
    memcpy(searcher.states, rules.packed, (size_t)searcher.width * sizeof(Word));
    room = {searcher.width, 1, 0};
    Item &node = searcher.items[0];
    node = {};
    node.key = key_of(searcher, searcher.states);
    node.first_child = -1;
    node.is_over = is_set(rules.seen[0], 0) || is_set(rules.seen[1], 0);
    node.estimate = estimate_state(rules, searcher, searcher.states);
    return read_moves(rules, searcher, 0, 1, room);
}

// The key of the state in the first lane of `root`.
Word ludens_key(const Rules *rules, Searcher *searcher, const Row *root) {
    take_states(*rules, root, searcher->width, 1);
    return key_of(*searcher, rules->packed);
}

// List the moves at a new root; returns the player who chooses, or -1 if both do or the match is over.
Integer ludens_plant(const Rules *rules, Searcher *searcher, const Row *root) {
    Room room;
    searcher->root_count = 0, searcher->best = -1, searcher->best_value = 0, searcher->deepest = 0;
    if (!begin(*rules, *searcher, root, room) || searcher->items[0].is_over) return -1;
    const Item &node = searcher->items[0];
    for (Integer n = 0; n < node.move_count; n++)
        searcher->root_moves[searcher->root_count++] = {searcher->moves[node.first_move + n], 0, AT_MOST, 0, 0};
    return node.chooser;
}

static void put_first(Searcher &searcher) {
    RootMove *moves = searcher.root_moves;
    for (Integer n = 0; n < searcher.root_count; n++)
        if (moves[n].move == searcher.best) std::rotate(moves, moves + n, moves + n + 1);
}

// Search the root's moves at a depth. Returns whether that was finished before so much work was done; if not, what was
// found is in the table, and the next call goes on.
Integer ludens_deepen(const Rules *rules, Searcher *searcher, const Row *root, Integer depth, Integer work) {
    Room room;
    searcher->work_end = searcher->work + work;
    int32_t number = 0;
    if (!begin(*rules, *searcher, root, room) || !open_items(*rules, *searcher, &number, 1, room)) return 0;
    Item &node = searcher->items[0];
    Integer count = 0;
    for (Integer n = 0; n < node.child_count; n++) {
        Item child = searcher->items[node.first_child + n];
        for (Integer k = 0; k < searcher->root_count; k++)
            if (searcher->root_moves[k].move == child.move) {
                child.rank = (int32_t)-k;
                searcher->items[node.first_child + count++] = child;
            }
    }
    node.child_count = (int32_t)count;
    Integer best = -1, began = searcher->work;
    searcher->guessed = 0;
    Value value = search_children(
        *rules, *searcher, node, depth, -INFINITE, INFINITE, room, 0, best,
        [&](const Item &child, Value found, bool is_exact) {
            for (Integer k = 0; k < searcher->root_count; k++) {
                RootMove &move = searcher->root_moves[k];
                if (move.move != child.move) continue;
                bool is_proven = child.is_over || found > WON || found < -WON || !searcher->guessed;
                move = {move.move, found, is_exact ? EXACT : AT_MOST, is_proven, move.work + searcher->work - began};
            }
            began = searcher->work;
            if (is_exact) searcher->best = child.move, searcher->best_value = found;
        });
    put_first(*searcher);
    if (is_stopped(*searcher)) return 0;
    store(*searcher, node.key, value, best, depth, (uint8_t)(EXACT | (searcher->guessed ? GUESSED : 0)));
    return 1;
}

// The expected moves after a move at the root, as far as the table has them; returns how many there are.
Integer ludens_line(const Rules *rules, Searcher *searcher, const Row *root, Integer move, int32_t *line, Integer most) {
    Room room;
    if (!begin(*rules, *searcher, root, room)) return 0;
    Integer count = 0;
    for (int32_t number = 0; count < most && move >= 0;) {
        if (!open_items(*rules, *searcher, &number, 1, room)) break;
        const Item &node = searcher->items[number];
        number = -1;
        for (Integer n = 0; n < node.child_count; n++)
            if (searcher->items[node.first_child + n].move == move) number = node.first_child + (int32_t)n;
        if (number < 0) break;
        const Item &child = searcher->items[number];
        line[2 * count] = node.chooser, line[2 * count + 1] = (int32_t)move;
        count++;
        if (child.is_over) break;
        const Entry *entry = find_entry(*searcher, child.key);
        move = child.move_count == 1 ? searcher->moves[child.first_move] : entry ? entry->best - 1 : -1;
    }
    return count;
}
}
