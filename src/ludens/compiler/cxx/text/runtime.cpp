#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <type_traits>
#include <unordered_map>
#include <utility>

#if defined(__GNUC__)
// A game need not use all of the shared code.
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

namespace ludens::@NAMESPACE@ {

// ---- code shared by all games ------------------------------------------------------------------------------------

using V = std::uint32_t;  // an interned ground term
constexpr V NONE = ~V{0};
constexpr std::uint32_t OPEN = 0x80000000u;  // marks facts and moves that are interned terms, not fixed numbers
constexpr unsigned MAX_TERM_DEPTH = 100;
constexpr std::uintptr_t MAX_STACK = 4u << 20;  // bytes of stack for one query; rules can recurse deeply
@DRAWS@
// A reference to a callable: std::function without ownership or allocation.
template <class Signature>
class FunctionRef;
template <class Result, class... Parts>
class FunctionRef<Result(Parts...)> {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
    FunctionRef(F&& function) noexcept
        : object_(const_cast<void*>(static_cast<const void*>(&function))), call_([](void* object, Parts... parts) {
              return (*static_cast<std::remove_reference_t<F>*>(object))(parts...);
          }) {}
    Result operator()(Parts... parts) const { return call_(object_, parts...); }

private:
    void* object_;
    Result (*call_)(void*, Parts...);
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
    hash = (hash ^ value) * 0x9fb21c651e98df25ull;
    return hash ^ (hash >> 29);
}

// A hash set of small integers that stand for keys kept elsewhere. Cleared in constant time: old slots have old stamps.
class Slots {
public:
    template <class Equal>
    V find(std::uint64_t hash, Equal equal) const {
        if (slots_.empty()) return NONE;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.stamp != stamp_) return NONE;
            if (slot.hash == static_cast<std::uint32_t>(hash >> 32) && equal(slot.value)) return slot.value;
        }
    }
    void insert(std::uint64_t hash, V value) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        ++count_;
        place({stamp_, static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(hash), value});
    }
    void clear() {
        count_ = 0;
        if (++stamp_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
    }

private:
    struct Slot {
        std::uint32_t stamp = 0, hash = 0, low = 0;
        V value = 0;
    };
    void place(const Slot& slot) {
        std::size_t at = slot.low & mask_;
        while (slots_[at].stamp == stamp_) at = (at + 1) & mask_;
        slots_[at] = slot;
    }
    void grow() {
        std::vector<Slot> old = std::move(slots_);
        slots_.assign(std::max<std::size_t>(64, old.size() * 2), Slot{});
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old)
            if (slot.stamp == stamp_) place(slot);
    }
    std::vector<Slot> slots_;
    std::size_t count_ = 0, mask_ = 0;
    std::uint32_t stamp_ = 1;
};

// Compound terms, each stored once. The terms of the rule sheet come first and have fixed numbers.
class Terms {
public:
    V find(V functor, const V* parts, unsigned count) const {
        return slots_.find(hash(functor, parts, count), [&](V node) {
            const Node& found = nodes_[node];
            return found.functor == functor && found.count == count &&
                   std::equal(parts, parts + count, parts_.data() + found.first);
        });
    }
    // The number of a term among the compound ones.
    V make(V functor, const V* parts, unsigned count, unsigned depth) {
        V node = find(functor, parts, count);
        if (node != NONE) return node;
        if (depth > MAX_TERM_DEPTH) throw Error("the rules build terms nested more than 100 deep");
        if (nodes_.size() > 50'000'000) throw Error("the rules build too many terms");
        node = static_cast<V>(nodes_.size());
        nodes_.push_back({functor, static_cast<V>(parts_.size()), static_cast<std::uint16_t>(count),
                          static_cast<std::uint16_t>(depth)});
        parts_.insert(parts_.end(), parts, parts + count);
        slots_.insert(hash(functor, parts, count), node);
        return node;
    }
    V functor(V node) const { return nodes_[node].functor; }
    unsigned count(V node) const { return nodes_[node].count; }
    unsigned depth(V node) const { return nodes_[node].depth; }
    V part(V node, unsigned position) const { return parts_[nodes_[node].first + position]; }
    std::size_t size() const { return nodes_.size(); }

private:
    struct Node {
        V functor, first;
        std::uint16_t count, depth;
    };
    static std::uint64_t hash(V functor, const V* parts, unsigned count) {
        std::uint64_t value = mix(count, functor);
        for (unsigned n = 0; n < count; ++n) value = mix(value, parts[n]);
        return value;
    }
    std::vector<Node> nodes_;
    std::vector<V> parts_;
    Slots slots_;
};

