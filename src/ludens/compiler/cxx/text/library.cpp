
// ---- the interface, the same for all games -----------------------------------------------------------------------

namespace {

// Templates are code: 0 name; 1 column; 2 functor, count.
void template_text(const Reasoner& c, const V*& code, const V* row, std::string& out) {
    switch (*code++) {
        case 0: out += NAMES[*code++]; return;
        case 1: out += c.term_text(row[*code++]); return;
        default: break;
    }
    out += '(';
    out += NAMES[*code++];
    for (V count = *code++; count > 0; --count) {
        out += ' ';
        template_text(c, code, row, out);
    }
    out += ')';
}

void decode(const Form& form, std::size_t number, V* row) {
    for (std::size_t n = form.width; n-- > 0;) {
        row[n] = form.columns[n].terms[number % form.columns[n].size];
        number /= form.columns[n].size;
    }
}

// The number of a row within its form; false if it has none.
bool encode(const Form& form, const V* row, std::size_t& number) {
    number = 0;
    for (std::size_t n = 0; n < form.width; ++n) {
        const Column& column = form.columns[n];
        const V* found = std::lower_bound(column.terms, column.terms + column.size, row[n]);
        if (found == column.terms + column.size || *found != row[n]) return false;
        number = number * column.size + static_cast<std::size_t>(found - column.terms);
    }
    return true;
}

// The form of a fact or move, and the values in it.
template <std::size_t N>
const Form& form_of(const Reasoner& c, const std::array<Form, N>& forms, std::uint32_t number, V* row) {
    const Form* form = nullptr;
    if (number & OPEN) {
        V node = number & ~OPEN;
        if (node >= c.terms.size() || c.terms.functor(node) < FORM_FUNCTOR) throw Error("no such fact or move");
        form = &forms.at((c.terms.functor(node) - FORM_FUNCTOR) / 2);
        for (unsigned n = 0; n < form->width; ++n) row[n] = c.terms.part(node, n);
    } else {
        for (const Form& candidate : forms)
            if (!candidate.open && number >= candidate.first && number - candidate.first < candidate.size)
                form = &candidate;
        if (form == nullptr) throw Error("no such fact or move");
        decode(*form, number - form->first, row);
    }
    return *form;
}

// The term of a template, interned.
V template_term(Reasoner& c, const V*& code, const V* row) {
    switch (*code++) {
        case 0: return *code++;
        case 1: return row[*code++];
        default: break;
    }
    const V functor = *code++, count = *code++;
    std::vector<V> parts;
    for (V n = 0; n < count; ++n) parts.push_back(template_term(c, code, row));
    return c.make(functor, parts);
}

}  // namespace

const MoveMeaning& Reasoner::meaning(Move move) {
    const auto known_one = meanings.find(move);
    if (known_one != meanings.end()) return known_one->second;
    MoveMeaning found;
    V row[MAX_WIDTH + 1];
    const Move within = move & OPEN ? move : move < MOVER_COUNT * MOVE_COUNT ? move % MOVE_COUNT : MOVE_COUNT;
    const V* code = form_of(*this, MOVE_FORMS, within, row).code;
    const V term = template_term(*this, code, row);
    const unsigned count = term < NAME_COUNT ? 0 : terms.count(term - NAME_COUNT);
    if (count > 1 && is(term, OPEN_NAME, count)) {
        found.term = part(term, 0);
        for (unsigned n = 1; n < count; ++n) found.variables.push_back(part(term, n));
    } else if (is(term, EVENT_NAME, 2)) {
        found.event = part(term, 0);
        found.weight = weight_number(found.event, part(term, 1));
    }
    if (found.term == NONE) found.term = term;
    return meanings.emplace(move, std::move(found)).first->second;
}

