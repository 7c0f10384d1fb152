// One step of a batch into arrays: requested moves to rows, the joint move, what holds afterwards, rows to arrays.
#include "squares.hpp"

extern "C" const char ludens_sources[] = SOURCES;

struct Entry {  // a StepEntry of lane_entry.py
    void *evaluate, *segments;
    Integer segment_count, fluents, choices, random_bits, outputs, output_rows;
};

using Run = void (*)(Row *, const Entry *, Row *, const Row *);

enum Place { FLUENTS, SEEN, PLAYED, NOWHERE };
enum Form { FLAGS, BITS, FLOATS, SIGNED };

struct Piece {  // some bits of each lane, and where they are written
    Integer form, square, shift, count;
    uint8_t *target;
    Integer stride;  // bytes from one lane to the next
};

struct Table {  // what is written: squares of 64 columns, and the pieces of each, the last square first
    Integer square_count, piece_count;
    const int32_t *places, *rows;  // of each column
    const Piece *pieces;
    uint8_t *over;     // a flag for each lane, or null
    float *rewards;    // (lanes, roles), or null
    uint8_t *illegal;  // a flag for each lane and role, or null
};

struct Task {
    Run run;
    const Entry *step, *position;
    Row *step_values, *position_values, *rng;
    Row *fluents, *nexts, *seen;
    const Row *initial, *initial_seen;
    Integer lanes, roles, restarts, at_once;
    const int32_t *moves;  // numbers (lanes, roles), -1 for a move that is drawn; or null
    const Integer *first_moves, *move_counts;
    Integer move_rows, first_goal, first_legal, first_report;
    Row *stuck, *refused;  // for each block; for each block and role
};

static const Row nothing = {};

inline Integer smaller(Integer a, Integer b) { return a < b ? a : b; }

// A word of a row, without what lies behind the first lanes.
inline Word first_of(const Row &row, Integer place, Integer lanes) {
    Integer left = lanes - place * WORD_BITS;
    return left < WORD_BITS ? ((const Word *)&row)[place] & ((1ULL << left) - 1) : ((const Word *)&row)[place];
}

// Whether one of the first lanes is set.
inline bool any_of(const Row &row, Integer lanes) {
    Word any = 0;
    for (Integer place = 0; place * WORD_BITS < lanes; place++) any |= first_of(row, place, lanes);
    return any;
}

static void blend(Row *target, const Row *yes, const Row *no, Row which, Integer rows) {
    for (Integer n = 0; n < rows; n++) target[n] = (yes[n] & which) | (no[n] & ~which);
}

static bool fit_a_square(const Task &task) { return task.move_rows + task.roles <= WORD_BITS; }

// The requested moves as rows. Few rows are built for each lane and turned; into many single bits are written.
static void put_moves(const Task &task, Row *rows, const int32_t *moves, Integer lanes) {
    Integer roles = task.roles;
    if (fit_a_square(task)) {
        Word bits[LANES], of_move[WORD_BITS + 1];
        Row square[WORD_BITS];
        memset(bits, 0, sizeof bits);
        for (Integer role = 0; role < roles; role++) {
            Integer count = task.move_counts[role];
            Word made = 1ULL << (task.move_rows + role);
            of_move[0] = 0;
            for (Integer n = 0; n < count; n++) of_move[n + 1] = made | 1ULL << (task.first_moves[role] + n);
            for (Integer lane = 0; lane < lanes; lane++) {
                Word place = (Word)(Integer)moves[lane * roles + role] + 1;
                bits[lane] |= place <= (Word)count ? of_move[place] : made;
            }
        }
        put_lanes(square, bits);
        transpose(square);
        memcpy(rows, square, (task.move_rows + roles) * sizeof(Row));
        return;
    }
    for (Integer lane = 0; lane < lanes; lane++, moves += roles)
        for (Integer role = 0; role < roles; role++) {
            Integer move = moves[role], place = lane / WORD_BITS;
            Word bit = 1ULL << lane % WORD_BITS;
            if (move != -1) rows[task.move_rows + role][place] |= bit;
            if ((Word)move < (Word)task.move_counts[role]) rows[task.first_moves[role] + move][place] |= bit;
        }
}

static void clear_moves(const Task &task, Row *rows, const int32_t *moves, Integer lanes) {
    Integer roles = task.roles;
    if (fit_a_square(task)) {
        memset(rows, 0, (task.move_rows + roles) * sizeof(Row));
        return;
    }
    memset(rows + task.move_rows, 0, roles * sizeof(Row));
    for (Integer lane = 0; lane < lanes; lane++, moves += roles)
        for (Integer role = 0; role < roles; role++)
            if ((Word)(Integer)moves[role] < (Word)task.move_counts[role])
                ((Word *)(rows + task.first_moves[role] + moves[role]))[lane / WORD_BITS] = 0;
}

