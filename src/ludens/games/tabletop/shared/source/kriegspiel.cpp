// Kriegspiel on bitboards: which moves fit what the umpire said, for many positions at once. `make bitcode` compiles
// this file; kriegspiel_form.py describes the same structures for Python.
#include <stdint.h>

using Integer = int64_t;
using Word = uint64_t;

enum Kind { PAWN = 1, KNIGHT, BISHOP, ROOK, QUEEN, KING };
constexpr int SIZE = 8, SQUARES = 64, NOWHERE = -1;
constexpr int MOST_MOVES = 256;
// The umpire's words for the direction of a check. Two bits count the checks of each.
enum Line { ON_FILE, ON_RANK, BY_KNIGHT, LONG_DIAGONAL, SHORT_DIAGONAL };

struct Position {
    Word side[2];    // the squares of White and Black
    Word kind[6];    // the squares of each kind, pawns first
    int8_t mover;    // 0 or 1
    uint8_t rights;  // to castle: two bits for each side, the king's side first
    int8_t passant;  // the square that a pawn has just passed
    uint8_t quiet;   // moves without a capture or pawn move
    uint16_t turn;
    uint8_t tries;   // pawn captures that the umpire announced to the mover
    uint8_t unused;
};

struct Said {
    int32_t refused;
    int32_t taken;      // the square of a captured piece
    int32_t took_pawn;
    int32_t checks;
    int32_t tries;
};

struct Move {
    int source, target, kind;
    uint16_t code() const { return (uint16_t)(source | target << 6 | kind << 12); }
};

static Move decode(uint16_t code) { return {code & 63, code >> 6 & 63, code >> 12}; }

// Squares that pieces reach on an empty board

struct Tables {
    Word ray[8][SQUARES];  // directions 0 to 3 lead to higher squares
    Word knight[SQUARES], king[SQUARES], hit[2][SQUARES], queen[SQUARES];
};

constexpr int ACROSS[8] = {1, -1, 0, 1, -1, 1, 0, -1}, UP[8] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr bool is_diagonal(int direction) { return ACROSS[direction] && UP[direction]; }

constexpr Word at(int column, int row) {
    return column < 0 || column >= SIZE || row < 0 || row >= SIZE ? 0 : Word(1) << (row * SIZE + column);
}

constexpr Tables make_tables() {
    Tables tables{};
    for (int square = 0; square < SQUARES; square++) {
        const int column = square % SIZE, row = square / SIZE;
        for (int direction = 0; direction < 8; direction++) {
            for (int far = 1; far < SIZE; far++)
                tables.ray[direction][square] |= at(column + far * ACROSS[direction], row + far * UP[direction]);
            tables.king[square] |= at(column + ACROSS[direction], row + UP[direction]);
            tables.queen[square] |= tables.ray[direction][square];
        }
        for (int across = -2; across <= 2; across++)
            for (int up = -2; up <= 2; up++)
                if (across * across + up * up == 5) tables.knight[square] |= at(column + across, row + up);
        for (int side = 0; side < 2; side++)
            tables.hit[side][square] = at(column - 1, row + (side ? -1 : 1)) | at(column + 1, row + (side ? -1 : 1));
    }
    return tables;
}

static constexpr Tables TABLES = make_tables();

static int lowest(Word mask) { return __builtin_ctzll(mask); }
static int highest(Word mask) { return 63 - __builtin_clzll(mask); }
static int pop(Word &mask) {
    const int square = lowest(mask);
    mask &= mask - 1;
    return square;
}
static bool holds(Word mask, int square) { return mask >> square & 1; }

static Word slide(int direction, int square, Word occupied) {
    const Word ray = TABLES.ray[direction][square], blockers = ray & occupied;
    if (!blockers) return ray;
    return ray & ~TABLES.ray[direction][direction < 4 ? lowest(blockers) : highest(blockers)];
}

static Word reach(int kind, int square, Word occupied) {
    if (kind == KNIGHT) return TABLES.knight[square];
    if (kind == KING) return TABLES.king[square];
    Word found = 0;
    for (int direction = 0; direction < 8; direction++)
        if (kind == QUEEN || is_diagonal(direction) == (kind == BISHOP)) found |= slide(direction, square, occupied);
    return found;
}

