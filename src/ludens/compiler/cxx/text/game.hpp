// @TITLE@: the rules of a game as a C++ library, written by `ludens compile --emit c++`.
//
// The interface is the same for every game; only the namespace and the constants below differ.
//
//     namespace game = ludens::@NAMESPACE@;
//     game::Game rules;
//     game::State state = rules.initial();
//     while (!rules.terminal(state)) {
//         std::vector<game::Move> joint;
//         for (std::size_t role = 0; role < game::role_count; ++role)
//             joint.push_back(rules.legal(state, role).front());
//         state = rules.successor(state, joint);
//     }
//     int first_role_gets = rules.goal(state, 0);
//
// In games with chance, `resolve` comes before `successor`:
//
//     state = rules.successor(state, rules.resolve(state, joint, random));
//
// A role may have the legal move "(roll die)", with a random variable in it; resolved, it is "(roll 4)". `outcomes`
// lists all outcomes of chance for a joint move, with their probabilities. Nobody chooses the moves of a role
// `random`: in a joint move that is to be resolved, it has `left_to_chance`.
//
// A State is a value: copy it, compare it, hash it, keep it in containers. A Game holds the working memory of the
// reasoner, so it serves one thread at a time; make one for each thread. Facts and moves are numbers that mean the
// same in all states of one Game; a move belongs to one role.
//
// `legal` returns a vector of its own. In an inner loop, `borrow_legal` saves the copy: its moves are valid until the
// next query of the Game, which builds without NDEBUG check by assertion.
#ifndef LUDENS_@GUARD@_HPP
#define LUDENS_@GUARD@_HPP

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ludens::@NAMESPACE@ {

/// How many roles the game has; roles are numbered from 0 in the order of the rule sheet.
inline constexpr std::size_t role_count = @ROLES@;
/// The number of the role `random`, whose moves are drawn; `role_count` if there is none.
inline constexpr std::size_t random_role = @RANDOM_ROLE@;
/// True if the game has chance: random variables in moves, or a role `random`.
inline constexpr bool has_chance = @HAS_CHANCE@;
/// The number of words of a state's numbered facts.
inline constexpr std::size_t state_words = @WORDS@;

/// A fact of a state (a fluent), as a number.
using Fact = std::uint32_t;
/// A move of one role, as a number; a role's legal moves are sorted by it. The same text has another number for each
/// role.
using Move = std::uint32_t;
/// The move of the role `random` in a joint move to be resolved: one of its legal moves, all equally likely.
inline constexpr Move left_to_chance = 0xffffffffu;

/// An error in the rules or in a call, or a query that exceeded its time limit.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One position: the facts that are true in it.
class State {
public:
    bool operator==(const State&) const = default;
    /// A hash of the facts; the same in every run as long as the game builds no terms of its own.
    std::uint64_t hash() const noexcept;
    /// True if a fact holds.
    bool holds(Fact fact) const noexcept;
    /// Add a fact, to set up positions.
    void add(Fact fact);
    /// All facts, in ascending order.
    std::vector<Fact> facts() const;
    /// Call `visit(fact)` for every fact, in ascending order.
    template <class Visit>
    void each_fact(Visit&& visit) const {
        for (std::size_t word = 0; word < state_words; ++word)
            for (std::uint64_t rest = bits_[word]; rest != 0; rest &= rest - 1)
                visit(static_cast<Fact>(word * 64 + static_cast<unsigned>(__builtin_ctzll(rest))));
        for (Fact fact : open_) visit(fact);
    }

private:
    friend class Game;
    friend struct Reasoner;
    std::array<std::uint64_t, state_words> bits_{};
    std::vector<Fact> open_;  // facts without a fixed number; empty for most games
};

/// The options of a Game.
struct Options {
    /// The number of states whose answers (terminal, goals, legal moves, successors) are cached; 0 caches none.
    std::size_t transpositions = @TRANSPOSITIONS@;
    /// The time limit of one query about one state, in seconds; Error is thrown after it.
    double seconds = 60.0;
};

/// A small, fast source of random numbers (SplitMix64).
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t operator()() noexcept {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// A number from 0 to below - 1.
    std::size_t below(std::size_t count) noexcept {
        return static_cast<std::size_t>(((*this)() >> 32) * static_cast<std::uint64_t>(count) >> 32);
    }
    /// A uniform number from 0 to total - 1, for sums of weights of any size.
    std::uint64_t share(std::uint64_t total) noexcept {
        const std::uint64_t end = ~std::uint64_t{0} - ~std::uint64_t{0} % total;
        std::uint64_t drawn = (*this)();
        while (drawn >= end) drawn = (*this)();
        return drawn % total;
    }

private:
    std::uint64_t state_;
};

/// One way in which chance can resolve a joint move.
struct Outcome {
    /// Its probability; the probabilities of all outcomes add up to 1.
    double probability = 0;
    /// One move for each role, none of them left to chance.
    std::vector<Move> joint_move;
};

/// The result of a random playout.
struct Playout {
    /// The number of joint moves played.
    std::size_t steps = 0;
    /// False if it was cut off before the end, or a role had no legal move.
    bool finished = false;
    /// The last state.
    State last;
};

/// The legal moves of a role, in the memory of the Game that lends them: valid until its next query. Builds without
/// NDEBUG check that by assertion, whenever a move is read.
class BorrowedMoves {
public:
    /// A place in the moves.
    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Move;
        using difference_type = std::ptrdiff_t;
        using pointer = const Move*;
        using reference = const Move&;
        Iterator() noexcept = default;
        const Move& operator*() const noexcept {
            assert(*queries_ == lent_ && "borrowed moves are used after another query of their Game: use legal()");
            return *at_;
        }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            ++at_;
            return before;
        }
        bool operator==(const Iterator& other) const noexcept { return at_ == other.at_; }

    private:
        friend class BorrowedMoves;
        Iterator(const Move* at, const std::uint64_t* queries, std::uint64_t lent) noexcept
            : at_(at), queries_(queries), lent_(lent) {}
        const Move* at_ = nullptr;
        const std::uint64_t* queries_ = nullptr;
        std::uint64_t lent_ = 0;
    };

    Iterator begin() const noexcept { return {moves_.data(), queries_, lent_}; }
    Iterator end() const noexcept { return {moves_.data() + moves_.size(), queries_, lent_}; }
    std::size_t size() const noexcept { return moves_.size(); }
    bool empty() const noexcept { return moves_.empty(); }
    const Move& operator[](std::size_t place) const noexcept { return span()[place]; }
    const Move& front() const noexcept { return span().front(); }
    const Move& back() const noexcept { return span().back(); }
    /// The moves without further checks.
    std::span<const Move> span() const noexcept {
        assert(*queries_ == lent_ && "borrowed moves are used after another query of their Game: use legal()");
        return moves_;
    }

