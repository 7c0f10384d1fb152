// Stones on a graph of points, as in Go: legal points, captures, areas, and playouts of sensible players. `make bitcode`
// compiles this file; stones.py calls it. Colours are 0 and 1, and EMPTY. A point's neighbours are near[starts[point]]
// to near[starts[point + 1] - 1].
#include <stdint.h>
#include <string.h>

using Integer = int64_t;
using Word = uint64_t;

constexpr int8_t EMPTY = -1;
constexpr Integer MOST = 512;  // points of a board

struct Board {
    Integer points;
    const int32_t *starts, *near;
    int8_t *colours;
};

struct Marks {
    int32_t mark[MOST];
    int32_t current;
    int32_t stack[MOST];

    explicit Marks(Integer points) : current(0) { memset(mark, 0, sizeof(int32_t) * (size_t)points); }
};

// True if the chain of a stone has a liberty.
static bool has_liberty(const Board &board, Marks &marks, Integer first) {
    int8_t colour = board.colours[first];
    int32_t seen = ++marks.current;
    Integer count = 0;
    marks.stack[count++] = (int32_t)first;
    marks.mark[first] = seen;
    for (Integer n = 0; n < count; n++) {
        Integer stone = marks.stack[n];
        for (int32_t i = board.starts[stone]; i < board.starts[stone + 1]; i++) {
            int32_t other = board.near[i];
            if (board.colours[other] == EMPTY) return true;
            if (board.colours[other] == colour && marks.mark[other] != seen) {
                marks.mark[other] = seen;
                marks.stack[count++] = other;
            }
        }
    }
    return false;
}

// Takes the chain of a stone off the board; its stones are left in the stack of the marks.
static Integer take_chain(const Board &board, Marks &marks, Integer first) {
    int8_t colour = board.colours[first];
    Integer count = 0;
    marks.stack[count++] = (int32_t)first;
    board.colours[first] = EMPTY;
    for (Integer n = 0; n < count; n++) {
        Integer stone = marks.stack[n];
        for (int32_t i = board.starts[stone]; i < board.starts[stone + 1]; i++) {
            int32_t other = board.near[i];
            if (board.colours[other] == colour) {
                board.colours[other] = EMPTY;
                marks.stack[count++] = other;
            }
        }
    }
    return count;
}

// Places a stone and takes chains without liberties; returns how many stones, whose points are written.
static Integer place(const Board &board, Marks &marks, Integer point, int8_t own, int32_t *taken) {
    Integer count = 0;
    board.colours[point] = own;
    for (int32_t i = board.starts[point]; i < board.starts[point + 1]; i++) {
        int32_t other = board.near[i];
        if (board.colours[other] == 1 - own && !has_liberty(board, marks, other)) {
            Integer stones = take_chain(board, marks, other);
            for (Integer n = 0; n < stones; n++) taken[count++] = marks.stack[n];
        }
    }
    return count;
}

// True if a stone on an empty point would have a liberty, after what it takes.
static bool lives(const Board &board, Marks &marks, Integer point, int8_t own) {
    bool found = false;
    for (int32_t i = board.starts[point]; i < board.starts[point + 1]; i++)
        if (board.colours[board.near[i]] == EMPTY) return true;
    board.colours[point] = own;
    for (int32_t i = board.starts[point]; i < board.starts[point + 1] && !found; i++) {
        int32_t other = board.near[i];
        found = board.colours[other] == 1 - own && !has_liberty(board, marks, other);
    }
    found = found || has_liberty(board, marks, point);
    board.colours[point] = EMPTY;
    return found;
}

// True if all neighbours are stones of one's own: an eye, or a point where a stone only takes own liberties.
static bool is_eye(const Board &board, Integer point, int8_t own) {
    for (int32_t i = board.starts[point]; i < board.starts[point + 1]; i++)
        if (board.colours[board.near[i]] != own) return false;
    return true;
}

