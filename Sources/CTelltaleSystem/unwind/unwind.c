// A small interpreter of call frame information (`.eh_frame`, found through `.eh_frame_hdr`). Optimised
// Swift and glibc keep no frame pointers: a walk by those gave one frame for a thread in a condition
// variable (measured).
//
// Here is the walk, with its cache of rows. The entries, their programs and expressions, what stands in
// where the kernel shows no frame pointer, and the async callers are in unwind_*.c.
#include "unwind/unwind_parts.h"

#if TELLTALE_AGENT

#include <stdlib.h>

// The registers that a walk needs.
#if defined(__x86_64__)
static const uint8_t kept_registers[] = {3, 6, 12, 13, 14, 15, RETURN_ADDRESS};
#elif defined(__aarch64__)
static const uint8_t kept_registers[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, RETURN_ADDRESS};
#else
static const uint8_t kept_registers[] = {RETURN_ADDRESS};
#endif
_Static_assert(sizeof kept_registers == KEPT, "as many as a row in the cache has places for");

struct unwinder *unwinder_make(void) {
    struct unwinder *made = calloc(1, sizeof *made);
    if (made) made->wanted = SIZE_MAX;
    return made;
}

void unwinder_free(struct unwinder *unwinder) { free(unwinder); }

void unwinder_use(struct unwinder *unwinder, const CTelltaleImages *images) {
    unwinder->images = images;
    unwinder->image = NULL;
}

// Makes `cached` hold the row of `pc`, or leaves it in `unwinder->row` where it needs expressions.
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

enum step { went, entered, failed };

