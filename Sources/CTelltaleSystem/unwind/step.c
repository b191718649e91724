// One step of a walk: from the registers of a frame to those of its caller, by the call frame information
// and a cache of its rows.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

// The registers that a walk needs.
#if defined(__x86_64__)
static const uint8_t kept_registers[] = {3, 6, 12, 13, 14, 15, RETURN_ADDRESS};
#else
static const uint8_t kept_registers[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, RETURN_ADDRESS};
#endif
_Static_assert(sizeof kept_registers == KEPT, "as many as a row in the cache has places for");

// Makes `cached` contain the row of `pc`, or leaves it in `unwinder->row` if it needs expressions.
static bool find_row(struct unwinder *unwinder, const CTelltaleImage *image, uintptr_t pc,
                     struct cached **out, struct entry *entry) {
    uint64_t hash = (pc ^ image->serial << 48) * UINT64_C(0x9e3779b97f4a7c15);
    struct cached *cached = &unwinder->cache[hash >> (64 - CACHE_BITS)];
    if (cached->pc == pc && cached->serial == image->serial) {
        *out = cached;
        return true;
    }
    *out = NULL;
    if (!unwinder_read_function(unwinder, image, pc, entry) ||
        !unwinder_make_row(unwinder, entry, pc))
        return false;
    const struct row *row = &unwinder->row;
    struct cached made = {.pc = pc, .serial = image->serial, .start = entry->start,
                          .is_signal_frame = entry->is_signal_frame};
    if (row->cfa.kind != RuleOffset || row->cfa_register >= REGISTERS ||
        row->cfa.value != (int32_t)row->cfa.value || entry->return_register != RETURN_ADDRESS || entry->is_signal_frame)
        return true;
    made.cfa_register = (uint8_t)row->cfa_register;
    made.cfa_offset = (int32_t)row->cfa.value;
    for (size_t i = 0; i < KEPT; i++) {
        const struct rule *rule = &row->rules[kept_registers[i]];
        if (rule->kind > RuleOffset || rule->value != (int32_t)rule->value) return true;
        made.kinds[i] = (uint8_t)rule->kind;
        made.offsets[i] = (int32_t)rule->value;
    }
    *cached = made;
    *out = cached;
    return true;
}

// On arm64 the kernel shows neither the frame pointer nor the link register of a blocked thread, and
// glibc's system call wrapper keeps the return address nowhere else. The walk continues at the nearest
// frame record on the stack; the function that called the wrapper is lost. Not run here.
static bool skip_leaf(struct unwinder *unwinder, struct stack_copy *stack,
                      struct registers *registers) {
#if defined(__aarch64__)
    uintptr_t from = (registers->values[STACK_POINTER] + 15) & ~(uintptr_t)15;
    for (uintptr_t at = from; at - from < 4096; at += 16) {
        uint64_t saved, back, outer;
        uintptr_t target;
        if (!stack_copy_read(stack, at, &saved) || !stack_copy_read(stack, at + 8, &back)) return false;
        if (saved <= at || saved % 16 ||
            !unwinder_follows_call(unwinder, plain_address(back), &target))
            continue;
        // The next record must be valid too.
        if (!stack_copy_read(stack, saved + 8, &outer) ||
            (outer && !unwinder_follows_call(unwinder, plain_address(outer), &target)))
            continue;
        registers->values[FRAME_POINTER] = saved;
        registers->values[STACK_POINTER] = at + 16;
        registers->known = UINT64_C(1) << FRAME_POINTER | UINT64_C(1) << STACK_POINTER;
        registers->pc = plain_address(back);
        unwinder->has_lost_leaf = true;
        return true;
    }
#else
    (void)unwinder, (void)stack, (void)registers;
#endif
    return false;
}

// Returns whether a register has a value; a frame pointer that was not saved is searched for.
static bool have(struct unwinder *unwinder, struct stack_copy *stack, struct registers *registers,
                 unsigned number, uintptr_t function, bool is_trial) {
    if (number >= REGISTERS) return false;
    if (registers->known >> number & 1) return true;
    uint64_t found;
    if (number != FRAME_POINTER ||
        !unwinder_recover(unwinder, stack, registers, function, is_trial, &found))
        return false;
    registers->values[number] = found;
    registers->known |= UINT64_C(1) << number;
    return true;
}

