// Shogi. Squares are numbered from 9a along each rank; pieces are their kinds, negative for White.
#include "twin.hpp"

struct Shogi {
    enum Kind { EMPTY, PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, KING, TOKIN, KINDS = 15 };
    enum Move { PLAIN = 81 * 81, DROP = 20000, WIN = 30000 };  // from * 81 + to, + PLAIN if it is promoted
    static constexpr int PLAYERS = 2, MOVES = 700, SIZE = 9, SQUARES = 81, IN_HAND = 7, NOWHERE = -1, WAYS = 8;
    static constexpr double SPREAD = 4;
    static constexpr int STEP[WAYS][2] = {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}};
    static constexpr int VALUES[KINDS] = {0, 1, 3, 3, 5, 6, 8, 10, 0, 6, 6, 6, 6, 10, 12};
    // Directions as Black sees the board, clockwise from ahead: one step, and as far as the way is free.
    static constexpr uint8_t GOLDS = 0b11010111;
    static constexpr uint8_t STEPS[KINDS] = {
        0, 0b1, 0, 0, 0b10101011, GOLDS, 0, 0, 0xff, GOLDS, GOLDS, GOLDS, GOLDS, 0b01010101, 0b10101010};
    static constexpr uint8_t SLIDES[KINDS] = {0, 0, 0b1, 0, 0, 0, 0b10101010, 0b01010101, 0, 0, 0, 0, 0, 0b10101010, 0b01010101};

    struct State {
        int16_t mover, turn, hand[2][IN_HAND], board[SQUARES];
    };

    static int players(twin::Numbers) { return 2; }

    static unsigned actors(twin::Numbers, const State &state) { return 1u << state.mover; }

    static int plain(int kind) {
        static constexpr int8_t ORIGINAL[KINDS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 6, 7};
        return ORIGINAL[kind];
    }

    static int promoted(int kind) {
        static constexpr int8_t PROMOTED[KINDS] = {0, 9, 10, 11, 12, 0, 13, 14};
        return PROMOTED[kind];
    }

    // The next square in a direction, or NOWHERE.
    static int next(int square, int way) {
        int row = square / SIZE + STEP[way][0], column = square % SIZE + STEP[way][1];
        return row < 0 || row >= SIZE || column < 0 || column >= SIZE ? NOWHERE : row * SIZE + column;
    }

    static int jump(int square, int side, int across) {
        int row = square / SIZE - 2 * side, column = square % SIZE + across;
        return row < 0 || row >= SIZE || column < 0 || column >= SIZE ? NOWHERE : row * SIZE + column;
    }

    static int turned(int way, int side) { return side > 0 ? way : (way + WAYS / 2) % WAYS; }

    static bool is_attacked(const int16_t *board, int square, int by) {
        for (int across = -1; across <= 1; across += 2) {
            int source = jump(square, -by, across);
            if (source != NOWHERE && board[source] == by * KNIGHT) return true;
        }
        for (int way = 0; way < WAYS; way++) {
            int back = turned((way + WAYS / 2) % WAYS, by);  // as the attacker goes
            bool is_near = true;
            for (int source = next(square, way); source != NOWHERE; source = next(source, way), is_near = false) {
                int piece = board[source] * by;
                if (!board[source]) continue;
                if (piece > 0 && (SLIDES[piece] >> back & 1 || (is_near && STEPS[piece] >> back & 1))) return true;
                break;
            }
        }
        return false;
    }

    static int king(const int16_t *board, int side) {
        for (int square = 0; square < SQUARES; square++)
            if (board[square] == side * KING) return square;
        return NOWHERE;
    }

    static int rank(int square, int side) { return side > 0 ? square / SIZE + 1 : SIZE - square / SIZE; }

    static int last_ranks(int kind) { return kind == KNIGHT ? 2 : kind == PAWN || kind == LANCE ? 1 : 0; }

    // Collects legal moves, up to a number of them.
    struct Moves {
        int16_t *board;
        int side, king;
        bool in_check;
        int32_t *moves;
        int count, most;

        bool is_full() const { return count >= most; }

        // True if a move does not leave the own king attacked.
        bool is_safe(int source, int target) {
            int piece = board[source], taken = board[target];
            if (source != king && !in_check && !is_on_line(source)) return true;
            board[source] = EMPTY;
            board[target] = (int16_t)piece;
            bool safe = !is_attacked(board, source == king ? target : king, -side);
            board[source] = (int16_t)piece;
            board[target] = (int16_t)taken;
            return safe;
        }

        bool is_on_line(int square) const {
            int down = square / SIZE - king / SIZE, right = square % SIZE - king % SIZE;
            return !down || !right || down == right || down == -right;
        }

        void add(int source, int target) {
            int kind = board[source] * side, ahead = rank(target, side);
            if (is_full() || !is_safe(source, target)) return;
            if (promoted(kind) && (ahead <= 3 || rank(source, side) <= 3))
                moves[count++] = source * SQUARES + target + PLAIN;
            if (ahead > last_ranks(kind)) moves[count++] = source * SQUARES + target;
        }

        void add_piece(int source) {
            int kind = board[source] * side;
            if (kind == KNIGHT)
                for (int across = -1; across <= 1; across += 2) {
                    int target = jump(source, side, across);
                    if (target != NOWHERE && board[target] * side <= 0) add(source, target);
                }
            for (int way = 0; way < WAYS; way++) {
                bool slides = SLIDES[kind] >> way & 1;
                if (!slides && !(STEPS[kind] >> way & 1)) continue;
                for (int target = next(source, turned(way, side)); target != NOWHERE;
                     target = next(target, turned(way, side))) {
                    if (board[target] * side <= 0) add(source, target);
                    if (board[target] || !slides) break;
                }
            }
        }

        void add_drops(const int16_t *hand) {
            for (int kind = PAWN; kind <= IN_HAND; kind++) {
                if (!hand[kind - 1]) continue;
                for (int target = 0; target < SQUARES && !is_full(); target++) {
                    if (board[target] || rank(target, side) <= last_ranks(kind)) continue;
                    if (in_check && !blocks(target)) continue;
                    if (kind == PAWN && !may_drop_pawn(target)) continue;
                    moves[count++] = DROP + kind * SQUARES + target;
                }
            }
        }

        bool blocks(int target) {
            board[target] = (int16_t)(side * PAWN);
            bool safe = !is_attacked(board, king, -side);
            board[target] = EMPTY;
            return safe;
        }

        // Neither is there another pawn on the file, nor does the pawn mate.
        bool may_drop_pawn(int target) {
            for (int square = target % SIZE; square < SQUARES; square += SIZE)
                if (board[square] == side * PAWN) return false;
            int before = target - SIZE * side;
            if (before < 0 || before >= SQUARES || board[before] != -side * KING) return true;
            static constexpr int16_t NONE_IN_HAND[IN_HAND] = {};
            board[target] = (int16_t)(side * PAWN);
            bool goes_on = list(board, NONE_IN_HAND, -side, nullptr, 1);
            board[target] = EMPTY;
            return goes_on;
        }
    };

    // Lists legal moves, or only looks whether there are some.
    static int list(int16_t *board, const int16_t *hand, int side, int32_t *moves, int most) {
        int32_t few[4];
        Moves found{board, side, king(board, side), false, moves ? moves : few, 0, most};
        if (found.king == NOWHERE) return 0;
        found.in_check = is_attacked(board, found.king, -side);
        for (int source = 0; source < SQUARES && !found.is_full(); source++)
            if (board[source] * side > 0) found.add_piece(source);
        if (!found.is_full()) found.add_drops(hand);
        return found.count;
    }

    // The 27-point rule.
    static bool may_declare(const State &state, int side) {
        const int16_t *board = state.board;
        int first = side > 0 ? 0 : SQUARES - 3 * SIZE, pieces = 0, points = 0;
        bool has_king = false;
        for (int square = first; square < first + 3 * SIZE; square++) {
            int kind = board[square] * side;
            if (kind <= 0) continue;
            pieces++;
            has_king |= kind == KING;
            points += plain(kind) == BISHOP || plain(kind) == ROOK ? 5 : 1;
        }
        if (!has_king || pieces <= 10 || is_attacked(board, king(board, side), -side)) return false;
        const int16_t *hand = state.hand[side < 0];
        for (int kind = PAWN; kind <= IN_HAND; kind++) points += hand[kind - 1] * (kind == BISHOP || kind == ROOK ? 5 : 1);
        return points - 1 >= (side > 0 ? 28 : 27);
    }

    static int moves(twin::Numbers, const State &state, int player, int32_t *moves) {
        int16_t board[SQUARES];
        int side = player ? -1 : 1;
        memcpy(board, state.board, sizeof(board));
        int count = list(board, state.hand[player], side, moves, MOVES - 8);
        if (may_declare(state, side)) moves[count++] = WIN;
        return count;
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        int player = state.mover, move = chosen[player], side = player ? -1 : 1;
        if (move == WIN) return twin::winners(values, 2, 1u << player);
        if (move >= DROP) {
            int kind = (move - DROP) / SQUARES;
            state.hand[player][kind - 1]--;
            state.board[(move - DROP) % SQUARES] = (int16_t)(side * kind);
        } else {
            bool promotes = move >= PLAIN;
            int source = move % PLAIN / SQUARES, target = move % PLAIN % SQUARES;
            int kind = state.board[source] * side, taken = -state.board[target] * side;
            if (taken > 0 && plain(taken) <= IN_HAND) state.hand[player][plain(taken) - 1]++;
            state.board[target] = (int16_t)(side * (promotes ? promoted(kind) : kind));
            state.board[source] = EMPTY;
        }
        state.turn++;
        state.mover = (int16_t)(1 - player);
        if (!list(state.board, state.hand[1 - player], -side, nullptr, 1)) return twin::winners(values, 2, 1u << player);
        return state.turn >= set[0] ? twin::draw(values, 2) : twin::GOING;
    }

    static void leads(twin::Numbers, const State &state, double *values) {
        int worth[2] = {};
        for (int square = 0; square < SQUARES; square++) {
            int piece = state.board[square];
            if (piece) worth[piece < 0] += VALUES[piece < 0 ? -piece : piece];
        }
        for (int player = 0; player < 2; player++) {
            for (int kind = PAWN; kind <= IN_HAND; kind++) worth[player] += state.hand[player][kind - 1] * VALUES[kind];
            values[player] = worth[player] / SPREAD;
        }
    }
};

LUDENS_TWIN(Shogi)