class TableBase {
public:
    virtual ~TableBase() = default;
    virtual void finish(V entry, std::uint32_t round) = 0;
};

// The answers of a memoised query, by its known arguments. Answers are linked, so that they can grow while they are read.
template <std::size_t Known, std::size_t Unknown>
class Table final : public TableBase {
public:
    using Key = std::array<V, Known>;
    using Values = std::array<V, Unknown>;
    struct Entry {
        Key key;
        V first = NONE, last = NONE;
        std::uint32_t round = 0;
        bool complete = false;
    };
    struct Row {
        Values values;
        V entry, next;
    };
    V entry(std::uint64_t generation, const Key& key) {
        if (generation != generation_) {
            generation_ = generation;
            entries.clear();
            rows.clear();
            keys_.clear();
            known_rows_.clear();
        }
        std::uint64_t hash = hash_of(key, 0);
        V found = keys_.find(hash, [&](V at) { return entries[at].key == key; });
        if (found != NONE) return found;
        found = static_cast<V>(entries.size());
        entries.push_back({key});
        keys_.insert(hash, found);
        return found;
    }
    // Returns whether the answer is new.
    bool add(V entry, const Values& values) {
        std::uint64_t hash = 0;
        if constexpr (Unknown > 0) {
            hash = hash_of(values, entry + 1);
            V known = known_rows_.find(hash, [&](V at) { return rows[at].entry == entry && rows[at].values == values; });
            if (known != NONE) return false;
        } else if (entries[entry].first != NONE) {
            return false;
        }
        V row = static_cast<V>(rows.size());
        if (row > 50'000'000) throw Error("one question has too many answers");
        rows.push_back({values, entry, NONE});
        Entry& own = entries[entry];
        (own.first == NONE ? own.first : rows[own.last].next) = row;
        own.last = row;
        if constexpr (Unknown > 0) known_rows_.insert(hash, row);
        return true;
    }
    // Entries visited in the last round of a fixpoint are complete. Those visited only earlier may lack answers, since
    // those rounds saw less; they are derived again on demand.
    void finish(V entry, std::uint32_t round) override {
        entries[entry].complete = entries[entry].round == round;
        entries[entry].round = 0;
    }
    std::vector<Entry> entries;
    std::vector<Row> rows;

private:
    template <std::size_t N>
    static std::uint64_t hash_of(const std::array<V, N>& values, std::uint64_t seed) {
        std::uint64_t hash = mix(0x51ed270b, seed);
        for (V value : values) hash = mix(hash, value);
        return hash;
    }
    std::uint64_t generation_ = 0;
    Slots keys_, known_rows_;
};

// Answers that a query without a table has already given, so that none is given twice.
class Seen {
public:
    bool insert(const V* values, unsigned width) {
        std::uint64_t hash = width;
        for (unsigned n = 0; n < width; ++n) hash = mix(hash, values[n]);
        V found = slots_.find(hash, [&](V at) { return std::equal(values, values + width, values_.data() + at); });
        if (found != NONE) return false;
        if (values_.size() > 100'000'000) throw Error("one question has too many answers");
        slots_.insert(hash, static_cast<V>(values_.size()));
        values_.insert(values_.end(), values, values + width);
        return true;
    }
    void clear() {
        slots_.clear();
        values_.clear();
    }

private:
    Slots slots_;
    std::vector<V> values_;
};

// Queries of one recursive group that are being answered: repeated until no answer is new.
struct Group {
    bool active = false, changed = false;
    std::uint32_t round = 0;
    std::vector<std::pair<TableBase*, V>> members;
};

// The terms of a column, numbered from 0; a term that is not among them has a number past the end.
struct Column {
    const V* terms;
    V size;
};

// The rows of a numbered relation: what each bit of a state stands for.
class DenseRows {
public:
    explicit DenseRows(std::initializer_list<Column> columns) : width_(columns.size()) {
        size_ = 1;
        for (const Column& column : columns) size_ *= column.size;
        values_.resize(size_ * width_);
        std::size_t stride = size_, position = 0;
        for (const Column& column : columns) {
            stride /= column.size ? column.size : 1;
            for (std::size_t row = 0; row < size_; ++row)
                values_[row * width_ + position] = column.terms[row / stride % column.size];
            ++position;
        }
    }
    const V* row(std::size_t number) const { return values_.data() + number * width_; }
    std::size_t size() const { return size_; }

private:
    std::size_t width_, size_;
    std::vector<V> values_;
};

