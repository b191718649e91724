// Reads of this process's own memory that fail instead of faulting.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>

// A seccomp filter or a hardened kernel may refuse process_vm_readv even for the own process.
static atomic_bool vm_readv_refused;

static bool read_through_proc(uintptr_t address, void *buffer, size_t size) {
    // The thread and not the process: a main thread that has ended has no memory to show. Opened anew
    // each time: a descriptor from before a fork would show the parent's memory.
    int fd = open("/proc/thread-self/mem", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(fd, (char *)buffer + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    close(fd);
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
#else
// Written for macOS; not compiled here.
#include <mach/mach.h>
#include <mach/mach_vm.h>

bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size) {
    mach_vm_size_t done = 0;
    kern_return_t result = mach_vm_read_overwrite(
        mach_task_self(), (mach_vm_address_t)address, (mach_vm_size_t)size,
        (mach_vm_address_t)buffer, &done);
    return result == KERN_SUCCESS && done == size;
}
#endif

bool ctelltale_has_room(size_t size) {
    int saved = errno;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room != MAP_FAILED) munmap(room, size);
    errno = saved;
    return room != MAP_FAILED;
}
