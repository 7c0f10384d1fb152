
// ---- the interface, the same for all games -----------------------------------------------------------------------

// What is known about one state, and the values that it was computed with.
struct Reasoner {
    State initial, now;
    bool loaded = false;
    std::uint64_t position[POSITION_SLOTS]{};
    std::uint64_t transition[TRANSITION_SLOTS]{};
    bool has_legal = false;
    std::array<std::vector<Move>, role_count> legal;
    std::vector<Expression> facts;  // read when they are first asked for
    std::vector<Expression> moves;

    Reasoner() {
        for (Fact fact : INITIAL_FACTS) initial.add(fact);
    }
    // Spread the facts of a state over the values that code reads them from.
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
        for (std::size_t role = 0; role < role_count; ++role) {
            legal[role].clear();
            for (Move move = FIRST_MOVES[role]; move < FIRST_MOVES[role + 1]; ++move)
                if (position[FIRST_LEGAL + move]) legal[role].push_back(move);
        }
        has_legal = true;
    }
    bool holds(const GoalValue& goal) const {
        return position[FIRST_GOAL + static_cast<std::size_t>(&goal - GOALS.data())] != 0;
    }
    State after(const State& state, std::span<const Move> joint_move) {
        if (joint_move.size() != role_count) throw Error("a joint move has one move for each role");
        for (std::size_t role = 0; role < role_count; ++role)
            if (joint_move[role] < FIRST_MOVES[role] || joint_move[role] >= FIRST_MOVES[role + 1])
                throw Error("this is no move of its role");
        spread(state, transition);
        for (Move move : joint_move) transition[FIRST_DOES + move] = ~std::uint64_t{0};
        compute_transition(transition);
        for (Move move : joint_move) transition[FIRST_DOES + move] = 0;
        State result;
        for (std::size_t n = 0; n < FACT_COUNT; ++n)
            result.bits_[n / 64] |= (transition[FIRST_NEXT + n] & 1) << (n % 64);
        return result;
    }
    void read_texts() {
        if (!facts.empty() || !moves.empty()) return;
        for (std::string_view text : FACT_TEXTS) facts.push_back(Reader(text).whole());
        for (std::string_view text : MOVE_TEXTS) moves.push_back(Reader(text).whole());
    }
};

std::uint64_t State::hash() const noexcept {
    std::uint64_t value = 0x2545f4914f6cdd1dull;
    for (std::uint64_t word : bits_) {
        value = (value ^ word) * 0x9fb21c651e98df25ull;
        value ^= value >> 29;
    }
    return value ^ (value >> 32);
}

bool State::holds(Fact fact) const noexcept {
    return fact / 64 < state_words && (bits_[fact / 64] >> (fact % 64) & 1);
}

void State::add(Fact fact) {
    if (fact < FACT_COUNT) bits_[fact / 64] |= std::uint64_t{1} << (fact % 64);
}

std::vector<Fact> State::facts() const {
    std::vector<Fact> found;
    each_fact([&](Fact fact) { found.push_back(fact); });
    return found;
}

namespace {

void check_role(std::size_t role) {
    if (role >= role_count) throw Error("no such role");
}

}  // namespace

// Options are those of the variant that is not grounded; nothing here is slow enough to need them.
Game::Game(Options) : reasoner_(std::make_unique<Reasoner>()) {}
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(Game&&) noexcept = default;
Game::~Game() = default;

std::string_view Game::name() noexcept { return GAME_NAME; }
std::span<const std::string_view> Game::roles() noexcept { return ROLE_NAMES; }

State Game::initial() const { return reasoner_->initial; }

bool Game::terminal(const State& state) {
    reasoner_->load(state);
    return reasoner_->position[TERMINAL] != 0;
}

std::vector<int> Game::goal_values(const State& state, std::size_t role) {
    check_role(role);
    reasoner_->load(state);
    std::vector<int> values;
    for (const GoalValue& goal : GOALS)
        if (goal.role == role && reasoner_->holds(goal)) values.push_back(goal.value);
    return values;
}

int Game::goal(const State& state, std::size_t role) {
    check_role(role);
    reasoner_->load(state);
    int count = 0, value = 0;
    for (const GoalValue& goal : GOALS)
        if (goal.role == role && reasoner_->holds(goal)) {
            ++count;
            value = goal.value;
        }
    return count == 1 && value <= 100 ? value : 0;
}

