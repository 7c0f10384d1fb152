
// The answers about one state, and the values they were computed with.
struct Reasoner {
    State initial, now;
    std::uint64_t queries = 0;  // of the Game, so that borrowed moves know when they end
    bool loaded = false;
    std::uint64_t position[POSITION_SLOTS]{};
    std::uint64_t transition[TRANSITION_SLOTS]{};
    bool has_legal = false;
    std::array<std::vector<Move>, MOVER_COUNT> legal;
    std::vector<Expression> facts;  // read on first use

    Reasoner() {
        for (Fact fact : INITIAL_FACTS) initial.add(fact);
    }
    // Spread the facts of a state over the input values of the code.
    static void spread(const State& state, std::uint64_t* v) {
        for (std::size_t n = 0; n < FACT_COUNT; ++n) v[FIRST_FACT + n] = -(state.bits_[n / 64] >> (n % 64) & 1);
    }
    void load(const State& state) {
        if (loaded && state == now) return;
        now = state;
        loaded = true;
        has_legal = false;
        spread(state, position);
        compute_position(position);
    }
    void find_legal() {
        if (has_legal) return;
        for (std::size_t role = 0; role < MOVER_COUNT; ++role) {
            legal[role].clear();
            for (Move move = FIRST_MOVES[role]; move < FIRST_MOVES[role + 1]; ++move)
                if (position[FIRST_LEGAL + move]) legal[role].push_back(move);
        }
        has_legal = true;
    }
    bool holds(const GoalValue& goal) const {
        return position[FIRST_GOAL + static_cast<std::size_t>(&goal - GOALS.data())] != 0;
    }
    static bool owns(std::size_t role, Move move) {
        return move >= FIRST_MOVES[role] && move < FIRST_MOVES[role + 1];
    }
    // The state after the moves of all roles, the hidden ones included.
    State after(const State& state, const std::array<Move, MOVER_COUNT>& moves) {
        for (std::size_t role = 0; role < role_count; ++role)
            if (!owns(role, moves[role])) refuse_move(role);
        spread(state, transition);
        for (Move move : moves)
            if (move != NOT_DRAWN) transition[FIRST_DOES + move] = ~std::uint64_t{0};
        compute_transition(transition);
        for (Move move : moves)
            if (move != NOT_DRAWN) transition[FIRST_DOES + move] = 0;
        State result;
        for (std::size_t n = 0; n < FACT_COUNT; ++n)
            result.bits_[n / 64] |= (transition[FIRST_NEXT + n] & 1) << (n % 64);
        return result;
    }
    void read_texts() {
        if (!facts.empty()) return;
        for (std::string_view text : FACT_TEXTS) facts.push_back(Reader(text).whole());
    }

    // Moves as chance needs them.
    ChanceMemory chance;
    std::span<const Move> moves_of(const State& state, std::size_t mover) {
        load(state);
        find_legal();
        return legal[mover];
    }
    const ResolvedMove& resolved(Move move) const {
        if ((move & ~RESOLVED) >= chance.resolved.size()) throw Error("no such move");
        return chance.resolved[move & ~RESOLVED];
    }
    static bool uses(Move move, std::size_t source) {
        return std::binary_search(USED_SOURCES.begin(), USED_SOURCES.end(), UsedSource(move, source));
    }
    static const Drawing& drawing(Move move) { return DRAWINGS[move - FIRST_MOVES[role_count]]; }
    static std::uint32_t event(Move move) { return drawing(move).event; }
    static std::uint64_t weight(Move move) { return drawing(move).weight; }
    static std::string event_text(std::uint32_t event) { return EVENT_TEXTS[event]; }
    static std::string variable_text(std::size_t source) { return SOURCE_VARIABLES[source]; }
    static std::string plain_text(Move move) {
        if (move >= MOVE_TEXTS.size()) throw Error("no such move");
        return MOVE_TEXTS[move];
    }
};
