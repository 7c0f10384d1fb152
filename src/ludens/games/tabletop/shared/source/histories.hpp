// Histories with other moves: near to what was perceived, and fitting in every turn.
#pragma once
#include "nearness.hpp"

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
