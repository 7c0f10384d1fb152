// Matches of a player against itself, from which an evaluation is learnt. `make bitcode` compiles this file to
// self_play.bc, which Python loads.
#include "depth.hpp"

struct Matches {
    Integer count;
    Integer most_children;  // computed together: as many as there turns out to be room for
    double random;  // the probability of a random move
    double greed;   // the inverse temperature by which better moves are played more often
    Word rng;
    Word *states;          // (count, width)
    Value *estimates;      // of these states, for the first player
    uint8_t *is_over;      // (count)
    double *shares;        // of the goals that the first player got, where the match is over
};

constexpr Value SURE = 20'000;  // stands for the certain result of a match that is over

static double draw(Matches &matches) {
    Word &word = matches.rng;
    word ^= word << 13, word ^= word >> 7, word ^= word << 17;
    return (double)(word >> 11) * 0x1p-53;
}

// One of the children of an item: better ones for the player who chooses are more likely.
static const Item &draw_child(const Searcher &searcher, Matches &matches, const Item &node) {
    const Item *children = searcher.items + node.first_child;
    if (draw(matches) < matches.random) return children[(Integer)(draw(matches) * node.child_count)];
    auto worth = [&](const Item &child) {
        Value value = seen_by(node, child.estimate);
        return value > SURE ? SURE : value < -SURE ? -SURE : value;
    };
    Value best = -SURE;
    for (Integer n = 0; n < node.child_count; n++) best = std::max(best, worth(children[n]));
    auto weight = [&](const Item &child) { return __builtin_exp(matches.greed * 0.001 * (worth(child) - best)); };
    double sum = 0.0;
    for (Integer n = 0; n < node.child_count; n++) sum += weight(children[n]);
    double left = draw(matches) * sum;
    for (Integer n = 0; n < node.child_count - 1; n++)
        if ((left -= weight(children[n])) < 0.0) return children[n];
    return children[node.child_count - 1];
}

static void take_turn(const Searcher &searcher, Matches &matches, const Item &node, int32_t match) {
    if (!node.child_count) {  // nobody can move
        matches.is_over[match] = 1, matches.shares[match] = 0.5;
        return;
    }
    const Item &child = draw_child(searcher, matches, node);
    memcpy(matches.states + match * searcher.width, searcher.states + child.state, (size_t)searcher.width * sizeof(Word));
    matches.estimates[match] = child.estimate;
    matches.is_over[match] = child.is_over;
    if (child.is_over) matches.shares[match] = 1.0 / (1.0 + __builtin_exp(-0.001 * child.estimate));
}

// A joint move in some matches, at most one for each lane; returns false if both players choose or there is no room.
static bool take_turns(const Rules &rules, Searcher &searcher, Matches &matches, const int32_t *playing, Integer count) {
    size_t bytes = (size_t)searcher.width * sizeof(Word);
    for (Integer n = 0; n < count; n++) {
        memcpy(searcher.states + n * searcher.width, matches.states + playing[n] * searcher.width, bytes);
        searcher.items[n] = {};
        searcher.items[n].state = n * searcher.width;
        searcher.items[n].estimate = matches.estimates[playing[n]];
    }
    memcpy(rules.packed, searcher.states, (size_t)count * bytes);
    put_states(rules, rules.fluents, searcher.width, count);
    rules.position(rules.position_values, rules.position_code, rules.rng, rules.fluents, rules.seen, 1);
    Room room = {count * searcher.width, count, 0};
    if (!read_moves(rules, searcher, 0, count, room)) return false;
    int32_t opened[LANES];
    for (Integer first = 0; first < count;) {
        Integer size = 0, children = 0;
        for (; first + size < count; size++) {
            children += searcher.items[first + size].move_count;
            if (size && children > matches.most_children) break;
            opened[size] = (int32_t)(first + size);
        }
        Room below = room;
        if (!open_items(rules, searcher, opened, size, below)) {
            if (searcher.failure || size == 1) return false;
            matches.most_children = children / 2;
            continue;
        }
        for (Integer n = 0; n < size; n++, first++) take_turn(searcher, matches, searcher.items[first], playing[first]);
    }
    return true;
}