// Positions

static Word all(const Position &at) { return at.side[0] | at.side[1]; }
static Word of(const Position &at, int side, int kind) { return at.side[side] & at.kind[kind - 1]; }

static int kind_on(const Position &at, int square) {
    for (int kind = PAWN; kind <= KING; kind++)
        if (holds(at.kind[kind - 1], square)) return kind;
    return 0;
}

static Word attackers(const Position &at, int square, int by, Word occupied) {
    Word found = (TABLES.hit[1 - by][square] & of(at, by, PAWN)) | (TABLES.knight[square] & of(at, by, KNIGHT)) |
                 (TABLES.king[square] & of(at, by, KING));
    const Word queens = of(at, by, QUEEN), straight = queens | of(at, by, ROOK), oblique = queens | of(at, by, BISHOP);
    if (TABLES.queen[square] & (straight | oblique))
        for (int direction = 0; direction < 8; direction++) {
            const Word sliders = is_diagonal(direction) ? oblique : straight;
            if (TABLES.ray[direction][square] & sliders) found |= slide(direction, square, occupied) & sliders;
        }
    return found & occupied;
}

static Word checkers(const Position &at, int side) {
    return attackers(at, lowest(of(at, side, KING)), 1 - side, all(at));
}

static void lift(Position &at, int side, int kind, int square) {
    at.side[side] &= ~(Word(1) << square);
    at.kind[kind - 1] &= ~(Word(1) << square);
}

static void put(Position &at, int side, int kind, int square) {
    at.side[side] |= Word(1) << square;
    at.kind[kind - 1] |= Word(1) << square;
}

static bool is_in_passing(const Position &at, const Move &move) {
    return move.target == at.passant && holds(of(at, at.mover, PAWN), move.source) &&
           holds(TABLES.hit[at.mover][move.source], move.target);
}

static uint8_t rights_after(uint8_t rights, int side, int square) {
    const int home = side ? 60 : 4;
    if (square == home || square == home + 3) rights &= ~(1 << 2 * side);
    if (square == home || square == home - 4) rights &= ~(2 << 2 * side);
    return rights;
}

// Plays a legal move, without what the umpire says; returns the square of a captured piece.
static int play(Position &at, const Move &move) {
    const int side = at.mover, other = 1 - side, kind = kind_on(at, move.source);
    int taken = holds(at.side[other], move.target) ? move.target : NOWHERE;
    if (kind == PAWN && taken == NOWHERE && is_in_passing(at, move)) taken = move.target + (side ? SIZE : -SIZE);
    if (taken != NOWHERE) {
        lift(at, other, kind_on(at, taken), taken);
        at.rights = rights_after(at.rights, other, taken);
    }
    lift(at, side, kind, move.source);
    put(at, side, move.kind ? move.kind : kind, move.target);
    const int far = move.target - move.source;
    if (kind == KING && (far == 2 || far == -2)) {
        lift(at, side, ROOK, far > 0 ? move.target + 1 : move.target - 2);
        put(at, side, ROOK, far > 0 ? move.target - 1 : move.target + 1);
    }
    at.rights = rights_after(at.rights, side, move.source);
    at.passant = kind == PAWN && (far == 2 * SIZE || far == -2 * SIZE) ? (move.source + move.target) / 2 : NOWHERE;
    at.quiet = kind == PAWN || taken != NOWHERE ? 0 : at.quiet + 1;
    at.turn++;
    at.tries = 0;
    at.mover = other;
    return taken;
}

// The side to move: what it may do
struct Mover {
    const Position &at;
    const int side, king;
    const Word own, others, occupied, checks;

    explicit Mover(const Position &at)
        : at(at), side(at.mover), king(lowest(of(at, at.mover, KING))), own(at.side[at.mover]),
          others(at.side[1 - at.mover]), occupied(own | others), checks(checkers(at, at.mover)) {}

