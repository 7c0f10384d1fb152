// Ground rules: equal atoms, and the order in which atoms need each other.

#pragma once

#include "passes.hpp"

enum { FACT = 0, ITSELF = -1 };

struct Body {
    int32_t *words;
    int64_t count;
};

// What an atom is equal to in the end.
static int32_t resolve(int32_t *same, int32_t atom) {
    int32_t last = atom;
    while (last && same[last] != ITSELF)
        last = same[last];
    while (atom && same[atom] != ITSELF) {
        int32_t next = same[atom];
        same[atom] = last;
        atom = next;
    }
    return last;
}

static int compare_bodies(const void *a, const void *b) {
    const Body *one = (const Body *)a, *other = (const Body *)b;
    if (one->count != other->count) return one->count < other->count ? -1 : 1;
    for (int64_t n = 0; n < one->count; n++)
        if (one->words[n] != other->words[n]) return one->words[n] < other->words[n] ? -1 : 1;
    return 0;
}

// The bodies that matter, each once and in their order, in terms of the atoms that are left.
static int64_t simplify(int32_t *same, int32_t head, Body *bodies, int64_t count) {
    int64_t kept = 0;
    for (int64_t n = 0; n < count; n++) {
        Body body = bodies[n];
        int64_t length = 0;
        int is_false = 0;
        for (int64_t k = 0; k < body.count && !is_false; k++) {
            int32_t word = body.words[k], atom = resolve(same, abs(word));
            is_false = atom == FACT ? word < 0 : atom == head && word > 0;
            if (atom != FACT)
                body.words[length++] = word < 0 ? -atom : atom;
        }
        if (is_false) continue;
        sort(body.words, length);
        body.count = remove_repeated(body.words, length);
        bodies[kept++] = body;
    }
    qsort(bodies, kept, sizeof *bodies, compare_bodies);
    count = 0;
    for (int64_t n = 0; n < kept; n++)
        if (!n || compare_bodies(&bodies[n], &bodies[n - 1]))
            bodies[count++] = bodies[n];
    return count;
}

