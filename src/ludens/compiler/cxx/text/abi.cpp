
// ---- a C interface, for ludens itself ----------------------------------------------------------------------------

namespace ludens::@NAMESPACE@ {

struct Handle {
    explicit Handle(Options options) : game(options) {}
    Game game;
    State state;
    std::vector<std::uint32_t> out;
    std::string error;
};

struct Access {
    static Reasoner& reasoner(Game& game) { return *game.reasoner_; }
};

struct Position {
    const std::uint64_t* bits;
    const std::uint32_t* open;
    std::size_t open_count;
};

static const State& unpack(Handle& handle, const Position& position) {
    handle.state = State();
    for (std::size_t word = 0; word < state_words; ++word)
        for (std::uint64_t rest = position.bits[word]; rest != 0; rest &= rest - 1)
            handle.state.add(static_cast<Fact>(word * 64 + static_cast<unsigned>(__builtin_ctzll(rest))));
    for (std::size_t n = 0; n < position.open_count; ++n) handle.state.add(position.open[n]);
    return handle.state;
}

static void pack(Handle& handle, const State& state, std::uint64_t* bits) {
    handle.out.clear();
    std::fill(bits, bits + state_words, 0);
    state.each_fact([&](Fact fact) {
        if (fact & OPEN)
            handle.out.push_back(fact);
        else
            bits[fact / 64] |= std::uint64_t{1} << (fact % 64);
    });
}

// Calls a function; returns -1 and sets a message if it throws.
template <class Run>
static long guarded(Handle* handle, Run run) {
    try {
        return run();
    } catch (const std::exception& error) {
        handle->error = error.what();
        return -1;
    }
}

}  // namespace ludens::@NAMESPACE@

extern "C" {

#pragma GCC visibility push(default)

using namespace ludens::@NAMESPACE@;

void* ludens_new(std::size_t transpositions, double seconds) {
    try {
        Options options;
        options.transpositions = transpositions;
        options.seconds = seconds;
        return new Handle(options);
    } catch (const std::exception&) {
        return nullptr;
    }
}

void ludens_delete(void* handle) { delete static_cast<Handle*>(handle); }

const char* ludens_error(void* handle) { return static_cast<Handle*>(handle)->error.c_str(); }

const std::uint32_t* ludens_buffer(void* handle) { return static_cast<Handle*>(handle)->out.data(); }

long ludens_initial(void* pointer, std::uint64_t* bits) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        pack(*handle, handle->game.initial(), bits);
        return static_cast<long>(handle->out.size());
    });
}

long ludens_terminal(void* pointer, Position position) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] { return static_cast<long>(handle->game.terminal(unpack(*handle, position))); });
}

long ludens_legal(void* pointer, Position position, std::size_t role) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        if (role >= MOVER_COUNT) throw Error("no such role");
        auto moves = Access::reasoner(handle->game).moves_of(unpack(*handle, position), role);
        handle->out.assign(moves.begin(), moves.end());
        return static_cast<long>(handle->out.size());
    });
}

long ludens_goals(void* pointer, Position position, std::size_t role) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        handle->out.clear();
        for (int value : handle->game.goal_values(unpack(*handle, position), role))
            handle->out.push_back(static_cast<std::uint32_t>(value));
        return static_cast<long>(handle->out.size());
    });
}

long ludens_successor(void* pointer, Position position, const std::uint32_t* moves, std::uint64_t* bits) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        Reasoner& c = Access::reasoner(handle->game);
        const State& state = unpack(*handle, position);
        pack(*handle, ask_for_successor(c, state, {moves, MOVER_COUNT}, c.known(state)), bits);
        return static_cast<long>(handle->out.size());
    });
}

// Random playouts: adds to totals the steps, the playouts that ended, and the goals of each role in those.
long ludens_playouts(void* pointer, Position position, std::uint64_t seed, std::size_t count, std::size_t limit,
                     std::uint64_t* totals) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        Random random(seed);
        const State start = unpack(*handle, position);
        for (std::size_t n = 0; n < count; ++n) {
            Playout playout = handle->game.playout(start, random, limit);
            totals[0] += playout.steps;
            if (!playout.finished) continue;
            ++totals[1];
            for (std::size_t role = 0; role < role_count; ++role)
                totals[2 + role] += static_cast<std::uint64_t>(handle->game.goal(playout.last, role));
        }
        return 0L;
    });
}

// The simulations of a Monte-Carlo player: draws joint moves, and plays some random playouts after each. Writes the moves
// of each draw, and adds to totals the steps, then for each draw the playouts that ended and the goals of each role.
long ludens_simulations(void* pointer, Position position, std::uint64_t seed, std::size_t draws, std::size_t portion,
                        std::size_t limit, std::uint32_t* moves, std::uint64_t* totals) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        Random random(seed);
        const State start = unpack(*handle, position);
        if (handle->game.terminal(start)) throw Error("the match is over");
        Reasoner& c = Access::reasoner(handle->game);
        std::array<Move, MOVER_COUNT> joint_move{};
        std::uint64_t* sums = totals + 1;
        for (std::size_t n = 0; n < draws; ++n, sums += 1 + role_count, moves += role_count) {
            Known* known = c.known(start);
            for (std::size_t role = 0; role < role_count; ++role) {
                std::span<const Move> legal = ask_for_legal(c, start, role, known);
                if (legal.empty()) throw Error("a role has no legal move");
                moves[role] = joint_move[role] = legal[random.below(legal.size())];
            }
            if constexpr (SOURCE_COUNT > 0) draw_sources(c, start, joint_move, random);
            const State after = ask_for_successor(c, start, joint_move, known);
            ++totals[0];
            for (std::size_t each = 0; each < portion; ++each) {
                Playout playout = handle->game.playout(after, random, limit);
                totals[0] += playout.steps;
                if (!playout.finished) continue;
                ++sums[0];
                for (std::size_t role = 0; role < role_count; ++role)
                    sums[1 + role] += static_cast<std::uint64_t>(handle->game.goal(playout.last, role));
            }
        }
        return 0L;
    });
}

// A compound term: its functor and parts in the buffer; returns their number.
long ludens_term(void* pointer, std::uint32_t node) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        const Terms& terms = Access::reasoner(handle->game).terms;
        if (node >= terms.size()) throw Error("no such term");
        handle->out.assign(1, terms.functor(node));
        for (unsigned n = 0; n < terms.count(node); ++n) handle->out.push_back(terms.part(node, n));
        return static_cast<long>(handle->out.size());
    });
}

// The number of a compound term; interned if it is new.
long ludens_make(void* pointer, std::uint32_t functor, const std::uint32_t* parts, std::size_t count) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        Terms& terms = Access::reasoner(handle->game).terms;
        unsigned deepest = 0;
        for (std::size_t n = 0; n < count; ++n)
            if (parts[n] >= NAME_COUNT) deepest = std::max(deepest, terms.depth(parts[n] - NAME_COUNT));
        const unsigned depth = functor >= FORM_FUNCTOR ? 0 : deepest + 1;
        return static_cast<long>(terms.make(functor, parts, static_cast<unsigned>(count), depth));
    });
}

// How a query was used: calls, misses, answers, work.
long ludens_count(void* pointer, std::size_t number, std::uint64_t* counts) {
    auto* handle = static_cast<Handle*>(pointer);
    return guarded(handle, [&] {
        const QueryCount& count = Access::reasoner(handle->game).counts.at(number);
        counts[0] = count.calls;
        counts[1] = count.misses;
        counts[2] = count.answers;
        counts[3] = count.work;
        return 0L;
    });
}

#pragma GCC visibility pop

}  // extern "C"
