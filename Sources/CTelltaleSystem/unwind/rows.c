// The interpreter of an entry's program: the rules of the registers at one location in the
// function. The operations are those of DWARF 5, 6.4.2 and 7.24.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

#define LARGEST_STEPS 100000

static void set(struct row *row, uint64_t number, enum rule_kind kind, int64_t value) {
    if (number < REGISTERS) row->rules[number] = (struct rule){kind, value, NULL, 0};
}

static void set_expression(struct rule *rule, enum rule_kind kind, Cursor *bytes) {
    uint64_t length = cursor_uleb(bytes);
    if (bytes->failed || length > (uint64_t)(bytes->end - bytes->at)) {
        bytes->failed = true;
        return;
    }
    *rule = (struct rule){kind, 0, bytes->at, (size_t)length};
    bytes->at += length;
}

// Reads a number of the program, in units of the stack's alignment.
static int64_t scaled(Cursor *bytes, const struct entry *entry) {
    return (int64_t)(cursor_uleb(bytes) * (uint64_t)entry->data_alignment);
}

static int64_t scaled_signed(Cursor *bytes, const struct entry *entry) {
    return (int64_t)((uint64_t)cursor_sleb(bytes) * (uint64_t)entry->data_alignment);
}

// Returns whether the operation advances the location in the code, and the new location.
static bool moves(const struct entry *entry, Cursor *bytes, uint8_t code, uintptr_t *location) {
    switch (code) {
    case 0x01: *location = cursor_pointer(bytes, entry->pointer_encoding & 0x0f, 0); return true;
    case 0x02: *location += cursor_number(bytes, 1) * entry->code_alignment; return true;
    case 0x03: *location += cursor_number(bytes, 2) * entry->code_alignment; return true;
    case 0x04: *location += cursor_number(bytes, 4) * entry->code_alignment; return true;
    default:
        if ((code & 0xc0) != 0x40) return false;
        *location += (code & 0x3f) * entry->code_alignment;
        return true;
    }
}

// Returns whether the operation defines the canonical frame address.
static bool says_cfa(struct row *row, const struct entry *entry, Cursor *bytes, uint8_t code) {
    if (code == 0x0c || code == 0x0d || code == 0x12) {
        row->cfa_register = (unsigned)cursor_uleb(bytes);
        row->cfa.kind = RuleOffset;
    }
    switch (code) {
    case 0x0c:
    case 0x0e: row->cfa.value = (int64_t)cursor_uleb(bytes); return true;
    case 0x0d: return true;
    case 0x0f: set_expression(&row->cfa, RuleValueExpression, bytes); return true;
    case 0x12:
    case 0x13: row->cfa.value = scaled_signed(bytes, entry); return true;
    default: return false;
    }
}

// Returns whether the operation defines the caller's value of a register.
static bool says_register(struct row *row, const struct row *initial, const struct entry *entry,
                          Cursor *bytes, uint8_t code) {
    uint8_t group = code & 0xc0;
    bool is_known = group == 0x80 || group == 0xc0 || (code >= 0x05 && code <= 0x09) || code == 0x10 ||
                    code == 0x11 || (code >= 0x14 && code <= 0x16) || code == 0x2f;
    if (!is_known) return false;
    uint64_t number = group ? code & 0x3f : cursor_uleb(bytes);
    switch (group ? group : code) {
    case 0x80:
    case 0x05: set(row, number, RuleOffset, scaled(bytes, entry)); break;
    case 0xc0:
    case 0x06:
        if (number < REGISTERS) row->rules[number] = initial->rules[number];
        break;
    case 0x07: set(row, number, RuleUndefined, 0); break;
    case 0x08: set(row, number, RuleSame, 0); break;
    case 0x09: set(row, number, RuleRegister, (int64_t)cursor_uleb(bytes)); break;
    case 0x11: set(row, number, RuleOffset, scaled_signed(bytes, entry)); break;
    case 0x14: set(row, number, RuleValueOffset, scaled(bytes, entry)); break;
    case 0x15: set(row, number, RuleValueOffset, scaled_signed(bytes, entry)); break;
    case 0x2f: set(row, number, RuleOffset, (int64_t)(0 - (uint64_t)scaled(bytes, entry))); break;
    default: {  // 0x10, 0x16
        struct rule ignored;
        set_expression(number < REGISTERS ? &row->rules[number] : &ignored,
                       code == 0x10 ? RuleExpression : RuleValueExpression, bytes);
    }
    }
    return true;
}

// Follows a program up to `pc`.
static bool interpret(struct unwinder *unwinder, const struct entry *entry, const uint8_t *from,
                      const uint8_t *to, uintptr_t pc) {
    struct row *row = &unwinder->row;
    Cursor bytes = {.at = from, .end = to};
    uintptr_t location = entry->start;
    size_t depth = 0;
    for (unsigned step = 0; bytes.at < bytes.end && step < LARGEST_STEPS; step++) {
        uint8_t code = (uint8_t)cursor_number(&bytes, 1);
        if (moves(entry, &bytes, code, &location)) {
            if (!bytes.failed && location > pc) return true;
        } else if (code == 0x0a && depth < STATES) {
            unwinder->states[depth++] = *row;
        } else if (code == 0x0b && depth > 0) {
            *row = unwinder->states[--depth];
        } else if (code == 0x2e) {
            cursor_uleb(&bytes);
        } else if (code != 0x00 && code != 0x2d &&  // arm64: toggles the signing of the return address
                   !says_cfa(row, entry, &bytes, code) &&
                   !says_register(row, &unwinder->initial, entry, &bytes, code)) {
            return false;
        }
        if (bytes.failed) return false;
    }
    return !bytes.failed && bytes.at == bytes.end;
}

bool unwinder_make_row(struct unwinder *unwinder, const struct entry *entry, uintptr_t pc) {
    memset(&unwinder->row, 0, sizeof unwinder->row);
    memset(&unwinder->initial, 0, sizeof unwinder->initial);
    if (!interpret(unwinder, entry, entry->initial, entry->initial_end, UINTPTR_MAX)) return false;
    unwinder->initial = unwinder->row;
    return interpret(unwinder, entry, entry->program, entry->program_end, pc);
}
#endif
