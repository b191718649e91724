// Descriptors that wake the agent's thread. In C because Swift's Glibc module has neither eventfd
// nor inotify.
#include "CTelltaleSystem.h"

#if CTELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/eventfd.h>
#include <sys/inotify.h>

int ctelltale_wake_make(int *reader, int *writer) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0) return -1;
    *reader = *writer = descriptor;
    return 0;
}

int ctelltale_watch_directory(const char *path) {
    int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (descriptor < 0) return -1;
    uint32_t events = IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB | IN_ONLYDIR
                      | IN_DONT_FOLLOW;
    if (inotify_add_watch(descriptor, path, events) < 0) {
        int saved = errno;
        close(descriptor);
        errno = saved;
        return -1;
    }
    return descriptor;
}
#else
// Written for macOS; not compiled here.
int ctelltale_wake_make(int *reader, int *writer) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    for (int i = 0; i < 2; i++) {
        fcntl(ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(ends[i], F_SETFL, O_NONBLOCK);
    }
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

int ctelltale_watch_directory(const char *path) {
    (void)path;
    errno = ENOSYS;
    return -1;
}
#endif

void ctelltale_wake_drain(int reader) {
    char buffer[256];
    while (read(reader, buffer, sizeof buffer) > 0) continue;
}

#endif
