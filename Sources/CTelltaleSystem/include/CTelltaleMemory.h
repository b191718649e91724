//! Memory of this process, read so that nothing can fault or wait: now, in a search, or in a
//! copy-on-write snapshot.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct CTelltaleHeapLayout;

/// Copies `size` bytes at `address` of this process, as they are now, into `buffer`; a bad address is an error and
/// never a fault. By the kernel (`process_vm_readv`, else `/proc/thread-self/mem`), and without touching what the
/// process has never touched: see memory/reader.h. 2 us in a reading, 6 us outside of one (measured). Not in a
/// signal handler.
///
/// @return true if all bytes were copied.
bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size);

/// The same, up to the first page that isn't there.
///
/// @return how many bytes; -1 with `errno` set where the kernel lets nothing be copied at all.
ssize_t ctelltale_read_part(uintptr_t address, void *buffer, size_t size);

/// Begins a reading on the calling thread, as an access to what its owner keeps still; `ctelltale_reading_end` is
/// owed. Readings nest.
void ctelltale_reading_begin(void);

/// Ends it. What was copied in it holds no longer.
void ctelltale_reading_end(void);

/// Begins a reading that copies nothing ahead, and ends it. Those that begin within it do.
void ctelltale_reading_begin_unbuffered(void);
void ctelltale_reading_end_unbuffered(void);

/// Drops what the reading has copied: the next read copies anew.
void ctelltale_reading_refresh(void);

/// Releases everything that the reading holds, before code of the host's runs; the next read takes it again.
void ctelltale_reading_rest(void);

/// Copies as `ctelltale_read_memory` does, but in a reading from chunks of 64 KiB that are copied once: 10 ns if the
/// chunk was copied already (measured).
bool ctelltale_reading_copy(uintptr_t address, void *buffer, size_t size);

/// Returns whether the process could have `size` more bytes of memory now: a failed allocation in
/// Swift ends the process, so work that needs much memory asks before. 2 us.
bool ctelltale_has_room(size_t size);

/// Returns whether a thread could be given a heap of its own now: glibc reserves 128 MiB of address
/// space for it. If it can't, as under `ulimit -v`, each piece that the thread allocates is a
/// mapping of its own, until there is none left and the process ends. 2 us.
bool ctelltale_heap_can_begin(void);

/// Returns whether the calling thread has a heap to allocate from, which it has from then on. 0.2
/// us.
bool ctelltale_thread_has_heap(void);

/// The same for a thread that begins. Where there is a limit of data, 1 MB of its heap is writable from then on,
/// none of which has to be asked of the kernel at the limit.
bool ctelltale_thread_takes_heap(void);

/// Returns whether there is a limit of what the process may have writable (RLIMIT_DATA).
bool ctelltale_data_is_limited(void);

// MARK: Searching

/// A place whose word is one of those that were looked for.
typedef struct {
    uintptr_t address;
    uintptr_t word;
} CTelltaleScanHit;

/// The result of a scan.
typedef struct {
    size_t hits;
    uint64_t bytes;
    /// There were more hits than room for them.
    bool is_full;
    /// The deadline came first.
    bool is_late;
    /// 0, or the error number of a failed read.
    int error;
} CTelltaleScanResult;

/// Finds every 16-aligned word in the private writable memory of this process that equals one of
/// `words` (ascending, at most 4096), by guarded reads in pieces; takes no lock and allocates nothing.
///
/// @param deadline `CLOCK_MONOTONIC`, nanoseconds.
/// @param layout how the heap's blocks lie: objects stand at the start of one, and the inside of large ones
///   is left out. Null if that is not known: all is read.
CTelltaleScanResult ctelltale_scan(const uintptr_t *words, size_t count, CTelltaleScanHit *hits,
                                   size_t capacity, uint64_t deadline,
                                   const struct CTelltaleHeapLayout *_Nullable layout);

/// Memory for hits, straight from the kernel: a failed allocation in Swift ends the process.
///
/// @return null if there is no memory; else `ctelltale_scan_room_free` is owed.
CTelltaleScanHit *_Nullable ctelltale_scan_room(size_t capacity);

/// Gives it back.
void ctelltale_scan_room_free(CTelltaleScanHit *room, size_t capacity);

// MARK: A frozen copy of the process

/// A copy-on-write snapshot of this process; its memory is read from outside. To be used by one
/// thread, the one that made it.
typedef struct CTelltaleCopy CTelltaleCopy;

/// Makes a copy. No handler of the host's runs and no lock is taken, neither here nor there; the
/// host gets no SIGCHLD and sees no child, and the copy has none of its descriptors. It ends by
/// itself at `deadline` (`CLOCK_MONOTONIC`, nanoseconds), and with the calling thread. Linux only.
///
/// @return 0, or an error number. After 0, `ctelltale_copy_end` is owed.
int ctelltale_copy_make(uint64_t deadline, CTelltaleCopy *_Nullable *_Nonnull out);

/// Copies `size` bytes of the copy's memory at `address`. Waits at most until the copy's deadline.
///
/// @return 0; EFAULT where not all of it can be read; another error number once the copy is lost.
int ctelltale_copy_read(CTelltaleCopy *copy, uintptr_t address, void *buffer, size_t size);

/// Returns the reason that the copy can't be read any more; 0 while it can.
int ctelltale_copy_lost(const CTelltaleCopy *copy);

/// Returns whether the copy reads its memory itself, because the kernel refuses it to this process.
bool ctelltale_copy_is_served(const CTelltaleCopy *copy);

/// The copy's process.
pid_t ctelltale_copy_process(const CTelltaleCopy *copy);

/// Tells the copy to end. It isn't waited for: see `ctelltale_copies_await`.
///
/// @return true if it existed until now: only then are the readings the copy's.
bool ctelltale_copy_end(CTelltaleCopy *copy);

/// Returns the number of copies that were told to end and have not yet; reaps those that have.
size_t ctelltale_copies_left(void);

/// Waits for the copies that were told to end, for at most half a second; after 100 ms they are killed.
///
/// @return how many are left; the next call takes them.
size_t ctelltale_copies_await(void);

#pragma clang assume_nonnull end
