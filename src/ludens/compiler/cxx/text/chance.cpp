
// ---- chance ------------------------------------------------------------------------------------------------------

namespace {

// The events that a source can draw, each once, with weights above 0. They are valid until the next call.
std::span<const Event> events_of(Reasoner& c, std::size_t source, std::span<const Move> moves) {
    std::vector<Event>& found = c.chance.events;
    found.clear();
    for (Move move : moves) {
        const std::uint32_t event = c.event(move);
        if (event == NO_EVENT) continue;
        if (const std::uint64_t weight = c.weight(move); weight > 0) found.push_back({event, move, weight});
    }
    auto earlier = [](const Event& a, const Event& b) { return a.event < b.event; };
    if (!std::is_sorted(found.begin(), found.end(), earlier)) std::sort(found.begin(), found.end(), earlier);
    for (std::size_t n = 1; n < found.size(); ++n)
        if (found[n].event == found[n - 1].event && found[n].weight != found[n - 1].weight)
            throw Error("the event " + c.event_text(found[n].event) + " of the random variable " +
                        c.variable_text(source) + " has two weights in this state");
    auto twice = [](const Event& a, const Event& b) { return a.event == b.event; };
    found.erase(std::unique(found.begin(), found.end(), twice), found.end());
    if (found.empty())
        throw Error("no event of the random variable " + c.variable_text(source) + " has a weight above 0 in this state");
    return found;
}

std::uint64_t total_of(std::span<const Event> events) {
    std::uint64_t total = 0;
    for (const Event& event : events) total += event.weight;
    return total;
}

// The index of an event drawn by weight.
std::size_t draw_one(std::span<const Event> events, std::uint64_t total, Random& random) {
    std::uint64_t left = random.share(total);
    std::size_t place = 0;
    while (left >= events[place].weight) left -= events[place++].weight;
    return place;
}

// Whether a role's move contains the variable of a source.
bool uses(Reasoner& c, std::size_t role, Move move, std::size_t mover) {
    return SOURCE_OWNERS[mover - role_count] == role && !is_resolved(move) && c.uses(move, mover - role_count);
}

// Draw the random variables of the chosen moves.
void draw_sources(Reasoner& c, const State& state, std::array<Move, MOVER_COUNT>& moves, Random& random) {
    for (std::size_t mover = role_count; mover < MOVER_COUNT; ++mover) {
        const std::span<const Move> legal = c.moves_of(state, mover);
        const std::size_t owner = SOURCE_OWNERS[mover - role_count];
        if (uses(c, owner, moves[owner], mover)) {
            const std::span<const Event> events = events_of(c, mover - role_count, legal);
            moves[mover] = events[draw_one(events, total_of(events), random)].move;
        } else {
            moves[mover] = legal.empty() ? NOT_DRAWN : legal[0];
        }
    }
}

}  // namespace
