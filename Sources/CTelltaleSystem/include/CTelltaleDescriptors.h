//! Descriptors with the proof that their number is still ours. The host may reuse the numbers: a host that
//! calls `closefrom()` closes ours too, and its next socket gets one of our numbers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The property by which a descriptor is recognised.
typedef enum {
    /// The device and inode; each file, pipe and socket has its own.
    CTelltaleKnownByInode = 0,
    /// In addition, its unused file position, which differs between two openings of one file.
    CTelltaleKnownByOffset = 1,
    /// Its watches in `/proc/self/fdinfo`: all inotify descriptors share one inode.
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

/// Records the facts of a descriptor that was just created. Preserves `errno`, like all of these functions.
CTelltaleDescriptor ctelltale_descriptor(int number);

/// Records a regular file that is read only by `pread`: sets its position to a number that distinguishes
/// this opening from every other one of the file.
CTelltaleDescriptor ctelltale_descriptor_of_file(int number);

/// Records an inotify descriptor that already has a watch.
CTelltaleDescriptor ctelltale_descriptor_of_watch(int number);

/// Opens a file for reading, closed on exec; the number is -1 with `errno` set if that fails.
CTelltaleDescriptor ctelltale_descriptor_open(const char *path, int flags);

/// Returns whether the number still leads to the same file. Async-signal-safe.
///
/// The host may close it in the very next instant: the operation that follows must consume nothing and
/// leave nothing behind if the descriptor isn't ours after all. So files are read by `pread`, which fails
/// on sockets and moves no position, and the agent's thread is woken by an empty packet.
bool ctelltale_descriptor_is_ours(const CTelltaleDescriptor *descriptor);

/// Returns whether it certainly is no longer ours. The watches of an inotify are read from a file, which
/// needs a descriptor for a moment: without a free one the result is neither ours nor lost.
bool ctelltale_descriptor_is_lost(const CTelltaleDescriptor *descriptor);

/// Closes it if it still is ours. Async-signal-safe.
void ctelltale_descriptor_close(const CTelltaleDescriptor *descriptor);

// MARK: Private descriptor tables

/// Gives the calling thread, permanently, a descriptor table of its own that contains `kept` and `other`
/// (-1 for none). Threads that it creates share that table, so they must be the agent's.
///
/// @param thread The thread by whose path `ctelltale_descriptors_path` then finds the process's
///   descriptors.
/// @return false if the kernel doesn't support it (before Linux 5.9, or a filter).
bool ctelltale_descriptors_detach(int32_t kept, int32_t other, int32_t thread);

/// Returns whether the calling thread has a descriptor table of its own.
bool ctelltale_descriptors_are_own(void);

/// Writes the path in `/proc` of the kernel's information about the process's descriptors, for `fd` or
/// `fdinfo/3`.
void ctelltale_descriptors_path(char *buffer, size_t capacity, const char *rest);

#pragma clang assume_nonnull end
