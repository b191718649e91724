// Accepting on a Unix socket, and who is at its other end. In C because glibc shows `accept4` and
// `struct ucred` only under _GNU_SOURCE, which Swift's Glibc module doesn't set.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/un.h>
#endif

int ctelltale_peer(int socket, uid_t *uid, pid_t *pid) {
#ifdef __linux__
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
#else
    // Written for macOS; not compiled here.
    gid_t group;
    if (getpeereid(socket, uid, &group) != 0) return -1;
    socklen_t length = sizeof *pid;
    if (getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, pid, &length) != 0) *pid = 0;
    return 0;
#endif
}

int ctelltale_accept(int listener) {
#ifdef __linux__
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
#else
    // Written for macOS; not compiled here. A fork between the two calls leaks one descriptor.
    int fd = accept(listener, NULL, NULL), one = 1;
    if (fd < 0) return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &one, sizeof one);
    return fd;
#endif
}

void ctelltale_error_text(int code, char *buffer, size_t capacity) {
    if (capacity == 0) return;
    buffer[0] = 0;
#ifdef __linux__
    // The GNU variant may return its own text instead of filling the buffer.
    const char *text = strerror_r(code, buffer, capacity);
    if (text != buffer) snprintf(buffer, capacity, "%s", text);
#else
    strerror_r(code, buffer, capacity);
#endif
}