// A byte for each of up to 64 bits. What the last eight bytes of a lane have too much falls on the next lanes, which
// are written afterwards; lanes at the end of the array are written byte by byte. `after` lanes come after these.
static void write_flags(const Piece &piece, const Word *bits, uint8_t *target, Integer lanes, Integer after) {
    Integer stride = piece.stride, shift = piece.shift, excess = -piece.count & 7;
    Integer bare = (excess + stride - 1) / stride - after;
    Integer whole = bare <= 0 ? lanes : bare < lanes ? lanes - bare : 0;
    if (piece.count == WORD_BITS)
        for (Integer lane = 0; lane < lanes; lane++, target += stride) {
            Flags bytes = spread(bits[lane]) & 1;
            memcpy(target, &bytes, sizeof bytes);
        }
    else if (piece.count <= 8)
        for (Integer lane = 0; lane < whole; lane += ROW_WORDS) {
            Row some;
            memcpy(&some, bits + lane, sizeof some);
            some = spread_eight(some >> shift);
            for (Integer n = 0; n < ROW_WORDS && lane + n < whole; n++, target += stride)
                memcpy(target, (Word *)&some + n, 8);
        }
    else
        for (Integer lane = 0; lane < whole; lane++, target += stride) {
            Word own = bits[lane] >> shift;
            Flags bytes = spread(own) & 1;
            for (Integer n = 0; n < piece.count; n += 8) memcpy(target + n, (uint8_t *)&bytes + n, 8);
        }
    for (Integer lane = whole; lane < lanes; lane++, target += stride)
        for (Integer n = 0; n < piece.count; n++) target[n] = bits[lane] >> (shift + n) & 1;
}

// The bits as they are; those of the last byte that are too much are zero already.
static void write_bits(const Piece &piece, const Word *bits, uint8_t *target, Integer lanes) {
    Integer bytes = (piece.count + 7) / 8, stride = piece.stride, shift = piece.shift;
    if (bytes == 8)
        for (Integer lane = 0; lane < lanes; lane++, target += stride) memcpy(target, bits + lane, 8);
    else
        for (Integer lane = 0; lane < lanes; lane++, target += stride)
            for (Integer n = 0; n < bytes; n++) target[n] = bits[lane] >> (shift + 8 * n);
}

static void write_floats(const Piece &piece, const Word *bits, uint8_t *target, Integer lanes) {
    const Quads ones = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                        1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    for (Integer lane = 0; lane < lanes; lane++, target += piece.stride) {
        Word own = bits[lane] >> piece.shift;
        for (Integer n = 0; n < piece.count; n += QUADS, own >>= QUADS) {
            Quads numbers = (Quads)(((Quads{} + (uint32_t)own) & ones) == ones) & 0x3F800000;  // 1.0, or 0
            if (n + QUADS <= piece.count)
                memcpy(target + 4 * n, &numbers, sizeof numbers);
            else
                memcpy(target + 4 * n, &numbers, 4 * (piece.count - n));
        }
    }
}

static void write_signed(const Piece &piece, const Word *bits, uint8_t *target, Integer lanes) {
    Integer above = WORD_BITS - piece.count - piece.shift, down = WORD_BITS - piece.count, stride = piece.stride;
    for (Integer lane = 0; lane < lanes; lane++, target += stride) {
        int32_t number = (Integer)(bits[lane] << above) >> down;
        memcpy(target, &number, sizeof number);
    }
}

static void write_piece(const Piece &piece, const Word *bits, Integer first, Integer lanes, Integer after) {
    uint8_t *target = piece.target + first * piece.stride;
    switch (piece.form) {
        case FLAGS: write_flags(piece, bits, target, lanes, after); break;
        case BITS: write_bits(piece, bits, target, lanes); break;
        case FLOATS: write_floats(piece, bits, target, lanes); break;
        case SIGNED: write_signed(piece, bits, target, lanes); break;
    }
}

// The goals of lanes that are over, from 0 to 1, and 0 for all others, which are most.
static void write_rewards(const Task &task, float *target, Integer lanes) {
    memset(target, 0, lanes * task.roles * sizeof(float));
    for (Integer place = 0; place * WORD_BITS < lanes; place++)
        for (Word over = first_of(task.seen[0], place, lanes); over; over &= over - 1)
            for (Integer role = 0, n = __builtin_ctzll(over); role < task.roles; role++) {
                const Row *goal = task.seen + task.first_goal + GOAL_ROWS * role;
                int32_t value = 0;
                for (Integer bit = 0; bit < GOAL_ROWS; bit++) value |= (goal[bit][place] >> n & 1) << bit;
                target[(place * WORD_BITS + n) * task.roles + role] = value / 100.0f;
            }
}

