//! The only reader of memory, of this process or of a snapshot of it. The kernel copies it: no address
//! faults, and no read waits.
//!
//! Pages that the process has never touched stay untouched: touching one costs memory, and may wait forever
//! (`userfaultfd`, a file of a file system that hangs). An untouched page of anonymous memory reads as
//! zeros. An untouched page of a file that is mapped as data, or of a region of `userfaultfd`, can't be
//! read. Images are always read: the process itself runs from them.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"

#pragma clang assume_nonnull begin

struct ReaderChunks;
struct ReaderMappings;

/// Copies `size` bytes at `address`, up to the first unmapped page.
///
/// @return the number of bytes; -1 with `errno` set if all copies are refused.
typedef ssize_t ReaderSource(void *_Nullable context, uintptr_t address, void *buffer, size_t size);

/// Used by one thread. Initially all zero except for its source; `reader_close` must be called.
typedef struct {
    ReaderSource *source;
    void *_Nullable context;
    /// The snapshot's process; 0 for this process.
    pid_t process;
    bool has_opened;
    bool has_no_chunks;
    CTelltaleDescriptor pagemap;
    struct ReaderMappings *_Nullable mappings;
    struct ReaderChunks *_Nullable chunks;
} MemoryReader;

/// Copies `size` bytes as they are now, up to the first unmapped page.
///
/// @return the number of bytes; -1 with `errno` set if the kernel refuses all copies.
ssize_t reader_fetch(MemoryReader *reader, uintptr_t address, void *buffer, size_t size);

/// Copies `size` bytes from chunks that were copied since the last `reader_drop`; false unless all are
/// there.
bool reader_copy(MemoryReader *reader, uintptr_t address, void *buffer, size_t size);

/// Drops the chunks: the next read copies anew.
void reader_drop(MemoryReader *reader);

/// Releases all resources of the reader.
void reader_close(MemoryReader *reader);

// MARK: Shared by its files

/// Returns the touched ones of `count` pages, at most 64, from `address` on: a bit each; all if the kernel
/// doesn't tell.
uint64_t reader_touched(MemoryReader *reader, uintptr_t address, size_t count);

/// Reads pages that were never touched, as `ReaderSource` does, in reader_mappings.c.
ssize_t reader_untouched(MemoryReader *reader, uintptr_t address, void *buffer, size_t size);

/// Free the memory of each, in reader_mappings.c and reader_chunks.c.
void reader_free_mappings(MemoryReader *reader);
void reader_free_chunks(MemoryReader *reader);

/// Maps memory for a reader. It is shared, since searches read only private memory and must not find
/// copies. A forked child doesn't inherit it.
///
/// @return null if there is no memory.
void *_Nullable reader_room(size_t size);

/// Returns whether a descriptor of this process is a `userfaultfd`.
bool ctelltale_has_userfault(void);

/// Returns the size of a page.
uintptr_t reader_page(void);

#pragma clang assume_nonnull end