std::span<const Move> Game::legal(const State& state, std::size_t role) {
    check_role(role);
    reasoner_->load(state);
    reasoner_->find_legal();
    return reasoner_->legal[role];
}

State Game::successor(const State& state, std::span<const Move> joint_move) {
    return reasoner_->after(state, joint_move);
}

Playout Game::playout(const State& from, Random& random, std::size_t limit) {
    Playout result;
    result.last = from;
    std::array<Move, role_count> joint_move{};
    for (; result.steps < limit; ++result.steps) {
        if (terminal(result.last)) break;
        for (std::size_t role = 0; role < role_count; ++role) {
            std::span<const Move> moves = legal(result.last, role);
            if (moves.empty()) return result;
            joint_move[role] = moves[random.below(moves.size())];
        }
        result.last = reasoner_->after(result.last, joint_move);
    }
    result.finished = terminal(result.last);
    return result;
}

std::string Game::fact_text(Fact fact) const {
    if (fact >= FACT_COUNT) throw Error("no such fact");
    return std::string(FACT_TEXTS[fact]);
}

std::string Game::move_text(Move move) const {
    if (move >= MOVE_COUNT) throw Error("no such move");
    return std::string(MOVE_TEXTS[move]);
}

std::string Game::text(const State& state) const {
    std::string out;
    state.each_fact([&](Fact fact) { out += fact_text(fact) + '\n'; });
    return out;
}

// ---- questions in text -------------------------------------------------------------------------------------------

namespace {

std::string expression_text(const Expression& expression) {
    if (expression.parts.empty()) return expression.name;
    std::string out = "(";
    for (const Expression& part : expression.parts) out += (out.size() > 1 ? " " : "") + expression_text(part);
    return out + ")";
}

// What unknowns of a query stand for.
using Bindings = std::vector<std::pair<std::string, const Expression*>>;

bool matches(const Expression& pattern, const Expression& term, Bindings& bindings) {
    if (pattern.unknown()) {
        for (const auto& [name, value] : bindings)
            if (name == pattern.name) return expression_text(*value) == expression_text(term);
        bindings.emplace_back(pattern.name, &term);
        return true;
    }
    if (pattern.parts.size() != term.parts.size() || lowered(pattern.name) != lowered(term.name)) return false;
    for (std::size_t n = 0; n < pattern.parts.size(); ++n)
        if (!matches(pattern.parts[n], term.parts[n], bindings)) return false;
    return true;
}

}  // namespace

Move Game::move(const State& state, std::size_t role, std::string_view text) {
    const Expression wanted = Reader(text).whole();
    reasoner_->read_texts();
    Bindings none;
    for (Move move : legal(state, role))
        if (matches(wanted, reasoner_->moves[move], none) && none.empty()) return move;
    throw Error("not a legal move here: " + std::string(text));
}

Fact Game::fact(std::string_view text) {
    const Expression wanted = Reader(text).whole();
    reasoner_->read_texts();
    Bindings none;
    for (Fact fact = 0; fact < FACT_COUNT; ++fact) {
        if (matches(wanted, reasoner_->facts[fact], none) && none.empty()) return fact;
        none.clear();
    }
    throw Error("no state can have this fact: " + std::string(text));
}

