//! Memory of this process, read so that no read can fault or wait: directly, in a search, or in a
//! copy-on-write snapshot.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct CTelltaleHeapLayout;

/// Copies `size` bytes at `address` of this process, as they are now, into `buffer`; a bad address is an
/// error and never a fault. The kernel makes the copy (`process_vm_readv`, else `/proc/thread-self/mem`),
/// without touching pages that the process has never touched: see memory/reader.h. 2 us in a reading, 6 us
/// outside of one (measured). Not for signal handlers.
///
/// @return true if all bytes were copied.
bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size);

/// The same, up to the first unmapped page.
///
/// @return the number of bytes; -1 with `errno` set if the kernel refuses all copies.
ssize_t ctelltale_read_part(uintptr_t address, void *buffer, size_t size);

/// Begins a reading on the calling thread, for memory that its owner keeps unchanged;
/// `ctelltale_reading_end` must be called. Readings nest.
void ctelltale_reading_begin(void);

/// Ends a reading. Its copies are no longer valid.
void ctelltale_reading_end(void);

/// Begins or ends a reading that copies nothing ahead. Readings that begin within it do.
void ctelltale_reading_begin_unbuffered(void);
void ctelltale_reading_end_unbuffered(void);

/// Drops the copies of the reading: the next read copies anew.
void ctelltale_reading_refresh(void);

/// Releases all resources of the reading, before host code runs; the next read takes them again.
void ctelltale_reading_rest(void);

/// Copies as `ctelltale_read_memory` does, but in a reading from chunks of 64 KiB that are copied once: 10
/// ns if the chunk was already copied (measured).
bool ctelltale_reading_copy(uintptr_t address, void *buffer, size_t size);

/// Returns whether the process could have `size` more bytes of memory now: a failed allocation in Swift
/// ends the process, so code that needs much memory checks first. 2 us.
bool ctelltale_has_room(size_t size);

/// Returns whether a thread could be given a heap of its own now: glibc reserves 128 MiB of address space
/// for it. If it can't, as under `ulimit -v`, each block that the thread allocates is a mapping of its own,
/// until there is none left and the process ends. 2 us.
bool ctelltale_heap_can_begin(void);

/// Returns whether the calling thread has a heap to allocate from, which it keeps from then on. 0.2 us.
bool ctelltale_thread_has_heap(void);

/// The same for a thread that starts. If there is a data limit, 1 MB of its heap is writable from then on,
/// so that it needs no further memory from the kernel at the limit.
bool ctelltale_thread_takes_heap(void);

/// Returns whether there is a limit on the writable memory of the process (RLIMIT_DATA).
bool ctelltale_data_is_limited(void);

// MARK: Searching

/// A location whose word is among those searched for.
typedef struct {
    uintptr_t address;
    uintptr_t word;
} CTelltaleScanHit;

/// The result of a scan.
typedef struct {
    size_t hits;
    uint64_t bytes;
    /// There were more hits than the capacity.
    bool is_full;
    /// The deadline passed before the end.
    bool is_late;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleScanResult;

/// Finds every 16-aligned word in the private writable memory of this process whose
/// complement is one of `complements` (descending, at most 4096), by guarded reads in chunks; takes no lock
/// and allocates nothing.
///
/// Complements, since the caller's list is in the memory that is searched.
///
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @param layout The layout of the heap's blocks: objects begin at the start of a block, and the inside of
///   large blocks is skipped. Null if it is not known: all memory is read.
CTelltaleScanResult ctelltale_scan(const uintptr_t *complements, size_t count, CTelltaleScanHit *hits,
                                   size_t capacity, uint64_t deadline,
                                   const struct CTelltaleHeapLayout *_Nullable layout);

/// Allocates memory for hits, directly from the kernel: a failed allocation in Swift ends the process.
///
/// @return null if there is no memory; otherwise `ctelltale_scan_room_free` must be called.
CTelltaleScanHit *_Nullable ctelltale_scan_room(size_t capacity);

/// Releases that memory.
void ctelltale_scan_room_free(CTelltaleScanHit *room, size_t capacity);

// MARK: Snapshots

/// A copy-on-write snapshot of this process; its memory is read from outside. Must be used only by the
/// thread that made it.
typedef struct CTelltaleCopy CTelltaleCopy;

/// Makes a snapshot. No handler of the host runs and no lock is taken, neither here nor in the copy; the
/// host gets no SIGCHLD and sees no child, and the copy has none of its descriptors. It ends by itself at
/// `deadline` (`CLOCK_MONOTONIC`, nanoseconds), and with the calling thread. Linux only.
///
/// @return 0, or an error number. After 0, `ctelltale_copy_end` must be called.
int ctelltale_copy_make(uint64_t deadline, CTelltaleCopy *_Nullable *_Nonnull out);

/// Copies `size` bytes of the snapshot's memory at `address`. Waits at most until the snapshot's deadline.
///
/// @return 0; EFAULT if some of it can't be read; another error number once the snapshot is lost.
int ctelltale_copy_read(CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size);

/// Returns the reason why the snapshot can no longer be read; 0 while it can.
int ctelltale_copy_lost(const CTelltaleCopy *copy);

/// Returns whether the snapshot's process reads its memory itself, because the kernel refuses it to this
/// process.
bool ctelltale_copy_is_served(const CTelltaleCopy *copy);

/// The snapshot's process.
pid_t ctelltale_copy_process(const CTelltaleCopy *copy);

/// Tells the snapshot's process to end, without waiting for it: see `ctelltale_copies_await`.
///
/// @return true if it existed until now: only then are the results those of the snapshot.
bool ctelltale_copy_end(CTelltaleCopy *copy);

/// Returns the number of snapshot processes that were told to end and have not yet; reaps those that have.
size_t ctelltale_copies_left(void);

/// Waits for the snapshot processes that were told to end, for at most half a second; after 100 ms they are
/// killed.
///
/// @return the number left; the next call reaps them.
size_t ctelltale_copies_await(void);

/// Grows an array to at least `needed` bytes; it must be released with `ctelltale_own_pages_free`. It has
/// pages of its own from 64 KiB on: when blocks of that size are freed, the allocator keeps 50 MB of the
/// host's memory after one answer of 20,000 objects.
///
/// @return false if that is more than 2 GiB, or there is no memory; the array is then unchanged.
bool ctelltale_own_pages_grow(void *_Nullable *_Nonnull array, size_t *capacity, size_t needed);

/// Releases an array of the given capacity.
void ctelltale_own_pages_free(void *_Nullable array, size_t capacity);

#pragma clang assume_nonnull end
