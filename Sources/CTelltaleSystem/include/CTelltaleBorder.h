//! Facts about a descriptor of this process that only system calls tell.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    uint64_t device, inode;
    bool reads, writes;
    /// Bytes that may be read; -1 if that isn't reported.
    int64_t unread;
    /// The size of a pipe in bytes; -1 of anything else.
    int64_t capacity;
    /// The state of a TCP socket (`TCP_CLOSE_WAIT` is 8, netinet/tcp.h); 0 of anything else.
    int32_t tcp_state;
    /// The connections that wait to be accepted on a listening TCP socket, and the most of them; -1 of anything
    /// else.
    int64_t backlog, most_backlog;
} CTelltaleBorderDescriptor;

/// Takes nothing from the descriptor, and changes nothing of it.
///
/// @return false if there is no such descriptor.
bool ctelltale_border_descriptor(int number, CTelltaleBorderDescriptor *out);

/// Returns the inode of the Unix socket that is connected to the one with this inode; 0 if there is none or the
/// kernel doesn't tell.
uint64_t ctelltale_unix_peer(uint64_t inode);

#pragma clang assume_nonnull end
