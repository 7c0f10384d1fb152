
// ---- many states at once -----------------------------------------------------------------------------------------

// The lanes of one register: all values of a step.
struct Block {
    alignas(64) Register values[STEP_SLOTS]{};
    Register random[2];
    Register idle{};  // lanes that are over

    // xorshift128+ in each word.
    void draw(std::size_t count) {
        for (std::size_t n = 0; n < count; ++n) {
            Register x = random[0];
            const Register y = random[1];
            x ^= x << 23;
            x = x ^ y ^ (x >> 18) ^ (y >> 5);
            random[0] = y;
            random[1] = x;
            values[FIRST_RANDOM + n] = x + y;
        }
    }
    // One joint move in all lanes; lanes that end are added to the totals. Returns the lanes that did not move.
    void step(std::size_t phase, Totals& totals) {
        draw(RANDOM_BITS[phase]);
        compute_step(phase, values);
        const Register ending = values[STEP_TERMINAL] & ~idle;
        idle |= values[STEP_TERMINAL] | values[STEP_STUCK];
        if (any(ending)) {
            totals.playouts += count(ending);
            for (std::size_t player = 0; player < PLAYER_ROLES.size(); ++player)
                for (std::size_t bit = 0; bit < 8; ++bit) {
                    const Register lanes = values[FIRST_STEP_GOAL + 8 * player + bit] & ending;
                    totals.goals[PLAYER_ROLES[player]] += count(lanes) << bit;
                }
        }
        totals.states += 64 * REGISTER_WORDS - count(idle);
        for (std::size_t n = 0; n < FACT_COUNT; ++n) {
            Register& fact = values[FIRST_FACT + n];
            fact = (fact & idle) | (values[FIRST_STEP_NEXT + n] & ~idle);
        }
    }
    static std::uint64_t count(const Register& lanes) {
        std::uint64_t total = 0;
        for (std::size_t word = 0; word < REGISTER_WORDS; ++word)
            total += static_cast<std::uint64_t>(std::popcount(words(lanes)[word]));
        return total;
    }
    // Finished lanes restart.
    void restart(const State& start) {
        if (!any(idle)) return;
        for (std::size_t n = 0; n < FACT_COUNT; ++n) {
            Register& fact = values[FIRST_FACT + n];
            fact = start.holds(static_cast<Fact>(n)) ? fact | idle : fact & ~idle;
        }
        idle ^= idle;
    }
};

struct Lanes {
    std::array<Block, BLOCKS> blocks;
    std::size_t phase = 0;

    void advance(Totals& totals) {
        for (Block& block : blocks) block.step(phase, totals);
        phase = (phase + 1) % PHASE_COUNT;
    }
    std::pair<std::uint64_t*, unsigned> place(std::size_t lane, std::size_t fact) {
        if (lane >= lane_count) throw Error("no such lane");
        Block& block = blocks[lane / (64 * REGISTER_WORDS)];
        return {words(block.values[FIRST_FACT + fact]) + lane / 64 % REGISTER_WORDS, static_cast<unsigned>(lane % 64)};
    }
    bool all_over() const {
        return std::all_of(blocks.begin(), blocks.end(), [](const Block& block) { return !any(Register(~block.idle)); });
    }
};

namespace {

std::size_t phase_of(const State& state) {
    for (std::size_t phase = 0; phase < PHASE_COUNT; ++phase) {
        bool fits = true;
        for (const Known& known : KNOWN) fits = fits && state.holds(known.fact) == known.holds[phase];
        if (fits) return phase;
    }
    throw Error("this state belongs to no point of the turn order: it is nobody's turn in it");
}

}  // namespace

Batch::Batch(std::uint64_t seed) : lanes_(std::make_unique<Lanes>()) {
    Random source(seed);
    for (Block& block : lanes_->blocks)
        for (Register& state : block.random)
            for (std::size_t word = 0; word < REGISTER_WORDS; ++word) words(state)[word] = source() | 1;
    fill(Game().initial());
}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

Lanes& Batch::lanes() const {
    if (!lanes_) throw Error("this Batch was moved from: use the one that it was moved to");
    return *lanes_;
}

void Batch::fill(const State& state) {
    lanes().phase = phase_of(state);
    for (Block& block : lanes().blocks) {
        block.idle = ~(block.idle ^ block.idle);
        block.restart(state);
    }
}

void Batch::set(std::size_t lane, const State& state) {
    if (phase_of(state) != lanes().phase)
        throw Error("this state is at another point of the turn order than the other lanes");
    for (std::size_t n = 0; n < FACT_COUNT; ++n) {
        auto [word, bit] = lanes().place(lane, n);
        const std::uint64_t mask = std::uint64_t{1} << bit;
        *word = state.holds(static_cast<Fact>(n)) ? *word | mask : *word & ~mask;
    }
    Block& block = lanes().blocks[lane / (64 * REGISTER_WORDS)];
    words(block.idle)[lane / 64 % REGISTER_WORDS] &= ~(std::uint64_t{1} << (lane % 64));
}

State Batch::state(std::size_t lane) const {
    State found;
    for (std::size_t n = 0; n < FACT_COUNT; ++n) {
        auto [word, bit] = lanes().place(lane, n);
        if (*word >> bit & 1) found.add(static_cast<Fact>(n));
    }
    return found;
}

std::size_t Batch::advance() {
    Totals totals;
    lanes().advance(totals);
    return totals.states;
}

Totals Batch::playouts(std::size_t limit) {
    Totals totals;
    // One more step than moves, since the step after a lane's last move detects its end.
    for (std::size_t step = 0; step <= limit && !lanes().all_over(); ++step) lanes().advance(totals);
    return totals;
}

Totals Batch::play(const State& start, std::size_t steps) {
    const std::size_t first = phase_of(start);
    Totals totals;
    for (std::size_t step = 0; step < steps; ++step) {
        if (lanes().phase == first)
            for (Block& block : lanes().blocks) block.restart(start);
        lanes().advance(totals);
    }
    return totals;
}

}  // namespace ludens::@NAMESPACE@