static uint64_t hash_bodies(const Body *bodies, int64_t count) {
    uint64_t hash = count;
    for (int64_t n = 0; n < count; n++) {
        for (int64_t k = 0; k < bodies[n].count; k++)
            hash = (hash ^ (uint32_t)bodies[n].words[k]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 32;
        hash = (hash + 1) * 0xC2B2AE3D27D4EB4Fu;
    }
    return hash ^ hash >> 29;
}

static int are_equal(const Body *bodies, const Body *others, int64_t count) {
    for (int64_t n = 0; n < count; n++)
        if (compare_bodies(&bodies[n], &others[n])) return 0;
    return 1;
}

// Find equal atoms among the heads of the rules on a tape, and write the rules of the others.
//
// `same` has for each atom what it is equal to, and is completed; the heads of choices are marked, and have no rules.
// Written are heads, of which there are as many as returned, for each the place after its last body, for each body the
// place after its last word, and the words. Those on the tape are overwritten.
extern "C" int64_t tidy(int32_t *tape, int64_t words, int64_t atoms, int32_t *same, uint8_t *is_choice, int32_t *heads,
                        int64_t *head_ends, int64_t *body_ends, int32_t *out) {
    Array<int64_t> ends(atoms), counts(atoms), starts(atoms);
    if (out_of_memory) return 0;
    int64_t rules = 0, different = 0;
    for (int64_t place = 0; place < words; place += 2 + tape[place + 1])
        if (tape[place] > 0) {
            if (!ends[tape[place]]++)
                heads[different++] = tape[place];
            rules++;
        } else
            is_choice[-tape[place]] = 1;
    int64_t total = 0;
    for (int64_t n = 0; n < different; n++) {
        int64_t own = ends[heads[n]];
        ends[heads[n]] = total;
        total += own;
    }
    Array<Body> bodies(rules);
    if (out_of_memory) return 0;
    for (int64_t place = 0; place < words; place += 2 + tape[place + 1])
        if (tape[place] > 0)
            bodies[ends[tape[place]]++] = {tape + place + 2, tape[place + 1]};
    int64_t size = 16;
    while (size < 2 * different)
        size *= 2;
    Array<int32_t> known(size); // heads by their bodies
    if (out_of_memory) return 0;
    int64_t start = 0;
    for (int64_t n = 0; n < different; n++) {
        int32_t head = heads[n];
        Body *own = bodies + (starts[head] = start);
        counts[head] = ends[head] - start;
        start = ends[head];
        if (is_choice[head] || same[head] != ITSELF) continue;
        int64_t count = counts[head] = simplify(same, head, own, counts[head]);
        if (count && !own[0].count) { // the shortest is first
            same[head] = FACT;
        } else if (count == 1 && own[0].count == 1 && own[0].words[0] > 0) {
            same[head] = own[0].words[0];
        } else {
            int64_t place = hash_bodies(own, count) & (size - 1);
            for (int32_t other; (other = known[place]); place = (place + 1) & (size - 1))
                if (counts[other] == count && are_equal(own, bodies + starts[other], count)) break;
            int32_t equal = resolve(same, known[place]);
            if (!known[place])
                known[place] = head;
            else if (equal != head)
                same[head] = equal;
        }
    }
    int64_t kept = 0, made = 0, written = 0;
    for (int64_t n = 0; n < different; n++) {
        int32_t head = heads[n];
        if (is_choice[head] || same[head] != ITSELF) continue;
        Body *own = bodies + starts[head];
        int64_t count = simplify(same, head, own, counts[head]);
        for (int64_t k = 0; k < count; k++) {
            memcpy(out + written, own[k].words, own[k].count * sizeof *out);
            body_ends[made++] = written += own[k].count;
        }
        heads[kept] = head;
        head_ends[kept++] = made;
    }
    return kept;
}

// The strongly connected components of the atoms that some atoms need, those that are needed first (Tarjan).
//
// Atoms that depend on those marked are marked. The atoms are written in their order, the place after each component,
// and whether its atoms need each other or it needs itself.
extern "C" int64_t find_components(const Rules *rules, int64_t atoms, const int32_t *roots, int64_t count,
                                   uint8_t *depends, int32_t *order, int64_t *ends, uint8_t *is_loop) {
    Array<int32_t> index(atoms), low(atoms);
    Array<int64_t> next(atoms);
    if (out_of_memory) return 0;
    int64_t components = 0, ordered = 0;
    int32_t visited = 0;
    List<int32_t> stack, work;
    constexpr int32_t DONE = 1 << 30;
    for (int64_t n = 0; n < count; n++) {
        if (index[roots[n]] || rules->first[roots[n]] < 0) continue;
        work.push(roots[n]);
        while (work.count && !out_of_memory) {
            int32_t atom = work.last();
            if (!index[atom]) {
                index[atom] = low[atom] = ++visited;
                next[atom] = rules->bodies[rules->first[atom]];
                stack.push(atom);
                if (out_of_memory) break;
            }
            int64_t end = rules->bodies[rules->after[atom]];
            while (next[atom] < end) {
                int32_t other = abs(rules->words[next[atom]]);
                if (rules->first[other] >= 0 && !index[other]) {
                    work.push(other);
                    break;
                }
                if (index[other] && index[other] != DONE && index[other] < low[atom])
                    low[atom] = index[other];
                next[atom]++;
            }
            if (next[atom] < end) continue;
            work.count--;
            if (work.count) {
                int32_t before = work.last();
                if (low[atom] < low[before])
                    low[before] = low[atom];
            }
            if (low[atom] != index[atom]) continue;
            int64_t start = ordered;
            do {
                order[ordered++] = stack[--stack.count];
                index[order[ordered - 1]] = DONE;
            } while (order[ordered - 1] != atom);
            int depend = 0, loop = ordered - start > 1;
            for (int64_t k = start; k < ordered; k++) {
                int64_t last = rules->bodies[rules->after[order[k]]];
                for (int64_t word = rules->bodies[rules->first[order[k]]]; word < last; word++) {
                    depend |= depends[abs(rules->words[word])];
                    loop |= abs(rules->words[word]) == order[k];
                }
            }
            for (int64_t k = start; depend && k < ordered; k++)
                depends[order[k]] = 1;
            is_loop[components] = loop;
            ends[components++] = ordered;
        }
    }
    return components;
}
