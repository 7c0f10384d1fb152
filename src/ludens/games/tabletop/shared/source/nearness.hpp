// How much of a turn is true in a position already: what the search for a history that fits climbs towards.
#pragma once
#include "umpire.hpp"

struct Turn {
    Said said;
    int32_t own;  // the observer's own move, or -1
    int32_t over;
};

// The weights of what is true, and of what can be true one move later.
struct Weights {
    double fitting, nearly;
};

// The squares that a line or a step leads over, without both ends; none for a knight's move.
static Word between(int source, int target) {
    for (int direction = 0; direction < 8; direction++)
        if (holds(TABLES.ray[direction][source], target))
            return TABLES.ray[direction][source] & ~TABLES.ray[direction][target] & ~(Word(1) << target);
    return 0;
}

// Whether a piece of the side to move can attack a square after one move.
static bool can_attack(const Mover &mover, int square) {
    for (Word sources = mover.own & ~of(mover.at, mover.side, PAWN); sources;) {
        const int source = pop(sources), kind = kind_on(mover.at, source);
        if (reach(kind, source, mover.occupied) & ~mover.own & reach(kind, square, mover.occupied)) return true;
    }
    return false;
}

// Whether a piece of the side to move can give a check of the announced directions after two moves.
static bool can_check_soon(const Mover &mover, int checks) {
    const int king = lowest(of(mover.at, 1 - mover.side, KING));
    Word from[SHORT_DIAGONAL + 1] = {};
    for (Word seen = reach(QUEEN, king, mover.occupied) | TABLES.knight[king]; seen;) {
        const int square = pop(seen);
        from[line_of(king, square)] |= Word(1) << square;
    }
    for (Word sources = mover.own & ~of(mover.at, mover.side, PAWN) & ~of(mover.at, mover.side, KING); sources;) {
        const int source = pop(sources), kind = kind_on(mover.at, source);
        Word wanted = 0;
        for (int line = ON_FILE; line <= SHORT_DIAGONAL; line++) {
            const bool gives = line == BY_KNIGHT ? kind == KNIGHT
                               : line < BY_KNIGHT ? kind == ROOK || kind == QUEEN
                                                  : kind == BISHOP || kind == QUEEN;
            if (gives && (checks >> 2 * line & 3)) wanted |= from[line];
        }
        wanted &= ~mover.own;
        if (!wanted) continue;
        for (Word steps = reach(kind, source, mover.occupied) & ~mover.own; steps;)
            if (reach(kind, pop(steps), mover.occupied) & wanted) return true;
    }
    return false;
}

static Position turned(const Position &here) {
    Position found = here;
    found.mover = 1 - here.mover;
    found.passant = NOWHERE;
    return found;
}

// The moves of a pawn to a square, about: steps ahead, and one for each file between; 0 if no pawn can come there.
static int pawn_distance(const Position &here, int side, int square) {
    int least = 0;
    for (Word pawns = of(here, side, PAWN); pawns;) {
        const int pawn = pop(pawns), ahead = (square / SIZE - pawn / SIZE) * (side ? -1 : 1);
        const int across = square % SIZE - pawn % SIZE, steps = across < 0 ? -across : across;
        if (ahead < steps || (!ahead && !steps)) continue;
        const int distance = ahead + steps;
        if (!least || distance < least) least = distance;
    }
    return least;
}

// A weight between 1 and `nearly` for what needs so many moves.
static double after_moves(int moves, const Weights &weights) { return 1 + (weights.nearly - 1) / moves; }

// A try that was refused: it fits if it is not legal.
static double refusal_nearness(const Mover &mover, const Move &move, const Weights &weights) {
    if (!mover.is_legal(move)) return weights.fitting;
    const Position other = turned(mover.at);
    const Mover others(other);
    const int kind = kind_on(mover.at, move.source);
    if (kind == KING) return can_attack(others, move.target) ? weights.nearly : 1;
    Word path = between(move.source, move.target);
    if (kind == PAWN) path |= Word(1) << move.target;
    return others.any_move(path, [](const Move &) { return true; }) ? weights.nearly : 1;
}