    Word pawn_targets(int source) const {
        const int step = side ? -SIZE : SIZE, ahead = source + step;
        Word found = TABLES.hit[side][source] & others;
        if (!holds(occupied, ahead)) {
            found |= Word(1) << ahead;
            if (source / SIZE == (side ? 6 : 1) && !holds(occupied, ahead + step)) found |= Word(1) << (ahead + step);
        }
        if (at.passant != NOWHERE) found |= TABLES.hit[side][source] & Word(1) << at.passant;
        return found;
    }

    // Whether the king is not attacked after a move that pieces can make.
    bool is_safe(const Move &move) const {
        if (move.source == king) {
            const Word after = (occupied & ~(Word(1) << king)) | Word(1) << move.target;
            return !attackers(at, move.target, 1 - side, after);
        }
        if (!checks && !holds(TABLES.queen[king], move.source) && !is_in_passing(at, move)) return true;
        Position after = at;
        play(after, move);
        return !checkers(after, side);
    }

    bool may_castle(int far) const {
        const int home = side ? 60 : 4, step = far > 0 ? 1 : -1, rook = far > 0 ? home + 3 : home - 4;
        if (king != home || checks || !(at.rights >> (2 * side + (far < 0)) & 1) || !holds(of(at, side, ROOK), rook))
            return false;
        for (int square = home + step; square != rook; square += step)
            if (holds(occupied, square)) return false;
        for (int steps = 1; steps <= 2; steps++)
            if (attackers(at, home + steps * step, 1 - side, occupied)) return false;
        return true;
    }

    Word targets(int source, int kind) const {
        return kind == PAWN ? pawn_targets(source) : reach(kind, source, occupied) & ~own;
    }

    bool is_legal(const Move &move) const {
        if (!holds(own, move.source)) return false;
        const int kind = kind_on(at, move.source), far = move.target - move.source;
        const bool promotes = kind == PAWN && (move.target / SIZE == 0 || move.target / SIZE == SIZE - 1);
        if (promotes != (move.kind >= KNIGHT && move.kind <= QUEEN) || (!promotes && move.kind)) return false;
        if (kind == KING && (far == 2 || far == -2)) return may_castle(far);
        return holds(targets(move.source, kind), move.target) && is_safe(move);
    }

    // Calls `visit` with each legal move to some squares until it returns true; returns whether it did.
    template <class Visit> bool any_move(Word wanted, Visit visit) const {
        for (Word sources = own; sources;) {
            const int source = pop(sources), kind = kind_on(at, source);
            for (Word to = targets(source, kind) & wanted; to;) {
                Move move{source, pop(to), 0};
                if (!is_safe(move)) continue;
                if (kind == PAWN && (move.target / SIZE == 0 || move.target / SIZE == SIZE - 1)) {
                    for (move.kind = QUEEN; move.kind >= KNIGHT; move.kind--)
                        if (visit(move)) return true;
                } else if (visit(move)) {
                    return true;
                }
            }
        }
        for (int far = 2; far >= -2; far -= 4)
            if (king + far >= 0 && king + far < SQUARES && holds(wanted, king + far) && may_castle(far) &&
                visit(Move{king, king + far, 0}))
                return true;
        return false;
    }

    bool has_move() const {
        return any_move(~Word(0), [](const Move &) { return true; });
    }

    // Moves that are not blocked by own pieces; pawn captures only if the umpire has announced some.
    template <class Visit> void each_try(Visit visit) const {
        for (Word sources = own; sources;) {
            const int source = pop(sources), kind = kind_on(at, source);
            Word to;
            if (kind == PAWN) {
                const int step = side ? -SIZE : SIZE, ahead = source + step;
                to = at.tries ? TABLES.hit[side][source] & ~own : 0;
                if (!holds(own, ahead)) {
                    to |= Word(1) << ahead;
                    if (source / SIZE == (side ? 6 : 1) && !holds(own, ahead + step)) to |= Word(1) << (ahead + step);
                }
            } else {
                to = reach(kind, source, own) & ~own;
            }
            while (to) {
                Move move{source, pop(to), 0};
                if (kind == PAWN && (move.target / SIZE == 0 || move.target / SIZE == SIZE - 1))
                    for (move.kind = QUEEN; move.kind >= KNIGHT; move.kind--) visit(move);
                else
                    visit(move);
            }
        }
        const int home = side ? 60 : 4;
        if (king != home) return;
        const Word kings = Word(3) << (home + 1), queens = Word(7) << (home - 3);
        if (at.rights >> 2 * side & 1 && !(own & kings)) visit(Move{home, home + 2, 0});
        if (at.rights >> 2 * side & 2 && !(own & queens)) visit(Move{home, home - 2, 0});
    }

