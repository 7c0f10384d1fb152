// The rules as code that computes blocks of states (core/block.py documents its arguments), and a round of descents.
#pragma once
#include "tree.hpp"

using Row = Word[ROW_WORDS];
using Position = Integer (*)(Word *, Integer, Word *, Row *, Row *, Integer);
using Advance = Integer (*)(Word *, Integer, Word *, Row *, Row *, Integer, Word *, Integer, int32_t *, const Integer *,
                            Integer, Integer);
using PlayOut = Integer (*)(Word *, Integer, Integer, Word *, Row *, Row *, Integer, Row *, Integer);

struct Rules {
    Position position;
    Advance advance;
    PlayOut play_out;
    Integer position_code, advance_code, play_out_code;
    Word *position_values, *advance_values;
    Row *play_out_values;
    Word *rng;
    Integer fluent_rows;
    Integer first_goal, first_legal;
    Integer first_fluent;  // where `play_out_values` has the fluents of the lanes after playouts
    Integer first_made;    // and where the lanes in which each player made each move; negative if unknown
    Integer phase_count, known_count;
    const Integer *known;  // the fluents that distinguish the phases
    const Word *present;   // their values in each phase (phases, known)
    const Integer *move_counts;
    Integer move_rows;
    const Integer *owners;  // for each chance role, the player whose moves contain its random variable; -1 if it always
                            // moves
    const uint8_t *uses;    // which of that player's moves contain the variable (roles, moves)
    const double *odds;     // the weight of each move where it is drawn
    Integer weight_count;   // fluents that the evaluation knows; 0 if playouts that are cut off are not evaluated
    const double *weights;  // what each fluent, and in the last row every position, adds to the logit of each player's
                            // share of the best goal (fluents + 1, players)
    float *network;         // evaluates for the first of two players instead of the weights; null if there is none
    Integer judges_leaves;  // whether the network values leaves instead of playouts: what comes after most moves is up to
                            // chance, and one playout says little about them
};

// Descents that are made together, and their leaves. Each array has an entry, or a row, for each descent.
struct Round {
    Row *fluents, *nexts, *position, *begins, *results;
    Word *idle;
    int32_t *joint;         // the joint move by which a descent left the tree (roles)
    int32_t *path_nodes;    // (DEEPEST + 1)
    Integer *path_edges;    // (DEEPEST + 1, roles)
    Word *path_links;       // the link of each joint move, where several choose (DEEPEST + 1)
    uint8_t *path_drawn;    // whether chance decided something after each joint move (DEEPEST + 1)
    Word *path_detours;     // the players who chose at random to explore, as bits (DEEPEST + 1)
    Integer *edges;         // scratch: one edge of each role
    double *scratch;        // scratch: as many numbers as a node has edges, twice
    Integer *active;        // the descents that have not left the tree yet
    Integer *references;    // the node whose RAVE averages a descent uses
    Integer *depths;
    Integer *parents;       // the node from which it left the tree; -1 if it stopped inside
    Integer *places;        // the edge or link by which it left; -1 if there was no room
    Integer *same;          // an earlier descent that left by the same; -1 if there is none
    Integer *nodes;         // where it is, in the end its leaf; -1 if there was no room
    uint8_t *fresh;         // whether the leaf was created in this round
    Word *states;           // of the leaf (width)
    uint8_t *ended;         // whether the leaf is terminal, or leaves nothing to play
    uint8_t *races;         // whether whoever answers first moves
    int32_t *goals;         // of the leaf, if it has ended (players)
    int32_t *legal_counts;  // (roles)
    Integer *offsets;       // where its legal moves begin in `moves`, role by role
    int32_t *moves;
    double *values;         // the value of the leaf for each player
    double *estimates;      // the evaluation of playouts that were cut off (LANES, players)
    Made *made;             // for each move: in how many of the leaf's playouts it was made, and later also whether by the
                            // descent (made_stride); null without RAVE
    Integer made_stride;
    const Integer *roots;        // where each descent begins; null if all begin at the tree's root
    int32_t *next_joint;         // the joint moves that are looked ahead (LANES, roles)
    Integer *next_edges;         // their edges (LANES)
    Integer *next_leaves;        // and the leaves that they follow (LANES)
    int32_t *won;                // the goals after a move by which the player that chooses in a new leaf gets its highest
                                 // goal at once (players); negative if there is none
};

// Chance and races that only the caller can resolve: the number of the joint move, after the players' choices.
using Resolve = Word (*)(Integer descent, Integer node, Integer depth);

struct Settings {
    Integer leaves, lanes, cutoff;
    double exploration, rave;
    Integer grave, mast;
    Integer role;
    Integer lookahead;    // whether the children of new nodes are computed at once
    double minimax;       // the share of estimates, backed up by minimax, in the choice of moves; the rest are means
    Integer is_zero_sum;  // whether the evaluation's values of two players add up to 1
    double detours;   // the share of random choices where players choose at once
    Resolve resolve;  // for races, and for trees that are open; null unless states are the caller's
};
