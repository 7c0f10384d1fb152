
// ---- the working memory of chance --------------------------------------------------------------------------------

// Random variables are drawn by sources: hidden roles after the others, one for each role and variable that the role
// may use. The moves of a source are events with their weights; players see none of this.
constexpr std::size_t MOVER_COUNT = @MOVERS@;
constexpr std::size_t SOURCE_COUNT = MOVER_COUNT - role_count;
constexpr Move NOT_DRAWN = left_to_chance;  // the move of a source that nobody uses
constexpr std::uint32_t NO_EVENT = 0xffffffffu;

// A resolved move of a role is one move again, a number with this mark.
constexpr Move RESOLVED = 0x40000000u;
constexpr bool is_resolved(Move move) { return (move & 0xc0000000u) == RESOLVED; }

// Refuses a joint move in which a role has a move of another role, or none at all.
[[noreturn]] inline void refuse_move(std::size_t role) {
    const std::string who = role < role_count ? std::string(Game::roles()[role]) : "chance";
    throw Error("the joint move gives " + who + " a move that is not one of its own");
}

// Something that a source can draw in a state: the event, and the move of the source that stands for it there.
struct Event {
    std::uint32_t event;
    Move move;
    std::uint64_t weight;
};

struct ResolvedMove {
    Move chosen;
    std::vector<std::pair<std::size_t, std::uint32_t>> events;  // sources and the events they drew
};

struct ChanceMemory {
    std::vector<Event> events;  // of the current draw
    std::vector<ResolvedMove> resolved;
    std::map<std::vector<std::uint32_t>, Move> numbers;  // of the resolved moves, by chosen move, sources and events
};
