// Histories with other moves: near to what was perceived, and fitting in every turn.
#pragma once
#include "umpire.hpp"

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

// How much of a turn is true already: `fitting` for what fits, and for a piece that can be taken as announced; a part
// of it for one that can be there or take there one move later; less for each pawn capture more or fewer.
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
    Integer length;  // of the histories
    Integer most_turns, most_quiet;
    Random random;

    // Plays a move that may not be allowed; true if it fits the turn. `codes` has the moves of all turns before.
    bool play_turn(const Position &before, const uint16_t *codes, int number, uint16_t code, Position &after) const {
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

    // Plays the observer's move, the old one, or one of those that fit.
    bool play_some(const Position &before, uint16_t *codes, int number, bool replaces, Position &after) {
        const bool is_own = turns[number].own >= 0;
        if (is_own) codes[number] = (uint16_t)turns[number].own;
        if ((is_own || !replaces) && play_turn(before, codes, number, codes[number], after)) return true;
        if (is_own) return false;
        uint16_t moves[MOST_MOVES];
        int tries;
        const int fitting = find_replies(before, turns[number].said, moves, tries);
        if (!fitting) return false;
        codes[number] = moves[random.below(fitting)];
        return play_turn(before, codes, number, codes[number], after);
    }

    // A turn of the other, often a late one; -1 if none was met.
    int draw_turn() {
        constexpr int LATE = 24, TRIES = 50;
        const int from = random.bits() & 1 && length > LATE ? (int)length - LATE : 0;
        for (int tries = 0; tries < TRIES; tries++) {
            const int number = from + random.below((int)length - from);
            if (turns[number].own < 0) return number;
        }
        return -1;
    }

    // Replaces a few moves of the other; true if the history still fits and is another one.
    bool change(const Position &start, const uint16_t *old_codes, const Position *old_after, uint16_t *codes,
                Position *after) {
        constexpr int MOST_REPLACED = 4;
        int replaced[MOST_REPLACED], count = 0, first = (int)length, last = -1;
        do {
            const int number = draw_turn();
            if (number < 0) return false;
            replaced[count++] = number;
            if (number < first) first = number;
            if (number > last) last = number;
        } while (count < MOST_REPLACED && random.bits() % 10 < 4);
        bool differs = false;
        for (int number = 0; number < length; number++) {
            codes[number] = old_codes[number];
            const bool is_old = number < first || (number > last && is_same(after[number - 1], old_after[number - 1]));
            if (is_old && !turns[number].said.refused) {
                after[number] = old_after[number];
                continue;
            }
            bool replaces = false;
            for (int at = 0; at < count; at++) replaces |= replaced[at] == number;
            if (!play_some(number ? after[number - 1] : start, codes, number, replaces, after[number])) return false;
            differs |= codes[number] != old_codes[number];
        }
        return differs;
    }
};
