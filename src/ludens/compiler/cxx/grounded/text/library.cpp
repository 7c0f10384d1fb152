
// ---- the interface, the same for all games -----------------------------------------------------------------------

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

// The options are those of the other variant; this one does not need them.
Game::Game(Options) : reasoner_(std::make_unique<Reasoner>()) {}
Game::Game(Game&&) noexcept = default;
Game& Game::operator=(Game&&) noexcept = default;
Game::~Game() = default;

Reasoner& Game::reasoner() const {
    if (!reasoner_) throw Error("this Game was moved from: use the one that it was moved to");
    return *reasoner_;
}

Reasoner& Game::start_query() {
    Reasoner& c = reasoner();
    ++c.queries;
    return c;
}

std::string_view Game::name() noexcept { return GAME_NAME; }
std::span<const std::string_view> Game::roles() noexcept { return ROLE_NAMES; }

State Game::initial() const { return reasoner().initial; }

bool Game::terminal(const State& state) {
    Reasoner& c = start_query();
    c.load(state);
    return c.position[TERMINAL] != 0;
}

std::vector<int> Game::goal_values(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    c.load(state);
    std::vector<int> values;
    for (const GoalValue& goal : GOALS)
        if (goal.role == role && c.holds(goal)) values.push_back(goal.value);
    return values;
}

int Game::goal(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    c.load(state);
    int count = 0, value = 0;
    for (const GoalValue& goal : GOALS)
        if (goal.role == role && c.holds(goal)) {
            ++count;
            value = goal.value;
        }
    return count == 1 && value <= 100 ? value : 0;
}

std::vector<Move> Game::legal(const State& state, std::size_t role) {
    const std::span<const Move> moves = borrow_legal(state, role).span();
    return {moves.begin(), moves.end()};
}

BorrowedMoves Game::borrow_legal(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    return {c.moves_of(state, role), c.queries};
}

State Game::successor(const State& state, std::span<const Move> joint_move) {
    Reasoner& c = start_query();
    return c.after(state, all_moves(c, state, joint_move));
}

Playout Game::playout(const State& from, Random& random, std::size_t limit) {
    Reasoner& c = start_query();
    Playout result;
    result.last = from;
    std::array<Move, MOVER_COUNT> joint_move{};
    for (; result.steps < limit; ++result.steps) {
        if (terminal(result.last)) break;
        for (std::size_t role = 0; role < role_count; ++role) {
            const std::span<const Move> moves = c.moves_of(result.last, role);
            if (moves.empty()) return result;
            joint_move[role] = moves[random.below(moves.size())];
        }
        if constexpr (SOURCE_COUNT > 0) draw_sources(c, result.last, joint_move, random);
        result.last = c.after(result.last, joint_move);
    }
    result.finished = terminal(result.last);
    return result;
}

std::string Game::fact_text(Fact fact) const {
    reasoner();
    if (fact >= FACT_COUNT) throw Error("no such fact");
    return std::string(FACT_TEXTS[fact]);
}

std::string Game::text(const State& state) const {
    std::string out;
    state.each_fact([&](Fact fact) { out += fact_text(fact) + '\n'; });
    return out;
}

// ---- queries as text ---------------------------------------------------------------------------------------------

Fact Game::fact(std::string_view text) {
    const Expression wanted = Reader(text).whole();
    Reasoner& c = start_query();
    c.read_texts();
    Bindings none;
    for (Fact fact = 0; fact < FACT_COUNT; ++fact) {
        if (matches(wanted, c.facts[fact], none) && none.empty()) return fact;
        none.clear();
    }
    throw Error("no state can have this fact: " + std::string(text));
}

std::vector<std::vector<std::string>> Game::query(const State& state, std::string_view relation,
                                                  std::span<const std::string> arguments,
                                                  std::span<const Move> joint_move) {
    Reasoner& c = start_query();
    c.read_texts();
    const std::string name = lowered(relation);
    std::vector<Expression> asked;
    for (const std::string& argument : arguments) asked.push_back(Reader(argument).whole());
    for (const Dropped& other : DROPPED)
        if (other.arity == asked.size() && lowered(other.name) == name)
            throw Error("grounding did away with the relation " + std::string(relation) +
                        ": here one can ask for fluents, init, role, terminal, legal, does, next, goal and random");
    if ((name == "role" && asked.size() == 1) || ((name == "legal" || name == "does") && asked.size() == 2))
        return ask_about_moves(*this, name, asked, state, joint_move);
    if (name == "next" && joint_move.empty()) throw Error("this relation depends on the joint move; name one");
    const bool of_fluents = asked.size() == 1 && (name == "true" || name == "next" || name == "init");
    if (!of_fluents && !(name == "terminal" && asked.empty()) && !(name == "goal" && asked.size() == 2) &&
        !(name == "random" && asked.size() == 3 && SOURCE_COUNT > 0)) {
        Expression fluent;  // the name of a fluent means its true instances
        if (asked.empty()) {
            fluent.name = name;
        } else {
            fluent.parts.push_back({name, {}});
            fluent.parts.insert(fluent.parts.end(), asked.begin(), asked.end());
        }
        asked.assign(1, fluent);
    }
    Answers answers(asked);
    if (name == "terminal" && asked.empty()) {
        if (terminal(state)) answers.offer({});
    } else if (name == "goal" && asked.size() == 2) {
        for (std::size_t role = 0; role < role_count; ++role)
            for (int value : goal_values(state, role)) {
                const Expression who = Reader(ROLE_NAMES[role]).whole(), number{std::to_string(value), {}};
                answers.offer({&who, &number});
            }
    } else if (name == "random" && asked.size() == 3) {
        for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover)
            for (Move move : c.moves_of(state, mover)) {
                if (c.event(move) == NO_EVENT) continue;
                const Expression variable = Reader(c.variable_text(mover - role_count)).whole();
                const Expression weight{std::to_string(c.weight(move)), {}};
                const Expression event = Reader(c.event_text(c.event(move))).whole();
                answers.offer({&variable, &weight, &event});
            }
    } else {
        const State& of = name == "init" && of_fluents ? c.initial : state;
        const State shown = name == "next" && of_fluents ? c.after(state, all_moves(c, state, joint_move)) : of;
        shown.each_fact([&](Fact fact) { answers.offer({&c.facts[fact]}); });
    }
    return answers.sorted();
}