extern "C" {

// A mark of the sources, by which a test sees whether self_play.bc is up to date.
extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// A joint move in all matches that are not over, whose fluents that never change are those of `root`. Returns how many
// go on, or -1 if both players choose somewhere.
Integer ludens_turn(const Rules *rules, Searcher *searcher, Matches *matches, const Row *root) {
    memcpy(rules->fluents, root, (size_t)rules->fluent_rows * sizeof(Row));
    int32_t playing[LANES];
    Integer count = 0, going_on = 0;
    auto take = [&] {
        bool is_done = !count || take_turns(*rules, *searcher, *matches, playing, count);
        for (Integer n = 0; n < count; n++) going_on += !matches->is_over[playing[n]];
        count = 0;
        return is_done;
    };
    for (Integer match = 0; match < matches->count; match++) {
        if (matches->is_over[match]) continue;
        playing[count++] = (int32_t)match;
        if (count == LANES && !take()) return -1;
    }
    return take() ? going_on : -1;
}

// The slope of the mean loss of a logistic regression on bits of samples; the last weight is the bias.
void ludens_slope(const Word *samples, const double *shares, Integer count, Integer width, Integer bits,
                  const double *weights, double *slope) {
    for (Integer n = 0; n <= bits; n++) slope[n] = 0.0;
    for (Integer k = 0; k < count; k++) {
        const Word *sample = samples + k * width;
        double sum = weights[bits];
        for (Integer n = 0; n < width; n++)
            for (Word word = sample[n]; word; word &= word - 1) sum += weights[n * WORD_BITS + lowest_one(word)];
        double error = 1.0 / (1.0 + __builtin_exp(-sum)) - shares[k];
        slope[bits] += error;
        for (Integer n = 0; n < width; n++)
            for (Word word = sample[n]; word; word &= word - 1) slope[n * WORD_BITS + lowest_one(word)] += error;
    }
    for (Integer n = 0; n <= bits; n++) slope[n] /= (double)count;
}

// A pass over samples, in an order, that lowers the loss of a network by stochastic descent (Adagrad), whose sums of
// squares are in `squares`.
void ludens_descend(float *rows, float *squares, Integer bits, const Word *samples, Integer width,
                      const double *shares, const int32_t *order, Integer count, double rate) {
    Network network(rows, bits), square(squares, bits);
    auto move_row = [&](Units &row, Units &sum, Units slope) {
        sum += slope * slope;
        row -= (float)rate * slope / __builtin_elementwise_sqrt(sum);
    };
    for (Integer k = 0; k < count; k++) {
        const Word *sample = samples + order[k] * width;
        Units sums = sums_of(network, sample, width), active = rectified(sums);
        double expected = 1.0 / (1.0 + __builtin_exp(-(double)logit_of(network, sums)));
        float error = (float)(expected - shares[order[k]]);
        Units slope = error * network.outputs(), output_slope = error * active;
        for (Integer n = 0; n < NETWORK_UNITS; n++) slope[n] = sums[n] > 0.0f ? slope[n] : 0.0f;
        slope[LINEAR] = error, output_slope[LINEAR] = 0.0f;
        move_row(network.outputs(), square.outputs(), output_slope);
        move_row(network.every(), square.every(), slope);
        for (Integer n = 0; n < width; n++)
            for (Word word = sample[n]; word; word &= word - 1) {
                Integer place = n * WORD_BITS + lowest_one(word);
                move_row(network.rows[place], square.rows[place], slope);
            }
    }
}

// The logit of each sample.
void ludens_predict(float *rows, Integer bits, const Word *samples, Integer width, Integer count, double *logits) {
    Network network(rows, bits);
    for (Integer k = 0; k < count; k++) logits[k] = logit_of(network, sums_of(network, samples + k * width, width));
}
}