static bool apply(const struct rule *rule, struct stack_copy *stack,
                  const struct registers *registers, unsigned number, uint64_t cfa,
                  uint64_t *value, bool *is_known) {
    *is_known = true;
    switch (rule->kind) {
    case RuleSame:
        *value = registers->values[number];
        *is_known = registers->known >> number & 1;
        return true;
    case RuleUndefined: *is_known = false; return true;
    case RuleOffset: return stack_copy_read(stack, cfa + (uint64_t)rule->value, value);
    case RuleValueOffset: *value = cfa + (uint64_t)rule->value; return true;
    case RuleRegister:
        if (rule->value < 0 || rule->value >= REGISTERS) return false;
        *value = registers->values[rule->value];
        *is_known = registers->known >> rule->value & 1;
        return true;
    case RuleValueExpression: return unwinder_evaluate(rule, stack, registers, &cfa, value);
    case RuleExpression: {
        uint64_t address;
        return unwinder_evaluate(rule, stack, registers, &cfa, &address) &&
               stack_copy_read(stack, address, value);
    }
    }
    return false;
}

struct caller {
    struct registers registers;
    uint64_t cfa, back;
    bool has_return;  // false for the thread's entry
    bool is_lost;     // the return address isn't known
};

static void set(struct registers *registers, unsigned number, uint64_t value, bool is_known) {
    registers->known &= ~(UINT64_C(1) << number);
    if (!is_known) return;
    registers->values[number] = value;
    registers->known |= UINT64_C(1) << number;
}

// Steps without call frame information. After a call to an invalid address, the return address is on top of
// the stack; otherwise a frame pointer is accepted if it leads to an address after a call.
static enum step step_blindly(struct unwinder *unwinder, struct stack_copy *stack,
                              struct registers *registers, bool is_return) {
    uint64_t back, saved;
    uintptr_t target, sp = registers->values[STACK_POINTER], fp = registers->values[FRAME_POINTER];
    if (!is_return && stack_copy_read(stack, sp, &back) &&
        unwinder_follows_call(unwinder, plain_address(back), &target)) {
        registers->pc = plain_address(back);
        registers->values[STACK_POINTER] += 8;
        return went;
    }
    if (!(registers->known >> FRAME_POINTER & 1) || fp < sp || !stack_copy_read(stack, fp, &saved) ||
        !stack_copy_read(stack, fp + 8, &back) ||
        !unwinder_follows_call(unwinder, plain_address(back), &target))
        return failed;
    registers->values[FRAME_POINTER] = saved & ~ASYNC_BIT;
    registers->values[STACK_POINTER] = fp + 16;
    registers->known = UINT64_C(1) << FRAME_POINTER | UINT64_C(1) << STACK_POINTER;
    registers->pc = plain_address(back);
    return went;
}

