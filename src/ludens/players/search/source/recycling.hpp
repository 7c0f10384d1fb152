// Make room in a full tree: drop nodes not below the root, then those with the fewest visits.
#pragma once
#include <stdlib.h>

#include "backup.hpp"

// Memory for the duration of a call.
template <typename Item> struct Scratch {
    Item *items;
    explicit Scratch(Integer count, bool cleared = false)
        : items((Item *)malloc((size_t)most(1, count) * sizeof(Item))) {
        if (items && cleared) memset(items, 0xff, (size_t)count * sizeof(Item));
    }
    ~Scratch() { free(items); }
    Item &operator[](Integer n) { return items[n]; }
};

struct Kept {
    Integer nodes, edges, links;
};

// Nodes that lack edges for want of room are dropped, so that they are created again.
inline bool is_kept(const Tree &tree, Integer node, Integer least_visits) {
    Head head(tree, node);
    return head.visits() >= least_visits && (head.first() >= 0 || head.is_settled());
}

// Mark what is kept in `places`, where all that is dropped has -1.
inline Kept mark(const Tree &tree, Integer least_visits, int32_t *places, int32_t *stack, int32_t *link_first,
                 int32_t *link_next) {
    memset(places, 0xff, (size_t)tree.nodes * sizeof(int32_t));
    Kept kept = {0, 0, 0};
    Integer height = 0;
    auto push = [&](Integer node) {
        if (places[node] >= 0) return;
        places[node] = 0;
        stack[height++] = (int32_t)node;
    };
    push(tree.root);
    while (height) {
        Integer node = stack[--height];
        kept.nodes++;
        Head head(tree, node);
        if (head.first() < 0) continue;
        Integer count = head.edges();
        kept.edges += count;
        for (Integer edge = head.first(); edge < head.first() + count; edge++) {
            Integer child = tree.edges[edge].child;
            if (child >= 0 && is_kept(tree, child, least_visits)) push(child);
        }
        for (Integer place = link_first[node]; place >= 0; place = link_next[place]) {
            Integer child = tree.link_children[place];
            bool is_apart = child < 0 && tree.link_means;
            if (is_apart || (child >= 0 && (child == tree.root || is_kept(tree, child, least_visits)))) {
                kept.links++;
                if (child >= 0) push(child);
            }
        }
    }
    return kept;
}

// Close the gaps. Edges lie in the order of their nodes, so that moving them one by one overwrites nothing.
inline void move_down(Tree &tree, int32_t *places) {
    Integer to = 0, edge_to = 0, stride = tree.players + 1;
    for (Integer node = 0; node < tree.nodes; node++) {
        if (places[node] < 0) continue;
        places[node] = (int32_t)to;
        memmove(tree.states + to * tree.width, tree.states + node * tree.width, (size_t)tree.width * sizeof(Word));
        memmove(Head(tree, to).at, Head(tree, node).at, (size_t)tree.head_size * sizeof(int32_t));
        if (tree.means)
            memmove(tree.means + to * stride, tree.means + node * stride, (size_t)stride * sizeof(double));
        Head head(tree, to++);
        Integer first = head.first();
        if (first < 0) continue;
        Integer count = head.edges();
        head.first() = (int32_t)edge_to;
        memmove(tree.edges + edge_to, tree.edges + first, (size_t)count * sizeof(Edge));
        if (tree.amaf) memmove(tree.amaf + edge_to, tree.amaf + first, (size_t)count * sizeof(Made));
        if (tree.mixes) memmove(tree.mixes + edge_to, tree.mixes + first, (size_t)count * sizeof(Mix));
        if (tree.priors) memmove(tree.priors + edge_to, tree.priors + first, (size_t)count * sizeof(float));
        if (tree.estimates)
            memmove(tree.estimates + edge_to, tree.estimates + first, (size_t)count * sizeof(float));
        edge_to += count;
    }
    tree.root = places[tree.root];
    tree.nodes = to;
    tree.edge_count = edge_to;
    for (Integer edge = 0; edge < edge_to; edge++) {
        int32_t &child = tree.edges[edge].child;
        if (child >= 0) child = places[child];
    }
}

// Copy the links to a new table, with the new numbers of their nodes.
inline bool relink(Tree &tree, const int32_t *places) {
    Integer stride = tree.link_means ? tree.players + 1 : 0;
    Scratch<int32_t> nodes(tree.link_room), children(tree.link_room);
    Scratch<Word> joints(tree.link_room);
    Scratch<double> sums(tree.link_room * stride);
    if (!nodes.items || !children.items || !joints.items || !sums.items) return false;
    memcpy(nodes.items, tree.link_nodes, (size_t)tree.link_room * sizeof(int32_t));
    memcpy(children.items, tree.link_children, (size_t)tree.link_room * sizeof(int32_t));
    memcpy(joints.items, tree.link_joints, (size_t)tree.link_room * sizeof(Word));
    if (stride) memcpy(sums.items, tree.link_means, (size_t)(tree.link_room * stride) * sizeof(double));
    memset(tree.link_nodes, 0, (size_t)tree.link_room * sizeof(int32_t));
    tree.links = 0;
    for (Integer place = 0; place < tree.link_room; place++) {
        if (!nodes[place] || (children[place] < 0 && !stride)) continue;
        Integer node = places[nodes[place] - 1];
        Integer child = children[place] < 0 ? NOTHING : places[children[place]];
        // A joint move whose child was dropped keeps its mean value.
        if (node < 0 || (child < 0 && !stride)) continue;
        Integer to = make_link(tree, node, joints[place]);
        if (to < 0) break;
        tree.link_children[to] = (int32_t)child;
        if (stride) memcpy(tree.link_means + to * stride, sums.items + place * stride, (size_t)stride * sizeof(double));
    }
    return true;
}

// Keep the most visited nodes below the root, so that half of the room is free. Without memory to do so, the tree is
// emptied; the root is then missing.
inline void make_room(Tree &tree) {
    Scratch<int32_t> places(tree.nodes), stack(tree.nodes), link_first(tree.nodes, true), link_next(tree.link_room);
    bool done = places.items && stack.items && link_first.items && link_next.items;
    if (done) {
        for (Integer place = 0; place < tree.link_room; place++) {
            if (!tree.link_nodes[place]) continue;
            Integer node = tree.link_nodes[place] - 1;
            link_next[place] = link_first[node];
            link_first[node] = (int32_t)place;
        }
        Integer least_visits = 1;
        for (;; least_visits *= 2) {
            Kept kept = mark(tree, least_visits, places.items, stack.items, link_first.items, link_next.items);
            // At most half of the places for links are ever used.
            bool fits = 2 * kept.nodes <= tree.node_room && 2 * kept.edges <= tree.edge_room;
            if ((fits && 4 * kept.links <= tree.link_room) || least_visits > (1LL << 40)) break;
        }
        move_down(tree, places.items);
        done = relink(tree, places.items);
    }
    memset(tree.table, 0, (size_t)tree.bucket_count * sizeof(int32_t));
    if (!done) tree.nodes = 0;
    for (Integer node = 0; node < tree.nodes; node++)
        tree.table[find_bucket(tree, tree.states + node * tree.width)] = (int32_t)(node + 1);
    tree.is_full = 0;
}
