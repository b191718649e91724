// Reads of this process's own memory that fail instead of faulting.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if TELLTALE_COMPILED

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>

// A seccomp filter or a hardened kernel may refuse process_vm_readv even for the own process.
static atomic_bool vm_readv_refused;

static bool read_through_proc(uintptr_t address, void *buffer, size_t size) {
    // The thread and not the process: a main thread that has ended has no memory to show. Opened anew
    // each time: a descriptor from before a fork would show the parent's memory.
    CTelltaleDescriptor file = ctelltale_descriptor_open("/proc/thread-self/mem", 0);
    if (file.number < 0) return false;
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(file.number, (char *)buffer + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    ctelltale_descriptor_close(&file);
    return done == size;
}

bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size) {
    if (size == 0) return true;
    if (address + size < address) return false;
    int saved = errno;
    bool ok;
    if (!atomic_load_explicit(&vm_readv_refused, memory_order_relaxed)) {
        // By this thread, not by the process: its first thread may have ended, and has no memory then.
        struct iovec local = {buffer, size}, remote = {(void *)address, size};
        ssize_t count = process_vm_readv((int)syscall(SYS_gettid), &local, 1, &remote, 1, 0);
        ok = count == (ssize_t)size;
        if (count < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES)) {
            atomic_store_explicit(&vm_readv_refused, true, memory_order_relaxed);
            ok = read_through_proc(address, buffer, size);
        }
    } else {
        ok = read_through_proc(address, buffer, size);
    }
    errno = saved;
    return ok;
}

bool ctelltale_has_room(size_t size) {
    int saved = errno;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
}

bool ctelltale_heap_can_begin(void) {
#ifdef __GLIBC__
    int saved = errno;
    // What the C library reserves of address space to have 64 MiB of it aligned for a thread's own heap.
    size_t size = (size_t)128 << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
#else
    return true;
#endif
}

bool ctelltale_thread_has_heap(void) {
    int saved = errno;
    // Larger than what a thread keeps of its own; of sizes that can't all lie at the start of a page.
    static const size_t sizes[] = {1100, 1300, 1500};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    void *volatile pieces[COUNT];
    size_t alone = 0, had = 0;
    for (size_t i = 0; i < COUNT; i++) {
        pieces[i] = malloc(sizes[i]);
        had += pieces[i] != NULL;
        alone += (uintptr_t)pieces[i] % 4096 == 2 * sizeof(size_t);
    }
    for (size_t i = 0; i < COUNT; i++) free(pieces[i]);
    errno = saved;
#ifdef __GLIBC__
    // Each from the kernel by itself, behind its header.
    if (alone == COUNT) return false;
#endif
    return had == COUNT;
}

#endif
