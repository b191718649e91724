//! Walks a stack by the call frame information of the images. The stack is read from a copy, the
//! information by guarded reads, so that neither a running thread nor a library that is unloaded can cause
//! a fault.
//!
//! Declares the parts that interpret a function's frame, and the small readers used by every step of a
//! walk, which are inline, since each file is compiled separately. Private to unwind/.
#pragma once

#include <string.h>

#include "CTelltaleSystem.h"
#include "memory/cursor.h"
#include "names.h"
#include "unwind/registers.h"

/// The maximum size of one stack's copy, and the initial size.
#define LARGEST_STACK (1u << 20)
#define FIRST_STACK 4096u
#define LARGEST_ENTRY 16384
#define STATES 16
#define CACHE_BITS 12
/// The number of registers that a walk needs; step.c names them.
#if defined(__x86_64__)
#define KEPT 7
#else
#define KEPT 12
#endif
/// Marks the frame pointer that an async function saves.
#define ASYNC_BIT (UINT64_C(1) << 60)

#pragma clang assume_nonnull begin

/// A copy of a part of a thread's stack, from its stack pointer upwards.
struct stack_copy {
    uintptr_t low;
    size_t size;
    size_t capacity;
    uint8_t *bytes;
    /// True if more may be copied while walking: the thread is blocked.
    bool may_grow;
    /// A read reached unmapped memory, or the limit.
    bool is_at_end;
    /// The allocated size of `bytes`; `capacity` is less if the stack is known to end.
    size_t room;
    /// The top of the thread's stack; 0 if unknown.
    uintptr_t top;
    /// The last address requested above the copy's maximum; usually 0.
    uintptr_t beyond;
};

/// Copies at least `size` bytes of the stack, as far as it has that many.
void stack_copy_grow(struct stack_copy *stack, size_t size);

/// The rule for the caller's value of a register.
enum rule_kind {
    RuleSame,
    RuleUndefined,
    RuleOffset,
    RuleValueOffset,
    RuleRegister,
    RuleExpression,
    RuleValueExpression,
};

struct rule {
    enum rule_kind kind;
    int64_t value;
    const uint8_t *_Nullable bytes;  // of an expression
    size_t length;
};

/// The unwind rules of all registers at one location in the code.
struct row {
    struct rule cfa;  // an offset from `cfa_register`, or the value of an expression
    unsigned cfa_register;
    struct rule rules[REGISTERS];
};

/// An entry of `.eh_frame`, with the part it shares with others.
struct entry {
    uintptr_t start, end;  // of the function's code
    uint64_t code_alignment;
    int64_t data_alignment;
    unsigned return_register;
    uint8_t pointer_encoding;
    bool is_signal_frame, has_augmentation;
    const uint8_t *initial, *initial_end, *program, *program_end;
};

/// A row's rules for the registers that a walk needs, if they have no expression.
struct cached {
    uintptr_t pc;
    uint64_t serial;
    uintptr_t start;
    int32_t cfa_offset;
    int32_t offsets[KEPT];
    uint8_t cfa_register;
    uint8_t kinds[KEPT];
    bool is_signal_frame;
};

struct unwinder {
    const CTelltaleImages *_Nullable images;  // the loaded images; borrowed
    const CTelltaleImage *_Nullable image;    // the last one
    struct row row, initial, states[STATES];
    uint8_t entry_bytes[LARGEST_ENTRY + 8], common_bytes[LARGEST_ENTRY + 8];
    struct cached cache[1 << CACHE_BITS];
    bool has_lost_leaf;  // the last walk had to leave out the caller of the innermost function (arm64)
    /// The task that runs on the walked thread, and the runtime's function that calls a task's functions; 0
    /// for none.
    uintptr_t task, runner;
    size_t wanted;           // the index of the frame whose function is requested
    uintptr_t function;
};

/// The result of a step for the frame that it left.
struct frame {
    struct registers registers;
    uintptr_t start;  // of its function; 0 if it isn't known
    uint64_t cfa;
    unsigned cfa_register;
};

/// Returns the image whose code contains `pc`.
static inline const CTelltaleImage *_Nullable unwinder_image(struct unwinder *unwinder,
                                                            uintptr_t pc) {
    const CTelltaleImage *_Nullable image = unwinder->image;
    if (!image || pc < image->low || pc >= image->high)
        image = ctelltale_images_holding(unwinder->images, pc);
    if (!image) return NULL;
    unwinder->image = image;
    return ctelltale_image_has_text(image, pc) ? image : NULL;
}

static inline bool stack_copy_read(struct stack_copy *stack, uintptr_t address, uint64_t *out) {
    if (address < stack->low) return false;
    size_t at = address - stack->low;
    if (stack->capacity < sizeof *out || at > stack->capacity - sizeof *out) {
        stack->beyond = address;
        return false;
    }
    if (at + sizeof *out > stack->size) {
        if (!stack->may_grow) return false;
        stack_copy_grow(stack, at + sizeof *out + stack->size);
        if (at + sizeof *out > stack->size) return false;
    }
    memcpy(out, stack->bytes + at, sizeof *out);
    return true;
}

