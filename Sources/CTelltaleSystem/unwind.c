// A small interpreter of call frame information (`.eh_frame`, found through `.eh_frame_hdr`). Optimised
// Swift and glibc keep no frame pointers: a walk by those gave one frame for a thread in a condition
// variable (measured).
//
// Longer than other files: the interpreter, its expressions, and what stands in where the kernel shows
// no frame pointer are of no use without each other.
#define _GNU_SOURCE
#include "unwind.h"

#if CTELLTALE_AGENT && defined(__linux__)

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define LARGEST_ENTRY 16384
#define LARGEST_STEPS 100000
#define STATES 16
#define EXPRESSION_DEPTH 64
#define EXPRESSION_STEPS 1000
#define CACHE_BITS 12
#define ASYNC_FRAMES 256
#define ALLOCATIONS 32
// The register that has an async function's context.
#if defined(__x86_64__)
#define ASYNC_CONTEXT 14
#else
#define ASYNC_CONTEXT 22
#endif

enum kind { same, undefined, offset, value_offset, in_register, expression, value_expression };

struct rule {
    enum kind kind;
    int64_t value;
    const uint8_t *bytes;  // of an expression
    size_t length;
};

struct row {
    struct rule cfa;  // `offset`: register `cfa_register` plus value; or `value_expression`
    unsigned cfa_register;
    struct rule rules[REGISTERS];
};

struct entry {
    uintptr_t start, end;  // of the function's code
    uint64_t code_alignment;
    int64_t data_alignment;
    unsigned return_register;
    uint8_t pointer_encoding;
    bool is_signal_frame, has_augmentation;
    const uint8_t *initial, *initial_end, *program, *program_end;
};

// What a row says of the registers that a walk needs, where it says it without an expression.
#if defined(__x86_64__)
static const uint8_t kept_registers[] = {3, 6, 12, 13, 14, 15, RETURN_ADDRESS};
#elif defined(__aarch64__)
static const uint8_t kept_registers[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, RETURN_ADDRESS};
#else
static const uint8_t kept_registers[] = {RETURN_ADDRESS};
#endif
#define KEPT (sizeof kept_registers)

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
    const CTelltaleImages *images;
    const CTelltaleImage *image;  // the last one
    struct row row, initial, states[STATES];
    uint8_t entry_bytes[LARGEST_ENTRY + 8], common_bytes[LARGEST_ENTRY + 8];
    struct cached cache[1 << CACHE_BITS];
    bool has_lost_leaf;
    uintptr_t runner, task;  // of the thread that is walked
    size_t wanted;           // the index of a frame whose function is asked for
    uintptr_t function;
};

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

static const CTelltaleImage *image_of(struct unwinder *unwinder, uintptr_t pc) {
    const CTelltaleImage *image = unwinder->image;
    if (!image || pc < image->low || pc >= image->high)
        image = ctelltale_images_holding(unwinder->images, pc);
    if (!image) return NULL;
    unwinder->image = image;
    return ctelltale_image_has_text(image, pc) ? image : NULL;
}

// MARK: The stack

void stack_copy_grow(struct stack_copy *stack, size_t size) {
    size_t wanted = size > stack->capacity ? stack->capacity : size;
    if (stack->is_at_end || wanted <= stack->size) return;
    // The kernel stops at the first page that isn't there, whole pages before it are copied.
    enum { PIECES = 32, PAGE = 4096 };
    while (stack->size < wanted) {
        struct iovec pieces[PIECES];
        size_t count = 0, total = 0;
        while (count < PIECES && stack->size + total < wanted) {
            uintptr_t at = stack->low + stack->size + total;
            size_t length = PAGE - at % PAGE;
            if (length > stack->capacity - stack->size - total)
                length = stack->capacity - stack->size - total;
            if (length == 0) break;
            pieces[count++] = (struct iovec){(void *)at, length};
            total += length;
        }
        if (count == 0) break;
        struct iovec local = {stack->bytes + stack->size, total};
        ssize_t copied = process_vm_readv((int)syscall(SYS_gettid), &local, 1, pieces, count, 0);
        if (copied < 0) {
            // Refused: the other way of reading, a page at a time.
            copied = 0;
            for (size_t i = 0; i < count; i++) {
                if (!ctelltale_read_memory((uintptr_t)pieces[i].iov_base,
                                           stack->bytes + stack->size + (size_t)copied,
                                           pieces[i].iov_len))
                    break;
                copied += (ssize_t)pieces[i].iov_len;
            }
        }
        stack->size += (size_t)copied;
        if ((size_t)copied < total) {
            stack->is_at_end = true;
            return;
        }
    }
    if (stack->size == stack->capacity) stack->is_at_end = true;
}