    // The pawn captures, of which one may be in passing.
    int count_captures(bool &in_passing) const {
        int count = 0;
        in_passing = false;
        for (Word sources = of(at, side, PAWN); sources;) {
            const int source = pop(sources);
            for (Word to = pawn_targets(source) & TABLES.hit[side][source]; to;) {
                const Move move{source, pop(to), 0};
                if (!is_safe(move)) continue;
                count++;
                in_passing |= move.target == at.passant;
            }
        }
        return count;
    }

    // The captures on a square that the umpire announced, or all other moves: the squares where they go.
    Word announced_targets(const Said &said) const {
        if (said.taken == NOWHERE) return ~others;
        if (!holds(others, said.taken) || holds(at.kind[PAWN - 1], said.taken) != bool(said.took_pawn)) return 0;
        Word found = Word(1) << said.taken;
        if (said.took_pawn && at.passant == said.taken + (side ? -SIZE : SIZE)) found |= Word(1) << at.passant;
        return found;
    }

    int checks_code() const {
        int code = 0;
        for (Word sources = checks; sources;) {
            const int source = pop(sources), column = king % SIZE, row = king / SIZE;
            const int across = source % SIZE - column, up = source / SIZE - row;
            Line line;
            if (!across) line = ON_FILE;
            else if (!up) line = ON_RANK;
            else if (across != up && across != -up) line = BY_KNIGHT;
            else {
                const int rising = column > row ? column - row : row - column;
                const int falling = column + row > 7 ? column + row - 7 : 7 - column - row;
                line = (rising < falling) == (across == up) ? LONG_DIAGONAL : SHORT_DIAGONAL;
            }
            code += 1 << 2 * line;
        }
        return code;
    }
};

// Plays a legal move; true if the umpire says the same.
static bool play_as_said(const Position &before, const Move &move, const Said &said, Position &after, bool &in_passing) {
    const bool is_pawn = said.taken != NOWHERE && holds(before.kind[PAWN - 1], said.taken);
    after = before;
    const int taken = play(after, move);
    if (taken != said.taken || (taken != NOWHERE && is_pawn != bool(said.took_pawn))) return false;
    const Mover other(after);
    if (other.checks_code() != said.checks) return false;
    after.tries = (uint8_t)other.count_captures(in_passing);
    return after.tries == said.tries;
}

static bool is_bare(const Position &at) {
    if (at.kind[PAWN - 1] | at.kind[ROOK - 1] | at.kind[QUEEN - 1]) return false;
    constexpr Word DARK = 0xaa55aa55aa55aa55u;
    const Word bishops = at.kind[BISHOP - 1], knights = at.kind[KNIGHT - 1];
    if (__builtin_popcountll(bishops | knights) <= 1) return true;
    return !knights && (!(bishops & DARK) || !(bishops & ~DARK));
}