std::uint64_t Reasoner::weight_number(V event, V weight) const {
    const std::string text = term_text(weight);
    std::uint64_t number = 0;
    for (char digit : text) {
        if (digit < '0' || digit > '9' || text.size() > 15)
            throw Error("the weight of " + term_text(event) + " is an integer from 0 upwards, not " + text);
        number = 10 * number + static_cast<std::uint64_t>(digit - '0');
    }
    return number;
}

std::uint64_t State::hash() const noexcept {
    std::uint64_t value = 0x2545f4914f6cdd1dull;
    for (std::uint64_t word : bits_) value = mix(value, word);
    for (Fact fact : open_) value = mix(value, fact);
    return value ^ (value >> 32);
}

bool State::holds(Fact fact) const noexcept {
    if (fact & OPEN) return std::binary_search(open_.begin(), open_.end(), fact);
    return fact / 64 < state_words && (bits_[fact / 64] >> (fact % 64) & 1);
}

void State::add(Fact fact) {
    if (fact & OPEN) {
        auto at = std::lower_bound(open_.begin(), open_.end(), fact);
        if (at == open_.end() || *at != fact) open_.insert(at, fact);
    } else if (fact / 64 < state_words) {
        bits_[fact / 64] |= std::uint64_t{1} << (fact % 64);
    }
}

std::vector<Fact> State::facts() const {
    std::vector<Fact> found;
    each_fact([&](Fact fact) { found.push_back(fact); });
    return found;
}

// ---- answers about one state -------------------------------------------------------------------------------------

