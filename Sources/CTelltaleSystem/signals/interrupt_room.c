// Returns whether the stack of a running thread has space for the signal that interrupts it. The
// thread's position can't be told from another thread; but the end of a stack that was never
// written to has not been reached yet, so there is at least that much below wherever the thread is.
//
// This doesn't tell the space of a thread that runs on an alternate stack, within a handler of the
// host: the signals that it blocks tell whether it may be in one. A thread that a library of the
// host runs on memory of its own (`makecontext`) can't be told at all; a signal's frame is put
// there as any other signal's would.
#if TELLTALE_AGENT
#include "signals/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096u
#define MAPPED_AT_LEAST (64u << 20)
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

// The bounds of a thread's stack, found from its thread pointer: its lowest address, its size, and
// how much of it is the guard.
struct bounds {
    uintptr_t low;
    size_t size, guard;
};
static intptr_t bounds_offset;
static bool knows_bounds;

// The handlers of the host's that run on an alternate stack: the signals that are blocked within each.
static uint64_t within[64];
static size_t within_count;
static bool is_on_alternate;  // ours, as the host's own is

// Dispatch's workers block all but these for good, so no handler of another signal runs on one.
#define BIT(signal) (UINT64_C(1) << ((signal)-1))
#define OPEN_IN_WORKERS                                                                             \
    (BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGFPE) | BIT(SIGBUS) | BIT(SIGSEGV) | BIT(SIGSYS) |          \
     BIT(SIGPIPE) | BIT(SIGPROF) | BIT(SIGKILL) | BIT(SIGSTOP) | BIT(32) | BIT(33))

// The C library keeps the three words beside each other, at a fixed place from the thread's pointer. They are
// looked for in the calling thread, of which it tells them (glibc 2.36: 0x690 on x86-64).
static bool find_bounds(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void *address = NULL;
    size_t size = 0;
    int error = pthread_attr_getstack(&attributes, &address, &size);
    pthread_attr_destroy(&attributes);
    uintptr_t own = ctelltale_thread_pointer();
    if (error || !own || !size) return false;
    for (intptr_t distance = 8; distance <= 8192; distance += 8) {
        for (int sign = -1; sign <= 1; sign += 2) {
            struct bounds found;
            intptr_t offset = sign * distance;
            if (!ctelltale_read_memory(own + (uintptr_t)offset, &found, sizeof found)) continue;
            if (found.low + found.guard != (uintptr_t)address || found.guard > found.size ||
                found.size - found.guard != size)
                continue;
            bounds_offset = offset;
            return true;
        }
    }
    return false;
}

static void read_handlers(void) {
    within_count = 0;
    is_on_alternate = false;
    for (int signal = 1; signal <= 64; signal++) {
        struct sigaction action;
        if (signal == 32 || signal == 33 || sigaction(signal, NULL, &action) != 0) continue;
        if (!(action.sa_flags & SA_ONSTACK) || action.sa_handler == SIG_DFL ||
            action.sa_handler == SIG_IGN)
            continue;
        uint64_t mask;
        memcpy(&mask, &action.sa_mask, sizeof mask);
        if (!(action.sa_flags & SA_NODEFER)) mask |= BIT(signal);
        if (signal == SIGPROF) is_on_alternate = true;
        // A thread that blocks SIGPROF is not interrupted, wherever it is.
        if (mask & BIT(SIGPROF)) continue;
        // Signals that no thread can block, or that the C library keeps out of every mask.
        mask &= ~(BIT(SIGKILL) | BIT(SIGSTOP) | BIT(32) | BIT(33));
        within[within_count++] = mask;
    }
}

void ctelltale_interrupt_find_room(void) {
    if (!knows_bounds) knows_bounds = find_bounds();
    read_handlers();
}

static bool may_be_in_a_handler(uint64_t blocked) {
    bool is_worker = !(~blocked & ~OPEN_IN_WORKERS);
    for (size_t i = 0; i < within_count; i++) {
        if (within[i] & ~blocked) continue;
        if (is_worker && !(within[i] & OPEN_IN_WORKERS)) continue;
        return true;
    }
    return false;
}

// Returns whether the lowest bytes of a stack were never written to.
static bool is_unwritten(uintptr_t low, size_t bytes) {
    uint64_t entries[16];
    size_t first = low / PAGE, count = (low + bytes + PAGE - 1) / PAGE - first;
    if (count > sizeof entries / sizeof *entries) return false;
    CTelltaleDescriptor file = ctelltale_descriptor_open("/proc/thread-self/pagemap", 0);
    ssize_t size = -1;
    if (file.number >= 0) {
        size = pread(file.number, entries, count * sizeof *entries, (off_t)(first * sizeof *entries));
        ctelltale_descriptor_close(&file);
    }
    bool is_there = size != (ssize_t)(count * sizeof *entries);
    // Present or swapped out.
    for (size_t i = 0; !is_there && i < count; i++) is_there = entries[i] >> 62;
    if (!is_there) return true;
    // Memory that is locked is there from the start on.
    for (size_t at = 0; at < bytes; at += sizeof entries) {
        size_t length = bytes - at < sizeof entries ? bytes - at : sizeof entries;
        memset(entries, 0, sizeof entries);
        if (!ctelltale_read_memory(low + at, entries, length)) return false;
        for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
            if (entries[i]) return false;
    }
    return true;
}

// The first thread's stack grows until its limit. Where it begins isn't asked of the list of mappings, which
// may be long: the kernel put the program's name at the very top. At least 128 MiB below it no other mapping
// is made unless at an address of the host's choosing.
static bool first_threads_low(uintptr_t *low) {
    uintptr_t top = getauxval(AT_EXECFN);
    struct rlimit limit;
    if (!top || getrlimit(RLIMIT_STACK, &limit) != 0) return false;
    size_t size = limit.rlim_cur < MAPPED_AT_LEAST ? (size_t)limit.rlim_cur : MAPPED_AT_LEAST;
    top = (top | (PAGE - 1)) + 1;
    // The name may end on the next page.
    if (size < 4 * PAGE || size > top) return false;
    *low = top - size + 2 * PAGE;
    return true;
}

bool ctelltale_interrupt_has_room(int32_t id, uintptr_t thread_pointer, uint64_t blocked) {
    if (is_on_alternate || !knows_bounds || !thread_pointer || may_be_in_a_handler(blocked))
        return false;
    // The kernel's frame, the 128 bytes below the stack pointer that are the thread's too, and
    // ours.
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    size_t wanted = (frame ? frame : 4096) + 128 + INTERRUPT_STACK;
    uintptr_t low;
    if (id == getpid()) {
        if (!first_threads_low(&low)) return false;
    } else {
        struct bounds found;
        if (!ctelltale_read_memory(thread_pointer + (uintptr_t)bounds_offset, &found, sizeof found))
            return false;
        if (!found.low || found.guard > found.size || found.size > UINTPTR_MAX - found.low)
            return false;
        low = found.low + found.guard;
        if (thread_pointer < low || thread_pointer > found.low + found.size) return false;
        if (found.size - found.guard < wanted) return false;
    }
    return is_unwritten(low, wanted);
}
#endif
