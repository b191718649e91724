// Reads facts about a descriptor of this process. In C for `struct tcp_info` and the numbers of `fcntl`.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

// From linux/fcntl.h, which can't be included beside fcntl.h.
#ifndef F_GETPIPE_SZ
#define F_GETPIPE_SZ 1032
#endif

static void read_socket(int number, CTelltaleBorderDescriptor *out) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    memset(&info, 0, sizeof info);
    if (getsockopt(number, IPPROTO_TCP, TCP_INFO, &info, &size)) return;
    out->tcp_state = info.tcpi_state;
    if (info.tcpi_state != TCP_LISTEN) return;
    // For a listener the kernel reports its queue in these (tcp_get_info, net/ipv4/tcp.c).
    out->backlog = info.tcpi_unacked;
    out->most_backlog = info.tcpi_sacked;
}

bool ctelltale_border_descriptor(int number, CTelltaleBorderDescriptor *out) {
    *out = (CTelltaleBorderDescriptor){
        .unread = -1, .capacity = -1, .backlog = -1, .most_backlog = -1};
    struct stat facts;
    int flags = fcntl(number, F_GETFL);
    if (flags < 0 || fstat(number, &facts)) return false;
    out->device = (uint64_t)facts.st_dev;
    out->inode = (uint64_t)facts.st_ino;
    out->reads = (flags & O_ACCMODE) != O_WRONLY;
    out->writes = (flags & O_ACCMODE) != O_RDONLY;
    int value = 0;
    if (S_ISSOCK(facts.st_mode)) read_socket(number, out);
    if (S_ISFIFO(facts.st_mode)) out->capacity = fcntl(number, F_GETPIPE_SZ);
    bool has_bytes = S_ISFIFO(facts.st_mode) || (S_ISSOCK(facts.st_mode) && out->tcp_state != TCP_LISTEN);
    if (has_bytes && !ioctl(number, FIONREAD, &value)) out->unread = value;
    return true;
}
#endif