// Steps by a cached row.
static bool call_by_cache(struct unwinder *unwinder, struct stack_copy *stack,
                          struct registers *registers, const struct cached *row, bool is_trial,
                          struct caller *out) {
    if (!have(unwinder, stack, registers, row->cfa_register, row->start, is_trial)) return false;
    out->registers = *registers;
    out->cfa = registers->values[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
    out->has_return = true;
    for (size_t i = 0; i < KEPT; i++) {
        unsigned number = kept_registers[i];
        uint64_t value = 0;
        if (row->kinds[i] == RuleOffset) {
            uint64_t place = out->cfa + (uint64_t)(int64_t)row->offsets[i];
            bool is_known = stack_copy_read(stack, place, &value);
            if (!is_known && number == RETURN_ADDRESS) return false;
            set(&out->registers, number, value, is_known);
        } else if (row->kinds[i] == RuleUndefined) {
            set(&out->registers, number, 0, false);
            if (number == RETURN_ADDRESS) out->has_return = false;
        }
    }
    out->back = out->registers.values[RETURN_ADDRESS];
    out->is_lost = out->has_return && !(out->registers.known >> RETURN_ADDRESS & 1);
    return true;
}

// Computes the canonical frame address from a complete row. A search for its register walks further, and
// makes rows.
static bool find_cfa(struct unwinder *unwinder, struct stack_copy *stack, struct registers *registers,
                     const CTelltaleImage *image, uintptr_t pc, struct entry *entry, bool is_trial,
                     uint64_t *cfa) {
    const struct row *row = &unwinder->row;
    if (row->cfa.kind == RuleValueExpression)
        return unwinder_evaluate(&row->cfa, stack, registers, NULL, cfa);
    unsigned number = row->cfa_register;
    bool is_known = number < REGISTERS && registers->known >> number & 1;
    if (!is_known && (!have(unwinder, stack, registers, number, entry->start, is_trial) ||
                      !unwinder_read_function(unwinder, image, pc, entry) ||
                      !unwinder_make_row(unwinder, entry, pc)))
        return false;
    *cfa = registers->values[number] + (uint64_t)row->cfa.value;
    return true;
}

// Steps by a complete row.
static bool call_by_row(struct unwinder *unwinder, struct stack_copy *stack,
                        const struct registers *registers, const struct entry *entry,
                        struct caller *out) {
    out->registers = *registers;
    out->has_return = true;
    out->is_lost = false;
    out->back = 0;
    for (unsigned number = 0; number < REGISTERS; number++) {
        bool is_known;
        uint64_t value = 0;
        const struct rule *rule = &unwinder->row.rules[number];
        if (number == STACK_POINTER && rule->kind == RuleSame) continue;
        if (!apply(rule, stack, registers, number, out->cfa, &value, &is_known)) is_known = false;
        if (number == entry->return_register) {
            if (rule->kind == RuleUndefined)
                out->has_return = false;
            else if (!is_known)
                return false;
            out->back = value;
        }
        set(&out->registers, number, value, is_known);
    }
    return true;
}

enum step unwinder_step(struct unwinder *unwinder, struct stack_copy *stack,
                        struct registers *registers, bool is_return, bool *next_is_return,
                        struct frame *frame, bool is_trial) {
    memset(frame, 0, sizeof *frame);
    *next_is_return = true;
    uintptr_t pc = is_return ? registers->pc - 1 : registers->pc;
    const CTelltaleImage *image = unwinder_image(unwinder, pc);
    struct cached *cached = NULL;
    struct entry entry;
    if (!image || !find_row(unwinder, image, pc, &cached, &entry))
        return step_blindly(unwinder, stack, registers, is_return);

    struct caller caller;
    if (cached) {
        // A search for the frame pointer walks further, and may replace this cache entry.
        struct cached row = *cached;
        frame->start = row.start;
        frame->cfa_register = row.cfa_register;
        if (!call_by_cache(unwinder, stack, registers, &row, is_trial, &caller)) return failed;
        if (caller.is_lost) return !is_return && skip_leaf(unwinder, stack, registers) ? went : failed;
    } else {
        frame->start = entry.start;
        frame->cfa_register = unwinder->row.cfa_register;
        if (!find_cfa(unwinder, stack, registers, image, pc, &entry, is_trial, &caller.cfa) ||
            !call_by_row(unwinder, stack, registers, &entry, &caller))
            return failed;
    }
    if (!caller.has_return) return entered;
    struct registers next = caller.registers;
    if (!cached && entry.is_signal_frame) {
        *next_is_return = false;
        if (unwinder->row.rules[STACK_POINTER].kind == RuleSame)
            next.values[STACK_POINTER] = caller.cfa;
    } else {
        if (caller.cfa <= registers->values[STACK_POINTER]) return failed;
        next.values[STACK_POINTER] = caller.cfa;
    }
    next.known |= UINT64_C(1) << STACK_POINTER;
    // If the flag is used, an async function marks the frame pointer that it saves.
    if (next.known >> FRAME_POINTER & 1) next.values[FRAME_POINTER] &= ~ASYNC_BIT;
    frame->registers = *registers;
    frame->cfa = caller.cfa;
    next.pc = plain_address(caller.back);
    if (next.pc == 0) return entered;
    *registers = next;
    return went;
}
#endif
