
// ---- queries as text ---------------------------------------------------------------------------------------------

namespace {

V name_number(std::string_view name) {
    static const std::vector<std::pair<std::string, V>> numbers = [] {
        std::vector<std::pair<std::string, V>> made;
        for (V n = 0; n < NAME_COUNT; ++n) made.emplace_back(lowered(NAMES[n]), n);
        std::sort(made.begin(), made.end());
        return made;
    }();
    const std::string key = lowered(name);
    auto found = std::lower_bound(numbers.begin(), numbers.end(), std::pair<std::string, V>(key, 0));
    return found == numbers.end() || found->first != key ? NONE : found->second;
}

// The bindings of a query's unknowns, as numbers.
using TermBindings = std::vector<std::pair<std::string, V>>;

bool match(const Reasoner& c, const Expression& pattern, V term, TermBindings& bindings) {
    if (pattern.unknown()) {
        for (const auto& [name, value] : bindings)
            if (name == pattern.name) return value == term;
        bindings.emplace_back(pattern.name, term);
        return true;
    }
    if (!pattern.name.empty()) return name_number(pattern.name) == term;
    if (!c.is(term, name_number(pattern.parts[0].name), static_cast<unsigned>(pattern.parts.size() - 1))) return false;
    for (std::size_t n = 1; n < pattern.parts.size(); ++n)
        if (!match(c, pattern.parts[n], c.part(term, static_cast<unsigned>(n - 1)), bindings)) return false;
    return true;
}

// The number of an expression without unknowns, if there is one already.
V number_of(const Reasoner& c, const Expression& expression) {
    if (!expression.name.empty()) return expression.unknown() ? NONE : name_number(expression.name);
    std::vector<V> parts;
    for (std::size_t n = 1; n < expression.parts.size(); ++n) {
        parts.push_back(number_of(c, expression.parts[n]));
        if (parts.back() == NONE) return NONE;
    }
    V functor = name_number(expression.parts[0].name);
    V node = c.terms.find(functor, parts.data(), static_cast<unsigned>(parts.size()));
    return node == NONE ? NONE : NAME_COUNT + node;
}

// Match a template against an expression; columns receive their parts of it.
bool template_match(const V*& code, const Expression& expression, std::vector<const Expression*>& columns,
                    std::vector<std::pair<const V*, const Expression*>>& whole) {
    const V* start = code;
    switch (*code++) {
        case 0: {
            V name = *code++;
            if (expression.unknown()) {
                whole.emplace_back(start, &expression);
                return true;
            }
            return !expression.name.empty() && name_number(expression.name) == name;
        }
        case 1: columns[*code++] = &expression; return true;
        default: break;
    }
    V name = *code++, count = *code++;
    bool fits = expression.name.empty() && expression.parts.size() == count + 1 &&
                name_number(expression.parts[0].name) == name;
    if (!fits && !expression.unknown()) return false;
    if (expression.unknown()) whole.emplace_back(start, &expression);
    static const Expression anything{"?", {}};
    for (V n = 0; n < count; ++n)
        if (!template_match(code, fits ? expression.parts[n + 1] : anything, columns, whole)) return false;
    return true;
}

}  // namespace

State Game::successor(const State& state, std::span<const Move> joint_move) {
    Reasoner& c = start_query();
    const auto moves = all_moves(c, state, joint_move);
    return ask_for_successor(c, state, moves, c.known(state));
}

Fact Game::fact(std::string_view text) {
    Reasoner& c = start_query();
    Expression wanted = Reader(text).whole();
    for (unsigned number = 0; number < FACT_FORMS.size(); ++number) {
        const Form& form = FACT_FORMS[number];
        std::vector<const Expression*> columns(form.width);
        std::vector<std::pair<const V*, const Expression*>> whole;
        const V* code = form.code;
        if (!template_match(code, wanted, columns, whole) || !whole.empty()) continue;
        V row[MAX_WIDTH + 1];
        bool known = true;
        for (std::size_t n = 0; n < form.width && known; ++n) known = (row[n] = number_of(c, *columns[n])) != NONE;
        std::size_t place = 0;
        if (!known) continue;
        if (form.open)
            return OPEN | c.terms.make(FORM_FUNCTOR + 2 * number, row, static_cast<unsigned>(form.width), 0);
        if (encode(form, row, place)) return static_cast<Fact>(form.first + place);
    }
    throw Error("no state can have this fact: " + std::string(text));
}

std::vector<std::vector<std::string>> Game::query(const State& state, std::string_view relation,
                                                  std::span<const std::string> arguments,
                                                  std::span<const Move> joint_move) {
    Reasoner& c = start_query();
    std::vector<Expression> asked;
    for (const std::string& argument : arguments) asked.push_back(Reader(argument).whole());
    std::string name = lowered(relation);
    if (SOURCE_COUNT > 0 && (name == "role" || name == "legal" || name == "does") &&
        asked.size() == (name == "role" ? 1u : 2u))
        return ask_about_moves(*this, name, asked, state, joint_move);
    auto meant = [&](const Asked& candidate) {
        return lowered(candidate.relation) == name && candidate.arity == asked.size();
    };
    if (std::none_of(ASKED.begin(), ASKED.end(), meant) && name != "true") {
        Expression fluent;  // the name of a fluent means its true instances
        if (asked.empty()) {
            fluent.name = name;
        } else {
            fluent.parts.push_back({name, {}});
            fluent.parts.insert(fluent.parts.end(), asked.begin(), asked.end());
        }
        asked.assign(1, fluent);
        name = "true";
    }
    const std::vector<std::string> unknowns = unknowns_in(asked);
    std::vector<Move> done;
    if (!joint_move.empty()) {
        const auto moves = all_moves(c, state, joint_move);
        done.assign(moves.begin(), moves.end());
    }
    return answer(c, state, [&] {
        if (!done.empty()) c.set_does(done);
        std::vector<std::vector<std::string>> found;
        for (const Asked& candidate : ASKED) {
            if (!meant(candidate)) continue;
            if (candidate.needs_moves && done.empty())
                throw Error("this relation depends on the joint move; name one");
            std::vector<const Expression*> columns(candidate.width);
            std::vector<std::pair<const V*, const Expression*>> whole;
            const V* code = candidate.code;
            bool fits = true;
            for (const Expression& part : asked) fits = fits && template_match(code, part, columns, whole);
            if (!fits) continue;
            V known[MAX_WIDTH + 1];
            for (std::size_t n = 0; n < candidate.width; ++n) known[n] = number_of(c, *columns[n]);
            candidate.each(c, known, [&](const V* row) {
                TermBindings bindings;
                for (std::size_t n = 0; n < candidate.width; ++n)
                    if (columns[n]->name != "?" && !match(c, *columns[n], row[n], bindings)) return false;
                std::vector<std::pair<std::string, std::string>> texts;
                for (const auto& [variable, value] : bindings) texts.emplace_back(variable, c.term_text(value));
                for (const auto& [start, expression] : whole) {
                    if (expression->name == "?") continue;
                    std::string out;
                    const V* at = start;
                    template_text(c, at, row, out);
                    for (const auto& [variable, value] : texts)
                        if (variable == expression->name && value != out) return false;
                    texts.emplace_back(expression->name, out);
                }
                std::vector<std::string> values;
                for (const std::string& variable : unknowns)
                    for (const auto& [other, value] : texts)
                        if (other == variable) {
                            values.push_back(value);
                            break;
                        }
                found.push_back(values);
                return false;
            });
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    });
}