static Word mix_bits(Word x) {
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27, x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// What must be the same for a position to count as repeated.
static Word repetition_key(const Position &at, bool in_passing) {
    Word key = mix_bits(1 + at.mover + 2 * in_passing + 4 * Word(at.rights));
    for (const Word mask : at.side) key = mix_bits(key ^ mask) + 0x9e3779b97f4a7c15u;
    for (const Word mask : at.kind) key = mix_bits(key ^ mask) + 0x9e3779b97f4a7c15u;
    return key;
}

static int find_replies(const Position &at, const Said &said, uint16_t *moves, int &tries) {
    const Mover mover(at);
    int count = 0;
    tries = 0;
    if (said.refused) {
        mover.each_try([&](const Move &move) {
            tries++;
            if (count < MOST_MOVES && !mover.is_legal(move)) moves[count++] = move.code();
        });
        return count;
    }
    mover.each_try([&](const Move &) { tries++; });
    mover.any_move(mover.announced_targets(said), [&](const Move &move) {
        Position after;
        bool in_passing;
        if (play_as_said(at, move, said, after, in_passing)) moves[count++] = move.code();
        return count == MOST_MOVES;
    });
    return count;
}

// Whether a piece of the side to move can attack a square after one move.
static bool can_attack(const Mover &mover, int square) {
    for (Word sources = mover.own & ~of(mover.at, mover.side, PAWN); sources;) {
        const int source = pop(sources), kind = kind_on(mover.at, source);
        if (reach(kind, source, mover.occupied) & ~mover.own & reach(kind, square, mover.occupied)) return true;
    }
    return false;
}

// Whether a knight of the side to move can give check after two moves.
static bool knight_is_near(const Mover &mover) {
    const Word from = TABLES.knight[lowest(of(mover.at, 1 - mover.side, KING))] & ~mover.own;
    for (Word knights = of(mover.at, mover.side, KNIGHT); knights;)
        for (Word steps = TABLES.knight[pop(knights)] & ~mover.own; steps;)
            if (TABLES.knight[pop(steps)] & from) return true;
    return false;
}

// Histories with other moves

struct Turn {
    Said said;
    int32_t own;  // the observer's own move, or -1
    int32_t over;
};

struct Random {
    Word state;
    Word bits() {
        state += 0x9e3779b97f4a7c15u;
        return mix_bits(state);
    }
    double unit() { return (bits() >> 11) * 0x1p-53; }
    int below(int count) { return (int)(bits() % (Word)count); }
};

static bool is_same(const Position &one, const Position &other) { return !__builtin_memcmp(&one, &other, sizeof one); }

// Plays a move that may not be allowed; true if it fits the turn. `codes` has the moves of all turns before.
static bool play_turn(const Position &before, const Turn *turns, const uint16_t *codes, int number, uint16_t code,
                      Integer most_turns, Integer most_quiet, Position &after) {
    const Turn &turn = turns[number];
    const Move move = decode(code);
    const Mover mover(before);
    if (turn.said.refused) {
        for (int at = number - 1; at >= 0 && turns[at].said.refused; at--)
            if (codes[at] == code) return false;
        bool tries_it = turn.own >= 0;
        if (!tries_it) mover.each_try([&](const Move &one) { tries_it |= one.code() == code; });
        if (!tries_it || mover.is_legal(move)) return false;
        after = before;
        return true;
    }
    bool in_passing;
    if (!mover.is_legal(move) || !play_as_said(before, move, turn.said, after, in_passing)) return false;
    const bool is_over =
        after.turn >= most_turns || after.quiet >= most_quiet || is_bare(after) || !Mover(after).has_move();
    return is_over == bool(turn.over);
}

// How much of a turn is true already: `fitting` for what fits, and for a piece that can be taken as announced; a part of
// it for one that can be there or take there one move later; less for each pawn capture more or fewer.
static double nearness_of(const Position &here, const Turn &turn, double fitting, double nearly) {
    const Said &said = turn.said;
    const Mover mover(here);
    if (said.refused) {
        if (turn.own >= 0) return mover.is_legal(decode((uint16_t)turn.own)) ? 1 : fitting;
        uint16_t moves[MOST_MOVES];
        int tries;
        return find_replies(here, said, moves, tries) ? fitting : 1;
    }
    double weight = 1;
    if (turn.own >= 0 && !mover.is_legal(decode((uint16_t)turn.own))) weight /= nearly;
    if (said.taken != NOWHERE) {
        const Word square = Word(1) << said.taken, targets = mover.announced_targets(said);
        const int other = 1 - mover.side;
        const Word pawns = here.kind[PAWN - 1];
        if (turn.own >= 0) {
            const Word near = attackers(here, said.taken, other, mover.occupied | square);
            const int behind = said.taken + (other ? SIZE : -SIZE);
            const bool pushes = behind >= 0 && behind < SQUARES && holds(of(here, other, PAWN), behind);
            if (targets) weight *= fitting;
            else if (said.took_pawn ? (near & pawns) || pushes : near & ~pawns & ~here.kind[KING - 1]) weight *= nearly;
        } else if (targets) {
            if (mover.any_move(targets, [](const Move &) { return true; })) weight *= fitting;
            else if (can_attack(mover, said.taken)) weight *= nearly;
        }
    }
    if (said.checks && turn.own < 0) {  // a move that gives the same checks
        if (mover.any_move(mover.announced_targets(said), [&](const Move &move) {
                Position after = here;
                play(after, move);
                return Mover(after).checks_code() == said.checks;
            }))
            weight *= fitting;
        else if (said.checks >> 2 * BY_KNIGHT & 3 && knight_is_near(mover)) weight *= nearly;
    }
    Position turned = here;
    turned.mover = 1 - here.mover;
    turned.passant = NOWHERE;
    bool in_passing;
    const int captures = Mover(turned).count_captures(in_passing), apart = captures - said.tries;
    return weight / (1 + (apart < 0 ? -apart : apart));
}

struct Changer {
    const Turn *turns;
    Integer count;  // of turns
    Integer most_turns, most_quiet;
    Random random;

    // Plays the observer's move, the old one, or one of those that fit.
    bool play_some(const Position &before, uint16_t *codes, int number, bool replaces, Position &after) {
        if (turns[number].own >= 0) codes[number] = (uint16_t)turns[number].own;
        if ((turns[number].own >= 0 || !replaces) &&
            play_turn(before, turns, codes, number, codes[number], most_turns, most_quiet, after))
            return true;
        if (turns[number].own >= 0) return false;
        uint16_t moves[MOST_MOVES];
        int tries;
        const int fitting = find_replies(before, turns[number].said, moves, tries);
        if (!fitting) return false;
        codes[number] = moves[random.below(fitting)];
        return play_turn(before, turns, codes, number, codes[number], most_turns, most_quiet, after);
    }

    // Replaces a few moves of the other; true if the history still fits and its end or a move is another.
    bool change(const Position &start, const uint16_t *old_codes, const Position *old_after, Integer length,
                uint16_t *codes, Position *after) {
        constexpr int LATE = 24, MOST_REPLACED = 4;
        int replaced[MOST_REPLACED], number_replaced = 0;
        do {
            const int from = random.bits() & 1 && length > LATE ? (int)length - LATE : 0;
            int number = from + random.below((int)length - from);
            for (int tries = 0; turns[number].own >= 0 && tries < 50; tries++) number = from + random.below((int)length - from);
            if (turns[number].own >= 0) return false;
            replaced[number_replaced++] = number;
        } while (number_replaced < MOST_REPLACED && random.bits() % 10 < 4);
        int first = replaced[0], last = replaced[0];
        for (int at = 1; at < number_replaced; at++) {
            if (replaced[at] < first) first = replaced[at];
            if (replaced[at] > last) last = replaced[at];
        }
        bool differs = false;
        for (int number = 0; number < first; number++) codes[number] = old_codes[number], after[number] = old_after[number];
        for (int number = first; number < length; number++) {
            bool replaces = false;
            for (int at = 0; at < number_replaced; at++) replaces |= replaced[at] == number;
            codes[number] = old_codes[number];
            if (!play_some(number ? after[number - 1] : start, codes, number, replaces, after[number])) return false;
            differs |= codes[number] != old_codes[number];
            if (number >= last && is_same(after[number], old_after[number])) {
                for (int rest = number + 1; rest < length; rest++) {  // the same from here on
                    codes[rest] = old_codes[rest], after[rest] = old_after[rest];
                    if (turns[rest].said.refused && !play_turn(after[rest - 1], turns, codes, rest, codes[rest], most_turns, most_quiet, after[rest]))
                        return false;
                }
                return differs;
            }
        }
        return differs;
    }
};

extern "C" {

extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// For each position the moves of the player to act after which the umpire would have said the same, in rows of
// MOST_MOVES; their number; and the number of all tries.
void ludens_kriegspiel_replies(Integer count, const Position *at, const Said *said, uint16_t *moves, int32_t *fitting,
                               int32_t *tries) {
    for (Integer number = 0; number < count; number++) {
        int all_tries;
        fitting[number] = find_replies(at[number], *said, moves + number * MOST_MOVES, all_tries);
        tries[number] = all_tries;
    }
}

// Plays a move in each position. `fits` is 0 if it is not allowed or the umpire would have said something else, 1 if the
// match goes on, and 2 if it is over, but for positions that come up again. Refused tries leave positions as they are.
void ludens_kriegspiel_play(Integer count, const Position *at, const uint16_t *moves, const Said *said, Integer is_own,
                            Integer most_turns, Integer most_quiet, Position *after, Word *keys, uint8_t *fits) {
    for (Integer number = 0; number < count; number++) {
        const Move move = decode(moves[number]);
        const Mover mover(at[number]);
        fits[number] = 0;
        if (said->refused) {
            bool tries_it = is_own;
            if (!is_own) mover.each_try([&](const Move &one) { tries_it |= one.code() == moves[number]; });
            if (!tries_it || mover.is_legal(move)) continue;
            after[number] = at[number];
            fits[number] = 1;
            continue;
        }
        bool in_passing;
        if (!mover.is_legal(move) || !play_as_said(at[number], move, *said, after[number], in_passing)) continue;
        keys[number] = repetition_key(after[number], in_passing);
        const bool is_over = after[number].turn >= most_turns || after[number].quiet >= most_quiet ||
                             is_bare(after[number]) || !Mover(after[number]).has_move();
        fits[number] = is_over ? 2 : 1;
    }
}

// How much of a turn is true in each position already.
void ludens_kriegspiel_nearness(Integer count, const Position *at, const Turn *turn, double fitting, double nearly,
                                double *found) {
    for (Integer number = 0; number < count; number++) found[number] = nearness_of(at[number], *turn, fitting, nearly);
}

// Changes histories of `length` turns step by step, each from its own start. With `goal`, one turn more follows, and
// changes are accepted by how near to it they end, until it fits. `codes` has rows of `length + 1` moves; `fits` is 1 for
// histories that fit all turns and were changed. `room` holds positions: 2 * (length + 1), and `other_codes` as many moves.
void ludens_kriegspiel_change(Integer count, const Position *starts, const Turn *turns, Integer length, Integer goal,
                              Integer steps, Integer most_turns, Integer most_quiet, Word seed, double fitting,
                              double nearly, uint16_t *codes, uint8_t *fits, Position *room, uint16_t *other_codes) {
    Changer changer{turns, length + goal, most_turns, most_quiet, {seed}};
    for (Integer number = 0; number < count; number++) {
        const Position &start = starts[number];
        uint16_t *now = codes + number * (length + 1), *next = other_codes;
        Position *after = room, *after_next = room + length + 1;
        fits[number] = 0;
        bool is_whole = true;
        for (int turn = 0; turn < length && is_whole; turn++)
            is_whole = play_turn(turn ? after[turn - 1] : start, turns, now, turn, now[turn], most_turns, most_quiet, after[turn]);
        if (!is_whole) continue;
        double near = 0;
        if (goal) near = nearness_of(after[length - 1], turns[length], fitting, nearly);
        for (Integer step = 0; step < steps; step++) {
            if (!changer.change(start, now, after, length, next, after_next)) continue;
            if (goal) {
                const double other = nearness_of(after_next[length - 1], turns[length], fitting, nearly);
                if (other < near && changer.random.unit() * near > other) continue;
                near = other;
            } else {
                fits[number] = 1;
            }
            for (Integer turn = 0; turn < length; turn++) now[turn] = next[turn], after[turn] = after_next[turn];
            if (goal && changer.play_some(after[length - 1], now, (int)length, true, after[length])) {
                fits[number] = 1;
                break;
            }
        }
    }
}

// For tests: the umpire's words about the side to move, and whether a move is legal.
Integer ludens_kriegspiel_checks(const Position *at) { return Mover(*at).checks_code(); }
Integer ludens_kriegspiel_captures(const Position *at) {
    bool in_passing;
    const int count = Mover(*at).count_captures(in_passing);
    return 2 * count + in_passing;
}
Integer ludens_kriegspiel_legal(const Position *at, uint16_t *moves) {
    Integer count = 0;
    Mover(*at).any_move(~Word(0), [&](const Move &move) {
        moves[count++] = move.code();
        return count == MOST_MOVES;
    });
    return count;
}
}
