// The interpreter of an entry's program: what it says of the registers at one place in the function.
#include "unwind/unwind_parts.h"

#if TELLTALE_AGENT

#define LARGEST_STEPS 100000

static void set(struct row *row, uint64_t number, enum rule_kind kind, int64_t value) {
    if (number < REGISTERS) row->rules[number] = (struct rule){kind, value, NULL, 0};
}

static void set_expression(struct rule *rule, enum rule_kind kind, struct bytes *bytes) {
    uint64_t length = bytes_uleb(bytes);
    if (bytes->is_bad || length > (uint64_t)(bytes->end - bytes->at)) {
        bytes->is_bad = true;
        return;
    }
    *rule = (struct rule){kind, 0, bytes->at, (size_t)length};
    bytes->at += length;
}

// Follows a program up to `pc`. `place` begins where the program is in the code.
static bool interpret(struct unwinder *unwinder, const struct entry *entry, const uint8_t *from,
                      const uint8_t *to, uintptr_t pc) {
    struct row *row = &unwinder->row;
    struct bytes bytes = {from, to, false};
    uintptr_t location = entry->start;
    size_t depth = 0;
    int64_t factor = entry->data_alignment;
    for (unsigned step = 0; bytes.at < bytes.end && step < LARGEST_STEPS; step++) {
        uint8_t code = (uint8_t)bytes_fixed(&bytes, 1), low = code & 0x3f;
        uint64_t number;
        uintptr_t next = location;
        switch (code & 0xc0) {
        case 0x40: next += low * entry->code_alignment; goto advance;
        case 0x80:
            set(row, low, RuleOffset, (int64_t)(bytes_uleb(&bytes) * (uint64_t)factor));
            continue;
        case 0xc0:
            row->rules[low < REGISTERS ? low : 0] =
                unwinder->initial.rules[low < REGISTERS ? low : 0];
            continue;
        default: break;
        }
        switch (code) {
        case 0x00: break;
        case 0x01: next = bytes_pointer(&bytes, entry->pointer_encoding & 0x0f, 0); goto advance;
        case 0x02: next += bytes_fixed(&bytes, 1) * entry->code_alignment; goto advance;
        case 0x03: next += bytes_fixed(&bytes, 2) * entry->code_alignment; goto advance;
        case 0x04: next += bytes_fixed(&bytes, 4) * entry->code_alignment; goto advance;
        case 0x05:
            number = bytes_uleb(&bytes);
            set(row, number, RuleOffset, (int64_t)(bytes_uleb(&bytes) * (uint64_t)factor));
            break;
        case 0x06:
            number = bytes_uleb(&bytes);
            if (number < REGISTERS) row->rules[number] = unwinder->initial.rules[number];
            break;
        case 0x07: set(row, bytes_uleb(&bytes), RuleUndefined, 0); break;
        case 0x08: set(row, bytes_uleb(&bytes), RuleSame, 0); break;
        case 0x09:
            number = bytes_uleb(&bytes);
            set(row, number, RuleRegister, (int64_t)bytes_uleb(&bytes));
            break;
        case 0x0a:
            if (depth == STATES) return false;
            unwinder->states[depth++] = *row;
            break;
        case 0x0b:
            if (depth == 0) return false;
            *row = unwinder->states[--depth];
            break;
        case 0x0c:
            row->cfa_register = (unsigned)bytes_uleb(&bytes);
            row->cfa = (struct rule){RuleOffset, (int64_t)bytes_uleb(&bytes), NULL, 0};
            break;
        case 0x0d:
            row->cfa_register = (unsigned)bytes_uleb(&bytes);
            row->cfa.kind = RuleOffset;
            break;
        case 0x0e: row->cfa.value = (int64_t)bytes_uleb(&bytes); break;
        case 0x0f: set_expression(&row->cfa, RuleValueExpression, &bytes); break;
        case 0x10:
        case 0x16: {
            struct rule ignored;
            number = bytes_uleb(&bytes);
            set_expression(number < REGISTERS ? &row->rules[number] : &ignored,
                           code == 0x10 ? RuleExpression : RuleValueExpression, &bytes);
            break;
        }
        case 0x11:
            number = bytes_uleb(&bytes);
            set(row, number, RuleOffset, (int64_t)((uint64_t)bytes_sleb(&bytes) * (uint64_t)factor));
            break;
        case 0x12:
            row->cfa_register = (unsigned)bytes_uleb(&bytes);
            row->cfa = (struct rule){
                RuleOffset, (int64_t)((uint64_t)bytes_sleb(&bytes) * (uint64_t)factor), NULL, 0};
            break;
        case 0x13: row->cfa.value = (int64_t)((uint64_t)bytes_sleb(&bytes) * (uint64_t)factor); break;
        case 0x14:
            number = bytes_uleb(&bytes);
            set(row, number, RuleValueOffset, (int64_t)(bytes_uleb(&bytes) * (uint64_t)factor));
            break;
        case 0x15:
            number = bytes_uleb(&bytes);
            set(row, number, RuleValueOffset,
                (int64_t)((uint64_t)bytes_sleb(&bytes) * (uint64_t)factor));
            break;
        case 0x2d: break;  // arm64: the return address is signed from here on, or no more
        case 0x2e: bytes_uleb(&bytes); break;
        case 0x2f:
            number = bytes_uleb(&bytes);
            set(row, number, RuleOffset, (int64_t)(0 - bytes_uleb(&bytes) * (uint64_t)factor));
            break;
        default: return false;
        }
        if (bytes.is_bad) return false;
        continue;
    advance:
        if (bytes.is_bad) return false;
        if (next > pc) return true;
        location = next;
    }
    return !bytes.is_bad && bytes.at == bytes.end;
}

bool unwinder_make_row(struct unwinder *unwinder, const struct entry *entry, uintptr_t pc) {
    memset(&unwinder->row, 0, sizeof unwinder->row);
    memset(&unwinder->initial, 0, sizeof unwinder->initial);
    if (!interpret(unwinder, entry, entry->initial, entry->initial_end, UINTPTR_MAX)) return false;
    unwinder->initial = unwinder->row;
    return interpret(unwinder, entry, entry->program, entry->program_end, pc);
}

#endif
