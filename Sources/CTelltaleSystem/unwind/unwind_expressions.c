// The DWARF expressions that some entries have in place of an offset: as a rule those of signal frames
// and of linkage tables. What they read is the copy of the stack.
#include "unwind/unwind_parts.h"

#if TELLTALE_AGENT

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

bool unwinder_evaluate(const struct rule *rule, struct stack_copy *stack,
                       const struct registers *registers, const uint64_t *first, uint64_t *out) {
    struct machine machine = {.depth = 0};
    struct bytes bytes = {rule->bytes, rule->bytes + rule->length, false};
    if (first) push(&machine, *first);
    for (unsigned step = 0; bytes.at < bytes.end; step++) {
        if (step == EXPRESSION_STEPS || machine.is_bad || bytes.is_bad) return false;
        uint8_t code = (uint8_t)bytes_fixed(&bytes, 1);
        uint64_t a, b;
        if (code >= 0x30 && code <= 0x4f) {
            push(&machine, code - 0x30u);
            continue;
        }
        if ((code >= 0x70 && code <= 0x8f) || code == 0x92) {
            uint64_t number = code == 0x92 ? bytes_uleb(&bytes) : code - 0x70u;
            int64_t addend = bytes_sleb(&bytes);
            uint64_t value;
            if (number >= REGISTERS) return false;
            if (registers->known >> number & 1)
                value = registers->values[number];
            else if (number == RETURN_ADDRESS)
                value = registers->pc;
            else
                return false;
            push(&machine, value + (uint64_t)addend);
            continue;
        }
        switch (code) {
        case 0x03: push(&machine, bytes_fixed(&bytes, 8)); break;
        case 0x06:
            if (!stack_copy_read(stack, pop(&machine), &a)) return false;
            push(&machine, a);
            break;
        case 0x08: push(&machine, bytes_fixed(&bytes, 1)); break;
        case 0x09: push(&machine, (uint64_t)(int8_t)bytes_fixed(&bytes, 1)); break;
        case 0x0a: push(&machine, bytes_fixed(&bytes, 2)); break;
        case 0x0b: push(&machine, (uint64_t)(int16_t)bytes_fixed(&bytes, 2)); break;
        case 0x0c: push(&machine, bytes_fixed(&bytes, 4)); break;
        case 0x0d: push(&machine, (uint64_t)(int32_t)bytes_fixed(&bytes, 4)); break;
        case 0x0e:
        case 0x0f: push(&machine, bytes_fixed(&bytes, 8)); break;
        case 0x10: push(&machine, bytes_uleb(&bytes)); break;
        case 0x11: push(&machine, (uint64_t)bytes_sleb(&bytes)); break;
        case 0x12:
            a = pop(&machine);
            push(&machine, a);
            push(&machine, a);
            break;
        case 0x13: pop(&machine); break;
        case 0x16:
            a = pop(&machine);
            b = pop(&machine);
            push(&machine, a);
            push(&machine, b);
            break;
        case 0x23: push(&machine, pop(&machine) + bytes_uleb(&bytes)); break;
        case 0x1f: push(&machine, 0 - pop(&machine)); break;
        case 0x20: push(&machine, ~pop(&machine)); break;
        case 0x28: {
            int16_t distance = (int16_t)bytes_fixed(&bytes, 2);
            if (!pop(&machine)) break;
            if (distance > bytes.end - bytes.at || -distance > bytes.at - rule->bytes) return false;
            bytes.at += distance;
            break;
        }
        case 0x2f: {
            int16_t distance = (int16_t)bytes_fixed(&bytes, 2);
            if (distance > bytes.end - bytes.at || -distance > bytes.at - rule->bytes) return false;
            bytes.at += distance;
            break;
        }
        case 0x96: break;
        default:
            b = pop(&machine);
            a = pop(&machine);
            switch (code) {
            case 0x1a: a &= b; break;
            case 0x1c: a -= b; break;
            case 0x1e: a *= b; break;
            case 0x21: a |= b; break;
            case 0x22: a += b; break;
            case 0x24: a = b < 64 ? a << b : 0; break;
            case 0x25: a = b < 64 ? a >> b : 0; break;
            case 0x26: a = (uint64_t)((int64_t)a >> (b < 63 ? b : 63)); break;
            case 0x27: a ^= b; break;
            case 0x29: a = a == b; break;
            case 0x2a: a = (int64_t)a >= (int64_t)b; break;
            case 0x2b: a = (int64_t)a > (int64_t)b; break;
            case 0x2c: a = (int64_t)a <= (int64_t)b; break;
            case 0x2d: a = (int64_t)a < (int64_t)b; break;
            case 0x2e: a = a != b; break;
            default: return false;
            }
            push(&machine, a);
        }
    }
    *out = pop(&machine);
    return !machine.is_bad && !bytes.is_bad;
}

#endif
