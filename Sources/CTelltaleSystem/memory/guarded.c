// Runs on signals.
//
// Copies this process's own memory by the kernel: with `process_vm_readv`, and if a seccomp filter or a
// hardened kernel refuses that even for the own process, by `/proc/thread-self/mem`.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"
#include "memory/guarded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool is_refused;

// Reads by the calling thread's id, not by the process's: the first thread may have ended, and has no
// memory then. False if the kernel refuses this call.
static bool by_call(const struct iovec *to, const struct iovec *from, size_t count, ssize_t *copied) {
    if (atomic_load_explicit(&is_refused, memory_order_relaxed)) return false;
    *copied = process_vm_readv((int)syscall(SYS_gettid), to, count, from, count, 0);
    bool refused = *copied < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES);
    if (refused) atomic_store_explicit(&is_refused, true, memory_order_relaxed);
    return !refused;
}

// Opened anew each time: a descriptor from before a fork would show the parent's memory. With raw calls,
// since the C library's functions are cancellation points, in a handler too.
static ssize_t by_file(uintptr_t address, char *buffer, size_t size) {
    CTelltaleDescriptor file = ctelltale_descriptor(
        (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/mem", O_RDONLY | O_CLOEXEC));
    if (file.number < 0) return -1;
    size_t done = 0;
    while (done < size) {
        long count =
            syscall(SYS_pread64, file.number, buffer + done, size - done, (off_t)(address + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += (size_t)count;
    }
    if (ctelltale_descriptor_is_ours(&file)) syscall(SYS_close, file.number);
    return (ssize_t)done;
}

ssize_t ctelltale_guarded_copy(uintptr_t address, void *buffer, size_t size) {
    if (size == 0 || address + size < address) return 0;
    int saved = errno;
    struct iovec to = {buffer, size}, from = {(void *)address, size};
    ssize_t copied;
    if (by_call(&to, &from, 1, &copied)) {
        if (copied < 0) copied = 0;
    } else {
        copied = by_file(address, buffer, size);
        if (copied < 0) return copied;
    }
    errno = saved;
    return copied;
}

bool ctelltale_guarded_gather(const struct iovec *to, const struct iovec *from, size_t count) {
    int saved = errno;
    ssize_t copied, wanted = 0;
    for (size_t i = 0; i < count; i++) wanted += (ssize_t)from[i].iov_len;
    bool is_whole = by_call(to, from, count, &copied) && copied == wanted;
    errno = saved;
    for (size_t i = 0; i < count && !is_whole; i++) {
        ssize_t size = (ssize_t)from[i].iov_len;
        if (ctelltale_guarded_copy((uintptr_t)from[i].iov_base, to[i].iov_base, from[i].iov_len) != size)
            return false;
    }
    return true;
}
#endif