static void sort_unique(std::vector<std::uint32_t>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// Make a state the subject of queries.
void Reasoner::load(const State& state) {
    begin();
    if (loaded && state == now) return;
    now = state;
    bits = now.bits_.data();
    loaded = true;
    known_terminal = known_legal = known_goals = false;
    ++state_generation;
    for (auto& rows : open) rows.clear();
    for (Fact fact : now.open_) {
        V node = fact & ~OPEN;
        const Form& form = FACT_FORMS[(terms.functor(node) - FORM_FUNCTOR) / 2];
        for (unsigned n = 0; n < form.width; ++n) open[form.list].push_back(terms.part(node, n));
    }
}

// Begin a query: its clock starts now, and leftovers of a failed one are cleared.
void Reasoner::begin() {
    limit = work + 200'000;
    timed = false;
    const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    stack_end = stack > MAX_STACK ? stack - MAX_STACK : 0;
    ++move_generation;
    if (!clean) {
        ++state_generation;
        for (Group& group : groups) {
            group.active = false;
            group.members.clear();
        }
        known_terminal = known_legal = known_goals = false;
    }
    clean = false;
}

bool Reasoner::terminal() {
    if (!known_terminal) {
        is_terminal = ask_terminal(*this);
        known_terminal = true;
    }
    return is_terminal;
}

void Reasoner::find_legal() {
    if (known_legal) return;
    for (auto& moves : legal) moves.clear();
    ask_legal(*this);
    for (auto& moves : legal) sort_unique(moves);
    known_legal = true;
}

void Reasoner::find_goals() {
    if (known_goals) return;
    for (auto& values : goals) values.clear();
    ask_goals(*this);
    known_goals = true;
}

void Reasoner::note_legal(V role, unsigned number, const V* row) {
    std::size_t who = role_number(role);
    if (who >= MOVER_COUNT) return;
    const Form& form = MOVE_FORMS[number];
    std::size_t place = 0;
    if (!form.open && encode(form, row, place)) {
        legal[who].push_back(static_cast<Move>(who * MOVE_COUNT + form.first + place));
    } else if (form.open) {
        std::array<V, MAX_WIDTH + 1> whole;  // the role comes last
        std::copy_n(row, form.width, whole.begin());
        whole[form.width] = role;
        const auto width = static_cast<unsigned>(form.width + 1);
        legal[who].push_back(OPEN | terms.make(FORM_FUNCTOR + 2 * number + 1, whole.data(), width, 0));
    }
}

void Reasoner::note_goal(V role, V value) {
    std::size_t who = role_number(role);
    if (who >= role_count || value >= NAME_COUNT) return;
    std::string_view text = NAMES[value];
    int number = 0;
    if (text.empty() || text.size() > 9) return;
    for (char digit : text) {
        if (digit < '0' || digit > '9') return;
        number = 10 * number + (digit - '0');
    }
    std::size_t place = goals[who].size();  // ascending, each once
    while (place > 0 && goals[who][place - 1] > number) --place;
    if (place == 0 || goals[who][place - 1] != number)
        goals[who].insert(goals[who].begin() + static_cast<std::ptrdiff_t>(place), number);
}

void Reasoner::note_next(unsigned number, const V* row) {
    next.open_.push_back(OPEN | terms.make(FORM_FUNCTOR + 2 * number, row,
                                           static_cast<unsigned>(FACT_FORMS[number].width), 0));
}

bool Reasoner::owns(std::size_t role, Move move) const {
    if (!(move & OPEN)) return move / MOVE_COUNT == role;
    const V node = move & ~OPEN;
    return node < terms.size() && terms.functor(node) >= FORM_FUNCTOR &&
           (terms.functor(node) - FORM_FUNCTOR) % 2 == 1 &&
           terms.part(node, terms.count(node) - 1) == ROLE_TERMS[role];
}

void Reasoner::set_does(std::span<const Move> joint_move) {
    for (std::size_t role = 0; role < MOVER_COUNT; ++role) {
        Move move = joint_move[role];
        Done& done = does[role];
        done.form = ~0u;
        if (move == NOT_DRAWN) continue;
        if (!owns(role, move)) refuse_move(role);
        if (move & OPEN) {
            const V node = move & ~OPEN;
            done.form = (terms.functor(node) - FORM_FUNCTOR) / 2;
            for (unsigned n = 0; n + 1 < terms.count(node); ++n) done.values[n] = terms.part(node, n);
        } else {
            const std::size_t within = move % MOVE_COUNT;
            for (unsigned form = 0; form < MOVE_FORMS.size(); ++form)
                if (const Form& f = MOVE_FORMS[form]; !f.open && within >= f.first && within - f.first < f.size) {
                    done.form = form;
                    decode(f, within - f.first, done.values.data());
                }
            if (done.form == ~0u) refuse_move(role);
        }
    }
    ++move_generation;
}

void Reasoner::find_next(std::span<const Move> joint_move) {
    set_does(joint_move);
    next.bits_.fill(0);
    next.open_.clear();
    ask_next(*this);
    sort_unique(next.open_);
}

// The cached answers of a state, or a slot for them; null if caching is off.
Known* Reasoner::known(const State& state) {
    if (transpositions == 0) return nullptr;
    const std::uint64_t hash = state.hash();
    const V found = table_slots.find(hash, [&](V at) { return table[at].first == state; });
    if (found != NONE) return &table[found].second;
    if (table_size >= transpositions) {
        table_slots.clear();
        table_size = 0;
    }
    if (table_size == table.size()) table.emplace_back();
    auto& [own, known] = table[table_size];
    own = state;
    known.clear();
    table_slots.insert(hash, static_cast<V>(table_size++));
    return &known;
}

namespace {

// Answers a query; afterwards the working memory is consistent, unless it threw.
template <class Ask>
auto answer(Reasoner& c, const State& state, Ask ask) {
    c.load(state);
    auto result = ask();
    c.clean = true;
    return result;
}

bool ask_whether_terminal(Reasoner& c, const State& state, Known* known) {
    if (known && known->has_terminal) return known->terminal;
    bool result = answer(c, state, [&] { return c.terminal(); });
    if (known) {
        known->terminal = result;
        known->has_terminal = true;
    }
    return result;
}

std::span<const Move> ask_for_legal(Reasoner& c, const State& state, std::size_t role, Known* known) {
    if (known && known->has_legal) return known->legal[role];
    answer(c, state, [&] { return c.find_legal(), 0; });
    if (!known) return c.legal[role];
    known->legal = c.legal;
    known->has_legal = true;
    return known->legal[role];
}

const std::vector<int>& ask_for_goals(Reasoner& c, const State& state, std::size_t role, Known* known) {
    if (known && known->has_goals) return known->goals[role];
    answer(c, state, [&] { return c.find_goals(), 0; });
    if (!known) return c.goals[role];
    known->goals = c.goals;
    known->has_goals = true;
    return known->goals[role];
}

const State& ask_for_successor(Reasoner& c, const State& state, std::span<const Move> joint_move, Known* known) {
    if (known)
        for (const auto& [moves, after] : known->successors)
            if (std::equal(moves.begin(), moves.end(), joint_move.begin(), joint_move.end())) return after;
    answer(c, state, [&] { return c.find_next(joint_move), 0; });
    if (known && known->successors.size() < MAX_SUCCESSORS) {
        std::array<Move, MOVER_COUNT> moves{};
        std::copy(joint_move.begin(), joint_move.end(), moves.begin());
        known->successors.emplace_back(moves, c.next);
    }
    return c.next;
}

void check_role(std::size_t role) {
    if (role >= role_count) throw Error("no such role");
}

}  // namespace

std::span<const Move> Reasoner::moves_of(const State& state, std::size_t mover) {
    return ask_for_legal(*this, state, mover, known(state));
}

Game::Game(Options options) : reasoner_(std::make_unique<Reasoner>()) {
    reasoner_->seconds = options.seconds;
    reasoner_->transpositions = options.transpositions;
}
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
    return ask_whether_terminal(c, state, c.known(state));
}