std::vector<std::vector<std::string>> Game::query(const State& state, std::string_view relation,
                                                  std::span<const std::string> arguments,
                                                  std::span<const Move> joint_move) {
    Reasoner& c = *reasoner_;
    c.read_texts();
    const std::string name = lowered(relation);
    std::vector<Expression> asked;
    for (const std::string& argument : arguments) asked.push_back(Reader(argument).whole());
    for (const Dropped& other : DROPPED)
        if (other.arity == asked.size() && lowered(other.name) == name)
            throw Error("grounding did away with the relation " + std::string(relation) +
                        ": here one can ask for fluents, init, role, terminal, legal, does, next and goal");
    std::vector<std::string> unknowns;
    auto collect = [&](const auto& self, const Expression& part) -> void {
        if (part.unknown() && std::find(unknowns.begin(), unknowns.end(), part.name) == unknowns.end())
            unknowns.push_back(part.name);
        for (const Expression& inner : part.parts) self(self, inner);
    };
    for (const Expression& part : asked) collect(collect, part);
    std::vector<std::vector<std::string>> found;
    auto offer = [&](std::initializer_list<const Expression*> terms) {
        if (terms.size() != asked.size()) return;
        Bindings bindings;
        std::size_t place = 0;
        for (const Expression* term : terms)
            if (!matches(asked[place++], *term, bindings)) return;
        std::vector<std::string> values;
        for (const std::string& unknown : unknowns)
            for (const auto& [variable, value] : bindings)
                if (variable == unknown) values.push_back(expression_text(*value));
        found.push_back(values);
    };
    auto offer_facts = [&](const State& of) { of.each_fact([&](Fact fact) { offer({&c.facts[fact]}); }); };
    std::vector<Expression> roles;
    for (std::string_view role : ROLE_NAMES) roles.push_back(Reader(role).whole());
    if ((name == "does" || name == "next") && joint_move.empty())
        throw Error("this relation depends on the joint move; name one");
    if (name == "terminal" && asked.empty()) {
        if (terminal(state)) offer({});
    } else if (name == "role" && asked.size() == 1) {
        for (const Expression& role : roles) offer({&role});
    } else if (name == "legal" && asked.size() == 2) {
        for (std::size_t role = 0; role < role_count; ++role)
            for (Move move : legal(state, role)) offer({&roles[role], &c.moves[move]});
    } else if (name == "goal" && asked.size() == 2) {
        for (std::size_t role = 0; role < role_count; ++role)
            for (int value : goal_values(state, role)) {
                const Expression number{std::to_string(value), {}};
                offer({&roles[role], &number});
            }
    } else if (name == "does" && asked.size() == 2) {
        for (std::size_t role = 0; role < role_count; ++role)
            offer({&roles[role], &c.moves.at(joint_move[role])});
    } else if (name == "next" && asked.size() == 1) {
        offer_facts(c.after(state, joint_move));
    } else if (name == "init" && asked.size() == 1) {
        offer_facts(c.initial);
    } else if (name == "true" && asked.size() == 1) {
        offer_facts(state);
    } else {
        Expression fluent;  // the name of a fluent stands for what is true of it
        if (asked.empty()) {
            fluent.name = name;
        } else {
            fluent.parts.push_back({name, {}});
            fluent.parts.insert(fluent.parts.end(), asked.begin(), asked.end());
        }
        asked.assign(1, fluent);
        offer_facts(state);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

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
            for (std::size_t role = 0; role < role_count; ++role)
                for (std::size_t bit = 0; bit < 8; ++bit) {
                    const Register lanes = values[FIRST_STEP_GOAL + 8 * role + bit] & ending;
                    totals.goals[role] += count(lanes) << bit;
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
    // Lanes that are over begin again.
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

void Batch::fill(const State& state) {
    lanes_->phase = phase_of(state);
    for (Block& block : lanes_->blocks) {
        block.idle = ~(block.idle ^ block.idle);
        block.restart(state);
    }
}

void Batch::set(std::size_t lane, const State& state) {
    if (phase_of(state) != lanes_->phase)
        throw Error("this state is at another point of the turn order than the other lanes");
    for (std::size_t n = 0; n < FACT_COUNT; ++n) {
        auto [word, bit] = lanes_->place(lane, n);
        const std::uint64_t mask = std::uint64_t{1} << bit;
        *word = state.holds(static_cast<Fact>(n)) ? *word | mask : *word & ~mask;
    }
    Block& block = lanes_->blocks[lane / (64 * REGISTER_WORDS)];
    words(block.idle)[lane / 64 % REGISTER_WORDS] &= ~(std::uint64_t{1} << (lane % 64));
}

State Batch::state(std::size_t lane) const {
    State found;
    for (std::size_t n = 0; n < FACT_COUNT; ++n) {
        auto [word, bit] = lanes_->place(lane, n);
        if (*word >> bit & 1) found.add(static_cast<Fact>(n));
    }
    return found;
}

std::size_t Batch::advance() {
    Totals totals;
    lanes_->advance(totals);
    return totals.states;
}

Totals Batch::playouts(std::size_t limit) {
    Totals totals;
    // One more step than moves, since a lane is found to be over by the step after its last move.
    for (std::size_t step = 0; step <= limit && !lanes_->all_over(); ++step) lanes_->advance(totals);
    return totals;
}

Totals Batch::play(const State& start, std::size_t steps) {
    const std::size_t first = phase_of(start);
    Totals totals;
    for (std::size_t step = 0; step < steps; ++step) {
        if (lanes_->phase == first)
            for (Block& block : lanes_->blocks) block.restart(start);
        lanes_->advance(totals);
    }
    return totals;
}

}  // namespace ludens::@NAMESPACE@
