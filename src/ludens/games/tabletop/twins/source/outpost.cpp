// Outpost: real time in ticks; both give an order in each.
#include "twin.hpp"

struct Outpost {
    // From TABLES on: cost, ticks, health and maximum of each kind of unit; for each cell its neighbours and what it
    // yields; the cells of both bases; the cell of each site, and the distance of each cell from each site.
    enum Setting { TICKS, CELLS, TABLES };
    enum Property { COST, TIME, HEALTH, MOST, PROPERTIES };
    enum Kind { WORKER, SOLDIER, BASE, KINDS };
    static constexpr int PLAYERS = 2, MOVES = 128, MOST_CELLS = 40, UNITS = 11, NEAR = 4, SITES = 9;
    static constexpr int WAIT = 0, TRAIN = 1, SEND = 16, NOWHERE = -1;
    static constexpr double SPREAD = 8;

    struct State {
        int16_t tick, crystals[2], training[2], left[2];  // training: 1 + kind, or 0
        int16_t camp_size[2], camp[2][UNITS];
        int16_t cell[2 * UNITS], health[2 * UNITS], goal[2 * UNITS];
    };

    using Map = int16_t[MOST_CELLS];  // the unit in each cell, or NOWHERE

    static int players(twin::Numbers) { return 2; }

    static unsigned actors(twin::Numbers, const State &) { return 3; }

    static int of(twin::Numbers set, int kind, Property property) { return set[TABLES + PROPERTIES * kind + property]; }

    static twin::Numbers near(twin::Numbers set, int cell) {
        return set + TABLES + PROPERTIES * int(KINDS) + (NEAR + 1) * cell;
    }

    static int yield(twin::Numbers set, int cell) { return near(set, cell)[NEAR]; }

    static int base(twin::Numbers set, int player) { return near(set, set[CELLS])[player]; }

    static int site(twin::Numbers set, int number) { return near(set, set[CELLS])[2 + number]; }

    static int distance(twin::Numbers set, int number, int cell) {
        return near(set, set[CELLS])[2 + SITES + number * set[CELLS] + cell];
    }

    // Units are workers, soldiers and the base, in this order.
    static int kind(twin::Numbers set, int unit) {
        int number = unit % UNITS, workers = of(set, WORKER, MOST);
        return number < workers ? WORKER : number < workers + of(set, SOLDIER, MOST) ? SOLDIER : BASE;
    }

    static void draw_map(twin::Numbers set, const State &state, Map &map) {
        for (int cell = 0; cell < set[CELLS]; cell++) map[cell] = NOWHERE;
        for (int unit = 0; unit < 2 * UNITS; unit++)
            if (state.cell[unit] != NOWHERE) map[state.cell[unit]] = (int16_t)unit;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0, there[KINDS] = {};
        moves[count++] = WAIT;
        for (int unit = player * UNITS; unit < (player + 1) * UNITS; unit++) {
            if (state.cell[unit] == NOWHERE) continue;
            int sort = kind(set, unit);
            there[sort]++;
            if (sort == BASE) continue;
            for (int number = 0; number < SITES; number++) {
                bool is_there = state.goal[unit] == NOWHERE ? site(set, number) == state.cell[unit]
                                                            : number == state.goal[unit];
                if (!is_there) moves[count++] = SEND * (1 + unit % UNITS) + number;
            }
        }
        if (!state.training[player])
            for (int sort = WORKER; sort <= SOLDIER; sort++)
                if (of(set, sort, COST) <= state.crystals[player] && there[sort] < of(set, sort, MOST))
                    moves[count++] = TRAIN + sort;
        return count;
    }

    static void order(twin::Numbers set, State &state, int player, int move) {
        if (move >= SEND) {
            state.goal[player * UNITS + move / SEND - 1] = (int16_t)(move % SEND);
        } else if (move != WAIT) {
            int sort = move - TRAIN;
            state.crystals[player] = (int16_t)(state.crystals[player] - of(set, sort, COST));
            state.training[player] = (int16_t)(sort + 1);
            state.left[player] = (int16_t)of(set, sort, TIME);
        }
    }

    // Every unit takes a step towards its target, unless another wants the same free cell.
    static void march(twin::Numbers set, State &state) {
        Map map, wishes;
        int16_t wanted[MOST_CELLS] = {};
        draw_map(set, state, map);
        for (int unit = 0; unit < 2 * UNITS; unit++) {
            int goal = state.goal[unit], cell = state.cell[unit];
            if (cell == NOWHERE || goal == NOWHERE || kind(set, unit) == BASE) continue;
            for (int way = 0; way < NEAR; way++) {
                int other = near(set, cell)[way];
                if (other < 0 || map[other] != NOWHERE) continue;
                if (distance(set, goal, other) >= distance(set, goal, cell)) continue;
                wishes[other] = (int16_t)unit;
                wanted[other]++;
                break;
            }
        }
        for (int cell = 0; cell < set[CELLS]; cell++)
            if (wanted[cell] == 1) state.cell[wishes[cell]] = (int16_t)cell;
    }

