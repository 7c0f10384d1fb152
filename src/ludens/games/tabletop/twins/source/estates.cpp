// Estates: a race round a board with streets to buy, build on, trade and pay rent for.
#include "twin.hpp"

struct Estates {
    // From SQUARES on, for each square its sort, price, group, and its place in the order in which streets are sold.
    enum Setting { COUNT, ROUNDS, TRADES, SQUARES };
    enum Sort { NOTHING, STREET, STATION, TAX, FATE, TO_PRISON };
    enum Property { SORT, PRICE, GROUP, ORDER, PROPERTIES };
    enum Stage { TURN, ANSWER, BUY, AUCTION };
    enum Fate { GIFT = 1, FEE, HOME, JAIL, BIRTHDAY, REPAIRS };
    enum Move { ROLL, BAIL, ACCEPT, DECLINE, PURCHASE, REFUSE, BID, BUILD = 100, OFFER = 1000, SWAP = 10000 };
    static constexpr int PLAYERS = 5, MOVES = 1024, BOARD = 24, NOBODY = -1, START = 0, PRISON = 6, GROUPS = 16;
    static constexpr int WAGES = 20, BAIL_PRICE = 15, GIFT_WORTH = 20, FEE_PRICE = 15, PRESENT = 10, REPAIR = 5;
    static constexpr int MOST_DOUBLES = 3, MOST_PRISON = 3, MOST_HOUSES = 3, BIDS = 5, OFFERS = 3;

    struct State {
        int16_t stage, mover, turn, doubles, offered, proposer, wanted, given, price, seller, sold;
        int16_t out[PLAYERS], money[PLAYERS], place[PLAYERS], prison[PLAYERS], landlord[BOARD], houses[BOARD];
    };

    static int players(twin::Numbers set) { return set[COUNT]; }

    static int of(twin::Numbers set, int square, Property property) {
        return set[SQUARES + PROPERTIES * square + property];
    }

    static bool can_be_owned(twin::Numbers set, int square) {
        return of(set, square, SORT) == STREET || of(set, square, SORT) == STATION;
    }

    static int house_price(twin::Numbers set, int square) { return of(set, square, PRICE) / 2; }

    static int offer_price(twin::Numbers set, int square, int part) {
        int price = of(set, square, PRICE);
        return part == 0 ? price : part == 1 ? price * 3 / 2 : 2 * price;
    }

    static int bid_price(twin::Numbers set, int square, int part) { return of(set, square, PRICE) * (part + 1) / 4; }

    static void add(int16_t &number, int amount) { number = (int16_t)(number + amount); }

    static unsigned actors(twin::Numbers set, const State &state) {
        if (state.stage != AUCTION) return 1u << state.mover;
        unsigned found = 0;
        for (int player = 0; player < set[COUNT]; player++) found |= (unsigned)!state.out[player] << player;
        return found;
    }

    // The squares of a group, those of them that a player owns, and the houses on them.
    struct Group {
        int size = 0, owned = 0, houses = 0, least = MOST_HOUSES;
    };

    static Group group_of(twin::Numbers set, const State &state, int square, int player) {
        Group found;
        for (int other = 0; other < BOARD; other++) {
            if (!can_be_owned(set, other) || of(set, other, GROUP) != of(set, square, GROUP)) continue;
            found.size++;
            found.owned += state.landlord[other] == player;
            found.houses += state.houses[other];
            if (state.houses[other] < found.least) found.least = state.houses[other];
        }
        return found;
    }

    static int moves(twin::Numbers set, const State &state, int player, int32_t *moves) {
        int count = 0, here = state.place[player], money = state.money[player];
        switch (state.stage) {
        case ANSWER:
            moves[0] = ACCEPT;
            moves[1] = DECLINE;
            return 2;
        case BUY:
            if (money >= of(set, here, PRICE)) moves[count++] = PURCHASE;
            moves[count++] = REFUSE;
            return count;
        case AUCTION:
            for (int part = 0; part < BIDS; part++)
                if (!part || bid_price(set, state.sold, part) <= money) moves[count++] = BID + part;
            return count;
        default: break;
        }
        moves[count++] = ROLL;
        if (state.prison[player]) {
            if (money >= BAIL_PRICE) moves[count++] = BAIL;
            return count;
        }
        for (int square = 0; square < BOARD; square++) {
            if (of(set, square, SORT) != STREET || state.landlord[square] != player) continue;
            Group group = group_of(set, state, square, player);
            bool is_next = state.houses[square] == group.least && group.least < MOST_HOUSES;
            if (group.owned == group.size && is_next && money >= house_price(set, square))
                moves[count++] = BUILD + square;
        }
        return set[TRADES] && !state.offered ? add_offers(set, state, player, moves, count) : count;
    }

