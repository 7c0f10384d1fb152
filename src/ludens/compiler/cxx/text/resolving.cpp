
// ---- resolving chance --------------------------------------------------------------------------------------------

namespace {

// The moves of all roles, the hidden ones included, in a resolved joint move.
std::array<Move, MOVER_COUNT> all_moves(Reasoner& c, const State& state, std::span<const Move> joint_move) {
    if (joint_move.size() != role_count) throw Error("a joint move has one move for each role");
    std::array<Move, MOVER_COUNT> moves;
    for (std::size_t role = 0; role < role_count; ++role) {
        if (joint_move[role] == left_to_chance) throw Error("this joint move leaves a move to chance: resolve it first");
        moves[role] = is_resolved(joint_move[role]) ? c.resolved(joint_move[role]).chosen : joint_move[role];
    }
    for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover) {
        const std::size_t source = mover - role_count, owner = SOURCE_OWNERS[source];
        const std::span<const Move> legal = c.moves_of(state, mover);
        moves[mover] = legal.empty() ? NOT_DRAWN : legal[0];
        if (uses(c, owner, joint_move[owner], mover))
            throw Error("this joint move leaves " + c.variable_text(source) + " to chance: resolve it first");
        if (!is_resolved(joint_move[owner])) continue;
        for (const auto& [from, event] : c.resolved(joint_move[owner]).events) {
            if (from != source) continue;
            auto drawn = [&, wanted = event](Move move) { return c.event(move) == wanted && c.weight(move) > 0; };
            const auto found = std::find_if(legal.begin(), legal.end(), drawn);
            if (found == legal.end())
                throw Error(c.event_text(event) + " cannot be drawn from " + c.variable_text(source) + " in this state");
            moves[mover] = *found;
        }
    }
    return moves;
}

// The number of a resolved move.
Move number_of_resolved(Reasoner& c, const ResolvedMove& resolved) {
    std::vector<std::uint32_t> key = {resolved.chosen};
    for (const auto& [source, event] : resolved.events) {
        key.push_back(static_cast<std::uint32_t>(source));
        key.push_back(event);
    }
    const auto [place, is_new] = c.chance.numbers.try_emplace(key, 0);
    if (is_new) {
        if (c.chance.resolved.size() > 50'000'000) throw Error("chance has made too many different moves");
        place->second = RESOLVED | static_cast<Move>(c.chance.resolved.size());
        c.chance.resolved.push_back(resolved);
    }
    return place->second;
}

// One draw of chance: the event of a source, or the move of the role random.
struct Draw {
    std::size_t role, source;
    std::vector<Event> events;
    std::uint64_t total;
};

std::vector<Draw> draws_of(Reasoner& c, const State& state, std::span<const Move> joint_move) {
    if (joint_move.size() != role_count) throw Error("a joint move has one move for each role");
    std::vector<Draw> found;
    for (std::size_t role = 0; role < role_count; ++role) {
        if (const Move move = joint_move[role]; move != left_to_chance) {
            if (!c.owns(role, is_resolved(move) ? c.resolved(move).chosen : move)) refuse_move(role);
            for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover) {
                if (!uses(c, role, move, mover)) continue;
                const auto events = events_of(c, mover - role_count, c.moves_of(state, mover));
                found.push_back({role, mover - role_count, {events.begin(), events.end()}, total_of(events)});
            }
            continue;
        }
        if (role != random_role) throw Error("only the role random can leave its whole move to chance");
        Draw draw{role, SOURCE_COUNT, {}, 0};
        for (Move move : c.moves_of(state, role)) draw.events.push_back({move, move, 1});
        draw.total = draw.events.size();
        if (draw.events.empty()) throw Error("the role random has no legal move in this state");
        found.push_back(draw);
    }
    return found;
}

// The joint move with drawn events, given by index.
std::vector<Move> with_events(Reasoner& c, std::span<const Move> joint_move, const std::vector<Draw>& draws,
                              const std::vector<std::size_t>& places) {
    std::vector<Move> done(joint_move.begin(), joint_move.end());
    for (std::size_t role = 0; role < role_count; ++role) {
        ResolvedMove resolved{joint_move[role], {}};
        for (std::size_t n = 0; n < draws.size(); ++n) {
            if (draws[n].role != role) continue;
            const Event& event = draws[n].events[places[n]];
            if (joint_move[role] == left_to_chance)
                done[role] = event.move;
            else
                resolved.events.emplace_back(draws[n].source, event.event);
        }
        if (!resolved.events.empty()) done[role] = number_of_resolved(c, resolved);
    }
    return done;
}

using Values = std::vector<std::pair<Expression, Expression>>;

// A term with some of the terms in it replaced.
Expression replaced(const Expression& term, const Values& values) {
    for (const auto& [variable, value] : values)
        if (same(term, variable)) return value;
    Expression result{term.name, {}};
    for (const Expression& part : term.parts) result.parts.push_back(replaced(part, values));
    return result;
}

