// Recovers a frame pointer that was not saved and that the kernel doesn't show: it is searched for on the
// stack, by the effect of the function's first instructions, and by the return addresses there.
#if TELLTALE_AGENT
#include "unwind/unwind.h"

// Returns whether a call ends at `address`; gives its target if that is encoded in it, else 0.
bool unwinder_follows_call(struct unwinder *unwinder, uintptr_t address, uintptr_t *target) {
    *target = 0;
#if defined(__x86_64__)
    uint8_t code[8];
    if (address < sizeof code || !unwinder_image(unwinder, address - 1) ||
        !ctelltale_read_memory(address - sizeof code, code, sizeof code))
        return false;
    if (code[3] == 0xe8) {
        int32_t distance;
        memcpy(&distance, code + 4, sizeof distance);
        uintptr_t goal = address + (uintptr_t)(intptr_t)distance;
        if (unwinder_image(unwinder, goal)) {
            *target = goal;
            return true;
        }
    }
    // FF /2 with the forms of its operand, by length.
    if (code[6] == 0xff && (code[7] & 0xf8) == 0xd0) return true;
    if (code[6] == 0xff && (code[7] & 0xf8) == 0x10 && (code[7] & 7) != 4 && (code[7] & 7) != 5)
        return true;
    if (code[5] == 0xff && (code[6] & 0xf8) == 0x50 && (code[6] & 7) != 4) return true;
    if (code[5] == 0xff && code[6] == 0x14) return true;
    if (code[4] == 0xff && code[5] == 0x54) return true;
    if (code[2] == 0xff && code[3] == 0x15) return true;
    if (code[2] == 0xff && (code[3] & 0xf8) == 0x90 && (code[3] & 7) != 4) return true;
    if (code[1] == 0xff && code[2] == 0x94) return true;
    return false;
#elif defined(__aarch64__)
    uint32_t code;
    if (address % 4 || !unwinder_image(unwinder, address - 4) ||
        !ctelltale_read_memory(address - 4, &code, sizeof code))
        return false;
    if ((code & 0xfc000000) == 0x94000000) {
        int32_t distance = (int32_t)(code << 6) >> 4;
        *target = address - 4 + (uintptr_t)(intptr_t)distance;
        return true;
    }
    return (code & 0xfffffc1f) == 0xd63f0000 || (code & 0xfefff800) == 0xd63f0800;
#else
    (void)unwinder;
    (void)address;
    return false;
#endif
}

#if defined(__x86_64__)
// Returns whether the code at `target` jumps to `function`: an entry of the linkage table, whose
// jump the loader has filled in, or a thunk.
static bool leads_to(uintptr_t target, uintptr_t function) {
    for (int jumps = 0; jumps < 3; jumps++) {
        if (target == function) return true;
        uint8_t code[16];
        if (!ctelltale_read_memory(target, code, sizeof code)) return false;
        size_t at = 0;
        static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
        if (!memcmp(code, landing, sizeof landing)) at = sizeof landing;
        if (code[at] == 0xf2) at++;
        int32_t distance;
        if (code[at] == 0xe9) {
            memcpy(&distance, code + at + 1, sizeof distance);
            target += at + 5 + (uintptr_t)(intptr_t)distance;
        } else if (code[at] == 0xff && code[at + 1] == 0x25) {
            memcpy(&distance, code + at + 2, sizeof distance);
            uintptr_t slot = target + at + 6 + (uintptr_t)(intptr_t)distance;
            if (!ctelltale_read_memory(slot, &target, sizeof target)) return false;
        } else {
            return false;
        }
    }
    return target == function;
}

