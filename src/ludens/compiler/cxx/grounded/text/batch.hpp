
/// How many states advance together in a Batch.
inline constexpr std::size_t lane_count = 512;

/// The totals of random playouts of a Batch.
struct Totals {
    /// Joint moves that were played, over all lanes.
    std::uint64_t states = 0;
    /// Playouts that reached the end.
    std::uint64_t playouts = 0;
    /// The sum of their goals, for each role but `random`.
    std::array<std::uint64_t, role_count> goals{};
};

/// Many states at once, one per lane: every machine instruction works on all lanes of a register.
///
/// The lanes advance in step: all states of a Batch must be at the same point of the turn order, such as
/// all with the same player to move. A Batch serves one thread; the same seed gives the same moves. Using one that was
/// moved from throws Error.
class Batch {
public:
    /// All lanes begin with the initial state.
    explicit Batch(std::uint64_t seed = 1);
    Batch(Batch&&) noexcept;
    Batch& operator=(Batch&&) noexcept;
    ~Batch();

    /// Put a state into all lanes. Throws Error if it belongs to no point of the turn order.
    void fill(const State& state);
    /// Put a state into one lane. Throws Error if it is not at the same point of the turn order as the others.
    void set(std::size_t lane, const State& state);
    /// The state in a lane.
    State state(std::size_t lane) const;
    /// A uniformly random legal joint move in every lane that is not over, chance drawn by its weights for each lane;
    /// returns how many lanes moved. A lane whose rules give chance nothing to draw, or two weights for one
    /// event, does not move.
    std::size_t advance();
    /// One playout in every lane from its state to the end, or for at most `limit` joint moves.
    Totals playouts(std::size_t limit = 10'000);
    /// `steps` joint moves in all lanes; a finished lane restarts from `start`, so none is idle for long.
    /// Playouts that have not ended after the last step are not counted.
    Totals play(const State& start, std::size_t steps);

private:
    struct Lanes& lanes() const;  // throws Error if this Batch was moved from
    std::unique_ptr<struct Lanes> lanes_;
};