// The king must be where the move gives the announced checks.
static double check_nearness(const Mover &mover, const Move &move, const Said &said, const Weights &weights) {
    Position after = mover.at;
    play(after, move);
    if (Mover(after).checks_code() == said.checks) return said.checks ? weights.fitting : 1;
    if (!said.checks) return 1 / weights.nearly;
    const int side = after.mover, king = lowest(of(after, side, KING));
    lift(after, side, KING, king);
    int least = SIZE;
    for (Word squares = ~all(after); squares;) {
        const int square = pop(squares);
        int across = square % SIZE - king % SIZE, up = square / SIZE - king / SIZE;
        if (across < 0) across = -across;
        if (up < 0) up = -up;
        const int distance = across > up ? across : up;
        if (distance >= least || !distance) continue;
        put(after, side, KING, square);
        if (Mover(after).checks_code() == said.checks) least = distance;
        lift(after, side, KING, square);
    }
    return least < SIZE ? after_moves(least, weights) : 1;
}

// A piece must be there to be taken by the observer's move.
static double victim_nearness(const Mover &mover, const Said &said, const Weights &weights) {
    if (mover.announced_targets(said)) return weights.fitting;
    const int other = 1 - mover.side;
    if (said.took_pawn) {
        const int distance = pawn_distance(mover.at, other, said.taken);
        return distance ? after_moves(distance, weights) : 1;
    }
    const Word square = Word(1) << said.taken, unfit = mover.at.kind[PAWN - 1] | mover.at.kind[KING - 1];
    if (attackers(mover.at, said.taken, other, mover.occupied | square) & ~unfit) return weights.nearly;
    const Position before = turned(mover.at);
    return can_attack(Mover(before), said.taken) ? after_moves(2, weights) : 1;
}

// The observer's own move: it must be legal, take what was announced and give the announced checks.
static double own_nearness(const Mover &mover, const Move &move, const Said &said, const Weights &weights) {
    double weight = said.taken == NOWHERE ? 1 : victim_nearness(mover, said, weights);
    Word blockers = between(move.source, move.target);
    if (said.taken == NOWHERE) blockers |= Word(1) << move.target;
    blockers &= mover.others;
    if (!blockers) weight *= check_nearness(mover, move, said, weights);
    if (mover.is_legal(move)) return weight;
    weight /= weights.nearly;
    for (; blockers; pop(blockers)) weight /= weights.nearly;
    return weight;
}

// A move of the other: a capture on a square, or checks.
static double other_nearness(const Mover &mover, const Said &said, const Weights &weights) {
    double weight = 1;
    const Word targets = mover.announced_targets(said);
    if (said.taken != NOWHERE && targets) {
        if (mover.any_move(targets, [](const Move &) { return true; })) weight *= weights.fitting;
        else if (can_attack(mover, said.taken)) weight *= weights.nearly;
    }
    if (!said.checks) return weight;
    const bool gives = mover.any_move(targets, [&](const Move &move) {
        Position after = mover.at;
        play(after, move);
        return Mover(after).checks_code() == said.checks;
    });
    if (gives) return weight * weights.fitting;
    return can_check_soon(mover, said.checks) ? weight * weights.nearly : weight;
}

// `fitting` for each thing that is true, less for what can be true later, less for each pawn capture more or fewer.
static double nearness_of(const Position &here, const Turn &turn, const Weights &weights) {
    const Said &said = turn.said;
    const Mover mover(here);
    if (said.refused) {
        if (turn.own >= 0) return refusal_nearness(mover, decode((uint16_t)turn.own), weights);
        uint16_t moves[MOST_MOVES];
        int tries;
        return find_replies(here, said, moves, tries) ? weights.fitting : 1;
    }
    const double weight = turn.own >= 0 ? own_nearness(mover, decode((uint16_t)turn.own), said, weights)
                                        : other_nearness(mover, said, weights);
    bool in_passing;
    const int apart = Mover(turned(here)).count_captures(in_passing) - said.tries;
    return weight / (1 + (apart < 0 ? -apart : apart));
}
