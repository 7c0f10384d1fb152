// Kriegspiel in machine code: which moves fit what the umpire said, for many positions at once. `make bitcode` compiles
// this file; kriegspiel_machine.py describes the same structures for Python.
#include "histories.hpp"

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

// Plays a move in each position. `fits` is 0 if it is not allowed or the umpire would have said something else, 1 if
// the match goes on, and 2 if it is over, but for positions that come up again. Refused tries leave positions alone.
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
    for (Integer number = 0; number < count; number++) found[number] = nearness_of(at[number], *turn, {fitting, nearly});
}

// A number for the pieces on each board: those of each kind, and the bishops on light squares.
void ludens_kriegspiel_pieces(Integer count, const Position *at, Word *found) {
    constexpr Word LIGHT = 0x55aa55aa55aa55aa;
    constexpr int BITS = 4;
    for (Integer number = 0; number < count; number++) {
        found[number] = 0;
        for (int side = 0; side < 2; side++) {
            for (int kind = PAWN; kind < KING; kind++)
                found[number] = found[number] << BITS | __builtin_popcountll(of(at[number], side, kind));
            found[number] = found[number] << BITS | __builtin_popcountll(of(at[number], side, BISHOP) & LIGHT);
        }
    }
}

// Changes histories of `length` turns step by step, each from its own start. With `goal`, one turn more follows, and
// changes are accepted by how near to it they end, until it fits. `codes` has rows of `length + 1` moves; `fits` is 1
// for histories that fit all turns and were changed. `room` has 2 * (length + 1) positions, `other_codes` a row.
void ludens_kriegspiel_change(Integer count, const Position *starts, const Turn *turns, Integer length, Integer goal,
                              Integer steps, Integer most_turns, Integer most_quiet, Word seed, double fitting,
                              double nearly, uint16_t *codes, uint8_t *fits, Position *room, uint16_t *other_codes) {
    Changer changer{turns, length, most_turns, most_quiet, {seed}};
    for (Integer number = 0; number < count; number++) {
        const Position &start = starts[number];
        uint16_t *now = codes + number * (length + 1), *next = other_codes;
        Position *after = room, *after_next = room + length + 1;
        fits[number] = 0;
        bool is_whole = true;
        for (int turn = 0; turn < length && is_whole; turn++)
            is_whole = changer.play_turn(turn ? after[turn - 1] : start, now, turn, now[turn], after[turn]);
        if (!is_whole) continue;
        double near = 0;
        if (goal) near = nearness_of(after[length - 1], turns[length], {fitting, nearly});
        for (Integer step = 0; step < steps; step++) {
            if (!changer.change(start, now, after, next, after_next)) continue;
            if (goal) {
                const double other = nearness_of(after_next[length - 1], turns[length], {fitting, nearly});
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
