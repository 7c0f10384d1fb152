
// ---- what chance keeps in mind -----------------------------------------------------------------------------------

// Random variables are drawn by sources: hidden roles behind the others, one for each role and variable that the role
// may use. The moves of a source are events with their weights; players see none of this.
constexpr std::size_t MOVER_COUNT = @MOVERS@;
constexpr std::size_t SOURCE_COUNT = MOVER_COUNT - role_count;
constexpr Move NOT_DRAWN = left_to_chance;  // the move of a source that nobody uses
constexpr std::uint32_t NO_EVENT = 0xffffffffu;

// What was drawn for a role's move is one move again, a number with this mark.
constexpr Move RESOLVED = 0x40000000u;
constexpr bool is_resolved(Move move) { return (move & 0xc0000000u) == RESOLVED; }

// Something that a source can draw in a state: the event, and the move of the source that stands for it there.
struct Event {
    std::uint32_t event;
    Move move;
    std::uint64_t weight;
};

struct ResolvedMove {
    Move chosen;
    std::vector<std::pair<std::size_t, std::uint32_t>> events;  // sources and what they drew
};

struct ChanceMemory {
    std::vector<Event> events;  // of the draw at hand
    std::vector<ResolvedMove> resolved;
    std::map<std::vector<std::uint32_t>, Move> numbers;  // of the resolved moves, by chosen move, sources and events
};