// Which requests were refused: few, if any.
static void write_illegal(const Task &task, const Row *refused, uint8_t *target, Integer lanes) {
    memset(target, 0, lanes * task.roles);
    for (Integer role = 0; role < task.roles; role++)
        for (Integer place = 0; place * WORD_BITS < lanes; place++)
            for (Word which = first_of(refused[role], place, lanes); which; which &= which - 1)
                target[(place * WORD_BITS + __builtin_ctzll(which)) * task.roles + role] = 1;
}

static void write(const Task &task, const Table &table, const Row *const *places, Integer first, Integer lanes) {
    if (table.rewards) write_rewards(task, table.rewards + first * task.roles, lanes);
    if (table.illegal) {
        const Row *refused = places[PLAYED] + task.first_report + 2;
        write_illegal(task, refused, table.illegal + first * task.roles, lanes);
    }
    if (table.over)
        for (Integer n = 0; n * WORD_BITS < lanes; n++) {
            Flags bytes = spread(((const Word *)places[SEEN])[n]) & 1;
            memcpy(table.over + first + n * WORD_BITS, &bytes, smaller(WORD_BITS, lanes - n * WORD_BITS));
        }
    Integer after = task.lanes - first - lanes;
    const Piece *piece = table.pieces, *end = piece + table.piece_count;
    for (Integer number = table.square_count; number--;) {
        Row square[WORD_BITS];
        Word bits[LANES];
        for (Integer n = 0; n < WORD_BITS; n++) {
            Integer column = number * WORD_BITS + n, place = table.places[column];
            square[n] = place == NOWHERE ? nothing : places[place][table.rows[column]];
        }
        transpose(square);
        take_lanes(square, bits);
        for (; piece < end && piece->square == number; piece++) write_piece(*piece, bits, first, lanes, after);
    }
}

// What holds in the states of a block, to `task.seen`, with every move where the match is over.
static void see(const Task &task, const Row *fluents) {
    const Entry &entry = *task.position;
    task.run(task.position_values, &entry, task.rng, fluents);  // draws nothing
    memcpy(task.seen, task.position_values + entry.outputs, entry.output_rows * sizeof(Row));
    Row over = task.seen[0];
    if (!any_of(over, LANES)) return;
    for (Integer role = 0; role < task.roles; role++) {
        Row *legal = task.seen + task.first_legal + task.first_moves[role];
        for (Integer n = 0; n < task.move_counts[role]; n++) legal[n] |= over;
    }
}

// Write what holds now.
extern "C" void ludens_write(const Task *given, const Table *table) {
    const Task &task = *given;
    Integer height = task.position->fluents;
    for (Integer first = 0, block = 0; first < task.lanes; first += LANES, block++) {
        const Row *fluents = task.fluents + block * height;
        see(task, fluents);
        const Row *places[] = {fluents, task.seen, &nothing};
        Integer lanes = smaller(LANES, task.lanes - first);
        write(task, *table, places, first, lanes);
    }
}

// Make a joint move in every lane, and write what holds afterwards; `last`, if there is one, before lanes restart.
// Returns 1 if lanes are stuck, 2 if requests are refused, 3 for both.
extern "C" Integer ludens_step(const Task *given, const Table *table, const Table *last) {
    const Task &task = *given;
    const Entry &step = *task.step;
    Integer height = step.fluents;
    Row *requests = task.step_values + step.choices + step.random_bits;
    const Row *played = task.step_values + step.outputs, *report = played + task.first_report;
    Integer faults = 0;
    for (Integer first = 0, block = 0; first < task.lanes; first += LANES, block++) {
        Integer lanes = smaller(LANES, task.lanes - first);
        const Row *fluents = task.fluents + block * height;
        Row *nexts = task.nexts + block * height;
        const int32_t *moves = task.moves ? task.moves + first * task.roles : nullptr;
        if (moves) put_moves(task, requests, moves, lanes);
        task.run(task.step_values, &step, task.rng + 2 * block, fluents);
        if (moves) clear_moves(task, requests, moves, lanes);
        blend(nexts, task.restarts ? task.initial : fluents, played, report[0], height);
        task.stuck[block] = report[1];
        faults |= any_of(report[1], lanes);
        for (Integer role = 0; role < task.roles; role++) faults |= any_of(report[2 + role], lanes) << 1;
        memcpy(task.refused + block * task.roles, report + 2, task.roles * sizeof(Row));
        see(task, nexts);
        const Row *places[] = {nexts, task.seen, played};
        Row over = task.seen[0];
        if (last) write(task, *last, places, first, lanes);
        if (task.at_once && any_of(over, LANES)) {
            blend(nexts, task.initial, nexts, over, height);
            Integer legal = task.first_legal;
            blend(task.seen + legal, task.initial_seen + legal, task.seen + legal, over, task.move_rows);
        }
        write(task, *table, places, first, lanes);
    }    return faults;
}