// For each value of some columns, which bits of a numbered relation have it.
class Masks {
public:
    Masks(const DenseRows& rows, std::size_t keys, V (*key)(const V*)) : words_((rows.size() + 63) / 64) {
        bits_.resize(keys * words_);
        ranges_.assign(keys, {words_, 0});
        for (std::size_t row = 0; row < rows.size(); ++row) {
            std::size_t at = key(rows.row(row)), word = row / 64;
            bits_[at * words_ + word] |= std::uint64_t{1} << (row % 64);
            ranges_[at].first = std::min(ranges_[at].first, word);
            ranges_[at].second = std::max(ranges_[at].second, word + 1);
        }
    }
    const std::uint64_t* mask(V key) const { return bits_.data() + key * words_; }
    std::size_t first(V key) const { return key < ranges_.size() ? ranges_[key].first : 1; }
    std::size_t end(V key) const { return key < ranges_.size() ? ranges_[key].second : 0; }

private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::pair<std::size_t, std::size_t>> ranges_;
};

// Iterates over the set bits in a range of words.
class BitScan {
public:
    BitScan(const std::uint64_t* words, std::size_t count) : words_(words), mask_(nullptr), word_(0), end_(count) {
        if (word_ < end_) bits_ = words_[0];
    }
    BitScan(const std::uint64_t* words, const Masks& masks, V key)
        : words_(words), mask_(nullptr), word_(masks.first(key)), end_(masks.end(key)) {
        if (word_ < end_) {
            mask_ = masks.mask(key);
            bits_ = words_[word_] & mask_[word_];
        }
    }
    bool next() {
        while (bits_ == 0) {
            if (++word_ >= end_) return false;
            bits_ = words_[word_] & (mask_ ? mask_[word_] : ~std::uint64_t{0});
        }
        index = word_ * 64 + static_cast<unsigned>(__builtin_ctzll(bits_));
        bits_ &= bits_ - 1;
        return true;
    }
    std::size_t index = 0;

private:
    const std::uint64_t *words_, *mask_;
    std::size_t word_, end_;
    std::uint64_t bits_ = 0;
};

// Static facts, indexed by the values of some columns.
class FactIndex {
public:
    FactIndex(const V* rows, std::size_t count, std::size_t width, std::size_t keys, V (*key)(const V*))
        : starts_(keys + 1), rows_(count * width) {
        for (std::size_t row = 0; row < count; ++row) ++starts_[key(rows + row * width) + 1];
        for (std::size_t at = 0; at < keys; ++at) starts_[at + 1] += starts_[at];
        std::vector<std::size_t> next(starts_.begin(), starts_.end());
        for (std::size_t row = 0; row < count; ++row) {
            const V* from = rows + row * width;
            std::copy(from, from + width, rows_.data() + next[key(from)]++ * width);
        }
        for (std::size_t& start : starts_) start *= width;
    }
    const V* begin(V key) const { return rows_.data() + (key + 1 < starts_.size() ? starts_[key] : 0); }
    const V* end(V key) const { return rows_.data() + (key + 1 < starts_.size() ? starts_[key + 1] : 0); }

private:
    std::vector<std::size_t> starts_;
    std::vector<V> rows_;
};

// The combinations of values that are static facts.
class FactBits {
public:
    FactBits(const V* rows, std::size_t count, std::size_t width, std::size_t keys, V (*key)(const V*))
        : size_(keys), bits_((keys + 63) / 64) {
        for (std::size_t row = 0; row < count; ++row) {
            V at = key(rows + row * width);
            bits_[at / 64] |= std::uint64_t{1} << (at % 64);
        }
    }
    bool has(V key) const { return key < size_ && (bits_[key / 64] >> (key % 64) & 1); }

private:
    std::size_t size_;
    std::vector<std::uint64_t> bits_;
};

// Numbers combinations of values that are too many to be numbered by position.
class Combinations {
public:
    Combinations(const V* rows, std::size_t count, std::size_t width, std::initializer_list<unsigned> columns)
        : columns_(columns) {
        std::vector<V> key(columns_.size());
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t n = 0; n < columns_.size(); ++n) key[n] = rows[row * width + columns_[n]];
            if (find(key.data()) != NONE) continue;
            slots_.insert(hash(key.data()), size_++);
            keys_.insert(keys_.end(), key.begin(), key.end());
        }
    }
    V find(const V* key) const {
        return slots_.find(hash(key), [&](V at) {
            return std::equal(key, key + columns_.size(), keys_.data() + at * columns_.size());
        });
    }
    V size() const { return size_; }

