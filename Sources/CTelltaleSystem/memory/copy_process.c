// The code that runs in a snapshot's process, and the call that makes that process.
#if TELLTALE_AGENT
#include "memory/frozen_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/uio.h>

// The copy reads its own memory: a write into a pipe fails at an unreadable address, even if a filter
// forbids the system call that is made for such reads.
IN_THE_COPY static __attribute__((noinline)) int read_own(struct CTelltaleCopy *copy, int *ends) {
    if (copy->size > ROOM) return EINVAL;
    struct iovec local, remote;
    local.iov_base = copy->room;
    remote.iov_base = (void *)copy->address;
    local.iov_len = remote.iov_len = copy->size;
    long self = raw(SYS_getpid, 0, 0, 0, 0, 0, 0);
    long count = raw(SYS_process_vm_readv, self, (long)&local, 1, (long)&remote, 1, 0);
    if (count != -EPERM && count != -ENOSYS && count != -EACCES)
        return count == (long)copy->size ? 0 : EFAULT;
    if (ends[0] < 0) return EPERM;
    uint32_t done = 0;
    while (done < copy->size) {
        uint32_t part = copy->size - done < GRANULE ? copy->size - done : GRANULE;
        long put = raw(SYS_write, ends[1], (long)(copy->address + done), part, 0, 0, 0);
        if (put <= 0) return put == -EFAULT ? EFAULT : EIO;
        for (long got = 0, more; got < put; got += more) {
            more = raw(SYS_read, ends[0], (long)(copy->room + done + got), put - got, 0, 0, 0);
            if (more <= 0) return EIO;
        }
        if (put < (long)part) return EFAULT;
        done += part;
    }
    return 0;
}

// The entry point of the copy, from its start to its end. Every signal is blocked in it.
IN_THE_COPY static __attribute__((noinline)) void be_the_copy(struct CTelltaleCopy *copy) {
    if (!copy_settles(copy->parent)) goto end;
    // Until here the copy shares the host's descriptor table, so that the host's peers see the end of a
    // connection when the host closes it. A kernel before 5.9 leaves the table shared.
    int ends[2] = {-1, -1};
    if (raw(SYS_close_range, 0, (long)~0u, UNSHARE_DESCRIPTORS, 0, 0, 0) == 0) {
        // If memory runs out, the copy should be the process that is killed.
        char path[] = {'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'o', 'o', 'm',
                       '_', 's', 'c', 'o', 'r', 'e', '_', 'a', 'd', 'j', 0};
        char score[] = {'1', '0', '0', '0'};
        long file = raw(SYS_openat, AT_FDCWD, (long)path, O_WRONLY, 0, 0, 0);
        if (file >= 0) {
            raw(SYS_write, file, (long)score, sizeof score, 0, 0, 0);
            raw(SYS_close, file, 0, 0, 0, 0, 0);
        }
        if (raw(SYS_pipe2, (long)ends, 0, 0, 0, 0, 0) != 0) ends[0] = -1;
    }
    while (true) {
        uint32_t turn = atomic_load_explicit(&copy->turn, memory_order_acquire);
        if (turn == Ended) break;
        if (turn == Requested) {
            copy->error = read_own(copy, ends);
            turn_to(&copy->turn, Answered);
            turn = Answered;
        }
        if (!wait_while(&copy->turn, turn, copy->deadline)) break;
    }
end:
    while (true) raw(SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

// A raw system call too: the C library's function leaves out the signals that it uses itself.
IN_THE_COPY __attribute__((noinline)) long ctelltale_copy_process_make(struct CTelltaleCopy *copy) {
    uint64_t all = ~(uint64_t)0, before = 0;
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0, 0);
    long process = raw(SYS_clone, CLONE_FILES | CLONE_UNTRACED, 0, 0, 0, 0, 0);
    if (process == 0) be_the_copy(copy);
    raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
    return process;
}
#endif
