#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#if defined(__GNUC__)
// A game need not use all of the shared code.
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

namespace ludens::@NAMESPACE@ {

// ---- code shared by all games ------------------------------------------------------------------------------------

constexpr unsigned MAX_TERM_DEPTH = 100;
@DRAWS@
// As many lanes as a register of the processor has bits; compile with -march=native for the widest.
#if defined(__AVX512F__)
constexpr std::size_t REGISTER_BYTES = 64;
#elif defined(__AVX2__)
constexpr std::size_t REGISTER_BYTES = 32;
#else
constexpr std::size_t REGISTER_BYTES = 16;
#endif
#if defined(__GNUC__)
typedef std::uint64_t Register __attribute__((vector_size(REGISTER_BYTES)));
constexpr std::size_t REGISTER_WORDS = REGISTER_BYTES / 8;
#else
typedef std::uint64_t Register;
constexpr std::size_t REGISTER_WORDS = 1;
#endif
constexpr std::size_t BLOCKS = lane_count / (64 * REGISTER_WORDS);

// The words of a value.
inline std::uint64_t* words(Register& value) { return reinterpret_cast<std::uint64_t*>(&value); }
inline const std::uint64_t* words(const Register& value) { return reinterpret_cast<const std::uint64_t*>(&value); }

template <class Value>
inline bool any(const Value& value) {
    std::uint64_t parts[sizeof(Value) / 8], all = 0;
    std::memcpy(parts, &value, sizeof(Value));
    for (std::uint64_t part : parts) all |= part;
    return all != 0;
}

// Feeds the results of a loop back to its inputs; returns whether any has changed.
template <class Value, std::size_t N>
inline bool feed_back(Value* v, const std::uint32_t (&pairs)[N][2]) {
    Value changed = v[0];
    for (const auto& pair : pairs) {
        changed |= v[pair[0]] ^ v[pair[1]];
        v[pair[0]] = v[pair[1]];
    }
    return any(changed);
}

