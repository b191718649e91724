// Counts the sockets through which data from outside may still arrive. In C for `struct tcp_info`.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static bool is_expecting(int socket) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size)) return true;
    if (info.tcpi_state == TCP_ESTABLISHED)
        // In milliseconds ago: an end that sent last waits for an answer; a connection that is kept open
        // for later received last.
        return info.tcpi_last_data_sent < info.tcpi_last_data_recv;
    return info.tcpi_state == TCP_SYN_SENT || info.tcpi_state == TCP_SYN_RECV;
}

static void count_socket(int socket, const char *own_path, CTelltaleSockets *out) {
    union {
        struct sockaddr any;
        struct sockaddr_un local;
        struct sockaddr_storage room;
    } name, peer;
    socklen_t size = sizeof name;
    memset(&name, 0, sizeof name);
    memset(&peer, 0, sizeof peer);
    if (getsockname(socket, &name.any, &size)) return;
    int type = 0, listens = 0;
    size = sizeof type;
    if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size)) return;
    size = sizeof listens;
    getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
    if (name.any.sa_family == AF_UNIX) {
        name.local.sun_path[sizeof name.local.sun_path - 1] = 0;
        if (!strcmp(name.local.sun_path, own_path)) return;
        size = sizeof peer;
        if (listens)
            out->listening++;
        else if (!getpeername(socket, &peer.any, &size) && peer.local.sun_path[0])
            out->expecting++;
    } else if (name.any.sa_family == AF_INET || name.any.sa_family == AF_INET6) {
        if (listens)
            out->listening++;
        else if (type != SOCK_STREAM || is_expecting(socket))
            out->expecting++;
        else
            out->resting++;
    }
}

bool ctelltale_sockets(const char *own_path, CTelltaleSockets *out) {
    memset(out, 0, sizeof *out);
    if (ctelltale_filters_have_grown()) return false;
    DIR *list = opendir("/proc/thread-self/fd");
    if (!list) return false;
    CTelltaleDescriptor own = ctelltale_descriptor(dirfd(list));
    // A process may have a million descriptors; at most this number is examined.
    for (int count = 0; count < 65536; count++) {
        struct dirent *entry = readdir(list);
        if (!entry) break;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        count_socket(atoi(entry->d_name), own_path, out);
    }
    // `closedir` closes the number even if it belongs to another file by now; leaking its memory is the
    // lesser loss.
    if (ctelltale_descriptor_is_ours(&own)) closedir(list);
    return true;
}
#endif