/// Reads a pointer encoded by `encoding`; `place` is its address in memory.
static inline uint64_t cursor_pointer(Cursor *bytes, uint8_t encoding, uintptr_t place) {
    uint64_t value;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c: value = cursor_number(bytes, 8); break;
    case 0x01: value = cursor_uleb(bytes); break;
    case 0x02: value = cursor_number(bytes, 2); break;
    case 0x03: value = cursor_number(bytes, 4); break;
    case 0x09: value = (uint64_t)cursor_sleb(bytes); break;
    case 0x0a: value = (uint64_t)(int64_t)(int16_t)cursor_number(bytes, 2); break;
    case 0x0b: value = (uint64_t)(int64_t)(int32_t)cursor_number(bytes, 4); break;
    default: bytes->failed = true; return 0;
    }
    if ((encoding & 0x70) == 0x10) value += place;
    return value;
}

// MARK: Shared by the files

/// Returns an address without a pointer's signature.
static inline uintptr_t plain_address(uintptr_t address) {
#if defined(__aarch64__)
    return address & ((UINT64_C(1) << 48) - 1);
#else
    return address;
#endif
}

/// Restarts the copy at `address`, if it doesn't contain that.
void stack_copy_move(struct stack_copy *stack, uintptr_t address);

/// Reads the entry of the function that contains `pc`, in entries.c.
bool unwinder_read_function(struct unwinder *unwinder, const CTelltaleImage *image, uintptr_t pc,
                            struct entry *entry);

/// Makes `unwinder->row` the row of an entry for `pc`, in rows.c.
bool unwinder_make_row(struct unwinder *unwinder, const struct entry *entry, uintptr_t pc);

/// The value of a rule's expression, in expressions.c. `first` is the initial value on its stack.
bool unwinder_evaluate(const struct rule *rule, struct stack_copy *stack,
                       const struct registers *registers, const uint64_t *_Nullable first,
                       uint64_t *out);

/// Returns whether a call ends at `address`; gives its target if that is encoded in it, else 0.
bool unwinder_follows_call(struct unwinder *unwinder, uintptr_t address, uintptr_t *target);

/// Finds the frame pointer of a frame whose stack pointer is known, in recover.c.
bool unwinder_recover(struct unwinder *unwinder, struct stack_copy *stack,
                      const struct registers *registers, uintptr_t function, bool is_trial,
                      uint64_t *out);

/// Finds the async callers of a frame that the runtime's job runner has called, in async.c.
size_t unwinder_callers_of_task(struct unwinder *unwinder, struct stack_copy *stack,
                                const struct frame *frame, CTelltaleFrame *frames, size_t capacity);

enum step { went, entered, failed };

/// Steps out of one frame, in step.c.
enum step unwinder_step(struct unwinder *unwinder, struct stack_copy *stack,
                        struct registers *registers, bool is_return, bool *next_is_return,
                        struct frame *frame, bool is_trial);

/// Continues a walk from `registers`; a trial is a walk that tests a guess.
size_t unwinder_walk_on(struct unwinder *unwinder, struct stack_copy *stack,
                        struct registers registers, CTelltaleFrame *frames, size_t capacity,
                        CTelltaleStackEnd *end, bool is_trial);

// MARK: Walking

struct unwinder *_Nullable unwinder_make(void);

/// Writes the frames of a thread, innermost first.
///
/// @return the number of frames; `*end` is the reason that there are no more.
size_t unwinder_walk(struct unwinder *unwinder, struct stack_copy *stack,
                     const struct registers *start, CTelltaleFrame *frames, size_t capacity,
                     CTelltaleStackEnd *end);

/// Returns the start of the function of one frame; 0 if unknown.
uintptr_t unwinder_function(struct unwinder *unwinder, struct stack_copy *stack,
                            const struct registers *start, size_t index);

// MARK: State kept between captures of threads

struct CTelltaleCapture {
    struct unwinder *_Nullable unwinder;
    uint8_t *_Nullable stack;
    CTelltaleDescriptor tasks;
    /// The offsets of a thread's robust list and id from its thread pointer.
    bool has_pointers;
    intptr_t list_offset, id_offset;
    intptr_t local_offsets[CTELLTALE_LOCAL_WORDS];
    uintptr_t job_runner;
};

/// Finds the layout of threads' local storage, by the calling thread.
void capture_find_thread_pointer(CTelltaleCapture *capture);

/// Reads the requested words of a thread's local storage.
void capture_read_words(CTelltaleCapture *capture, CTelltaleThread *out);

#pragma clang assume_nonnull end