    static int add_offers(twin::Numbers set, const State &state, int player, int32_t *moves, int count) {
        bool built[GROUPS] = {};
        for (int square = 0; square < BOARD; square++)
            if (state.houses[square]) built[of(set, square, GROUP)] = true;
        for (int wanted = 0; wanted < BOARD; wanted++) {
            int other = can_be_owned(set, wanted) ? state.landlord[wanted] : NOBODY;
            if (other == NOBODY || other == player || built[of(set, wanted, GROUP)]) continue;
            for (int part = 0; part < OFFERS; part++)
                if (offer_price(set, wanted, part) <= state.money[player])
                    moves[count++] = OFFER + wanted * OFFERS + part;
            for (int given = 0; given < BOARD; given++) {
                if (!can_be_owned(set, given) || state.landlord[given] != player) continue;
                if (built[of(set, given, GROUP)] || of(set, given, GROUP) == of(set, wanted, GROUP)) continue;
                moves[count++] = SWAP + wanted * BOARD + given;
            }
        }
        return count;
    }

    // Pays, selling houses and then streets to the bank for half their price; a player who cannot is bankrupt.
    static void pay(twin::Numbers set, State &state, int player, int amount, int to) {
        int cash = state.money[player];
        for (int is_street = 0; is_street < 2; is_street++)
            for (int order = 0; order < BOARD && cash < amount; order++)
                for (int square = 0; square < BOARD; square++) {
                    if (!can_be_owned(set, square) || of(set, square, ORDER) != order) continue;
                    if (state.landlord[square] != player) continue;
                    if (is_street) {
                        cash += of(set, square, PRICE) / 2;
                        state.landlord[square] = NOBODY;
                    } else {
                        cash += state.houses[square] * (house_price(set, square) / 2);
                        state.houses[square] = 0;
                    }
                }
        int paid = cash < amount ? cash : amount;
        state.money[player] = (int16_t)(cash - paid);
        if (to != NOBODY) add(state.money[to], paid);
        if (cash >= amount) return;
        state.out[player] = 1;
        state.place[player] = NOBODY;
    }

    // A double gives another turn; otherwise the next player's begins.
    static void end_turn(twin::Numbers set, State &state, int player) {
        state.stage = TURN;
        state.mover = (int16_t)player;
        if (state.doubles && !state.out[player] && !state.prison[player]) return;
        do state.mover = (int16_t)((state.mover + 1) % set[COUNT]);
        while (state.out[state.mover]);
        state.turn++;
        state.doubles = state.offered = 0;
    }

    static void arrest(twin::Numbers set, State &state, int player) {
        state.place[player] = PRISON;
        state.prison[player] = 1;
        state.doubles = 0;
        end_turn(set, state, player);
    }

    static void advance(twin::Numbers set, State &state, int player, int steps, int fate) {
        int target = state.place[player] + steps;
        state.place[player] = (int16_t)(target % BOARD);
        if (target >= BOARD) add(state.money[player], WAGES);
        int square = state.place[player];
        switch (of(set, square, SORT)) {
        case TAX: pay(set, state, player, of(set, square, PRICE), NOBODY); break;
        case TO_PRISON: arrest(set, state, player); return;
        case FATE:
            if (fate == JAIL) {
                arrest(set, state, player);
                return;
            }
            meet(set, state, player, fate);
            break;
        case STREET:
        case STATION:
            if (state.landlord[square] == NOBODY) {
                state.stage = BUY;
                state.mover = (int16_t)player;
                return;
            }
            if (state.landlord[square] != player) pay_rent(set, state, player, square);
            break;
        default: break;
        }
        end_turn(set, state, player);
    }

    static void pay_rent(twin::Numbers set, State &state, int player, int square) {
        static constexpr int TIMES[MOST_HOUSES + 1] = {1, 4, 8, 14};
        int owner = state.landlord[square], houses = state.houses[square];
        Group group = group_of(set, state, square, owner);
        int base = of(set, square, PRICE) / 10, rent;
        if (of(set, square, SORT) == STATION) {
            rent = group.owned == 1 ? 10 : 25;
        } else {
            rent = (base > 1 ? base : 1) * TIMES[houses];
            if (group.owned == group.size && !houses) rent *= 2;
        }
        pay(set, state, player, rent, owner);
    }

    static void meet(twin::Numbers set, State &state, int player, int fate) {
        int houses = 0;
        switch (fate) {
        case GIFT: add(state.money[player], GIFT_WORTH); break;
        case FEE: pay(set, state, player, FEE_PRICE, NOBODY); break;
        case HOME:
            state.place[player] = START;
            add(state.money[player], WAGES);
            break;
        case BIRTHDAY:
            for (int other = 0; other < set[COUNT]; other++) {
                if (other == player || state.out[other]) continue;
                int gift = state.money[other] < PRESENT ? state.money[other] : PRESENT;
                add(state.money[other], -gift);
                add(state.money[player], gift);
            }
            break;
        default:
            for (int square = 0; square < BOARD; square++)
                if (state.landlord[square] == player) houses += state.houses[square];
            pay(set, state, player, REPAIR * houses, NOBODY);
        }
    }

