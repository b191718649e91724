// Uncached reads. The page map distinguishes touched pages from untouched ones; the kernel copies only the
// touched ones.
#include "memory/reader.h"
#include "memory/resident.h"

#if TELLTALE_AGENT
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BatchPages = 64 };

uintptr_t reader_page(void) {
    static _Atomic uintptr_t known;
    uintptr_t page = known;
    if (page == 0) {
        long size = sysconf(_SC_PAGESIZE);
        known = page = size > 0 ? (uintptr_t)size : 4096;
    }
    return page;
}

void *reader_room(size_t size) {
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return NULL;
    madvise(room, size, MADV_DONTFORK);
    return room;
}

static void open_pagemap(MemoryReader *reader) {
    char path[40] = "/proc/thread-self/pagemap";
    if (reader->process != 0) snprintf(path, sizeof path, "/proc/%d/pagemap", (int)reader->process);
    // A child that is forked in the meantime closes it.
    ctelltale_fork_begin_change();
    reader->pagemap = ctelltale_descriptor_open(path, 0);
    if (reader->pagemap.number >= 0) ctelltale_fork_closes(&reader->pagemap);
    ctelltale_fork_end_change();
    reader->has_opened = true;
}

uint64_t reader_touched(MemoryReader *reader, uintptr_t address, size_t count) {
    if (!reader->has_opened) open_pagemap(reader);
    return ctelltale_resident_pages(reader->pagemap.number, address, count);
}

// Copies the bytes from `address` to `end` of at most `BatchPages` pages, the first of which is at `first`.
static ssize_t fetch_batch(MemoryReader *reader, uintptr_t first, uintptr_t address, uintptr_t end, char *buffer) {
    uintptr_t page = reader_page(), at = address;
    size_t count = (end - first + page - 1) / page;
    uint64_t touched = reader_touched(reader, first, count);
    for (size_t i = 0, next; i < count; i = next) {
        bool is_touched = touched >> i & 1;
        for (next = i + 1; next < count && (touched >> next & 1) == is_touched; next++) continue;
        uintptr_t to = first + next * page < end ? first + next * page : end;
        ssize_t part = (ssize_t)(to - at);
        ssize_t got = is_touched ? reader->source(reader->context, at, buffer + (at - address), to - at)
                                 : reader_untouched(reader, at, buffer + (at - address), to - at);
        if (got < 0 && at == address) return got;
        if (got > 0) at += (uintptr_t)got;
        if (got < part) break;
    }
    return (ssize_t)(at - address);
}

ssize_t reader_fetch(MemoryReader *reader, uintptr_t address, void *buffer, size_t size) {
    uintptr_t page = reader_page(), end = address + size;
    // The first page is never read.
    if (address < page || end < address) return 0;
    int saved = errno;
    uintptr_t at = address;
    while (at < end) {
        uintptr_t first = at & ~(page - 1), last = first + BatchPages * page;
        if (last > end || last < first) last = end;
        ssize_t got = fetch_batch(reader, first, at, last, (char *)buffer + (at - address));
        if (got < 0 && at == address) return got;
        if (got > 0) at += (uintptr_t)got;
        if (at < last) break;
    }
    errno = saved;
    return (ssize_t)(at - address);
}

void reader_close(MemoryReader *reader) {
    if (reader->has_opened && reader->pagemap.number >= 0) {
        ctelltale_fork_begin_change();
        ctelltale_fork_forgets(&reader->pagemap);
        ctelltale_descriptor_close(&reader->pagemap);
        ctelltale_fork_end_change();
    }
    reader->has_opened = false;
    if (reader->mappings) reader_free_mappings(reader);
    if (reader->chunks) reader_free_chunks(reader);
    reader->has_no_chunks = false;
}
#endif