private:
    friend class Game;
    BorrowedMoves(std::span<const Move> moves, const std::uint64_t& queries) noexcept
        : moves_(moves), queries_(&queries), lent_(queries) {}
    std::span<const Move> moves_;
    const std::uint64_t* queries_;
    std::uint64_t lent_;
};

/// The rules. Using a Game that was moved from throws Error.
class Game {
public:
    explicit Game(Options options = {});
    Game(Game&&) noexcept;
    Game& operator=(Game&&) noexcept;
    ~Game();

    /// The name of the game.
    static std::string_view name() noexcept;
    /// The names of the roles, in the order of the rule sheet.
    static std::span<const std::string_view> roles() noexcept;

    /// The state in which every match begins.
    State initial() const;
    /// True if the match is over.
    bool terminal(const State& state);
    /// The goal of a role, 0 to 100; 0 if the rules give no value, several, or one outside this range.
    int goal(const State& state, std::size_t role);
    /// Every value that the rules give a role.
    std::vector<int> goal_values(const State& state, std::size_t role);
    /// The legal moves of a role, sorted.
    std::vector<Move> legal(const State& state, std::size_t role);
    /// The same without a copy: valid until the next query of this Game, whichever it is.
    BorrowedMoves borrow_legal(const State& state, std::size_t role);
    /// True if a move has random variables in it, so that it must be resolved before it is played.
    bool needs_chance(Move move);
    /// All outcomes of chance for a joint move, by the weights of this state: draws are independent between
    /// roles and between the variables of a move, and a variable that occurs twice in a move has one value. Moves in which
    /// nothing is left to chance stay as they are. Throws Error if a move is not one of its role's, if there are more than
    /// `limit` outcomes, or if the rules give a variable no weight, two weights for one event, or one that is not a
    /// non-negative integer.
    std::vector<Outcome> outcomes(const State& state, std::span<const Move> joint_move, std::size_t limit = 10'000);
    /// The same for moves in braces.
    std::vector<Outcome> outcomes(const State& state, std::initializer_list<Move> joint_move,
                                  std::size_t limit = 10'000) {
        return outcomes(state, std::span<const Move>(joint_move.begin(), joint_move.size()), limit);
    }
    /// One outcome drawn by its probability, however many there are.
    std::vector<Move> resolve(const State& state, std::span<const Move> joint_move, Random& random);
    /// The same for moves in braces.
    std::vector<Move> resolve(const State& state, std::initializer_list<Move> joint_move, Random& random) {
        return resolve(state, std::span<const Move>(joint_move.begin(), joint_move.size()), random);
    }
    /// The state after a resolved joint move: one move for each role. Throws Error if a move is not one of its role's,
    /// if something is left to chance, or was drawn that cannot be drawn here; otherwise the legality of moves is not
    /// checked.
    State successor(const State& state, std::span<const Move> joint_move);
    /// The same for moves in braces: `successor(state, {first, second})`.
    State successor(const State& state, std::initializer_list<Move> joint_move) {
        return successor(state, std::span<const Move>(joint_move.begin(), joint_move.size()));
    }
    /// Play uniformly random legal moves until the end, or for at most `limit` joint moves; chance draws by weights.
    Playout playout(const State& from, Random& random, std::size_t limit = 10'000);

    /// A fact as KIF text, such as "(cell 1 1 x)".
    std::string fact_text(Fact fact) const;
    /// A move as KIF text, such as "(mark 1 1)".
    std::string move_text(Move move) const;
    /// All facts of a state, one a line.
    std::string text(const State& state) const;
    /// The legal move of a role that a KIF text means; it may be resolved, such as "(roll 4)". Throws Error if there is
    /// none.
    Move move(const State& state, std::size_t role, std::string_view text);
    /// The fact that a KIF text means. Throws Error if no state can have it.
    Fact fact(std::string_view text);

    /// Query any relation of the rules, or any fluent by its name, with unknowns: `query(state, "cell", {"1", "?x", "?y"})`
    /// returns a list of values for the unknowns ("?x", "?y") for every way in which it holds, each as KIF text, in the
    /// order in which the unknowns first appear. Arguments are KIF terms and may have unknowns inside. Without unknowns,
    /// the result is one empty list, or nothing. `joint_move` is needed for relations that depend on `does`.
    std::vector<std::vector<std::string>> query(const State& state, std::string_view relation,
                                                std::span<const std::string> arguments,
                                                std::span<const Move> joint_move = {});
    /// The same for arguments in braces, as above.
    std::vector<std::vector<std::string>> query(const State& state, std::string_view relation,
                                                std::initializer_list<std::string_view> arguments,
                                                std::span<const Move> joint_move = {}) {
        const std::vector<std::string> texts(arguments.begin(), arguments.end());
        return query(state, relation, std::span<const std::string>(texts), joint_move);
    }
    /// The same for arguments and moves in braces: `query(state, "next", {"?fact"}, {first, second})`.
    std::vector<std::vector<std::string>> query(const State& state, std::string_view relation,
                                                std::initializer_list<std::string_view> arguments,
                                                std::initializer_list<Move> joint_move) {
        return query(state, relation, arguments, std::span<const Move>(joint_move.begin(), joint_move.size()));
    }

private:
    friend struct Access;
    struct Reasoner& reasoner() const;  // throws Error if this Game was moved from
    struct Reasoner& start_query();     // ends the loan of borrowed moves
    std::unique_ptr<struct Reasoner> reasoner_;
};
@BATCH@
}  // namespace ludens::@NAMESPACE@

template <>
struct std::hash<ludens::@NAMESPACE@::State> {
    std::size_t operator()(const ludens::@NAMESPACE@::State& state) const noexcept { return state.hash(); }
};

#endif