// Reads a resolved move: the draws that make it from a legal move.
class ResolvedReader {
public:
    ResolvedReader(Reasoner& c, const State& state, std::size_t role, Move move) : c_(c), resolved_{move, {}} {
        for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover) {
            if (!uses(c, role, move, mover)) continue;
            variables_.push_back({mover - role_count, Reader(c.variable_text(mover - role_count)).whole(), {}});
            for (Move drawing : c.moves_of(state, mover))
                if (c.event(drawing) != NO_EVENT && c.weight(drawing) > 0)
                    variables_.back().events.push_back(c.event(drawing));
        }
    }
    // Whether a term is the move with an event for each variable; records the events.
    bool fits(const Expression& term, const Expression& move) {
        for (const Variable& variable : variables_)
            if (same(move, variable.name)) return draws(variable, term);
        if (move.parts.empty() || term.parts.size() != move.parts.size()) return same(term, move);
        for (std::size_t n = 0; n < term.parts.size(); ++n)
            if (!fits(term.parts[n], move.parts[n])) return false;
        return true;
    }
    bool is_open() const { return !variables_.empty(); }
    const ResolvedMove& resolved() {
        std::sort(resolved_.events.begin(), resolved_.events.end());
        return resolved_;
    }

private:
    struct Variable {
        std::size_t source;
        Expression name;
        std::vector<std::uint32_t> events;
    };
    bool draws(const Variable& variable, const Expression& term) {
        for (std::uint32_t event : variable.events) {
            if (!same(Reader(c_.event_text(event)).whole(), term)) continue;
            for (const auto& [source, drawn] : resolved_.events)
                if (source == variable.source) return drawn == event;
            resolved_.events.emplace_back(variable.source, event);
            return true;
        }
        return false;
    }
    Reasoner& c_;
    ResolvedMove resolved_;
    std::vector<Variable> variables_;
};

// Answers to questions about roles and moves, as the rule sheet has them.
std::vector<std::vector<std::string>> ask_about_moves(Game& game, const std::string& relation,
                                                      const std::vector<Expression>& asked, const State& state,
                                                      std::span<const Move> joint_move) {
    if (relation == "does" && joint_move.size() != role_count)
        throw Error("this relation depends on the joint move; name one");
    Answers answers(asked);
    for (std::size_t role = 0; role < role_count; ++role) {
        const Expression who = Reader(Game::roles()[role]).whole();
        std::vector<Move> moves;
        if (relation == "legal") {
            moves = game.legal(state, role);
        } else if (relation == "does") {
            moves.push_back(joint_move[role]);
        } else {
            answers.offer({&who});
        }
        for (Move move : moves) {
            const Expression what = Reader(game.move_text(move)).whole();
            answers.offer({&who, &what});
        }
    }
    return answers.sorted();
}

}  // namespace

bool Game::needs_chance(Move move) {
    Reasoner& c = start_query();
    for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover)
        if (uses(c, SOURCE_OWNERS[mover - role_count], move, mover)) return true;
    return move == left_to_chance;
}

std::vector<Outcome> Game::outcomes(const State& state, std::span<const Move> joint_move, std::size_t limit) {
    Reasoner& c = start_query();
    const std::vector<Draw> draws = draws_of(c, state, joint_move);
    std::size_t count = 1;
    for (const Draw& draw : draws)
        if ((count *= draw.events.size()) > limit) throw Error("chance has more outcomes here than were asked for");
    std::vector<Outcome> found;
    std::vector<std::size_t> places(draws.size());
    for (; count > 0; --count) {
        double probability = 1;
        for (std::size_t n = 0; n < draws.size(); ++n)
            probability *= static_cast<double>(draws[n].events[places[n]].weight) / static_cast<double>(draws[n].total);
        found.push_back({probability, with_events(c, joint_move, draws, places)});
        for (std::size_t n = draws.size(); n-- > 0;) {
            if (++places[n] < draws[n].events.size()) break;
            places[n] = 0;
        }
    }
    return found;
}

std::vector<Move> Game::resolve(const State& state, std::span<const Move> joint_move, Random& random) {
    Reasoner& c = start_query();
    const std::vector<Draw> draws = draws_of(c, state, joint_move);
    std::vector<std::size_t> places;
    for (const Draw& draw : draws) places.push_back(draw_one(draw.events, draw.total, random));
    return with_events(c, joint_move, draws, places);
}

std::string Game::move_text(Move move) const {
    Reasoner& c = reasoner();
    if (!is_resolved(move)) return c.plain_text(move);
    const ResolvedMove& resolved = c.resolved(move);
    Values values;
    for (const auto& [source, event] : resolved.events)
        values.emplace_back(Reader(c.variable_text(source)).whole(), Reader(c.event_text(event)).whole());
    return expression_text(replaced(Reader(c.plain_text(resolved.chosen)).whole(), values));
}

Move Game::move(const State& state, std::size_t role, std::string_view text) {
    const Expression wanted = Reader(text).whole();
    Reasoner& c = reasoner();
    for (Move move : legal(state, role)) {
        const Expression known = Reader(move_text(move)).whole();
        if (same(wanted, known)) return move;
        ResolvedReader reader(c, state, role, move);
        if (reader.is_open() && reader.fits(wanted, known)) return number_of_resolved(c, reader.resolved());
    }
    throw Error("not a legal move here: " + std::string(text));
}
