//! Descriptors with the proof that their number is still ours. The numbers are the host's: a host
//! that calls `closefrom()` has closed ours too, and its next socket gets a number of theirs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The property by which a descriptor is recognised.
typedef enum {
    /// The device and inode, which a file, a pipe and a socket each have for themselves.
    CTelltaleKnownByInode = 0,
    /// Besides those, its unused file position: two openings of one file differ in it.
    CTelltaleKnownByOffset = 1,
    /// All of inotify's share one inode: its watches in `/proc/self/fdinfo`.
    CTelltaleKnownByWatch = 2,
} CTelltaleKnownBy;

/// A descriptor of ours; `number` is -1 for none.
typedef struct {
    int32_t number;
    int32_t known_by;
    uint64_t device;
    uint64_t inode;
    uint64_t mark;
} CTelltaleDescriptor;

/// Takes the facts of a descriptor that was just made. Keeps `errno`, as all of these do.
CTelltaleDescriptor ctelltale_descriptor(int number);

/// For a regular file that is read by `pread` alone: its position is set to a number that
/// distinguishes this opening from every other one of the file.
CTelltaleDescriptor ctelltale_descriptor_of_file(int number);

/// For an inotify that watches already.
CTelltaleDescriptor ctelltale_descriptor_of_watch(int number);

/// Opens a file for reading, closed on exec; its number is -1 with `errno` set if that fails.
CTelltaleDescriptor ctelltale_descriptor_open(const char *path, int flags);

/// Returns whether the number still leads to the same file. Async-signal-safe.
///
/// The host may close it in the very next instant: the operation that follows must consume nothing
/// and leave nothing if the descriptor isn't ours after all. So files are read by `pread`, which
/// fails on sockets and moves no position, and the agent's thread is woken by a packet without a
/// byte.
bool ctelltale_descriptor_is_ours(const CTelltaleDescriptor *descriptor);

/// Returns whether it certainly is no longer ours. The watches of an inotify are read from a file,
/// which takes a descriptor for a moment: without one it is neither known to be ours nor to be
/// lost.
bool ctelltale_descriptor_is_lost(const CTelltaleDescriptor *descriptor);

/// Closes it if it still is ours. Async-signal-safe.
void ctelltale_descriptor_close(const CTelltaleDescriptor *descriptor);

// MARK: A table of one's own

/// Gives the calling thread, for good, a table of descriptors of its own, which has `kept` and `other` in it (-1 for
/// none). Threads that it makes share that table: they must be the agent's.
///
/// @param thread Whose descriptors are the process's from then on for `ctelltale_descriptors_path`.
/// @return false where the kernel can't (before Linux 5.9, or a filter).
bool ctelltale_descriptors_detach(int32_t kept, int32_t other, int32_t thread);

/// Returns whether the calling thread has a descriptor table of its own.
bool ctelltale_descriptors_are_own(void);

/// The path in `/proc` of what the kernel says of the process's descriptors: of `fd`, or `fdinfo/3`.
void ctelltale_descriptors_path(char *buffer, size_t capacity, const char *rest);

#pragma clang assume_nonnull end