static void count_areas(const Board &board, Marks &marks, int32_t *areas) {
    int32_t seen = ++marks.current;
    areas[0] = areas[1] = 0;
    for (Integer first = 0; first < board.points; first++) {
        if (board.colours[first] != EMPTY) {
            areas[board.colours[first]]++;
            continue;
        }
        if (marks.mark[first] == seen) continue;
        Integer count = 0, borders = 0;
        marks.stack[count++] = (int32_t)first;
        marks.mark[first] = seen;
        for (Integer n = 0; n < count; n++) {
            Integer point = marks.stack[n];
            for (int32_t i = board.starts[point]; i < board.starts[point + 1]; i++) {
                int32_t other = board.near[i];
                if (board.colours[other] != EMPTY) {
                    borders |= 1 << board.colours[other];
                } else if (marks.mark[other] != seen) {
                    marks.mark[other] = seen;
                    marks.stack[count++] = other;
                }
            }
        }
        if (borders == 1) areas[0] += (int32_t)count;
        if (borders == 2) areas[1] += (int32_t)count;
    }
}

static Word draw(Word &random) {
    random += 0x9e3779b97f4a7c15u;
    Word x = random;
    x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27, x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// A random empty point where a stone lives and that is no eye, or EMPTY; points that were tried move to the end.
static Integer sensible_point(
    const Board &board, Marks &marks, int32_t *empty, Integer count, int8_t own, Integer ko, Word &random) {
    while (count) {
        Integer number = (Integer)(((draw(random) >> 32) * (Word)count) >> 32);
        int32_t point = empty[number];
        count--;
        empty[number] = empty[count];
        empty[count] = point;
        if (point != ko && !is_eye(board, point, own) && lives(board, marks, point, own)) return count;
    }
    return -1;
}

extern "C" {

extern const char ludens_sources[];
const char ludens_sources[] = SOURCES;

// Which empty points a colour may place a stone on, repetition left aside.
void ludens_stones_legal(
    Integer points, const int32_t *starts, const int32_t *near, int8_t *colours, Integer own, uint8_t *legal) {
    Board board{points, starts, near, colours};
    Marks marks(points);
    for (Integer point = 0; point < points; point++)
        legal[point] = colours[point] == EMPTY && lives(board, marks, point, (int8_t)own);
}

// Places a stone; returns how many stones it takes.
Integer ludens_stones_place(
    Integer points, const int32_t *starts, const int32_t *near, int8_t *colours, Integer point, Integer own) {
    Board board{points, starts, near, colours};
    Marks marks(points);
    int32_t taken[MOST];
    return place(board, marks, point, (int8_t)own, taken);
}

// The points that each colour occupies or alone surrounds.
void ludens_stones_areas(
    Integer points, const int32_t *starts, const int32_t *near, int8_t *colours, int32_t *areas) {
    Board board{points, starts, near, colours};
    Marks marks(points);
    count_areas(board, marks, areas);
}

// Plays out a board so many times, until both have passed in a row or the turns are over; writes the areas of both at the
// end of each, and on which points each colour placed stones (playouts, 2, points; cleared before). Returns the number of
// turns.
Integer ludens_stones_play_out(
    Integer points, const int32_t *starts, const int32_t *near, const int8_t *colours, Integer first, Integer passes,
    Integer turns, Word random, Integer count, int32_t *areas, uint8_t *made_at) {
    int8_t own_colours[MOST];
    int32_t empty[MOST], taken[MOST];
    Board board{points, starts, near, own_colours};
    Marks marks(points);
    Integer made = 0;
    for (Integer playout = 0; playout < count; playout++) {
        memcpy(own_colours, colours, (size_t)points);
        Integer free = 0, passed = passes, ko = -1;
        int8_t own = (int8_t)first;
        for (Integer point = 0; point < points; point++)
            if (colours[point] == EMPTY) empty[free++] = (int32_t)point;
        for (Integer turn = 0; turn < turns; turn++) {
            made++;
            Integer number = sensible_point(board, marks, empty, free, own, ko, random);
            ko = -1;
            if (number < 0) {
                if (++passed >= 2) break;
            } else {
                passed = 0;
                int32_t point = empty[number];
                made_at[(2 * playout + own) * points + point] = 1;
                empty[number] = empty[--free];
                Integer stones = place(board, marks, point, own, taken);
                for (Integer n = 0; n < stones; n++) empty[free++] = taken[n];
                ko = stones == 1 ? taken[0] : -1;
            }
            own = (int8_t)(1 - own);
        }
        count_areas(board, marks, areas + 2 * playout);
    }
    return made;
}
}
