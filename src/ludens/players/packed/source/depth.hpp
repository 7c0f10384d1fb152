// Depth-first search for two players who move in turns: alpha-beta with iterative deepening and an evaluation.
//
// A block computes all children of a node at once, or those of several siblings, so every child has its estimate before
// one is searched. Estimates order the moves, and say which moves at the end of a line change so much that the line has
// to go on.
#pragma once
#include "../../evaluation/source/network.hpp"
#include "rules.hpp"
#include <algorithm>

enum Failure : Integer { NONE, SIMULTANEOUS };
enum Bound : uint8_t { EXACT, AT_LEAST, AT_MOST };

using Value = int32_t;
// Values are logits in thousandths, for the player who chooses; won positions are worth WIN less the plies to the end.
constexpr Value WIN = 1'000'000, WON = WIN - 10'000, MOST = 30'000, INFINITE = 2 * WIN;
constexpr Integer DEEPEST = 120, QUIET_PLIES = 6, BUCKET = 4;
constexpr Integer REDUCED_AFTER = 3, REDUCED_TWICE_AFTER = 10;  // moves, the best first, that are searched at full depth
constexpr Integer NOISE = 2;  // a move that changes the estimate by so many times the usual amount is not quiet

struct Entry {
    Word key;
    Value value;
    uint16_t best;  // a move, plus one
    uint8_t depth;
    uint8_t bound;  // and whether estimates have a part in it, as bit 2
};
constexpr uint8_t GUESSED = 4;

// A position in the arena.
struct Item {
    Word key;
    Integer state;  // its place in the arena, in words
    int32_t first_move, move_count;
    int32_t other_move;  // the only move of the player who does not choose
    int32_t move;        // by which it is reached
    Value estimate;      // for the first player; the exact value if it is over
    int32_t first_child, child_count;  // -1 if they are not computed
    int32_t rank;
    uint8_t chooser, is_over;
};
static_assert(sizeof(Item) == 56 && sizeof(Entry) == 16);

struct RootMove {
    int32_t move;
    Value value;    // for the player who chooses
    int32_t bound;  // EXACT or AT_MOST
    int32_t is_proven;
    Integer work;
};

struct Searcher {
    Integer width, roles, entry_mask;
    Entry *entries;
    const Value *weights;  // of the kept fluents, for the first player
    Integer constant;      // the estimate without fluents
    float *network;        // evaluates instead of the weights; null if there is none
    const Integer *move_counts;
    Integer state_room, item_room, move_room;
    Word *states;
    Item *items;
    int32_t *moves;
    Integer *history, most_moves;  // how often a move was decisive (2, most moves)
    Word salt;                     // of keys, so that entries for other repetitions are not found
    Integer ended_count;           // positions that end the match by repetition
    const Word *ended_keys;
    const Value *ended_values;  // for the first player
    Integer work, work_end, computed, failure, guessed, change_sum, change_count, deepest;
    Integer root_count;
    RootMove *root_moves;
    Integer best, best_value;  // the root move that is best so far, -1 if none is
};

// What is taken of the arena.
struct Room {
    Integer states, items, moves;
};

inline Word mix(Word hash, Word word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 32;
}

inline Word key_of(const Searcher &searcher, const Word *state) {
    Word key = 0x243F6A8885A308D3ULL ^ searcher.salt;
    for (Integer n = 0; n < searcher.width; n++) key = mix(key, state[n]);
    key *= 0xD6E8FEB86659FD93ULL;
    key ^= key >> 29;
    return key ? key : 1;
}

inline Integer goal_at(const Rules &rules, Integer role, Integer lane) {
    Integer goal = 0, first = rules.first_goal + GOAL_ROWS * role;
    for (Integer n = 0; n < GOAL_ROWS; n++) goal |= (Integer)is_set(rules.seen[first + n], lane) << n;
    return goal;
}

// The value of a finished match for the first player: the lead in goals.
inline Value value_of(Integer lead) {
    if (lead >= 100) return WIN;
    if (lead <= -100) return -WIN;
    double share = 0.5 + (double)lead / 200.0;
    return (Value)(1000.0 * __builtin_log(share / (1.0 - share)));
}

inline Value seen_by(const Item &item, Value value) { return item.chooser == 0 ? value : -value; }

// A value at some plies below the root, seen from there, and back: the nearer of two wins is better.
inline Value further(Value value, Integer plies) {
    return value > WON ? value - (Value)plies : value < -WON ? value + (Value)plies : value;
}

// The table

