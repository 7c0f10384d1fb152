// Registers for the values of operations (ludens.compiler.native.registers): when there is none left, the value that is
// needed latest goes to memory.
#pragma once

#include "cover.hpp"

constexpr int64_t NEVER = INT64_MAX;
constexpr int64_t PINNED = -1;
constexpr int32_t NOWHERE = -1, MEMORY = -1, ZERO_SLOT = 0;
constexpr int MOST_REGISTERS = 32;

enum Kind { LOAD, STORE, MOVE, NEGATE, COMPUTE_TWO, COMPUTE_THREE, END_CHUNK };

// ludens.compiler.native.registers has the same structure.
struct Instruction {
    int32_t kind, table, result, first, last, slot;
};

// A row of a cover.
struct Operation {
    int32_t table, inputs, reads[3], result;
};

// Where a value must be in the end; outputs of one value stand together.
struct Output {
    int32_t value, slot, is_inverted;
};

struct Processor {
    int64_t registers;
    int64_t soon;                   // a value in memory that is used again within so many operations is loaded
    int64_t chunk;                  // after so many operations no register is relied on
    const uint8_t *may_read_memory; // by table, a bit for each input
};

struct Code {
    Instruction *instructions;
    int64_t count, slots;
};

struct Allocation {
    Processor processor;
    const Output *outputs;
    int64_t output_count;
    int64_t slots;
    int32_t *slot_of;            // by value; NOWHERE if it is not in memory
    Array<int32_t> first_output; // by value, one more than the place of its first output
    Array<uint8_t> is_fixed;     // by value, whether its slot is never free for others
    Array<int32_t> register_of;  // by value, one more than the register; 0 if there is none
    List<int32_t> free_slots;
    List<Instruction> code;
    int32_t held[MOST_REGISTERS];
    int64_t needed[MOST_REGISTERS]; // when the value in each register is needed next; NEVER if the register is free

    int32_t place(int32_t value) const { return register_of[value] - 1; }

    void write(Kind kind, int32_t table, int32_t result, int32_t first, int32_t last, int32_t slot) {
        code.push({kind, table, result, first, last, slot});
    }

    // Move a value that is needed later to memory, unless it is there, too.
    void empty(int32_t at) {
        int32_t value = held[at];
        if (slot_of[value] == NOWHERE) {
            slot_of[value] = free_slots.count ? free_slots[--free_slots.count] : slots++;
            write(STORE, 0, at, 0, 0, slot_of[value]);
        }
        register_of[value] = 0;
    }

    // A free register; the value that is needed latest makes room.
    int32_t allocate() {
        int32_t latest = 0;
        for (int32_t n = 1; n < processor.registers; n++)
            if (needed[n] > needed[latest]) latest = n;
        if (needed[latest] != NEVER) empty(latest);
        needed[latest] = PINNED;
        return latest;
    }

    void load(int32_t value) {
        int32_t to = allocate();
        write(LOAD, 0, to, 0, 0, slot_of[value]);
        register_of[value] = to + 1;
        held[to] = value;
    }

    void write_outputs(int32_t value, int32_t from) {
        if (!first_output[value]) return;
        for (int64_t n = first_output[value] - 1; n < output_count && outputs[n].value == value; n++) {
            if (outputs[n].is_inverted) {
                int32_t inverse = allocate();
                write(NEGATE, 0, inverse, 0, from, ZERO_SLOT);
                write(STORE, 0, inverse, 0, 0, outputs[n].slot);
                needed[inverse] = NEVER;
                continue;
            }
            write(STORE, 0, from, 0, 0, outputs[n].slot);
            if (slot_of[value] == NOWHERE) {
                slot_of[value] = outputs[n].slot;
                is_fixed[value] = 1;
            }
        }
    }

    // Remember when an operand is needed next.
    void expect(int32_t value, int64_t when) {
        if (register_of[value]) needed[place(value)] = when;
        if (when != NEVER) return;
        register_of[value] = 0;
        if (slot_of[value] != NOWHERE && !is_fixed[value]) {
            free_slots.push(slot_of[value]);
            slot_of[value] = NOWHERE;
        }
    }

    void end_chunk() {
        for (int32_t n = 0; n < processor.registers; n++)
            if (needed[n] != NEVER) {
                empty(n);
                needed[n] = NEVER;
            }
        write(END_CHUNK, 0, 0, 0, 0, 0);
    }

    // The place of the operand that an operation best reads from memory, since it is not needed again soon; or NOWHERE.
    int find_distant(const Operation &operation, const int64_t *uses, int64_t soon) const {
        int found = NOWHERE;
        for (int n = 0; n < operation.inputs; n++)
            if (!register_of[operation.reads[n]] && processor.may_read_memory[operation.table] >> n & 1 &&
                uses[n] >= soon && (found == NOWHERE || uses[n] > uses[found]))
                found = n;
        return found;
    }

