// Finds the other end of a Unix socket, by the kernel's socket monitoring (sock_diag(7)).
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The kernel answers within the call that asks: an answer that isn't there is none.
static uint64_t ask(int netlink, uint32_t inode) {
    struct {
        struct nlmsghdr header;
        struct unix_diag_req body;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .body =
            {
                .sdiag_family = AF_UNIX,
                .udiag_ino = inode,
                .udiag_show = UDIAG_SHOW_PEER,
                .udiag_cookie = {UINT32_MAX, UINT32_MAX},
            },
    };
    _Alignas(NLMSG_ALIGNTO) char answer[1024];
    if (send(netlink, &request, sizeof request, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof request) return 0;
    ssize_t size = recv(netlink, answer, sizeof answer, MSG_DONTWAIT);
    const struct nlmsghdr *header = (const struct nlmsghdr *)(const void *)answer;
    if (size < (ssize_t)NLMSG_SPACE(sizeof(struct unix_diag_msg)) || header->nlmsg_len > (size_t)size ||
        header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
        return 0;
    size_t at = NLMSG_SPACE(sizeof(struct unix_diag_msg));
    while (at + sizeof(struct rtattr) <= header->nlmsg_len) {
        const struct rtattr *attribute = (const struct rtattr *)(const void *)(answer + at);
        uint32_t peer;
        if (attribute->rta_len < sizeof *attribute || at + attribute->rta_len > header->nlmsg_len) break;
        if (attribute->rta_type == UNIX_DIAG_PEER && attribute->rta_len >= RTA_LENGTH(sizeof peer)) {
            memcpy(&peer, RTA_DATA(attribute), sizeof peer);
            return peer;
        }
        at += RTA_ALIGN(attribute->rta_len);
    }
    return 0;
}

uint64_t ctelltale_unix_peer(uint64_t inode) {
    if (inode > UINT32_MAX) return 0;
    int saved = errno;
    ctelltale_fork_begin_change();
    CTelltaleDescriptor netlink =
        ctelltale_descriptor(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
    if (netlink.number >= 0) ctelltale_fork_closes(&netlink);
    ctelltale_fork_end_change();
    if (netlink.number < 0) {
        errno = saved;
        return 0;
    }
    // The kernel may load a module for it, and no fork of the service waits for that.
    uint64_t peer = ask(netlink.number, (uint32_t)inode);
    ctelltale_fork_begin_change();
    ctelltale_fork_forgets(&netlink);
    ctelltale_descriptor_close(&netlink);
    ctelltale_fork_end_change();
    errno = saved;
    return peer;
}
#endif
