// An evaluation by a small network: the weights of the fluents that hold are added up for each unit of one layer.
//
// The last unit is linear: it is the evaluation by weights of single fluents, to which the others, which are rectified,
// add what combinations of fluents mean. A row of inputs is one vector, so a change of a fluent costs one addition.
#pragma once
#include <stdint.h>

constexpr int64_t NETWORK_UNITS = 16, LINEAR = NETWORK_UNITS - 1;
#pragma clang diagnostic ignored "-Wpsabi"  // vectors are passed between inlined functions only
typedef float Units __attribute__((vector_size(4 * NETWORK_UNITS), aligned(4)));

// A row of inputs for each fluent, then that of every position, then the output weights of the units.
struct Network {
    Units *rows;
    int64_t inputs;
    explicit Network(float *rows, int64_t inputs) : rows((Units *)rows), inputs(inputs) {}
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

// The sums of a state, whose words have the fluents as bits; those after the inputs do not count.
inline Units sums_of(const Network &network, const uint64_t *state, int64_t words) {
    Units sums = network.every();
    for (int64_t n = 0; n < words; n++)
        for (uint64_t bits = state[n]; bits; bits &= bits - 1) {
            int64_t fluent = n * 64 + __builtin_ctzll(bits);
            if (fluent < network.inputs) sums += network.rows[fluent];
        }
    return sums;
}
