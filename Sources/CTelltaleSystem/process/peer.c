// Accepts connections on a Unix socket, and reads their peers. In C because glibc declares `accept4` and
// `struct ucred` only under _GNU_SOURCE, which Swift's Glibc module doesn't set.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

int ctelltale_peer(int socket, uid_t *uid, pid_t *pid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *uid = credentials.uid;
    *pid = credentials.pid;
    return 0;
}

int ctelltale_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

void ctelltale_error_text(int code, char *buffer, size_t capacity) {
    if (capacity == 0) return;
    buffer[0] = 0;
    // The GNU variant may return its own text instead of filling the buffer.
    const char *text = strerror_r(code, buffer, capacity);
    if (text != buffer) snprintf(buffer, capacity, "%s", text);
}

// Returns whether the program has more privileges than the user who started it. In C since Swift's Glibc
// module has no getauxval.
bool ctelltale_is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#endif
