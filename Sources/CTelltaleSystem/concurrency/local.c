// The current task and executor of the calling thread, as reported by the runtimes themselves. Used only by
// the calibration, which learns where the runtimes keep them.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <link.h>
#include <string.h>

// The maximum number of bytes searched in a thread's storage.
#define LARGEST (64u << 20)

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// Weak, as a host may have been linked without one of them.
extern void *dispatch_get_current_queue(void) __attribute__((weak));
extern void *swift_task_getCurrent(void) __attribute__((weak)) __attribute__((swiftcall));
extern void swift_job_run(void) __attribute__((weak));

const void *ctelltale_runtime_function(void) { return (const void *)swift_job_run; }

void *ctelltale_current_queue(void) {
    return dispatch_get_current_queue ? dispatch_get_current_queue() : NULL;
}

void *ctelltale_current_task(void) {
    return swift_task_getCurrent ? swift_task_getCurrent() : NULL;
}

uintptr_t ctelltale_stack_position(void) { return (uintptr_t)__builtin_frame_address(0); }

uintptr_t ctelltale_thread_pointer(void) {
#if defined(__x86_64__)
    uintptr_t pointer;
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
#elif defined(__aarch64__)
    uintptr_t pointer;
    __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
#else
    return 0;
#endif
}

#define PIECE 4096u

// Returns the size of the thread-local storage of all loaded images together. At program start the C
// library lays it out as one block for each thread, in the order of loading, so a large variable of one
// library moves those of the next away from the pointer. Storage of a library that was loaded later may be
// elsewhere, and then isn't found. The size is taken from the mapped headers: `dl_iterate_phdr` would take
// the loader's lock.
static size_t storage_size(void) {
    size_t size = PIECE;  // the C library's own
    CTelltaleImages *images = ctelltale_images_read(NULL);
    if (!images) return size;
    for (size_t i = 0; i < ctelltale_images_count(images); i++) {
        const CTelltaleImage *image = ctelltale_images_at(images, i);
        ElfW(Ehdr) header;
        if (!image || !ctelltale_read_memory(image->low, &header, sizeof header) ||
            memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(ElfW(Phdr)))
            continue;
        for (unsigned j = 0; j < header.e_phnum; j++) {
            ElfW(Phdr) segment;
            uintptr_t place = image->low + header.e_phoff + j * sizeof segment;
            if (!ctelltale_read_memory(place, &segment, sizeof segment)) break;
            if (segment.p_type == PT_TLS && segment.p_memsz < LARGEST && segment.p_align < LARGEST)
                size += segment.p_memsz + segment.p_align;
        }
    }
    ctelltale_images_release(images);
    return size < LARGEST ? size : LARGEST;
}

// Reads a chunk, or the readable part of it.
static bool read_piece(uintptr_t address, uintptr_t *words) {
    if (ctelltale_read_memory(address, words, PIECE)) return true;
    bool any = false;
    for (size_t i = 0; i < PIECE / sizeof *words; i++) {
        bool is_there = ctelltale_read_memory(address + i * sizeof *words, &words[i], sizeof *words);
        if (!is_there) words[i] = 0;
        any = any || is_there;
    }
    return any;
}

typedef bool Match(uintptr_t word, uintptr_t wanted);

static size_t find(Match *matches, uintptr_t wanted, intptr_t *offsets, size_t capacity) {
    uintptr_t pointer = ctelltale_thread_pointer();
    size_t count = 0, size = storage_size();
    if (!pointer || !wanted) return 0;
    uintptr_t below[PIECE / sizeof(uintptr_t)], above[PIECE / sizeof(uintptr_t)];
    size_t words = PIECE / sizeof(uintptr_t);
    bool has_below = true, has_above = true;
    // Nearest first: x86-64 keeps the variables below the pointer, arm64 above it. Further below is the
    // stack, which contains the word as well.
    for (size_t base = 0; base < size && (has_below || has_above); base += PIECE) {
        has_below = has_below && read_piece(pointer - base - PIECE, below);
        has_above = has_above && read_piece(pointer + base + sizeof *above, above);
        for (size_t i = 0; i < words; i++) {
            intptr_t distance = (intptr_t)(base + (i + 1) * sizeof *below);
            for (int sign = -1; sign <= 1; sign += 2) {
                if (sign < 0 ? !has_below || !matches(below[words - 1 - i], wanted)
                             : !has_above || !matches(above[i], wanted))
                    continue;
                if (count == capacity) return count;
                offsets[count++] = sign * distance;
            }
        }
    }
    return count;
}

static bool is_equal(uintptr_t word, uintptr_t wanted) { return word == wanted; }

size_t ctelltale_find_local(uintptr_t word, intptr_t *offsets, size_t capacity) {
    return find(is_equal, word, offsets, capacity);
}

// `ExecutorTrackingInfo` is on the stack of a caller, and begins with the executor.
static bool is_tracking(uintptr_t word, uintptr_t actor) {
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), executor;
    if (word - here > (uintptr_t)64 << 20 || (word & 7) != 0) return false;
    return ctelltale_read_memory(word, &executor, sizeof executor) && executor == actor;
}

intptr_t ctelltale_executor_slot(uintptr_t actor) {
    intptr_t offset;
    return find(is_tracking, actor, &offset, 1) ? offset : 0;
}
#endif