inline Entry *find_entry(const Searcher &searcher, Word key) {
    Entry *bucket = searcher.entries + ((Integer)key & searcher.entry_mask) * BUCKET;
    for (Integer n = 0; n < BUCKET; n++)
        if (bucket[n].key == key) return bucket + n;
    return nullptr;
}

inline void store(const Searcher &searcher, Word key, Value value, Integer best, Integer depth, uint8_t bound) {
    Entry *entry = find_entry(searcher, key);
    if (!entry) {
        Entry *bucket = entry = searcher.entries + ((Integer)key & searcher.entry_mask) * BUCKET;
        for (Integer n = 1; n < BUCKET; n++)
            if (bucket[n].depth < entry->depth) entry = bucket + n;
    }
    if (entry->key == key && best < 0) best = entry->best - 1;
    *entry = {key, value, (uint16_t)(best < UINT16_MAX ? best + 1 : 0), (uint8_t)depth, bound};
}

// Children

// Call a function with each lane and fluent, by its place, that differs between the lanes' parents and the lanes.
template <typename Function> inline void each_change(const Rules &rules, Integer lanes, Function function) {
    Integer words = (lanes + WORD_BITS - 1) / WORD_BITS;
    for (Integer place = 0; place < rules.kept_count; place++) {
        const Row &before = rules.fluents[rules.kept[place]], &after = rules.nexts[rules.kept[place]];
        for (Integer n = 0; n < words; n++) {
            Word differing = before[n] ^ after[n];
            if (n == words - 1 && lanes % WORD_BITS) differing &= (1ULL << (lanes % WORD_BITS)) - 1;
            for (; differing; differing &= differing - 1) {
                Integer bit = lowest_one(differing);
                function(n * WORD_BITS + bit, place, after[n] >> bit & 1);
            }
        }
    }
}

inline Value value_of_logit(float logit) {
    constexpr float MOST_LOGIT = (float)MOST / 1000.0f;
    return (Value)(1000.0f * (logit > MOST_LOGIT ? MOST_LOGIT : logit < -MOST_LOGIT ? -MOST_LOGIT : logit));
}

// The estimate of a state, for the first player.
inline Value estimate_state(const Rules &rules, const Searcher &searcher, const Word *state) {
    if (searcher.network) {
        Network network(searcher.network, rules.kept_count);
        return value_of_logit(logit_of(network, sums_of(network, state, searcher.width)));
    }
    Value estimate = (Value)searcher.constant;
    for (Integer n = 0; n < searcher.width; n++)
        for (Word bits = state[n]; bits; bits &= bits - 1) estimate += searcher.weights[n * WORD_BITS + lowest_one(bits)];
    return estimate;
}

// Write the estimates of the lanes, for the first player.
inline void estimate_lanes(const Rules &rules, const Searcher &searcher, const int32_t *parents, Integer lanes,
                           Value *estimates) {
    if (!searcher.network) {
        for (Integer lane = 0; lane < lanes; lane++) estimates[lane] = searcher.items[parents[lane]].estimate;
        each_change(rules, lanes, [&](Integer lane, Integer place, bool holds) {
            estimates[lane] += holds ? searcher.weights[place] : -searcher.weights[place];
        });
        return;
    }
    Network network(searcher.network, rules.kept_count);
    Units sums[LANES];
    for (Integer lane = 0; lane < lanes; lane++)
        sums[lane] = lane && parents[lane] == parents[lane - 1]
                         ? sums[lane - 1]
                         : sums_of(network, searcher.states + searcher.items[parents[lane]].state, searcher.width);
    each_change(rules, lanes, [&](Integer lane, Integer place, bool holds) {
        sums[lane] = holds ? sums[lane] + network.rows[place] : sums[lane] - network.rows[place];
    });
    for (Integer lane = 0; lane < lanes; lane++) estimates[lane] = value_of_logit(logit_of(network, sums[lane]));
}