// Determines the distance of the stack pointer below the frame pointer after the function's first
// instructions. `*slack` is the further distance possible if it was aligned.
static bool read_prologue(uintptr_t function, uintptr_t pc, uint64_t *distance, uint64_t *slack) {
    uint8_t code[80];
    size_t size = sizeof code;
    if (pc < function) return false;
    if (pc - function < size) size = pc - function;
    memset(code, 0, sizeof code);
    if (!ctelltale_read_memory(function, code, size)) return false;
    bool has_frame = false;
    uint64_t depth = 0;
    *slack = 0;
    size_t at = 0;
    while (at + 8 < sizeof code && at < size) {
        const uint8_t *c = code + at;
        int32_t wide;
        if (c[0] == 0xf3 && c[1] == 0x0f && c[2] == 0x1e && c[3] == 0xfa) {
            at += 4;
        } else if ((c[0] & 0xf8) == 0x50) {
            depth += 8;
            at += 1;
        } else if (c[0] == 0x41 && (c[1] & 0xf8) == 0x50) {
            depth += 8;
            at += 2;
        } else if (c[0] == 0x48 && ((c[1] == 0x89 && c[2] == 0xe5) || (c[1] == 0x8b && c[2] == 0xec))) {
            has_frame = true;
            depth = 0;
            at += 3;
        } else if (c[0] == 0x48 && c[1] == 0x8d && c[2] == 0x6c && c[3] == 0x24) {
            has_frame = true;  // lea 8(%rsp), %rbp of an async function
            depth = c[4];
            at += 5;
        } else if (c[0] == 0x48 && c[1] == 0x0f && c[2] == 0xba && c[3] == 0xed) {
            at += 5;  // bts $60, %rbp
        } else if (c[0] == 0x48 && c[1] == 0x83 && c[2] == 0xec) {
            depth += (uint64_t)(int64_t)(int8_t)c[3];
            at += 4;
        } else if (c[0] == 0x48 && c[1] == 0x81 && c[2] == 0xec) {
            memcpy(&wide, c + 3, sizeof wide);
            depth += (uint64_t)(int64_t)wide;
            at += 7;
        } else if (c[0] == 0x48 && c[1] == 0x83 && c[2] == 0xe4) {
            *slack = 0 - (uint64_t)(int64_t)(int8_t)c[3];
            at += 4;
        } else if (c[0] == 0x48 && c[1] == 0x81 && c[2] == 0xe4) {
            memcpy(&wide, c + 3, sizeof wide);
            *slack = 0 - (uint64_t)(int64_t)wide;
            at += 7;
        } else if (c[0] == 0x48 && (c[1] == 0x89 || c[1] == 0x8b) && (c[2] & 0xc0) == 0xc0 &&
                   (c[2] & 7) != 4 && (c[2] >> 3 & 7) != 4 && !has_frame) {
            at += 3;  // a move between other registers, before the frame is set up
        } else {
            break;
        }
    }
    if (!has_frame || depth > 1u << 24 || *slack > 4096) return false;
    *distance = depth;
    return true;
}
#endif

// MARK: A frame pointer that was not saved

// Returns the rank of a candidate: 0 is none.
static int worth(struct unwinder *unwinder, struct stack_copy *stack, uintptr_t candidate,
                 uintptr_t function) {
    uint64_t saved, back;
    uintptr_t target;
    if (!stack_copy_read(stack, candidate, &saved) || !stack_copy_read(stack, candidate + 8, &back) ||
        !unwinder_follows_call(unwinder, plain_address(back), &target))
        return 0;
#if defined(__x86_64__)
    bool goes_here = target && leads_to(target, function);
#else
    bool goes_here = target == function;
#endif
    if (goes_here) return 3;
    saved &= ~ASYNC_BIT;
    bool is_chain = saved > candidate && saved - candidate < stack->capacity;
    if (!target) return is_chain ? 2 : 1;
    // A direct call to another function: only a function that jumped here could be in between.
    return is_chain ? 1 : 0;
}

// Finds the frame pointer of a frame whose stack pointer is known. In order: the effect of the
// function's first instructions, then the slots above that hold a return address to a call of this
// function; a candidate that leads to the thread's entry is taken.
bool unwinder_recover(struct unwinder *unwinder, struct stack_copy *stack,
                      const struct registers *registers, uintptr_t function, bool is_trial,
                      uint64_t *out) {
    uintptr_t sp = registers->values[STACK_POINTER];
    uint64_t distance = 0, slack = 0;
    bool is_known = false;
#if defined(__x86_64__)
    is_known = read_prologue(function, registers->pc, &distance, &slack);
#endif
    uintptr_t from = (sp + distance + 7) & ~(uintptr_t)7;
    if (is_known && slack == 0 && worth(unwinder, stack, from, function) >= 1) {
        *out = from;
        return true;
    }
    if (is_trial) {
        // Not a search within a search: takes the nearest candidate.
        for (uintptr_t at = from; at - from < 4096; at += 8)
            if (worth(unwinder, stack, at, function) >= 2) {
                *out = at;
                return true;
            }
        return false;
    }
    enum { WINDOW = 64 << 10, TRIALS = 24 };
    uintptr_t weak = 0;
    unsigned trials = 0;
    for (int wanted = 3; wanted >= 1; wanted--) {
        for (uintptr_t at = from; at - from < WINDOW && trials < TRIALS; at += 8) {
            uint64_t ignored;
            if (!stack_copy_read(stack, at + 8, &ignored)) break;
            if (worth(unwinder, stack, at, function) != wanted) continue;
            if (!weak) weak = at;
            struct registers trial = *registers;
            trial.values[FRAME_POINTER] = at;
            trial.known |= UINT64_C(1) << FRAME_POINTER;
            CTelltaleFrame frames[64];
            CTelltaleStackEnd end;
            trials++;
            unwinder_walk_on(unwinder, stack, trial, frames, sizeof frames / sizeof *frames, &end, true);
            if (end == CTelltaleStackWhole || end == CTelltaleStackFull) {
                *out = at;
                return true;
            }
        }
    }
    *out = weak;
    return weak != 0;
}
#endif