static bool read_stack(struct stack_copy *stack, uintptr_t address, uint64_t *out) {
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

static void move_to(struct stack_copy *stack, uintptr_t address) {
    if (address >= stack->low && address - stack->low < stack->capacity - sizeof(uint64_t)) return;
    stack->low = address;
    stack->size = 0;
    stack->capacity = stack->room;
    if (stack->top > address && stack->top - address < stack->room)
        stack->capacity = (stack->top - address + 7) & ~(size_t)7;
    stack->is_at_end = false;
}

// MARK: Reading the tables

struct bytes {
    const uint8_t *at, *end;
    bool is_bad;
};

static uint64_t fixed(struct bytes *bytes, size_t size) {
    uint64_t value = 0;
    if ((size_t)(bytes->end - bytes->at) < size) {
        bytes->is_bad = true;
        bytes->at = bytes->end;
        return 0;
    }
    memcpy(&value, bytes->at, size);
    bytes->at += size;
    return value;
}

static uint64_t uleb(struct bytes *bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = fixed(bytes, 1);
        if (bytes->is_bad) return 0;
        if (shift < 64) value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
}

static int64_t sleb(struct bytes *bytes) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = fixed(bytes, 1);
        if (bytes->is_bad) return 0;
        if (shift < 64) value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            if (shift + 7 < 64 && (byte & 0x40)) value |= ~UINT64_C(0) << (shift + 7);
            return (int64_t)value;
        }
    }
}

// A pointer as `encoding` says; `place` is where it lies in memory.
static uint64_t encoded(struct bytes *bytes, uint8_t encoding, uintptr_t place) {
    uint64_t value;
    switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c: value = fixed(bytes, 8); break;
    case 0x01: value = uleb(bytes); break;
    case 0x02: value = fixed(bytes, 2); break;
    case 0x03: value = fixed(bytes, 4); break;
    case 0x09: value = (uint64_t)sleb(bytes); break;
    case 0x0a: value = (uint64_t)(int64_t)(int16_t)fixed(bytes, 2); break;
    case 0x0b: value = (uint64_t)(int64_t)(int32_t)fixed(bytes, 4); break;
    default: bytes->is_bad = true; return 0;
    }
    if ((encoding & 0x70) == 0x10) value += place;
    return value;
}

// Reads an entry of `.eh_frame` whole; its first four bytes are its length.
static size_t read_entry(uintptr_t address, uint8_t *buffer) {
    uint32_t length;
    if (!ctelltale_read_memory(address, &length, sizeof length)) return 0;
    if (length < 4 || length > LARGEST_ENTRY - 4) return 0;
    if (!ctelltale_read_memory(address, buffer, length + 4)) return 0;
    return length + 4;
}