private:
    std::uint64_t hash(const V* key) const {
        std::uint64_t value = 77;
        for (std::size_t n = 0; n < columns_.size(); ++n) value = mix(value, key[n]);
        return value;
    }
    std::vector<unsigned> columns_;
    std::vector<V> keys_;
    Slots slots_;
    V size_ = 0;
};

// The move of a role: its form and values.
struct Done {
    unsigned form = ~0u;
    std::array<V, @MOVE_WIDTH@> values{};
};

struct QueryCount {
    std::uint64_t calls = 0, misses = 0, answers = 0, work = 0;
};

// A form of facts or moves: how its columns make a term, and which numbers it has.
struct Form {
    const V* code;
    std::size_t width;
    const Column* columns;
    std::size_t first, size;
    bool open;
    std::size_t list;
};

// Functors that stand for forms: an even distance for facts, an odd one for moves.
constexpr V FORM_FUNCTOR = 0x40000000u;
constexpr std::size_t MAX_WIDTH = @MAX_WIDTH@;
constexpr std::size_t MAX_SUCCESSORS = 256;

// An entry of the transposition table.
struct Known {
    bool has_terminal = false, has_legal = false, has_goals = false, terminal = false;
    std::array<std::vector<Move>, MOVER_COUNT> legal;
    std::array<std::vector<int>, role_count> goals;
    std::vector<std::pair<std::array<Move, MOVER_COUNT>, State>> successors;
    void clear() {
        has_terminal = has_legal = has_goals = false;
        successors.clear();
    }
};

// The context of every query: the state, the joint move, and the working memory.
struct Context {
    State now;
    const std::uint64_t* bits = nullptr;
    std::array<Done, MOVER_COUNT> does{};
    std::array<std::vector<V>, @OPEN_RELATIONS@> open;  // rows of the relations of the state that are not numbered
    Terms terms;
    std::uint64_t state_generation = 1, move_generation = 1;
    std::uint64_t work = 0, limit = 0;
    std::uintptr_t stack_end = 0;
    bool timed = false;
    double seconds = 60.0;
    std::chrono::steady_clock::time_point due;
    std::deque<Seen> seen;
    std::size_t seen_used = 0;

    bool open_holds(unsigned form, const V* row, unsigned width) const {
        V node = terms.find(FORM_FUNCTOR + 2 * form, row, width);
        return node != NONE && now.holds(OPEN | node);
    }

    // Counts work; checks the clock from time to time, and the stack, which rules can overflow.
    void tick() {
        if (++work > limit) look_at_clock();
        if (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < stack_end) too_deep();
    }
    [[noreturn]] static void too_deep() { throw Error("relations depend on each other too deeply"); }
    // The clock of a query starts only once it proves to be more than a trivial one.
    void look_at_clock() {
        limit = work + 200'000;
        const auto now_is = std::chrono::steady_clock::now();
        if (!timed) due = now_is + std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
        timed = true;
        if (now_is > due) throw Error("reasoning about one state took more than its budget");
    }
};

// A Seen that is returned to the pool when the query ends.
struct SeenLoan {
    explicit SeenLoan(Context& context) : context_(context) {
        if (context.seen_used == context.seen.size()) context.seen.emplace_back();
        seen_ = &context.seen[context.seen_used++];
        seen_->clear();
    }
    ~SeenLoan() { --context_.seen_used; }
    SeenLoan(const SeenLoan&) = delete;
    SeenLoan& operator=(const SeenLoan&) = delete;
    template <class... Values>
    bool insert(Values... values) {
        const V row[] = {values...};
        return seen_->insert(row, sizeof...(values));
    }
    Context& context_;
    Seen* seen_;
};

// Answers a recursive query. The outermost call repeats all that it needs until no answer is new.
template <class Answers, class Derive>
void fixpoint(Group& group, Answers& table, V entry, Derive derive) {
    if (table.entries[entry].round == 0) group.members.push_back({&table, entry});
    if (group.active) {
        if (table.entries[entry].round == group.round) return;
        table.entries[entry].round = group.round;
        derive();
        return;
    }
    group.active = true;
    do {
        group.changed = false;
        table.entries[entry].round = ++group.round;
        derive();
    } while (group.changed);
    for (const auto& [member, number] : group.members) member->finish(number, group.round);
    group.members.clear();
    group.active = false;
}