// Read the legal moves of the items in the first lanes into the arena; returns false if there is no room for them.
inline bool read_moves(const Rules &rules, Searcher &searcher, Integer first, Integer lanes, Room &room) {
    int32_t counts[2][LANES] = {}, next[LANES];
    Integer words = (lanes + WORD_BITS - 1) / WORD_BITS;
    Word going_on[ROW_WORDS];
    Row active = first_lanes(lanes) & ~rules.seen[0] & ~rules.seen[1];
    for (Integer n = 0; n < words; n++) going_on[n] = active[n];
    auto each_move = [&](Integer role, auto function) {
        const Row *legal = rules.seen + rules.first_legal + rules.first_moves[role];
        for (Integer move = 0; move < searcher.move_counts[role]; move++)
            for (Integer n = 0; n < words; n++)
                for (Word bits = legal[move][n] & going_on[n]; bits; bits &= bits - 1)
                    function(n * WORD_BITS + lowest_one(bits), (int32_t)move);
    };
    for (Integer role = 0; role < searcher.roles; role++)
        each_move(role, [&](Integer lane, int32_t) { counts[role][lane]++; });
    for (Integer lane = 0; lane < lanes; lane++) {
        Item &item = searcher.items[first + lane];
        if (item.is_over) continue;
        if (counts[0][lane] > 1 && counts[1][lane] > 1) return searcher.failure = SIMULTANEOUS, false;
        item.chooser = counts[1][lane] > 1;
        item.first_move = next[lane] = (int32_t)room.moves;
        item.move_count = counts[item.chooser][lane];
        room.moves += item.move_count;
        if (room.moves > searcher.move_room) return false;
    }
    for (Integer role = 0; role < searcher.roles; role++)
        each_move(role, [&](Integer lane, int32_t move) {
            Item &item = searcher.items[first + lane];
            if (item.chooser == role)
                searcher.moves[next[lane]++] = move;
            else
                item.other_move = move;
        });
    return true;
}

// Compute the children in the first lanes, which come next in the arena; `parents` are their items.
inline bool compute_lanes(const Rules &rules, Searcher &searcher, const int32_t *parents, Integer lanes, Room &room) {
    if (room.items + lanes > searcher.item_room || room.states + lanes * searcher.width > searcher.state_room)
        return false;
    put_states(rules, rules.fluents, searcher.width, lanes);
    *rules.idle = ~first_lanes(lanes);
    rules.advance(rules.advance_values, rules.advance_code, rules.rng, rules.fluents, rules.nexts, 0, rules.idle, 1,
                  rules.joint, rules.first_moves, searcher.roles, lanes);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.nexts, rules.seen, 1);
    searcher.work++;
    searcher.computed += lanes;
    Value estimates[LANES];
    estimate_lanes(rules, searcher, parents, lanes, estimates);
    take_states(rules, rules.nexts, searcher.width, lanes);
    memcpy(searcher.states + room.states, rules.packed, (size_t)(lanes * searcher.width) * sizeof(Word));
    Integer first = room.items;
    for (Integer lane = 0; lane < lanes; lane++) {
        Item &item = searcher.items[first + lane];
        const Item &parent = searcher.items[parents[lane]];
        item.state = room.states + lane * searcher.width;
        item.key = key_of(searcher, searcher.states + item.state);
        item.move = rules.joint[lane * searcher.roles + parent.chooser];
        item.estimate = estimates[lane];
        item.first_child = -1, item.child_count = 0, item.move_count = 0, item.chooser = 0, item.rank = 0;
        item.is_over = is_set(rules.seen[0], lane) || is_set(rules.seen[1], lane);
        searcher.change_sum += std::abs(item.estimate - parent.estimate);
    }
    searcher.change_count += lanes;
    if (!read_moves(rules, searcher, first, lanes, room)) return false;
    for (Integer lane = 0; lane < lanes; lane++) {
        Item &item = searcher.items[first + lane];
        if (item.is_over) item.estimate = value_of(goal_at(rules, 0, lane) - goal_at(rules, 1, lane));
        for (Integer n = 0; n < searcher.ended_count; n++)
            if (searcher.ended_keys[n] == item.key) item.is_over = 1, item.estimate = searcher.ended_values[n];
    }
    room.items += lanes, room.states += lanes * searcher.width;
    return true;
}

// Compute the children of some items. Returns false, with some left out, if there is no room.
__attribute__((noinline)) bool open_items(const Rules &rules, Searcher &searcher, const int32_t *items, Integer count, Room &room) {
    int32_t parents[LANES];
    Integer lanes = 0;
    for (Integer n = 0; n < count; n++) {
        Item &item = searcher.items[items[n]];
        item.first_child = (int32_t)(room.items + lanes), item.child_count = item.move_count;
        for (Integer k = 0; k < item.move_count; k++) {
            memcpy(rules.packed + lanes * searcher.width, searcher.states + item.state,
                   (size_t)searcher.width * sizeof(Word));
            rules.joint[lanes * searcher.roles + item.chooser] = searcher.moves[item.first_move + k];
            rules.joint[lanes * searcher.roles + !item.chooser] = item.other_move;
            parents[lanes++] = items[n];
            if (lanes < LANES && (k + 1 < item.move_count || n + 1 < count)) continue;
            if (!compute_lanes(rules, searcher, parents, lanes, room)) {
                for (Integer m = 0; m < count; m++) searcher.items[items[m]].first_child = -1;
                return false;
            }
            lanes = 0;
        }
    }
    return true;
}

