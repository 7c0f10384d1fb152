// Hex War: buy an army, deploy it, and fight for hexes with dice.
#include "twin.hpp"

struct HexWar {
    // From TABLES on: cost, attack, defence, reach and speed of each unit; for each hex its column, its row, the cost
    // of entering it (0 for lakes), its cover, whether it is an objective, in whose zone it is, and its neighbours.
    enum Setting { HEXES, ROUNDS, WORTH, BUDGET, TABLES = BUDGET + 2 };
    enum Property { COST, ATTACK, DEFENCE, REACH, SPEED, PROPERTIES };
    enum Place { COLUMN, ROW, ENTRY, COVER, OBJECTIVE, ZONE, NEAR, PLACE = NEAR + 6 };
    enum Stage { BUY, DEPLOY, TURN };
    static constexpr int PLAYERS = 2, MOVES = 512, MOST_HEXES = 37, UNITS = 4, ORDERS = 3, SUPPORT = 2, STEPS = 2;
    static constexpr int REPULSED = 1, HIT = 5, ROUTED = 7, RED = 1, NOBODY = -1;
    static constexpr int BASE = 64, FIGHT = BASE * BASE, READY = 10000, END = 10001;

    struct State {
        int16_t stage, mover, round, ready, orders, used[ORDERS], lost[2], pool[2][UNITS], reserve[2][UNITS];
        int16_t unit[MOST_HEXES], steps[MOST_HEXES], held[MOST_HEXES];  // unit: 1 + kind + UNITS * player, or 0
    };

    static int players(twin::Numbers) { return 2; }

    static int of(twin::Numbers set, int kind, Property property) { return set[TABLES + PROPERTIES * kind + property]; }

    static twin::Numbers hex(twin::Numbers set, int at) { return set + TABLES + PROPERTIES * UNITS + PLACE * at; }

    static int side_of(int unit) { return unit > UNITS; }

    static int kind_of(int unit) { return (unit - 1) % UNITS; }

    static int distance(twin::Numbers set, int one, int other) {
        int across = hex(set, other)[COLUMN] - hex(set, one)[COLUMN], up = hex(set, other)[ROW] - hex(set, one)[ROW];
        int both = across + up;
        across = across < 0 ? -across : across;
        up = up < 0 ? -up : up;
        both = both < 0 ? -both : both;
        return across > up ? (across > both ? across : both) : (up > both ? up : both);
    }

    static unsigned actors(twin::Numbers, const State &state) { return state.stage == TURN ? 1u << state.mover : 3; }

    static bool is_beside_enemy(twin::Numbers set, const State &state, int at, int player) {
        for (int way = 0; way < 6; way++) {
            int other = hex(set, at)[NEAR + way];
            if (other >= 0 && state.unit[other] && side_of(state.unit[other]) != player) return true;
        }
        return false;
    }

    // The movement points left at each hex that a unit can reach; -1 elsewhere. It must stop beside an enemy.
    static void reach(twin::Numbers set, const State &state, int start, int8_t *best) {
        int pending[8 * MOST_HEXES], count = 0, player = side_of(state.unit[start]);
        memset(best, -1, MOST_HEXES);
        best[start] = (int8_t)of(set, kind_of(state.unit[start]), SPEED);
        pending[count++] = start;
        for (int n = 0; n < count; n++) {
            int here = pending[n];
            if (n && is_beside_enemy(set, state, here, player)) continue;
            for (int way = 0; way < 6; way++) {
                int there = hex(set, here)[NEAR + way];
                if (there < 0 || state.unit[there]) continue;
                int left = best[here] - hex(set, there)[ENTRY];
                if (left < 0 || left <= best[there]) continue;
                best[there] = (int8_t)left;
                pending[count++] = there;
            }
        }
    }

    static int purchases(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0, bought = 0, left = set[BUDGET + player], zone = 0;
        if (state.ready >> player & 1) {
            moves[0] = READY;
            return 1;
        }
        for (int kind = 0; kind < UNITS; kind++) {
            bought += state.reserve[player][kind];
            left -= state.reserve[player][kind] * of(set, kind, COST);
        }
        for (int at = 0; at < set[HEXES]; at++) zone += hex(set, at)[ZONE] == player;
        for (int kind = 0; kind < UNITS; kind++)
            if (state.pool[player][kind] && of(set, kind, COST) <= left && bought < zone) moves[count++] = kind;
        if (bought) moves[count++] = READY;
        return count;
    }

