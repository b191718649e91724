// Finds the resident pages, by the kernel's records.
#if TELLTALE_AGENT
#include "memory/resident.h"
#include "memory/reader.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

// linux/fs.h of Linux 6.7; the headers of Debian 12 are older.
typedef struct {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
} ScanRequest;
typedef struct {
    uint64_t start, end, categories;
} ScanRegion;
enum { IsPresent = 1 << 3, IsSwapped = 1 << 4, IsZero = 1 << 5 };
#define SCAN_CALL _IOWR('f', 16, ScanRequest)

#define PAGE ((uintptr_t)4096)
// The number of entries in one read, and the number of reads for one result: 128 MiB.
enum { EntriesAtOnce = 512, Reads = 64 };

static bool scan_next(int pagemap, uintptr_t low, uintptr_t high, uintptr_t *next) {
    ScanRegion first;
    ScanRequest request = {
        .size = sizeof request,
        .start = low,
        .end = high,
        .vec = (uintptr_t)&first,
        .vec_len = 1,
        .max_pages = 1,
        .category_inverted = IsZero,
        .category_mask = IsZero,
        .category_anyof_mask = IsPresent | IsSwapped,
        .return_mask = IsPresent,
    };
    int count = ioctl(pagemap, SCAN_CALL, &request);
    if (count < 0) return false;
    *next = count == 0 ? high : (uintptr_t)first.start;
    return true;
}

static uintptr_t read_next(int pagemap, uintptr_t low, uintptr_t high) {
    uint64_t entries[EntriesAtOnce];
    uintptr_t at = low;
    for (int i = 0; i < Reads && at < high; i++) {
        size_t count = (high - at + PAGE - 1) / PAGE;
        if (count > EntriesAtOnce) count = EntriesAtOnce;
        ssize_t got = pread(pagemap, entries, count * sizeof *entries, (off_t)(at / PAGE * sizeof *entries));
        if (got < (ssize_t)sizeof *entries) return at;
        for (size_t k = 0; k < (size_t)got / sizeof *entries; k++, at += PAGE)
            if (entries[k] >> 62) return at;
    }
    return at < high ? at : high;
}

uint64_t ctelltale_resident_pages(int pagemap, uintptr_t address, size_t count) {
    uint64_t entries[64], touched = 0;
    if (pagemap < 0 || count > sizeof entries / sizeof *entries) return UINT64_MAX;
    ssize_t size = (ssize_t)(count * sizeof *entries);
    if (pread(pagemap, entries, (size_t)size, (off_t)(address / reader_page() * sizeof *entries)) != size)
        return UINT64_MAX;
    for (size_t i = 0; i < count; i++) touched |= (uint64_t)(entries[i] >> 62 != 0) << i;
    return touched;
}

uintptr_t ctelltale_resident_next(int pagemap, uintptr_t low, uintptr_t high) {
    static _Atomic bool is_refused;
    uintptr_t next;
    if (pagemap < 0 || low >= high) return low;
    if (!atomic_load_explicit(&is_refused, memory_order_relaxed)) {
        if (scan_next(pagemap, low, high, &next)) return next;
        atomic_store_explicit(&is_refused, true, memory_order_relaxed);
    }
    return read_next(pagemap, low, high);
}
#endif
