// An evaluation by a small network: the weights of the fluents that hold are added up for each unit of one layer.
//
// The last unit is linear: it is the evaluation by weights of single fluents, to which the others, which are rectified,
// add what combinations of fluents mean. A row of inputs is one vector, so a change of a fluent costs one addition.
#pragma once
#include "rules.hpp"

constexpr Integer UNITS = 16, LINEAR = UNITS - 1;
typedef float Units __attribute__((vector_size(4 * UNITS), aligned(4)));

// A row of inputs for each kept fluent, then that of every position, then the output weights of the units.
struct Network {
    Units *rows;
    Integer inputs;
    explicit Network(float *rows, Integer inputs) : rows((Units *)rows), inputs(inputs) {}
    Units &every() const { return rows[inputs]; }
    Units &outputs() const { return rows[inputs + 1]; }
};

inline Units rectified(Units sums) { return __builtin_elementwise_max(sums, Units{}); }

inline float total(Units units) {
    typedef float Half __attribute__((vector_size(32)));
    typedef float Quarter __attribute__((vector_size(16)));
    Half half = __builtin_shufflevector(units, units, 0, 1, 2, 3, 4, 5, 6, 7) +
                __builtin_shufflevector(units, units, 8, 9, 10, 11, 12, 13, 14, 15);
    Quarter quarter = __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
    return (quarter[0] + quarter[1]) + (quarter[2] + quarter[3]);
}

// The logit of the first player's share for the sums of the units. The output weight of the linear unit is 0.
inline float logit_of(const Network &network, Units sums) {
    return sums[LINEAR] + total(rectified(sums) * network.outputs());
}

inline Units sums_of(const Network &network, const Word *state, Integer width) {
    Units sums = network.every();
    for (Integer n = 0; n < width; n++)
        for (Word bits = state[n]; bits; bits &= bits - 1) sums += network.rows[n * WORD_BITS + lowest_one(bits)];
    return sums;
}
