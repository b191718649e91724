// Runs on signals.
//
// Descriptors that wake the agent's thread. In C since a signal handler writes to one, and since Swift's
// Glibc module has no inotify.
//
// The host may have closed the descriptor (`closefrom()`) and reused its number for a socket of its own. So
// it is checked first, and the packet is empty: if the host takes the number in the instant between, its
// file, pipe or stream gets no byte.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

// The handler's view of the descriptor: odd while it is being changed. The changing thread wakes the
// agent's thread afterwards, so a handler that runs in between loses nothing.
static _Atomic uint32_t turn;
static _Atomic int32_t number = -1;
static _Atomic uint64_t device, inode;

void ctelltale_wake_open(int writer) {
    CTelltaleDescriptor facts = ctelltale_descriptor(writer);
    uint32_t seen = atomic_load(&turn);
    do seen &= ~1u;
    while (!atomic_compare_exchange_weak(&turn, &seen, seen + 1));
    atomic_store(&number, facts.number);
    atomic_store(&device, facts.device);
    atomic_store(&inode, facts.inode);
    atomic_store(&turn, seen + 2);
}

void ctelltale_wake_forget(void) {
    atomic_store(&number, -1);
    atomic_store(&turn, 0);
}

void ctelltale_wake_agent(void) {
    uint32_t seen = atomic_load(&turn);
    CTelltaleDescriptor writer = {.number = atomic_load(&number),
                                  .device = atomic_load(&device),
                                  .inode = atomic_load(&inode)};
    if ((seen & 1) || atomic_load(&turn) != seen || writer.number < 0) return;
    ctelltale_wake_send(&writer);
}

void ctelltale_wake_send(const CTelltaleDescriptor *writer) {
    int saved = errno;
    // A full queue means that the agent is already being woken.
    if (ctelltale_descriptor_is_ours(writer)) send(writer->number, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL);
    errno = saved;
}

void ctelltale_wake_drain(const CTelltaleDescriptor *reader) {
    int saved = errno;
    // Bounded: an end whose peer is closed returns empty packets forever. The next round takes more.
    for (int i = 0; i < 1024 && ctelltale_descriptor_is_ours(reader); i++)
        if (recv(reader->number, NULL, 0, MSG_DONTWAIT) < 0) break;
    errno = saved;
}

#include <sys/inotify.h>

int ctelltale_wake_make(int *reader, int *writer) {
    int ends[2];
    // Sequenced packets, since a pair of datagram sockets doesn't report that one of them was closed.
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
    *reader = ends[0];
    *writer = ends[1];
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

bool ctelltale_watch_drain(const CTelltaleDescriptor *watch) {
    char buffer[4096];
    for (;;) {
        if (!ctelltale_descriptor_is_ours(watch)) return false;
        if (read(watch->number, buffer, sizeof buffer) <= 0) return true;
    }
}
#endif
