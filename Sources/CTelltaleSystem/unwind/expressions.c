// Evaluates the DWARF expressions that some entries have instead of an offset: usually those of signal
// frames and of linkage tables. They read from the copy of the stack. The operations are those of DWARF 5,
// 2.5 and 7.7.1.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

#define EXPRESSION_DEPTH 64
#define EXPRESSION_STEPS 1000

struct machine {
    uint64_t stack[EXPRESSION_DEPTH];
    size_t depth;
    bool is_bad;
};

static void push(struct machine *machine, uint64_t value) {
    if (machine->depth == EXPRESSION_DEPTH)
        machine->is_bad = true;
    else
        machine->stack[machine->depth++] = value;
}

static uint64_t pop(struct machine *machine) {
    if (machine->depth == 0) {
        machine->is_bad = true;
        return 0;
    }
    return machine->stack[--machine->depth];
}

// Returns whether the operation pushes a number that is encoded in it.
static bool is_constant(Cursor *bytes, uint8_t code, uint64_t *out) {
    switch (code) {
    case 0x08: *out = cursor_number(bytes, 1); return true;
    case 0x09: *out = (uint64_t)(int8_t)cursor_number(bytes, 1); return true;
    case 0x0a: *out = cursor_number(bytes, 2); return true;
    case 0x0b: *out = (uint64_t)(int16_t)cursor_number(bytes, 2); return true;
    case 0x0c: *out = cursor_number(bytes, 4); return true;
    case 0x0d: *out = (uint64_t)(int32_t)cursor_number(bytes, 4); return true;
    case 0x03:
    case 0x0e:
    case 0x0f: *out = cursor_number(bytes, 8); return true;
    case 0x10: *out = cursor_uleb(bytes); return true;
    case 0x11: *out = (uint64_t)cursor_sleb(bytes); return true;
    default: *out = code - 0x30u; return code >= 0x30 && code <= 0x4f;
    }
}

// Returns whether the operation combines two numbers into one.
static bool combines(uint8_t code, uint64_t a, uint64_t b, uint64_t *out) {
    switch (code) {
    case 0x1a: *out = a & b; return true;
    case 0x1c: *out = a - b; return true;
    case 0x1e: *out = a * b; return true;
    case 0x21: *out = a | b; return true;
    case 0x22: *out = a + b; return true;
    case 0x24: *out = b < 64 ? a << b : 0; return true;
    case 0x25: *out = b < 64 ? a >> b : 0; return true;
    case 0x26: *out = (uint64_t)((int64_t)a >> (b < 63 ? b : 63)); return true;
    case 0x27: *out = a ^ b; return true;
    case 0x29: *out = a == b; return true;
    case 0x2a: *out = (int64_t)a >= (int64_t)b; return true;
    case 0x2b: *out = (int64_t)a > (int64_t)b; return true;
    case 0x2c: *out = (int64_t)a <= (int64_t)b; return true;
    case 0x2d: *out = (int64_t)a < (int64_t)b; return true;
    case 0x2e: *out = a != b; return true;
    default: return false;
    }
}

// Reads the value of a register and an addend; false if unknown.
static bool read_register(Cursor *bytes, uint8_t code, const struct registers *registers,
                          uint64_t *out) {
    uint64_t number = code == 0x92 ? cursor_uleb(bytes) : code - 0x70u;
    uint64_t addend = (uint64_t)cursor_sleb(bytes);
    bool is_known = number < REGISTERS && registers->known >> number & 1;
    if (!is_known && number != RETURN_ADDRESS) return false;
    *out = addend + (is_known ? registers->values[number] : registers->pc);
    return true;
}

// Jumps within the expression; false if the target is outside of it.
static bool jump(Cursor *bytes, const struct rule *rule, bool is_taken) {
    int16_t distance = (int16_t)cursor_number(bytes, 2);
    if (!is_taken) return true;
    if (distance > bytes->end - bytes->at || -distance > bytes->at - rule->bytes) return false;
    bytes->at += distance;
    return true;
}

static bool perform(struct machine *machine, Cursor *bytes, uint8_t code,
                    const struct rule *rule, struct stack_copy *stack,
                    const struct registers *registers) {
    uint64_t a, b, value;
    if (is_constant(bytes, code, &value)) {
        push(machine, value);
        return true;
    }
    if ((code >= 0x70 && code <= 0x8f) || code == 0x92) {
        if (!read_register(bytes, code, registers, &value)) return false;
        push(machine, value);
        return true;
    }
    switch (code) {
    case 0x06:
        if (!stack_copy_read(stack, pop(machine), &value)) return false;
        push(machine, value);
        return true;
    case 0x12:
        a = pop(machine);
        push(machine, a);
        push(machine, a);
        return true;
    case 0x13: pop(machine); return true;
    case 0x16:
        a = pop(machine);
        b = pop(machine);
        push(machine, a);
        push(machine, b);
        return true;
    case 0x1f: push(machine, 0 - pop(machine)); return true;
    case 0x20: push(machine, ~pop(machine)); return true;
    case 0x23: push(machine, pop(machine) + cursor_uleb(bytes)); return true;
    case 0x28: return jump(bytes, rule, pop(machine) != 0);
    case 0x2f: return jump(bytes, rule, true);
    case 0x96: return true;
    default:
        b = pop(machine);
        a = pop(machine);
        if (!combines(code, a, b, &value)) return false;
        push(machine, value);
        return true;
    }
}

bool unwinder_evaluate(const struct rule *rule, struct stack_copy *stack,
                       const struct registers *registers, const uint64_t *first, uint64_t *out) {
    struct machine machine = {.depth = 0};
    Cursor bytes = {.at = rule->bytes, .end = rule->bytes + rule->length};
    if (first) push(&machine, *first);
    for (unsigned step = 0; bytes.at < bytes.end; step++) {
        if (step == EXPRESSION_STEPS || machine.is_bad || bytes.failed) return false;
        uint8_t code = (uint8_t)cursor_number(&bytes, 1);
        if (!perform(&machine, &bytes, code, rule, stack, registers)) return false;
    }
    *out = pop(&machine);
    return !machine.is_bad && !bytes.failed;
}
#endif