static bool read_common(struct unwinder *unwinder, uintptr_t address, struct entry *entry) {
    size_t size = read_entry(address, unwinder->common_bytes);
    if (!size) return false;
    struct bytes bytes = {unwinder->common_bytes + 4, unwinder->common_bytes + size, false};
    if (fixed(&bytes, 4) != 0) return false;
    uint64_t version = fixed(&bytes, 1);
    if (version != 1 && version != 3) return false;
    const char *augmentation = (const char *)bytes.at;
    const void *close = memchr(bytes.at, 0, (size_t)(bytes.end - bytes.at));
    if (!close) return false;
    bytes.at = (const uint8_t *)close + 1;
    entry->code_alignment = uleb(&bytes);
    entry->data_alignment = sleb(&bytes);
    entry->return_register = (unsigned)(version == 1 ? fixed(&bytes, 1) : uleb(&bytes));
    entry->pointer_encoding = 0;
    if (*augmentation == 'z') {
        entry->has_augmentation = true;
        uint64_t length = uleb(&bytes);
        if (bytes.is_bad || length > (uint64_t)(bytes.end - bytes.at)) return false;
        const uint8_t *after = bytes.at + length;
        for (augmentation++; *augmentation; augmentation++) {
            if (*augmentation == 'R') {
                entry->pointer_encoding = (uint8_t)fixed(&bytes, 1);
            } else if (*augmentation == 'P') {
                uint8_t encoding = (uint8_t)fixed(&bytes, 1);
                encoded(&bytes, encoding, 0);
            } else if (*augmentation == 'L') {
                fixed(&bytes, 1);
            } else if (*augmentation == 'S') {
                entry->is_signal_frame = true;
            } else if (*augmentation != 'B') {
                break;
            }
        }
        bytes.at = after;
    } else if (*augmentation) {
        return false;
    }
    entry->initial = bytes.at;
    entry->initial_end = bytes.end;
    return !bytes.is_bad && entry->return_register < REGISTERS;
}

// The table of `.eh_frame_hdr`: pairs of four-byte offsets from the header, sorted.
static uintptr_t find_entry(const CTelltaleImage *image, uintptr_t pc) {
    uint8_t head[12];
    uintptr_t header = image->eh_frame_hdr;
    if (!header || image->eh_frame_hdr_size < sizeof head ||
        !ctelltale_read_memory(header, head, sizeof head) || head[0] != 1 || head[2] != 0x03 ||
        head[3] != 0x3b || (head[1] != 0x1b && head[1] != 0x1c && head[1] != 0x03))
        return 0;
    size_t skipped = 4 + ((head[1] & 0x0f) == 0x0c ? 8u : 4u);
    uint32_t count;
    if (!ctelltale_read_memory(header + skipped, &count, sizeof count)) return 0;
    uintptr_t table = header + skipped + 4;
    if (image->eh_frame_hdr_size < skipped + 4 ||
        count > (image->eh_frame_hdr_size - skipped - 4) / 8)
        return 0;
    int64_t wanted = (int64_t)(pc - header);

    struct {
        int32_t start, entry;
    } block[256];
    size_t low = 0, high = count;
    // The wanted one is in [low, high); far off it is looked for by single reads.
    while (high - low > sizeof block / sizeof *block) {
        size_t middle = low + (high - low) / 2;
        int32_t start;
        if (!ctelltale_read_memory(table + middle * 8, &start, sizeof start)) return 0;
        if (start <= wanted)
            low = middle;
        else
            high = middle;
    }
    if (high == low || !ctelltale_read_memory(table + low * 8, block, (high - low) * 8)) return 0;
    size_t first = 0, last = high - low;
    while (last - first > 1) {
        size_t middle = first + (last - first) / 2;
        if (block[middle].start <= wanted)
            first = middle;
        else
            last = middle;
    }
    if (block[first].start > wanted) return 0;
    return header + (uintptr_t)(intptr_t)block[first].entry;
}

static bool read_function(struct unwinder *unwinder, const CTelltaleImage *image, uintptr_t pc,
                          struct entry *entry) {
    memset(entry, 0, sizeof *entry);
    uintptr_t address = find_entry(image, pc);
    if (address < image->low || address >= image->high) return false;
    size_t size = read_entry(address, unwinder->entry_bytes);
    if (!size) return false;
    struct bytes bytes = {unwinder->entry_bytes + 4, unwinder->entry_bytes + size, false};
    uint32_t back = (uint32_t)fixed(&bytes, 4);
    if (back == 0 || !read_common(unwinder, address + 4 - back, entry)) return false;
    uintptr_t place = address + (uintptr_t)(bytes.at - unwinder->entry_bytes);
    entry->start = encoded(&bytes, entry->pointer_encoding, place);
    entry->end = entry->start + encoded(&bytes, entry->pointer_encoding & 0x0f, 0);
    if (entry->has_augmentation) {
        uint64_t length = uleb(&bytes);
        if (bytes.is_bad || length > (uint64_t)(bytes.end - bytes.at)) return false;
        bytes.at += length;
    }
    entry->program = bytes.at;
    entry->program_end = bytes.end;
    return !bytes.is_bad && pc >= entry->start && pc < entry->end;
}

