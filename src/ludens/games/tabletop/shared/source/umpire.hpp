// What a side may do and try in kriegspiel, and what the umpire says.
#pragma once
#include "board.hpp"

// The umpire's word for a check from a square.
static Line line_of(int king, int source) {
    const int column = king % SIZE, row = king / SIZE, across = source % SIZE - column, up = source / SIZE - row;
    if (!across) return ON_FILE;
    if (!up) return ON_RANK;
    if (across != up && across != -up) return BY_KNIGHT;
    const int rising = column > row ? column - row : row - column;
    const int falling = column + row > 7 ? column + row - 7 : 7 - column - row;
    return (rising < falling) == (across == up) ? LONG_DIAGONAL : SHORT_DIAGONAL;
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
            code += 1 << 2 * line_of(king, pop(sources));
        }
        return code;
    }
};

// Plays a legal move; true if the umpire says the same.
static bool play_as_said(const Position &before, const Move &move, const Said &said, Position &after,
                         bool &in_passing) {
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
