// Disjunctions of conjunctions as gates (ludens.compiler.circuit.circuit).

#pragma once

#include "passes.hpp"

struct Product {
    Literal *literals; // sorted
    int64_t count;
};

struct Sums {
    Gates *gates;
    Array<int32_t> counts; // by literal, zero between uses
    List<Literal> terms;
};

static int contains_literal(const Product *product, Literal literal) {
    for (int64_t n = 0; n < product->count; n++)
        if (product->literals[n] == literal) return 1;
    return 0;
}

static void remove_literal(Product *product, Literal literal) {
    int64_t kept = 0;
    for (int64_t n = 0; n < product->count; n++)
        if (product->literals[n] != literal)
            product->literals[kept++] = product->literals[n];
    product->count = kept;
}

// The literal that most products have, the smallest of several; FALSE if no two products have one in common.
static Literal find_common(Sums *sums, const Product *products, int64_t count) {
    int32_t most = 1;
    Literal common = FALSE;
    for (int64_t n = 0; n < count; n++)
        for (int64_t k = 0; k < products[n].count; k++) {
            Literal literal = products[n].literals[k];
            int32_t times = ++sums->counts[literal];
            if (times > most || (times == most && times > 1 && literal < common))
                most = times, common = literal;
        }
    for (int64_t n = 0; n < count; n++)
        for (int64_t k = 0; k < products[n].count; k++)
            sums->counts[products[n].literals[k]] = 0;
    return common;
}

// What most products have in common is factored out.
static Literal factor(Sums *sums, Product *products, int64_t count) {
    int64_t before = sums->terms.count;
    Array<Product> others(count);
    if (out_of_memory) return FALSE;
    Literal common;
    while (count > 1 && (common = find_common(sums, products, count))) {
        // Those with the literal go to the end, both in their order.
        int64_t without = 0, with = 0;
        for (int64_t n = 0; n < count; n++)
            if (contains_literal(&products[n], common)) {
                others[with] = products[n];
                remove_literal(&others[with++], common);
            } else
                products[without++] = products[n];
        memcpy(products + without, others, with * sizeof(Product));
        Literal rest = factor(sums, products + without, with);
        sums->terms.push(both(sums->gates, common, rest));
        count = without;
    }
    for (int64_t n = 0; n < count; n++)
        sums->terms.push(all_of(sums->gates, products[n].literals, products[n].count));
    Literal *terms = sums->terms.items + before;
    int64_t found = sums->terms.count - before;
    for (int64_t n = 0; n < found; n++)
        terms[n] ^= 1;
    sums->terms.count = before;
    return all_of(sums->gates, terms, found) ^ 1;
}

static uint64_t hash_product(const Product *product) {
    uint64_t hash = product->count;
    for (int64_t n = 0; n < product->count; n++)
        hash = (hash ^ product->literals[n]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 32;
    return hash;
}

// Put the different ones first, in their order.
static int64_t remove_equal(Product *products, int64_t count) {
    int64_t size = 4, different = 0;
    while (size < 2 * count)
        size *= 2;
    Array<int64_t> known(size);
    if (out_of_memory) return 0;
    for (int64_t n = 0; n < count; n++) {
        Product *product = &products[n];
        uint64_t place = hash_product(product) & (size - 1);
        for (; known[place]; place = (place + 1) & (size - 1)) {
            Product *other = &products[known[place] - 1];
            if (other->count == product->count &&
                !memcmp(other->literals, product->literals, product->count * sizeof(Literal)))
                break;
        }
        if (!known[place]) {
            products[different] = *product;
            known[place] = ++different;
        }
    }
    return different;
}

// The literals of atoms, in an order in which each comes after those it needs: the disjunctions of their bodies.
// `literal_of` has those of all other atoms.
extern "C" void define_atoms(Gates *gates, const Rules *rules, Literal *literal_of, const int32_t *atoms,
                             int64_t count) {
    Sums sums{gates, Array<int32_t>(2 * gates->room), {}};
    for (int64_t n = 0; n < count && !gates->is_full && !out_of_memory; n++) {
        int64_t first = rules->first[atoms[n]], after = rules->after[atoms[n]], made = 0;
        Array<Literal> literals(rules->bodies[after] - rules->bodies[first]);
        Array<Product> products(after - first);
        if (out_of_memory) return;
        Literal *place = literals;
        for (int64_t body = first; body < after; body++) {
            Product product = {place, 0};
            int is_false = 0;
            for (int64_t word = rules->bodies[body]; word < rules->bodies[body + 1] && !is_false; word++) {
                int32_t atom = rules->words[word];
                Literal literal = literal_of[abs(atom)] ^ (atom < 0);
                is_false = literal == FALSE;
                if (literal > TRUE)
                    product.literals[product.count++] = literal;
            }
            if (is_false) continue;
            sort(product.literals, product.count);
            place += product.count = remove_repeated(product.literals, product.count);
            products[made++] = product;
        }
        made = remove_equal(products, made);
        int is_true = 0;
        for (int64_t k = 0; k < made; k++)
            is_true |= !products[k].count;
        Literal found = is_true ? TRUE : factor(&sums, products, made);
        if (!gates->is_full)
            literal_of[atoms[n]] = found;
    }
}