// MARK: The interpreter

static void set(struct row *row, uint64_t number, enum kind kind, int64_t value) {
    if (number < REGISTERS) row->rules[number] = (struct rule){kind, value, NULL, 0};
}

static void set_expression(struct rule *rule, enum kind kind, struct bytes *bytes) {
    uint64_t length = uleb(bytes);
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
        uint8_t code = (uint8_t)fixed(&bytes, 1), low = code & 0x3f;
        uint64_t number;
        uintptr_t next = location;
        switch (code & 0xc0) {
        case 0x40: next += low * entry->code_alignment; goto advance;
        case 0x80:
            set(row, low, offset, (int64_t)(uleb(&bytes) * (uint64_t)factor));
            continue;
        case 0xc0:
            row->rules[low < REGISTERS ? low : 0] =
                unwinder->initial.rules[low < REGISTERS ? low : 0];
            continue;
        default: break;
        }
        switch (code) {
        case 0x00: break;
        case 0x01: next = encoded(&bytes, entry->pointer_encoding & 0x0f, 0); goto advance;
        case 0x02: next += fixed(&bytes, 1) * entry->code_alignment; goto advance;
        case 0x03: next += fixed(&bytes, 2) * entry->code_alignment; goto advance;
        case 0x04: next += fixed(&bytes, 4) * entry->code_alignment; goto advance;
        case 0x05:
            number = uleb(&bytes);
            set(row, number, offset, (int64_t)(uleb(&bytes) * (uint64_t)factor));
            break;
        case 0x06:
            number = uleb(&bytes);
            if (number < REGISTERS) row->rules[number] = unwinder->initial.rules[number];
            break;
        case 0x07: set(row, uleb(&bytes), undefined, 0); break;
        case 0x08: set(row, uleb(&bytes), same, 0); break;
        case 0x09:
            number = uleb(&bytes);
            set(row, number, in_register, (int64_t)uleb(&bytes));
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
            row->cfa_register = (unsigned)uleb(&bytes);
            row->cfa = (struct rule){offset, (int64_t)uleb(&bytes), NULL, 0};
            break;
        case 0x0d:
            row->cfa_register = (unsigned)uleb(&bytes);
            row->cfa.kind = offset;
            break;
        case 0x0e: row->cfa.value = (int64_t)uleb(&bytes); break;
        case 0x0f: set_expression(&row->cfa, value_expression, &bytes); break;
        case 0x10:
        case 0x16: {
            struct rule ignored;
            number = uleb(&bytes);
            set_expression(number < REGISTERS ? &row->rules[number] : &ignored,
                           code == 0x10 ? expression : value_expression, &bytes);
            break;
        }
        case 0x11:
            number = uleb(&bytes);
            set(row, number, offset, (int64_t)((uint64_t)sleb(&bytes) * (uint64_t)factor));
            break;
        case 0x12:
            row->cfa_register = (unsigned)uleb(&bytes);
            row->cfa = (struct rule){
                offset, (int64_t)((uint64_t)sleb(&bytes) * (uint64_t)factor), NULL, 0};
            break;
        case 0x13: row->cfa.value = (int64_t)((uint64_t)sleb(&bytes) * (uint64_t)factor); break;
        case 0x14:
            number = uleb(&bytes);
            set(row, number, value_offset, (int64_t)(uleb(&bytes) * (uint64_t)factor));
            break;
        case 0x15:
            number = uleb(&bytes);
            set(row, number, value_offset, (int64_t)((uint64_t)sleb(&bytes) * (uint64_t)factor));
            break;
        case 0x2d: break;  // arm64: the return address is signed from here on, or no more
        case 0x2e: uleb(&bytes); break;
        case 0x2f:
            number = uleb(&bytes);
            set(row, number, offset, (int64_t)(0 - uleb(&bytes) * (uint64_t)factor));
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

static bool make_row(struct unwinder *unwinder, const struct entry *entry, uintptr_t pc) {
    memset(&unwinder->row, 0, sizeof unwinder->row);
    memset(&unwinder->initial, 0, sizeof unwinder->initial);
    if (!interpret(unwinder, entry, entry->initial, entry->initial_end, UINTPTR_MAX)) return false;
    unwinder->initial = unwinder->row;
    return interpret(unwinder, entry, entry->program, entry->program_end, pc);
}

// MARK: Expressions

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

static bool evaluate(const struct rule *rule, struct stack_copy *stack,
                     const struct registers *registers, const uint64_t *first, uint64_t *out) {
    struct machine machine = {.depth = 0};
    struct bytes bytes = {rule->bytes, rule->bytes + rule->length, false};
    if (first) push(&machine, *first);
    for (unsigned step = 0; bytes.at < bytes.end; step++) {
        if (step == EXPRESSION_STEPS || machine.is_bad || bytes.is_bad) return false;
        uint8_t code = (uint8_t)fixed(&bytes, 1);
        uint64_t a, b;
        if (code >= 0x30 && code <= 0x4f) {
            push(&machine, code - 0x30u);
            continue;
        }
        if ((code >= 0x70 && code <= 0x8f) || code == 0x92) {
            uint64_t number = code == 0x92 ? uleb(&bytes) : code - 0x70u;
            int64_t addend = sleb(&bytes);
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
        case 0x03: push(&machine, fixed(&bytes, 8)); break;
        case 0x06:
            if (!read_stack(stack, pop(&machine), &a)) return false;
            push(&machine, a);
            break;
        case 0x08: push(&machine, fixed(&bytes, 1)); break;
        case 0x09: push(&machine, (uint64_t)(int8_t)fixed(&bytes, 1)); break;
        case 0x0a: push(&machine, fixed(&bytes, 2)); break;
        case 0x0b: push(&machine, (uint64_t)(int16_t)fixed(&bytes, 2)); break;
        case 0x0c: push(&machine, fixed(&bytes, 4)); break;
        case 0x0d: push(&machine, (uint64_t)(int32_t)fixed(&bytes, 4)); break;
        case 0x0e:
        case 0x0f: push(&machine, fixed(&bytes, 8)); break;
        case 0x10: push(&machine, uleb(&bytes)); break;
        case 0x11: push(&machine, (uint64_t)sleb(&bytes)); break;
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
        case 0x23: push(&machine, pop(&machine) + uleb(&bytes)); break;
        case 0x1f: push(&machine, 0 - pop(&machine)); break;
        case 0x20: push(&machine, ~pop(&machine)); break;
        case 0x28: {
            int16_t distance = (int16_t)fixed(&bytes, 2);
            if (!pop(&machine)) break;
            if (distance > bytes.end - bytes.at || -distance > bytes.at - rule->bytes) return false;
            bytes.at += distance;
            break;
        }
        case 0x2f: {
            int16_t distance = (int16_t)fixed(&bytes, 2);
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

// MARK: Return addresses

static uintptr_t plain(uintptr_t address) {
#if defined(__aarch64__)
    return address & ((UINT64_C(1) << 48) - 1);  // without a pointer's signature
#else
    return address;
#endif
}

// Whether a call ends at `address`; where it goes if that is written in it, else 0.
static bool follows_call(struct unwinder *unwinder, uintptr_t address, uintptr_t *target) {
    *target = 0;
#if defined(__x86_64__)
    uint8_t code[8];
    if (address < sizeof code || !image_of(unwinder, address - 1) ||
        !ctelltale_read_memory(address - sizeof code, code, sizeof code))
        return false;
    if (code[3] == 0xe8) {
        int32_t distance;
        memcpy(&distance, code + 4, sizeof distance);
        uintptr_t goal = address + (uintptr_t)(intptr_t)distance;
        if (image_of(unwinder, goal)) {
            *target = goal;
            return true;
        }
    }
    // FF /2 with the forms of its operand: by length.
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
    if (address % 4 || !image_of(unwinder, address - 4) ||
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
// Whether what is at `target` jumps to `function`: a stub of the linkage table, or a thunk.
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

// How far below the frame pointer the stack pointer is after the function's first instructions.
// `*slack` is how much further it may be where it was aligned.
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
            at += 3;  // a move between other registers, ahead of the frame
        } else {
            break;
        }
    }
    if (!has_frame || depth > 1u << 24 || *slack > 4096) return false;
    *distance = depth;
    return true;
}
#endif

// MARK: A frame pointer that nobody saved

// What a candidate is worth: 0 is none.
static int worth(struct unwinder *unwinder, struct stack_copy *stack, uintptr_t candidate,
                 uintptr_t function) {
    uint64_t saved, back;
    uintptr_t target;
    if (!read_stack(stack, candidate, &saved) || !read_stack(stack, candidate + 8, &back) ||
        !follows_call(unwinder, plain(back), &target))
        return 0;
#if defined(__x86_64__)
    bool goes_here = target && leads_to(target, function);
#else
    bool goes_here = target == function;
#endif
    if (goes_here) return 3;
    saved &= ~(UINT64_C(1) << 60);
    bool is_chain = saved > candidate && saved - candidate < stack->capacity;
    if (!target) return is_chain ? 2 : 1;
    // A direct call to somewhere else: only a function that jumped here could be in between.
    return is_chain ? 1 : 0;
}

static size_t walk(struct unwinder *unwinder, struct stack_copy *stack, struct registers registers,
                   CTelltaleFrame *frames, size_t capacity, CTelltaleStackEnd *end, bool is_trial);

// Finds the frame pointer of a frame whose stack pointer is known. In order: what the function's first
// instructions say, then the slots above that hold a return address to a call of this function; what
// leads to the thread's entry is taken.
static bool recover(struct unwinder *unwinder, struct stack_copy *stack,
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
        // Not a search within a search: the nearest one that can be.
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
            if (!read_stack(stack, at + 8, &ignored)) break;
            if (worth(unwinder, stack, at, function) != wanted) continue;
            if (!weak) weak = at;
            struct registers trial = *registers;
            trial.values[FRAME_POINTER] = at;
            trial.known |= UINT64_C(1) << FRAME_POINTER;
            CTelltaleFrame frames[64];
            CTelltaleStackEnd end;
            trials++;
            walk(unwinder, stack, trial, frames, sizeof frames / sizeof *frames, &end, true);
            if (end == CTelltaleStackWhole || end == CTelltaleStackFull) {
                *out = at;
                return true;
            }
        }
    }
    *out = weak;
    return weak != 0;
}

// MARK: Walking

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
    if (!read_function(unwinder, image, pc, entry) || !make_row(unwinder, entry, pc)) return false;
    const struct row *row = &unwinder->row;
    struct cached made = {.pc = pc, .serial = image->serial, .start = entry->start,
                          .is_signal_frame = entry->is_signal_frame};
    if (row->cfa.kind != offset || row->cfa_register >= REGISTERS || row->cfa.value != (int32_t)row->cfa.value ||
        entry->return_register != RETURN_ADDRESS || entry->is_signal_frame)
        return true;
    made.cfa_register = (uint8_t)row->cfa_register;
    made.cfa_offset = (int32_t)row->cfa.value;
    for (size_t i = 0; i < KEPT; i++) {
        const struct rule *rule = &row->rules[kept_registers[i]];
        if (rule->kind > offset || rule->value != (int32_t)rule->value) return true;
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
        if (!read_stack(stack, at, &saved) || !read_stack(stack, at + 8, &back)) return false;
        if (saved <= at || saved % 16 || !follows_call(unwinder, plain(back), &target)) continue;
        // The next record, too, has to be one.
        if (!read_stack(stack, saved + 8, &outer) ||
            (outer && !follows_call(unwinder, plain(outer), &target)))
            continue;
        registers->values[FRAME_POINTER] = saved;
        registers->values[STACK_POINTER] = at + 16;
        registers->known = UINT64_C(1) << FRAME_POINTER | UINT64_C(1) << STACK_POINTER;
        registers->pc = plain(back);
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
    if (number != FRAME_POINTER || !recover(unwinder, stack, registers, function, is_trial, &found))
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
    case same:
        *value = registers->values[number];
        *is_known = registers->known >> number & 1;
        return true;
    case undefined: *is_known = false; return true;
    case offset: return read_stack(stack, cfa + (uint64_t)rule->value, value);
    case value_offset: *value = cfa + (uint64_t)rule->value; return true;
    case in_register:
        if (rule->value < 0 || rule->value >= REGISTERS) return false;
        *value = registers->values[rule->value];
        *is_known = registers->known >> rule->value & 1;
        return true;
    case value_expression: return evaluate(rule, stack, registers, &cfa, value);
    case expression: {
        uint64_t address;
        return evaluate(rule, stack, registers, &cfa, &address) &&
               read_stack(stack, address, value);
    }
    }
    return false;
}

#define ASYNC_BIT (UINT64_C(1) << 60)

// What a step has found out about the frame that it left.
struct frame {
    struct registers registers;
    uintptr_t start;  // of its function; 0 where it isn't known
    uint64_t cfa;
    unsigned cfa_register;
};

// Steps out of one frame.
static enum step step(struct unwinder *unwinder, struct stack_copy *stack,
                      struct registers *registers, bool is_return, bool *next_is_return,
                      struct frame *frame, bool is_trial) {
    memset(frame, 0, sizeof *frame);
    *next_is_return = true;
    uintptr_t pc = is_return ? registers->pc - 1 : registers->pc;
    const CTelltaleImage *image = image_of(unwinder, pc);
    struct cached *cached = NULL;
    struct entry entry;
    struct registers next = *registers;
    uint64_t cfa = 0;
    if (!image || !find_row(unwinder, image, pc, &cached, &entry)) {
        // No information. Where a call went to nowhere the return address lies on top; else a frame
        // pointer is believed where it leads behind a call.
        uint64_t back, saved;
        uintptr_t target, fp = registers->values[FRAME_POINTER];
        if (!is_return && read_stack(stack, registers->values[STACK_POINTER], &back) &&
            follows_call(unwinder, plain(back), &target)) {
            next.pc = plain(back);
            next.values[STACK_POINTER] += 8;
            *registers = next;
            return went;
        }
        if (!(registers->known >> FRAME_POINTER & 1) || fp < registers->values[STACK_POINTER] ||
            !read_stack(stack, fp, &saved) || !read_stack(stack, fp + 8, &back) ||
            !follows_call(unwinder, plain(back), &target))
            return failed;
        next.values[FRAME_POINTER] = saved & ~ASYNC_BIT;
        next.values[STACK_POINTER] = fp + 16;
        next.known = UINT64_C(1) << FRAME_POINTER | UINT64_C(1) << STACK_POINTER;
        next.pc = plain(back);
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
            if (row.kinds[i] == offset) {
                if (!read_stack(stack, cfa + (uint64_t)(int64_t)row.offsets[i], &value)) {
                    if (number == RETURN_ADDRESS) return failed;
                    next.known &= ~(UINT64_C(1) << number);
                    continue;
                }
                next.values[number] = value;
                next.known |= UINT64_C(1) << number;
            } else if (row.kinds[i] == undefined) {
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
        if (unwinder->row.cfa.kind == value_expression) {
            if (!evaluate(&unwinder->row.cfa, stack, registers, NULL, &cfa)) return failed;
        } else {
            if (!(cfa_register < REGISTERS && registers->known >> cfa_register & 1)) {
                if (!have(unwinder, stack, registers, cfa_register, entry.start, is_trial) ||
                    !read_function(unwinder, image, pc, &entry) ||
                    !make_row(unwinder, &entry, pc))
                    return failed;
            }
            next = *registers;
            cfa = registers->values[cfa_register] + (uint64_t)unwinder->row.cfa.value;
        }
        for (unsigned number = 0; number < REGISTERS; number++) {
            bool is_known;
            uint64_t value = 0;
            const struct rule *rule = &unwinder->row.rules[number];
            if (number == STACK_POINTER && rule->kind == same) continue;
            if (!apply(rule, stack, registers, number, cfa, &value, &is_known)) is_known = false;
            if (number == entry.return_register) {
                if (rule->kind == undefined) has_return = false;
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
        if (unwinder->row.rules[STACK_POINTER].kind == same) next.values[STACK_POINTER] = cfa;
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
    next.pc = plain(back);
    if (next.pc == 0) return entered;
    *registers = next;
    return went;
}

// Who waits for the async function, from its context: { parent, where the parent goes on }, down to the
// one that has no parent. Where it is no such chain there are none, and it is false.
static bool async_callers(struct unwinder *unwinder, uint64_t context, CTelltaleFrame *frames,
                          size_t capacity, size_t *count) {
    *count = 0;
    for (unsigned i = 0; i < ASYNC_FRAMES; i++) {
        uint64_t words[2];
        if (!context || context % 8 || !ctelltale_read_memory(context, words, sizeof words) ||
            !image_of(unwinder, words[1]) || words[0] == context) {
            *count = 0;
            return false;
        }
        // The last is the runtime's, which ends the task.
        if (!words[0]) return true;
        if (*count == capacity) return true;
        frames[(*count)++] = (CTelltaleFrame){words[1], CTelltaleFrameAsync};
        context = words[0];
    }
    return true;
}

// The async callers of a frame that the runtime's job runner has called. Its context is, in this order:
// what its task was resumed with, if it is the very function that was resumed; below the frame pointer,
// where the function has one; in the register that async functions have it in; the last of the task's
// own allocations that is one. An optimised function that waits has it in the register alone, which the
// kernel doesn't show.
static size_t callers_of_task(struct unwinder *unwinder, struct stack_copy *stack,
                              const struct frame *frame, CTelltaleFrame *frames, size_t capacity) {
    struct {
        uint64_t resume, context;
    } task = {0, 0};
    uint64_t word = 0;
    size_t count = 0;
    uintptr_t at = unwinder->task;
    if (at && ctelltale_read_memory(at + TASK_RESUME, &task, sizeof task) &&
        task.resume == frame->start &&
        async_callers(unwinder, task.context, frames, capacity, &count))
        return count;
    if (frame->cfa_register == FRAME_POINTER && read_stack(stack, frame->cfa - 24, &word) &&
        async_callers(unwinder, word, frames, capacity, &count))
        return count;
    if (frame->registers.known >> ASYNC_CONTEXT & 1 &&
        async_callers(unwinder, frame->registers.values[ASYNC_CONTEXT], frames, capacity, &count))
        return count;
    if (!at || !ctelltale_read_memory(at + TASK_ALLOCATION, &word, sizeof word)) return 0;
    for (unsigned i = 0; i < ALLOCATIONS && word && word % 16 == 0; i++) {
        // An allocation: the one before it, its slab, and what it is for.
        if (async_callers(unwinder, word + 16, frames, capacity, &count)) return count;
        if (!ctelltale_read_memory(word, &word, sizeof word)) break;
    }
    return 0;
}

static size_t walk(struct unwinder *unwinder, struct stack_copy *stack, struct registers registers,
                   CTelltaleFrame *frames, size_t capacity, CTelltaleStackEnd *end, bool is_trial) {
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
                count += callers_of_task(unwinder, stack, &inner, frames + count, capacity - count);
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
            move_to(stack, registers.values[STACK_POINTER]);
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
    return walk(unwinder, stack, *start, frames, capacity, end, false);
}

bool unwinder_has_lost_leaf(const struct unwinder *unwinder) { return unwinder->has_lost_leaf; }

#endif