    // The target of a soldier: soldiers first, then workers, then the base; the weakest first.
    static int target(twin::Numbers set, const State &state, const Map &map, int soldier) {
        int best = NOWHERE, least = 0;
        for (int way = 0; way < NEAR; way++) {
            int cell = near(set, state.cell[soldier])[way], unit = cell < 0 ? NOWHERE : map[cell];
            if (unit == NOWHERE || unit / UNITS == soldier / UNITS) continue;
            int sort = kind(set, unit), order = sort == SOLDIER ? 0 : sort == WORKER ? 1 : 2;
            int rank = (order * 100 + state.health[unit]) * 100 + unit;
            if (best == NOWHERE || rank < least) {
                best = unit;
                least = rank;
            }
        }
        return best;
    }

    static void strike(twin::Numbers set, State &state) {
        Map map;
        int16_t hits[2 * UNITS] = {}, hit[2 * UNITS];
        int count = 0;
        draw_map(set, state, map);
        for (int cell = 0; cell < set[CELLS]; cell++) {
            int unit = map[cell];
            if (unit == NOWHERE || kind(set, unit) != SOLDIER) continue;
            int other = target(set, state, map, unit);
            if (other != NOWHERE && !hits[other]++) hit[count++] = (int16_t)other;
        }
        for (int n = 0; n < count; n++) {
            int unit = hit[n], player = unit / UNITS;
            state.health[unit] = (int16_t)(state.health[unit] - hits[unit]);
            if (state.health[unit] > 0) continue;
            state.health[unit] = 0;
            state.cell[unit] = state.goal[unit] = NOWHERE;
            state.camp[player][state.camp_size[player]++] = (int16_t)unit;
        }
    }

    static void gather(twin::Numbers set, State &state) {
        for (int unit = 0; unit < 2 * UNITS; unit++)
            if (state.cell[unit] != NOWHERE && kind(set, unit) == WORKER) {
                int16_t &crystals = state.crystals[unit / UNITS];
                crystals = (int16_t)(crystals + yield(set, state.cell[unit]));
            }
    }

    // Trained units leave the base as soon as there is a free cell beside it.
    static void finish(twin::Numbers set, State &state) {
        Map map;
        draw_map(set, state, map);
        for (int player = 0; player < 2; player++) {
            if (!state.training[player]) continue;
            int left = state.left[player] - 1, free = NOWHERE, sort = state.training[player] - 1;
            for (int way = NEAR - 1; way >= 0; way--) {
                int cell = near(set, base(set, player))[way];
                if (cell >= 0 && map[cell] == NOWHERE) free = cell;
            }
            if (left > 0 || free == NOWHERE) {
                state.left[player] = (int16_t)(left > 1 ? left : 1);
                continue;
            }
            int n = 0;
            while (kind(set, state.camp[player][n]) != sort) n++;
            int unit = state.camp[player][n];
            twin::take(state.camp[player], state.camp_size[player], unit);
            state.cell[unit] = (int16_t)free;
            state.health[unit] = (int16_t)of(set, sort, HEALTH);
            state.goal[unit] = NOWHERE;
            state.training[player] = state.left[player] = 0;
        }
    }

    static twin::End play(twin::Numbers set, State &state, const int32_t *chosen, twin::Random &, double *values) {
        for (int player = 0; player < 2; player++)
            if (chosen[player] != twin::NONE) order(set, state, player, chosen[player]);
        state.tick++;
        march(set, state);
        strike(set, state);
        gather(set, state);
        finish(set, state);
        unsigned standing = 0;
        for (int player = 0; player < 2; player++)
            standing |= (unsigned)(state.cell[player * UNITS + UNITS - 1] != NOWHERE) << player;
        if (standing == 3 && state.tick < set[TICKS]) return twin::GOING;
        if (standing == 1 || standing == 2) return twin::winners(values, 2, standing);
        for (int player = 0; player < 2; player++) values[player] = worth(set, state, player);
        return twin::POINTS;
    }

    static int worth(twin::Numbers set, const State &state, int player) {
        int found = state.crystals[player];
        for (int unit = player * UNITS; unit < (player + 1) * UNITS; unit++) {
            if (state.cell[unit] == NOWHERE) continue;
            int sort = kind(set, unit);
            found += of(set, sort, COST) + (sort == BASE ? 10 * state.health[unit] : 0);
        }
        return found;
    }

    static void leads(twin::Numbers set, const State &state, double *values) {
        for (int player = 0; player < 2; player++) values[player] = worth(set, state, player) / SPREAD;
    }
};

LUDENS_TWIN(Outpost)