// Search

Value search(const Rules &rules, Searcher &searcher, Item &node, Integer depth, Value alpha, Value beta, Room room,
             Integer ply);

// Makes sure that a node's children are computed. Those computed here are gone afterwards, like all that follows in the
// arena.
struct Opened {
    Item &node;
    bool is_own;
    Opened(const Rules &rules, Searcher &searcher, Item &node, Room &room) : node(node), is_own(node.first_child < 0) {
        int32_t number = (int32_t)(&node - searcher.items);
        if (is_own) open_items(rules, searcher, &number, 1, room);
    }
    Opened(const Opened &) = delete;
    ~Opened() {
        if (is_own) node.first_child = -1;
    }
    explicit operator bool() const { return node.first_child >= 0; }
};

inline bool is_stopped(const Searcher &searcher) { return searcher.work >= searcher.work_end || searcher.failure; }

inline Value usual_change(const Searcher &searcher) {
    return (Value)(searcher.change_sum / (searcher.change_count ? searcher.change_count : 1));
}

// The value of a child for the player who chooses at a node, with a window of that player.
inline Value child_value(const Rules &rules, Searcher &searcher, const Item &node, Item &child, Integer depth,
                         Value alpha, Value beta, const Room &room, Integer ply) {
    if (child.is_over) return further(seen_by(node, child.estimate), ply + 1);
    if (child.chooser == node.chooser) return search(rules, searcher, child, depth, alpha, beta, room, ply + 1);
    return -search(rules, searcher, child, depth, -beta, -alpha, room, ply + 1);
}

inline Value estimate_at(Searcher &searcher, const Item &node) {
    searcher.guessed = 1;
    Value value = seen_by(node, node.estimate);
    return value > MOST ? MOST : value < -MOST ? -MOST : value;
}

// The child at a place in the order of ranks. Often the first one is enough, so the others are sorted after it.
inline Item &pick(Searcher &searcher, const Item &node, Integer place) {
    Item *children = searcher.items + node.first_child, *end = children + node.child_count;
    auto is_better = [](const Item &one, const Item &other) { return one.rank > other.rank; };
    if (place == 0) std::iter_swap(children, std::min_element(children, end, is_better));
    if (place == 1) std::sort(children + 1, end, is_better);
    return children[place];
}

// Where a line ends: the estimate, or better if moves win or change much.
inline Value calm_down(const Rules &rules, Searcher &searcher, Item &node, Integer depth, Value alpha, Value beta,
                       Room room, Integer ply) {
    Integer guessed = searcher.guessed;
    Value best = estimate_at(searcher, node);
    if (best >= beta || depth <= -QUIET_PLIES || ply >= DEEPEST) return best;
    Opened opened(rules, searcher, node, room);
    if (!opened) return best;
    Value noise = (Value)NOISE * usual_change(searcher);
    for (Integer n = 0; n < node.child_count; n++) {
        Item &child = searcher.items[node.first_child + n];
        Value value = seen_by(node, child.estimate);
        child.rank = child.is_over || value - seen_by(node, node.estimate) > noise ? value : INT32_MIN;
    }
    bool has_quiet = node.move_count > 1;
    if (!has_quiet) best = -INFINITE;  // a forced move changes nothing
    for (Integer n = 0; n < node.child_count && best < beta && !is_stopped(searcher); n++) {
        Item &child = pick(searcher, node, n);
        if (has_quiet && child.rank == INT32_MIN) break;
        Value low = best > alpha ? best : alpha;
        Value value = child_value(rules, searcher, node, child, has_quiet ? depth - 1 : depth, low, beta, room, ply);
        if (value > best) best = value;
    }
    searcher.guessed = best > WON ? guessed : 1;
    return best;
}

// Compute the children of the next siblings that will be searched, as many as fit into a block; returns where to go on.
__attribute__((noinline)) Integer open_siblings(const Rules &rules, Searcher &searcher, const Item &node, Integer place,
                                                Integer depth, Value alpha, Room &room) {
    int32_t wanted[LANES];
    Integer count = 0, lanes = 0, next = place;
    for (; next < node.child_count && count < LANES; next++) {
        Item &child = searcher.items[node.first_child + next];
        child.first_child = -1;
        if (child.is_over || (depth <= 0 && seen_by(node, child.estimate) <= alpha)) continue;  // its value is known
        const Entry *entry = find_entry(searcher, child.key);
        if (entry && entry->depth >= depth && depth > 0) continue;
        if (count && lanes + child.move_count > LANES) break;
        lanes += child.move_count;
        wanted[count++] = (int32_t)(node.first_child + next);
    }
    if (count > 1) open_items(rules, searcher, wanted, count, room);
    return next;
}