    // The register with the result of an operation with one or two inputs.
    int32_t compute(const Operation &operation, const int64_t *uses, int distant) {
        const int32_t *reads = operation.reads;
        bool is_swapped = operation.inputs == 2 && distant == 0;
        int32_t last = reads[operation.inputs == 2 && !is_swapped], table = operation.table;
        static const uint8_t SWAPPED[] = {0, 2, 1};
        if (is_swapped) table = permute(table, SWAPPED);
        int32_t first = operation.inputs == 2 ? place(reads[is_swapped]) : MEMORY;
        int32_t from = place(last), slot = slot_of[last] == NOWHERE ? ZERO_SLOT : slot_of[last], result = NOWHERE;
        for (int n = operation.inputs; n--;)
            if (table != INVERT && uses[n] == NEVER && n != distant) result = place(reads[n]);
        for (int n = 0; result != NOWHERE && n < operation.inputs; n++)
            if (place(reads[n]) == result) register_of[reads[n]] = 0;
        if (result == NOWHERE) result = allocate();
        if (operation.inputs == 2)
            write(COMPUTE_TWO, table, result, first, from, slot);
        else if (table == INVERT)
            write(NEGATE, 0, result, 0, from, slot);
        else
            write(from == MEMORY ? LOAD : MOVE, 0, result, 0, from, slot);
        return result;
    }

    // The same with three: the result takes the register of one of them.
    int32_t compute_three(const Operation &operation, const int64_t *uses, int distant) {
        uint8_t places[3] = {0, 0, 0};
        int count = 1, given = NOWHERE;
        for (int n = 0; n < 3; n++)
            if (n != distant && (given == NOWHERE || uses[n] > uses[given])) given = n;
        places[0] = given;
        for (int n = 0; n < 3; n++)
            if (n != given && n != distant) places[count++] = n;
        if (distant != NOWHERE) places[count++] = distant;
        int32_t value = operation.reads[given], from = place(value), last = operation.reads[places[2]], result = from;
        int32_t slot = slot_of[last] == NOWHERE ? ZERO_SLOT : slot_of[last];
        int32_t first = place(operation.reads[places[1]]), second = place(last);
        if (uses[given] == NEVER || slot_of[value] != NOWHERE)
            register_of[value] = 0;
        else {
            result = allocate();
            write(MOVE, 0, result, 0, from, 0);
        }
        write(COMPUTE_THREE, permute(operation.table, places), result, first, second, slot);
        return result;
    }

    void run(const Operation *operations, int64_t count, const int64_t *first_use, const int64_t *next_uses) {
        for (int64_t number = 0; number < count; number++) {
            const Operation &operation = operations[number];
            const int64_t *uses = next_uses + 3 * number;
            if (number && number % processor.chunk == 0) end_chunk();
            int distant = find_distant(operation, uses, number + processor.soon);
            for (int n = 0; n < operation.inputs; n++)
                if (register_of[operation.reads[n]]) needed[place(operation.reads[n])] = PINNED;
            for (int n = 0; n < operation.inputs; n++)
                if (n != distant && !register_of[operation.reads[n]]) load(operation.reads[n]);
            int32_t result =
                operation.inputs == 3 ? compute_three(operation, uses, distant) : compute(operation, uses, distant);
            for (int n = 0; n < operation.inputs; n++) expect(operation.reads[n], uses[n]);
            needed[result] = PINNED;
            write_outputs(operation.result, result);
            held[result] = operation.result;
            needed[result] = first_use[number];
            if (first_use[number] != NEVER) register_of[operation.result] = result + 1;
        }
        end_chunk();
    }
};

// The instructions of operations in their order. `slot_of` has the slots of inputs, which are the first of the values;
// slots from `slots` on are free. Python frees the instructions.
extern "C" void allocate_registers(const Processor *processor, const Operation *operations, int64_t count,
                                   int32_t *slot_of, int64_t values, const Output *outputs, int64_t output_count,
                                   int64_t slots, Code *code) {
    Allocation all{*processor, outputs, output_count, slots, slot_of, Array<int32_t>(values), Array<uint8_t>(values),
                   Array<int32_t>(values), {}, {}, {}, {}};
    Array<int64_t> following(values), first_use(count), next_uses(3 * count);
    *code = {nullptr, 0, 0};
    if (out_of_memory) return;
    for (int64_t &when : all.needed) when = NEVER;
    for (int64_t n = output_count; n--;) all.first_output[outputs[n].value] = n + 1;
    for (int64_t n = 0; n < values; n++) following[n] = NEVER;
    for (int64_t n = count; n--;) {
        first_use[n] = following[operations[n].result];
        for (int k = 0; k < operations[n].inputs; k++) next_uses[3 * n + k] = following[operations[n].reads[k]];
        for (int k = 0; k < operations[n].inputs; k++) following[operations[n].reads[k]] = n;
    }
    for (int32_t value = 0; value < values; value++) {
        all.is_fixed[value] = slot_of[value] != NOWHERE;
        if (all.is_fixed[value] && all.first_output[value]) {
            all.load(value);
            all.write_outputs(value, all.place(value));
            all.expect(value, NEVER);
        }
    }
    all.run(operations, count, first_use, next_uses);
    if (out_of_memory) return;
    *code = {all.code.items, all.code.count, all.slots};
    all.code.items = nullptr;
}

extern "C" void free_code(Code *code) { free(code->instructions); }