std::vector<int> Game::goal_values(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    return ask_for_goals(c, state, role, c.known(state));
}

int Game::goal(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    const std::vector<int>& values = ask_for_goals(c, state, role, c.known(state));
    return values.size() == 1 && values[0] <= 100 ? values[0] : 0;
}

std::vector<Move> Game::legal(const State& state, std::size_t role) {
    const std::span<const Move> moves = borrow_legal(state, role).span();
    return {moves.begin(), moves.end()};
}

BorrowedMoves Game::borrow_legal(const State& state, std::size_t role) {
    check_role(role);
    Reasoner& c = start_query();
    return {ask_for_legal(c, state, role, c.known(state)), c.queries};
}

Playout Game::playout(const State& from, Random& random, std::size_t limit) {
    Reasoner& c = start_query();
    Playout result;
    result.last = from;
    std::array<Move, MOVER_COUNT> joint_move{};
    for (; result.steps < limit; ++result.steps) {
        Known* known = c.known(result.last);
        if (ask_whether_terminal(c, result.last, known)) {
            result.finished = true;
            return result;
        }
        for (std::size_t role = 0; role < role_count; ++role) {
            std::span<const Move> moves = ask_for_legal(c, result.last, role, known);
            if (moves.empty()) return result;
            joint_move[role] = moves[random.below(moves.size())];
        }
        if constexpr (SOURCE_COUNT > 0) draw_sources(c, result.last, joint_move, random);
        const State& after = ask_for_successor(c, result.last, joint_move, known);
        State copy = after;
        result.last = std::move(copy);
    }
    result.finished = ask_whether_terminal(c, result.last, c.known(result.last));
    return result;
}

std::string Game::fact_text(Fact fact) const {
    V row[MAX_WIDTH + 1];
    const V* code = form_of(reasoner(), FACT_FORMS, fact, row).code;
    std::string out;
    template_text(reasoner(), code, row, out);
    return out;
}

std::string Game::text(const State& state) const {
    std::string out;
    state.each_fact([&](Fact fact) { out += fact_text(fact) + '\n'; });
    return out;
}