    static void roll(twin::Numbers set, State &state, int player, bool bails, twin::Random &random) {
        int one = random.die(6), two = random.die(6), fate = random.die(REPAIRS);
        if (bails) {
            state.prison[player] = 0;
            add(state.money[player], -BAIL_PRICE);
        } else if (state.prison[player]) {
            if (one != two && state.prison[player] < MOST_PRISON) {
                state.prison[player]++;
                end_turn(set, state, player);
                return;
            }
            state.prison[player] = 0;
            if (one != two) pay(set, state, player, BAIL_PRICE, NOBODY);
            if (state.out[player]) {
                end_turn(set, state, player);
                return;
            }
        } else {
            int doubles = one == two ? state.doubles + 1 : 0;
            if (doubles == MOST_DOUBLES) {
                arrest(set, state, player);
                return;
            }
            state.doubles = (int16_t)doubles;
        }
        advance(set, state, player, one + two, fate);
    }

    static void propose(State &state, int player, int wanted, int given, int price) {
        state.proposer = (int16_t)player;
        state.wanted = (int16_t)wanted;
        state.given = (int16_t)given;
        state.price = (int16_t)price;
        state.offered = 1;
        state.stage = ANSWER;
        state.mover = state.landlord[wanted];
    }

    static void answer(State &state, int player, bool accepts) {
        int other = state.proposer;
        if (accepts) {
            state.landlord[state.wanted] = (int16_t)other;
            if (state.given != NOBODY) state.landlord[state.given] = (int16_t)player;
            add(state.money[player], state.price);
            add(state.money[other], -state.price);
        }
        state.proposer = state.wanted = state.given = NOBODY;
        state.price = 0;
        state.stage = TURN;
        state.mover = (int16_t)other;
    }

    static void auction(twin::Numbers set, State &state, const int32_t *chosen) {
        int winner = NOBODY, best = -1, seller = state.seller, square = state.sold;
        for (int steps = 0; steps < set[COUNT]; steps++) {
            int player = (seller + steps) % set[COUNT];
            if (state.out[player]) continue;
            int part = chosen[player] - BID, amount = part > 0 ? bid_price(set, square, part) : 0;
            if (amount > best) {
                best = amount;
                winner = player;
            }
        }
        if (best > 0) {
            state.landlord[square] = (int16_t)winner;
            add(state.money[winner], -best);
        }
        state.seller = state.sold = NOBODY;
        end_turn(set, state, seller);
    }

    static twin::End play(
        twin::Numbers set, State &state, const int32_t *chosen, twin::Random &random, double *values
    ) {
        if (state.stage == AUCTION) {
            auction(set, state, chosen);
        } else {
            int player = state.mover, move = chosen[player], here = state.place[player];
            if (move >= SWAP) propose(state, player, (move - SWAP) / BOARD, (move - SWAP) % BOARD, 0);
            else if (move >= OFFER) offer(set, state, player, move - OFFER);
            else if (move >= BUILD) build(set, state, player, move - BUILD);
            else if (move == PURCHASE) {
                state.landlord[here] = (int16_t)player;
                add(state.money[player], -of(set, here, PRICE));
                end_turn(set, state, player);
            } else if (move == REFUSE) {
                state.seller = (int16_t)player;
                state.sold = (int16_t)here;
                state.stage = AUCTION;
                state.mover = 0;
            } else if (move == ACCEPT || move == DECLINE) {
                answer(state, player, move == ACCEPT);
            } else {
                roll(set, state, player, move == BAIL, random);
            }
        }
        int active = 0;
        for (int player = 0; player < set[COUNT]; player++) active += !state.out[player];
        if (active > 1 && state.turn < set[ROUNDS] * set[COUNT]) return twin::GOING;
        for (int player = 0; player < set[COUNT]; player++) values[player] = wealth(set, state, player);
        return twin::POINTS;
    }

    static void offer(twin::Numbers set, State &state, int player, int number) {
        propose(state, player, number / OFFERS, NOBODY, offer_price(set, number / OFFERS, number % OFFERS));
    }

    static void build(twin::Numbers set, State &state, int player, int square) {
        state.houses[square]++;
        add(state.money[player], -house_price(set, square));
    }

    static int wealth(twin::Numbers set, const State &state, int player) {
        if (state.out[player]) return 0;
        int found = state.money[player];
        for (int square = 0; square < BOARD; square++)
            if (can_be_owned(set, square) && state.landlord[square] == player)
                found += of(set, square, PRICE) + state.houses[square] * house_price(set, square);
        return found;
    }
};

LUDENS_TWIN(Estates)