#if defined(__aarch64__)
// The kernel shows neither the frame pointer nor the link register of a blocked thread, and glibc's
// wrapper of a call keeps the way back nowhere else. The walk goes on at the nearest record of a frame
// on the stack; the function that called the wrapper is lost. Not run here.
static bool skip_leaf(struct unwinder *unwinder, struct stack_copy *stack,
                      struct registers *registers) {
    uintptr_t from = (registers->values[STACK_POINTER] + 15) & ~(uintptr_t)15;
    for (uintptr_t at = from; at - from < 4096; at += 16) {
        uint64_t saved, back, outer;
        uintptr_t target;
        if (!stack_copy_read(stack, at, &saved) || !stack_copy_read(stack, at + 8, &back)) return false;
        if (saved <= at || saved % 16 ||
            !unwinder_follows_call(unwinder, plain_address(back), &target))
            continue;
        // The next record, too, has to be one.
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
    return false;
}
#endif

// Whether a register has a value; the frame pointer is looked for where nobody saved it.
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

// Steps out of one frame.
static enum step step(struct unwinder *unwinder, struct stack_copy *stack,
                      struct registers *registers, bool is_return, bool *next_is_return,
                      struct frame *frame, bool is_trial) {
    memset(frame, 0, sizeof *frame);
    *next_is_return = true;
    uintptr_t pc = is_return ? registers->pc - 1 : registers->pc;
    const CTelltaleImage *image = unwinder_image(unwinder, pc);
    struct cached *cached = NULL;
    struct entry entry;
    struct registers next = *registers;
    uint64_t cfa = 0;
    if (!image || !find_row(unwinder, image, pc, &cached, &entry)) {
        // No information. Where a call went to nowhere the return address lies on top; else a frame
        // pointer is believed where it leads behind a call.
        uint64_t back, saved;
        uintptr_t target, fp = registers->values[FRAME_POINTER];
        if (!is_return && stack_copy_read(stack, registers->values[STACK_POINTER], &back) &&
            unwinder_follows_call(unwinder, plain_address(back), &target)) {
            next.pc = plain_address(back);
            next.values[STACK_POINTER] += 8;
            *registers = next;
            return went;
        }
        if (!(registers->known >> FRAME_POINTER & 1) || fp < registers->values[STACK_POINTER] ||
            !stack_copy_read(stack, fp, &saved) || !stack_copy_read(stack, fp + 8, &back) ||
            !unwinder_follows_call(unwinder, plain_address(back), &target))
            return failed;
        next.values[FRAME_POINTER] = saved & ~ASYNC_BIT;
        next.values[STACK_POINTER] = fp + 16;
        next.known = UINT64_C(1) << FRAME_POINTER | UINT64_C(1) << STACK_POINTER;
        next.pc = plain_address(back);
        *registers = next;
        return went;
    }

    bool has_return = true;
    uint64_t back = 0;
    unsigned cfa_register = cached ? cached->cfa_register : unwinder->row.cfa_register;
    if (cached) {
        // A search for the frame pointer walks further, and may take the place in the cache.
        struct cached row = *cached;
        frame->start = row.start;
        if (!have(unwinder, stack, registers, row.cfa_register, row.start, is_trial)) return failed;
        next = *registers;
        cfa = registers->values[row.cfa_register] + (uint64_t)(int64_t)row.cfa_offset;
        for (size_t i = 0; i < KEPT; i++) {
            unsigned number = kept_registers[i];
            uint64_t value = 0;
            if (row.kinds[i] == RuleOffset) {
                if (!stack_copy_read(stack, cfa + (uint64_t)(int64_t)row.offsets[i], &value)) {
                    if (number == RETURN_ADDRESS) return failed;
                    next.known &= ~(UINT64_C(1) << number);
                    continue;
                }
                next.values[number] = value;
                next.known |= UINT64_C(1) << number;
            } else if (row.kinds[i] == RuleUndefined) {
                next.known &= ~(UINT64_C(1) << number);
                if (number == RETURN_ADDRESS) has_return = false;
            }
        }
        back = next.values[RETURN_ADDRESS];
        if (has_return && !(next.known >> RETURN_ADDRESS & 1)) {
#if defined(__aarch64__)
            if (!is_return && skip_leaf(unwinder, stack, registers)) return went;
#endif
            return failed;
        }
    } else {
        frame->start = entry.start;
        if (unwinder->row.cfa.kind == RuleValueExpression) {
            if (!unwinder_evaluate(&unwinder->row.cfa, stack, registers, NULL, &cfa)) return failed;
        } else {
            if (!(cfa_register < REGISTERS && registers->known >> cfa_register & 1)) {
                if (!have(unwinder, stack, registers, cfa_register, entry.start, is_trial) ||
                    !unwinder_read_function(unwinder, image, pc, &entry) ||
                    !unwinder_make_row(unwinder, &entry, pc))
                    return failed;
            }
            next = *registers;
            cfa = registers->values[cfa_register] + (uint64_t)unwinder->row.cfa.value;
        }
        for (unsigned number = 0; number < REGISTERS; number++) {
            bool is_known;
            uint64_t value = 0;
            const struct rule *rule = &unwinder->row.rules[number];
            if (number == STACK_POINTER && rule->kind == RuleSame) continue;
            if (!apply(rule, stack, registers, number, cfa, &value, &is_known)) is_known = false;
            if (number == entry.return_register) {
                if (rule->kind == RuleUndefined) has_return = false;
                else if (!is_known) return failed;
                back = value;
            }
            if (is_known) {
                next.values[number] = value;
                next.known |= UINT64_C(1) << number;
            } else {
                next.known &= ~(UINT64_C(1) << number);
            }
        }
    }
    if (!has_return) return entered;
    bool is_signal_frame = cached ? false : entry.is_signal_frame;
    if (is_signal_frame) {
        *next_is_return = false;
        if (unwinder->row.rules[STACK_POINTER].kind == RuleSame) next.values[STACK_POINTER] = cfa;
    } else {
        if (cfa <= registers->values[STACK_POINTER]) return failed;
        next.values[STACK_POINTER] = cfa;
    }
    next.known |= UINT64_C(1) << STACK_POINTER;
    // Where the flag is used an async function marks the frame pointer that it saves.
    if (next.known >> FRAME_POINTER & 1) next.values[FRAME_POINTER] &= ~ASYNC_BIT;
    frame->registers = *registers;
    frame->cfa = cfa;
    frame->cfa_register = cfa_register;
    next.pc = plain_address(back);
    if (next.pc == 0) return entered;
    *registers = next;
    return went;
}

size_t unwinder_walk_on(struct unwinder *unwinder, struct stack_copy *stack,
                        struct registers registers, CTelltaleFrame *frames, size_t capacity,
                        CTelltaleStackEnd *end, bool is_trial) {
    size_t count = 0;
    bool is_return = is_trial;
    struct frame frame, inner;
    memset(&frame, 0, sizeof frame);
    unwinder->function = 0;
    *end = CTelltaleStackFull;
    while (count < capacity) {
        CTelltaleFrame here = {registers.pc,
                               is_return ? CTelltaleFrameReturn : CTelltaleFramePC};
        inner = frame;
        bool next_is_return;
        stack->beyond = 0;
        enum step result =
            step(unwinder, stack, &registers, is_return, &next_is_return, &frame, is_trial);
        if (!is_trial && frame.start) {
            if (frame.start == unwinder->runner && inner.start)
                count += unwinder_callers_of_task(unwinder, stack, &inner, frames + count,
                                                  capacity - count);
            if (count == unwinder->wanted) unwinder->function = frame.start;
            if (count == capacity) break;
        }
        frames[count++] = here;
        if (result == entered) {
            *end = CTelltaleStackWhole;
            break;
        }
        if (result == failed) {
            bool is_cut = stack->capacity == stack->room &&
                          ((stack->is_at_end && stack->size == stack->capacity) ||
                           (stack->beyond && stack->beyond < stack->top));
            *end = is_cut ? CTelltaleStackTooLarge : CTelltaleStackLost;
            break;
        }
        is_return = next_is_return;
        // A handler may run on a stack of its own: the walk goes on where it came from.
        if (!next_is_return && !is_trial && stack->may_grow)
            stack_copy_move(stack, registers.values[STACK_POINTER]);
    }
    return count;
}

void unwinder_set_task(struct unwinder *unwinder, uintptr_t runner, uintptr_t task) {
    unwinder->runner = runner;
    unwinder->task = task;
}

uintptr_t unwinder_function(struct unwinder *unwinder, struct stack_copy *stack,
                            const struct registers *start, size_t index) {
    CTelltaleFrame frames[64];
    CTelltaleStackEnd end;
    unwinder->wanted = index;
    unwinder->runner = 0;
    unwinder_walk(unwinder, stack, start, frames, sizeof frames / sizeof *frames, &end);
    unwinder->wanted = SIZE_MAX;
    return unwinder->function;
}

size_t unwinder_walk(struct unwinder *unwinder, struct stack_copy *stack,
                     const struct registers *start, CTelltaleFrame *frames, size_t capacity,
                     CTelltaleStackEnd *end) {
    unwinder->has_lost_leaf = false;
    return unwinder_walk_on(unwinder, stack, *start, frames, capacity, end, false);
}

bool unwinder_has_lost_leaf(const struct unwinder *unwinder) { return unwinder->has_lost_leaf; }

#endif
