// Reads the exit status of another process, as far as the kernel reports it to a process that isn't its
// parent.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

// `struct pidfd_info` in its first version (Linux 6.13). Since 6.15 it also reports the status of a process
// that its parent has reaped, if the descriptor was opened before that.
struct info {
    uint64_t mask, group;
    uint32_t ids[11];
    int32_t status;
};
#define GET_INFO _IOWR(0xFF, 11, struct info)
#define INFO_EXIT ((uint64_t)1 << 3)

int ctelltale_process_open(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

bool ctelltale_process_status(int descriptor, int *status) {
    struct info info = {.mask = INFO_EXIT};
    if (ioctl(descriptor, GET_INFO, &info) != 0 || !(info.mask & INFO_EXIT)) return false;
    *status = info.status;
    return true;
}
#endif
