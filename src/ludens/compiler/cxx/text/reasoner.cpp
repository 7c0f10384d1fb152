
// A move as in the rule sheet; for the moves of sources, the event and its weight.
struct MoveMeaning {
    V term = NONE;
    std::vector<V> variables;  // those in it that are left to chance
    V event = NONE;
    std::uint64_t weight = 0;
};

// The working memory of this game.
struct Reasoner : Context {
@MEMBERS@
    std::array<Group, @GROUPS@> groups;
    std::array<QueryCount, @COUNTS@> counts{};
    State initial, next;
    std::uint64_t queries = 0;  // of the Game, so that borrowed moves know when they end
    std::array<std::vector<Move>, MOVER_COUNT> legal;
    std::array<std::vector<int>, role_count> goals;
    bool loaded = false, clean = true, is_terminal = false;
    bool known_terminal = false, known_legal = false, known_goals = false;
    std::size_t transpositions = 0;
    std::deque<std::pair<State, Known>> table;
    std::size_t table_size = 0;
    Slots table_slots;
    ChanceMemory chance;
    std::unordered_map<Move, MoveMeaning> meanings;

    Reasoner();
    V make(V functor, std::span<const V> parts) {
        unsigned deepest = 0;
        for (V part : parts)
            if (part >= NAME_COUNT) deepest = std::max(deepest, terms.depth(part - NAME_COUNT));
        return NAME_COUNT + terms.make(functor, parts.data(), static_cast<unsigned>(parts.size()), deepest + 1);
    }
    V make(V functor, std::initializer_list<V> parts) { return make(functor, {parts.begin(), parts.size()}); }
    V find(V functor, std::initializer_list<V> parts) const {
        V node = terms.find(functor, parts.begin(), static_cast<unsigned>(parts.size()));
        return node == NONE ? NONE : NAME_COUNT + node;
    }
    bool is(V term, V functor, unsigned count) const {
        return term != NONE && term >= NAME_COUNT && terms.functor(term - NAME_COUNT) == functor &&
               terms.count(term - NAME_COUNT) == count;
    }
    V part(V term, unsigned position) const { return terms.part(term - NAME_COUNT, position); }
    std::string term_text(V term) const {
        if (term < NAME_COUNT) return std::string(NAMES[term]);
        V node = term - NAME_COUNT;
        std::string out = "(" + std::string(NAMES[terms.functor(node)]);
        for (unsigned n = 0; n < terms.count(node); ++n) out += " " + term_text(terms.part(node, n));
        return out + ")";
    }
    static std::size_t role_number(V role) {
        std::size_t number = 0;
        while (number < MOVER_COUNT && ROLE_TERMS[number] != role) ++number;
        return number;
    }

    void load(const State& state);
    void begin();
    bool terminal();
    void find_legal();
    void find_goals();
    void find_next(std::span<const Move> joint_move);
    void set_does(std::span<const Move> joint_move);
    void note_legal(V role, unsigned form, const V* row);
    void note_goal(V role, V value);
    void note_next(unsigned form, const V* row);
    void note_next_bit(std::size_t word, V bit) {
        if (bit != NONE) next.bits_[word + bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    Known* known(const State& state);

    bool owns(std::size_t role, Move move) const;  // whether it is a move of this role

    // Moves as chance needs them.
    std::span<const Move> moves_of(const State& state, std::size_t mover);
    const MoveMeaning& meaning(Move move);
    const ResolvedMove& resolved(Move move) const {
        if ((move & ~RESOLVED) >= chance.resolved.size()) throw Error("no such move");
        return chance.resolved[move & ~RESOLVED];
    }
    bool uses(Move move, std::size_t source) {
        const std::vector<V>& variables = meaning(move).variables;
        return std::find(variables.begin(), variables.end(), SOURCE_VARIABLES[source]) != variables.end();
    }
    std::uint32_t event(Move move) { return meaning(move).event; }
    std::uint64_t weight(Move move) { return meaning(move).weight; }
    std::uint64_t weight_number(V event, V weight) const;
    std::string event_text(std::uint32_t event) const { return term_text(event); }
    std::string variable_text(std::size_t source) const { return term_text(SOURCE_VARIABLES[source]); }
    std::string plain_text(Move move) { return term_text(meaning(move).term); }
};

// A relation that Game::query accepts, in one of its forms.
struct Asked {
    std::string_view relation;
    std::size_t arity, width;
    const V* code;
    bool needs_moves;
    bool (*each)(Reasoner&, const V* known, FunctionRef<bool(const V*)> found);
};
