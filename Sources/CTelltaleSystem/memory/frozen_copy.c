// A copy-on-write snapshot of the process, whose memory the agent reads from outside.
//
// The copy never uses its contents. It is made by one system call and runs no function of the host, of the
// C library or of a sanitizer, so it takes no lock and runs no handler: pthread_atfork's handlers are run
// by the C library, which is not called. It waits until it is told to end, or its deadline has passed. Its
// exit signal is 0: the host gets no SIGCHLD, and its wait() sees no child without __WCLONE. A debugger
// isn't notified either (CLONE_UNTRACED).
//
// It is read in chunks (memory/reader.h), with process_vm_readv. If the kernel refuses that (the process
// isn't dumpable, a filter, a hardened kernel), the copy reads its own memory, which no such rule forbids,
// into memory that both processes share.
#if TELLTALE_AGENT
#include "memory/frozen_copy.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

bool ctelltale_copy_would_be_elsewhere(void) {
    static const char children[] = "/proc/thread-self/ns/pid_for_children";
    char own[64], next[64];
    struct stat link;
    if (lstat(children, &link) != 0) return false;
    ssize_t a = readlink("/proc/thread-self/ns/pid", own, sizeof own);
    ssize_t b = readlink(children, next, sizeof next);
    // The link can't be read while the namespace has no process yet.
    return a > 0 && (a != b || memcmp(own, next, (size_t)a) != 0);
}

// Checks for the end without reaping the process.
static bool has_ended(pid_t process) {
    siginfo_t ended;
    memset(&ended, 0, sizeof ended);
    return waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT | __WCLONE) != 0 ||
           ended.si_pid != 0;
}

static int request(struct CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < ROOM ? size - done : ROOM;
        copy->address = address + done;
        copy->size = (uint32_t)part;
        turn_to(&copy->turn, Requested);
        // In steps, so that the end of the process is noticed.
        while (true) {
            uint64_t time = raw_now();
            uint64_t until = time + 20000000u < copy->deadline ? time + 20000000u : copy->deadline;
            if (wait_while(&copy->turn, Requested, until)) break;
            if (has_ended(copy->process)) return copy->lost = ESRCH;
            if (raw_now() >= copy->deadline) return copy->lost = ETIMEDOUT;
        }
        if (copy->error == EFAULT) return EFAULT;
        if (copy->error != 0) return copy->lost = copy->error;
        memcpy((char *)buffer + done, copy->room, part);
    }
    return 0;
}

// The reader's source: a chunk as a whole, or nothing of it; a reader retries each page.
static ssize_t copy_pages(void *context, uintptr_t address, void *buffer, size_t size) {
    struct CTelltaleCopy *copy = context;
    if (!copy->is_served) {
        struct iovec local = {buffer, size}, remote = {(void *)address, size};
        ssize_t count = process_vm_readv(copy->process, &local, 1, &remote, 1, 0);
        if (count >= 0) return count;
        if (errno == EFAULT) return 0;
        if (errno != EPERM && errno != EACCES && errno != ENOSYS) {
            copy->lost = errno;
            return 0;
        }
        copy->is_served = true;
    }
    return request(copy, address, buffer, size) == 0 ? (ssize_t)size : 0;
}

int ctelltale_copy_make(uint64_t deadline, CTelltaleCopy **out) {
    *out = NULL;
    ctelltale_copies_left();
    // A fork may wait for the reader of a `userfaultfd`.
    if (ctelltale_copy_would_be_elsewhere() || ctelltale_has_userfault()) return ENOTSUP;
    struct CTelltaleCopy *copy = mmap(NULL, sizeof *copy, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) return errno;
    copy->parent = getpid();
    copy->deadline = deadline;
    long process = ctelltale_copy_process_make(copy);
    if (process < 0) {
        munmap(copy, sizeof *copy);
        return (int)-process;
    }
    copy->process = (pid_t)process;
    copy->reader = (MemoryReader){.source = copy_pages, .context = copy, .process = copy->process};
    *out = copy;
    return 0;
}

int ctelltale_copy_read(CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size) {
    if (copy->lost != 0) return copy->lost;
    int saved = errno;
    bool is_read = reader_copy(&copy->reader, address, buffer, size);
    errno = saved;
    return copy->lost != 0 ? copy->lost : is_read ? 0 : EFAULT;
}

bool ctelltale_copy_is_served(const CTelltaleCopy *copy) { return copy->is_served; }

int ctelltale_copy_lost(const CTelltaleCopy *copy) { return copy->lost; }

pid_t ctelltale_copy_process(const CTelltaleCopy *copy) { return copy->process; }

bool ctelltale_copy_end(CTelltaleCopy *copy) {
    int saved = errno;
    bool was_there = !ctelltale_copy_is_gone(copy->process);
    if (was_there) {
        turn_to(&copy->turn, Ended);
        // Without a free slot, this copy would not be reaped after its end.
        if (!ctelltale_copy_is_kept(copy->process)) kill(copy->process, SIGKILL);
    }
    reader_close(&copy->reader);
    munmap(copy, sizeof *copy);
    errno = saved;
    return was_there;
}
#endif