inline void rank_children(Searcher &searcher, const Item &node, Integer known) {
    const Integer *history = searcher.history + node.chooser * searcher.most_moves;
    Integer most = 1;
    for (Integer n = 0; n < node.child_count; n++) {
        Integer count = history[searcher.items[node.first_child + n].move];
        if (count > most) most = count;
    }
    Integer usual = usual_change(searcher);
    for (Integer n = 0; n < node.child_count; n++) {
        Item &child = searcher.items[node.first_child + n];
        child.rank = seen_by(node, child.estimate) + (int32_t)(usual * history[child.move] / most);
        if (child.move == known) child.rank = INT32_MAX;
    }
}

inline void learn_order(Searcher &searcher, const Item &node, Integer move, Integer depth) {
    Integer *history = searcher.history + node.chooser * searcher.most_moves;
    history[move] += depth * depth;
    if (history[move] > 1 << 20)
        for (Integer n = 0; n < searcher.most_moves; n++) history[n] /= 2;
}

// Search the children of a node, the best first; `report` is called with each one, its value and its bound.
template <typename Report>
inline Value search_children(const Rules &rules, Searcher &searcher, Item &node, Integer depth, Value alpha, Value beta,
                             Room room, Integer ply, Integer &best_move, Report report) {
    Value best = -INFINITE;
    Integer below = node.child_count > 1 ? depth - 1 : depth;  // forced moves cost nothing
    Room before = room;
    Integer opened = 1;
    for (Integer n = 0; n < node.child_count; n++) {
        Item &child = pick(searcher, node, n);
        Value low = best > alpha ? best : alpha, value;
        if (n >= opened) {
            room = before;
            opened = open_siblings(rules, searcher, node, n, below, low, room);
            if (is_stopped(searcher)) return 0;
        }
        bool is_first = n == 0;
        if (is_first || child.is_over) {
            value = child_value(rules, searcher, node, child, below, low, beta, room, ply);
        } else {
            Integer less = below >= 2 && n >= REDUCED_AFTER ? 1 + (below >= 4 && n >= REDUCED_TWICE_AFTER) : 0;
            value = child_value(rules, searcher, node, child, below - less, low, low + 1, room, ply);
            if (less && value > low && !is_stopped(searcher))
                value = child_value(rules, searcher, node, child, below, low, low + 1, room, ply);
            if (value > low && value < beta && !is_stopped(searcher))
                value = child_value(rules, searcher, node, child, below, low, beta, room, ply);
        }
        if (is_stopped(searcher)) return 0;
        report(child, value, is_first || value > low);
        if (value > best) {
            best = value, best_move = child.move;
            if (best >= beta) break;
        }
    }
    return best;
}

// The value of a node for the player who chooses there, if it lies within the window, else a bound; anything if the
// search is stopped.
Value search(const Rules &rules, Searcher &searcher, Item &node, Integer depth, Value alpha, Value beta, Room room,
             Integer ply) {
    if (ply > searcher.deepest) searcher.deepest = ply;
    if (depth <= 0 || ply >= DEEPEST) return calm_down(rules, searcher, node, depth, alpha, beta, room, ply);
    Integer known = -1;
    if (const Entry *entry = find_entry(searcher, node.key)) {
        Value value = further(entry->value, ply);
        Integer bound = entry->bound & ~GUESSED;
        bool is_deep = entry->depth >= depth || !(entry->bound & GUESSED);
        if (is_deep && (bound == EXACT || (bound == AT_LEAST && value >= beta) || (bound == AT_MOST && value <= alpha))) {
            if (entry->bound & GUESSED) searcher.guessed = 1;
            return value;
        }
        known = entry->best - 1;
    }
    Opened opened(rules, searcher, node, room);
    if (!opened) return estimate_at(searcher, node);
    Integer guessed = searcher.guessed, best_move = -1;
    searcher.guessed = 0;
    rank_children(searcher, node, known);
    Value best = search_children(rules, searcher, node, depth, alpha, beta, room, ply, best_move,
                                 [](const Item &, Value, bool) {});
    if (is_stopped(searcher)) return 0;
    if (best > WON) searcher.guessed = 0;
    Bound bound = best >= beta ? AT_LEAST : best <= alpha ? AT_MOST : EXACT;
    store(searcher, node.key, further(best, -ply), bound == AT_MOST ? -1 : best_move, depth,
          (uint8_t)(bound | (searcher.guessed ? GUESSED : 0)));
    if (bound != AT_MOST) learn_order(searcher, node, best_move, depth);
    searcher.guessed |= guessed;
    return best;
}
