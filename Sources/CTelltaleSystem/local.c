// What runs on the calling thread, as the runtimes themselves tell it: only for the calibration, which
// learns where they keep it.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if CTELLTALE_AGENT

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#ifdef __linux__
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
#else
// On macOS the thread's queue comes with its Mach info, and nothing has to be learnt.
const void *ctelltale_runtime_function(void) { return NULL; }
void *ctelltale_current_queue(void) { return NULL; }
void *ctelltale_current_task(void) { return NULL; }
#endif

uintptr_t ctelltale_thread_pointer(void) {
#if defined(__x86_64__) && defined(__linux__)
    uintptr_t pointer;
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
    return pointer;
#elif defined(__aarch64__) && defined(__linux__)
    uintptr_t pointer;
    __asm__("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
#else
    return 0;
#endif
}

size_t ctelltale_find_local(uintptr_t word, intptr_t *offsets, size_t capacity) {
    uintptr_t pointer = ctelltale_thread_pointer();
    size_t count = 0;
    if (!pointer || !word) return 0;
    // Nearest first: x86-64 keeps the variables below the pointer, arm64 above it. Further below lies
    // the stack, which holds the word as well.
    for (intptr_t distance = 8; distance <= 4096; distance += 8) {
        for (int sign = -1; sign <= 1; sign += 2) {
            uintptr_t found;
            intptr_t offset = sign * distance;
            if (!ctelltale_read_memory(pointer + (uintptr_t)offset, &found, sizeof found)) continue;
            if (found != word) continue;
            if (count == capacity) return count;
            offsets[count++] = offset;
        }
    }
    return count;
}

#endif