    static int deployments(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0;
        bool is_left = false;
        for (int kind = 0; kind < UNITS; kind++) {
            if (!state.reserve[player][kind]) continue;
            is_left = true;
            for (int at = 0; at < set[HEXES]; at++)
                if (hex(set, at)[ZONE] == player && !state.unit[at]) moves[count++] = kind * BASE + at;
        }
        if (!is_left) moves[count++] = READY;
        return count;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        if (state.stage == BUY) return purchases(set, state, player, moves);
        if (state.stage == DEPLOY) return deployments(set, state, player, moves);
        int8_t best[MOST_HEXES];
        int count = 0;
        for (int at = 0; at < set[HEXES]; at++) {
            int unit = state.unit[at];
            if (!unit || side_of(unit) != player || twin::has(state.used, state.orders, at)) continue;
            reach(set, state, at, best);
            int range = of(set, kind_of(unit), REACH);
            for (int target = 0; target < set[HEXES]; target++) {
                if (target != at && best[target] >= 0) moves[count++] = at * BASE + target;
                int other = state.unit[target];
                if (other && side_of(other) != player && distance(set, at, target) <= range)
                    moves[count++] = FIGHT + at * BASE + target;
            }
        }
        moves[count++] = END;
        return count;
    }

    static void hold(twin::Numbers set, State &state, int at, int player) {
        if (hex(set, at)[OBJECTIVE]) state.held[at] = (int16_t)player;
    }

    static void shift(twin::Numbers set, State &state, int source, int target) {
        state.unit[target] = state.unit[source];
        state.steps[target] = state.steps[source];
        state.unit[source] = state.steps[source] = 0;
        hold(set, state, target, side_of(state.unit[target]));
    }

    // A unit loses steps; without any it is destroyed.
    static bool hit(twin::Numbers set, State &state, int at, int losses) {
        state.steps[at] = (int16_t)(state.steps[at] - losses);
        if (state.steps[at] > 0) return false;
        int16_t &lost = state.lost[side_of(state.unit[at])];
        lost = (int16_t)(lost + of(set, kind_of(state.unit[at]), COST));
        state.unit[at] = state.steps[at] = 0;
        return true;
    }

    static int difference(twin::Numbers set, const State &state, int source, int target) {
        int attacker = state.unit[source], defender = state.unit[target], friends = 0;
        for (int way = 0; way < 6; way++) {
            int other = hex(set, target)[NEAR + way];
            if (other < 0 || other == source || !state.unit[other]) continue;
            friends += side_of(state.unit[other]) == side_of(attacker);
        }
        int attack = of(set, kind_of(attacker), ATTACK) - (STEPS - state.steps[source]);
        int defence = of(set, kind_of(defender), DEFENCE) - (STEPS - state.steps[target]);
        return attack + (friends < SUPPORT ? friends : SUPPORT) - defence - hex(set, target)[COVER];
    }

    // Returns the hex whose unit was used.
    static int fight(twin::Numbers set, State &state, int source, int target, int die) {
        int score = die + difference(set, state, source, target);
        bool is_near = distance(set, source, target) == 1;
        if (score <= REPULSED && is_near) {
            hit(set, state, source, 1);
            return source;
        }
        int losses = score >= ROUTED ? STEPS : score >= HIT ? 1 : 0;
        if (!losses || !hit(set, state, target, losses) || !is_near) return source;
        shift(set, state, source, target);
        return target;
    }

    static void end_turn(State &state) {
        state.round = (int16_t)(state.round + (state.mover == RED));
        state.mover = (int16_t)(1 - state.mover);
        state.orders = 0;
        memset(state.used, 0, sizeof(state.used));
    }

    // Both buy or deploy at once; a side that is ready waits for the other.
    static void prepare(twin::Numbers set, State &state, const int32_t *chosen) {
        bool is_done = false;
        for (int player = 0; player < 2; player++) {
            int move = chosen[player];
            is_done = false;
            if (move == READY) {
                state.ready = (int16_t)(state.ready | 1 << player);
                is_done = state.ready == 3;
            } else if (state.stage == BUY) {
                state.pool[player][move]--;
                state.reserve[player][move]++;
            } else if (move != twin::NONE) {
                int kind = move / BASE, at = move % BASE;
                state.reserve[player][kind]--;
                state.unit[at] = (int16_t)(1 + kind + UNITS * player);
                state.steps[at] = STEPS;
                hold(set, state, at, player);
            }
        }
        if (!is_done) return;
        state.ready = 0;
        state.stage++;
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        if (state.stage != TURN) {
            prepare(set, state, chosen);
            return twin::GOING;
        }
        int move = chosen[state.mover];
        if (move == END) {
            end_turn(state);
        } else {
            int source = move % FIGHT / BASE, target = move % BASE, used = target;
            if (move >= FIGHT) used = fight(set, state, source, target, random.die(6));
            else shift(set, state, source, target);
            state.used[state.orders++] = (int16_t)used;
            if (state.orders == ORDERS) end_turn(state);
        }
        unsigned standing = 0;
        for (int at = 0; at < set[HEXES]; at++)
            if (state.unit[at]) standing |= 1u << side_of(state.unit[at]);
        if (standing == 3 && state.round <= set[ROUNDS]) return twin::GOING;
        if (standing == 1 || standing == 2) return twin::winners(values, 2, standing);
        for (int player = 0; player < 2; player++) {
            values[player] = state.lost[1 - player];
            for (int at = 0; at < set[HEXES]; at++) values[player] += state.held[at] == player ? set[WORTH] : 0;
        }
        return twin::POINTS;
    }
};

LUDENS_TWIN(HexWar)
