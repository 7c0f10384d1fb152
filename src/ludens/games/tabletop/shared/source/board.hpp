// Chess on bitboards: positions, what pieces attack, and moves.
#pragma once
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
