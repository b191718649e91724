// Searches this process's own memory for objects by their first word.
//
// The kernel copies the memory in chunks, so that the host is never stopped, and memory that is unmapped in
// the meantime is an error. Memory that was never touched (most of every thread's stack) is left out by the
// kernel's page map: reading it would cost time and page tables.
#if TELLTALE_AGENT
#include "memory/growing.h"
#include "memory/reader.h"
#include "memory/resident.h"
#include "memory/scan.h"
#include "memory/words.h"
#include "process/clock.h"
#include "process/turns.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    // An entry has 8 bytes for a page: 16 MB of memory at a time.
    page_entries = 4096,
    max_words = 4096,
    // The maximum size of a writable file mapping that is read. A file mapped for its data belongs to the
    // code that mapped it; the writable part of a library is smaller.
    max_file_mapping = 16 * 1024 * 1024,
};

// The sanitizers' own memory on x86-64: terabytes of address space that contain no object, and whose page
// map alone would take minutes.
extern void __tsan_init(void) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));

static bool is_shadow(uintptr_t from) {
#ifdef __x86_64__
    if (&__tsan_init && from >= 0x010000000000 && from < 0x550000000000) return true;
    if (&__asan_init && from >= 0x00007fff8000 && from < 0x10007fff8000) return true;
#endif
    (void)from;
    return false;
}

static void make_ranges(Scan *scan) {
    size_t starts[ScanRanges];
    size_t count = array_split(scan->words, scan->count, sizeof *scan->words, 0, 16 * 1024, starts,
                               ScanRanges);
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? starts[i + 1] : scan->count;
        scan->ranges[i].low = scan->words[starts[i]];
        scan->ranges[i].span = scan->words[end - 1] - scan->ranges[i].low;
    }
    scan->range_count = count;
    for (size_t i = 0; i < scan->count; i++) {
        size_t bit = scan->words[i] >> 4 & (ScanFilterBits - 1);
        scan->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

bool scan_has_word(const Scan *scan, uintptr_t word) {
    size_t bit = word >> 4 & (ScanFilterBits - 1);
    if ((scan->filter[bit / 64] >> (bit % 64) & 1) == 0) return false;
    size_t low = SORTED_PREFIX(scan->count, i, scan->words[i] < word);
    return low < scan->count && scan->words[low] == word;
}

static void check(Scan *scan, const char *at, uintptr_t base) {
    uintptr_t word = *(const uintptr_t *)(const void *)at;
    if (!scan_has_word(scan, word)) return;
    if (scan->result.hits >= scan->capacity) {
        scan->result.is_full = true;
        return;
    }
    CTelltaleScanHit *hit = &scan->hits[scan->result.hits++];
    hit->address = base + (uintptr_t)(at - scan->piece);
    hit->word = word;
}

// Not instrumented by a sanitizer, which would make it twenty times as slow; it reads the agent's own
// chunk.
__attribute__((no_sanitize("address", "thread")))
static void search_range(Scan *scan, ScanRange range, uintptr_t base, size_t size) {
    uintptr_t low = range.low, span = range.span;
    const uintptr_t *at = (const uintptr_t *)(const void *)scan->piece;
    // Whole pages are read, so that no rest remains.
    const uintptr_t *end = at + size / sizeof(uintptr_t);
    for (; at < end; at += 16) {
        if (!words_within(at, 2, 0, low, span)) continue;
        for (size_t i = 0; i < 16; i += 2)
            if (at[i] - low <= span) check(scan, (const char *)&at[i], base);
    }
}

size_t scan_piece(Scan *scan, uintptr_t address, size_t size) {
    ssize_t count = ctelltale_read_part(address, scan->piece, size);
    if (count < 0) scan->result.error = errno;
    size_t got = count < 0 ? 0 : (size_t)count & ~(size_t)(scan->page - 1);
    for (size_t i = 0; i < scan->range_count && got > 0; i++)
        search_range(scan, scan->ranges[i], address, got);
    scan->result.bytes += got;
    return got;
}

bool scan_goes_on(Scan *scan) {
    turns_give();
    if (scan->result.is_full || scan->result.error != 0) return false;
    scan->result.is_late = clock_now() >= scan->deadline;
    return !scan->result.is_late;
}

// Scans a run of pages; false if the scan should end.
static bool scan_run(Scan *scan, uintptr_t from, uintptr_t to) {
    while (from < to) {
        if (!scan_goes_on(scan)) return false;
        size_t got = scan_piece(scan, from, to - from < ScanPiece ? to - from : ScanPiece);
        // Unreadable memory has been unmapped, or was never mapped: the scan continues after it.
        from += got > 0 ? got : scan->page;
    }
    return true;
}

bool scan_region(Scan *scan, uintptr_t from, uintptr_t to) {
    const uint64_t present = (uint64_t)3 << 62;  // in memory, or swapped out
    if (scan->pagemap.number < 0 || to - from <= 4 * scan->page) return scan_run(scan, from, to);
    uintptr_t run = from, run_end = from;
    for (uintptr_t at = from; at < to;) {
        if (clock_now() >= scan->deadline) {
            scan->result.is_late = true;
            return false;
        }
        // Reserved address space has no limit: terabytes of it, with nothing to copy.
        uintptr_t next = ctelltale_resident_next(scan->pagemap.number, at, to);
        if (next > at) {
            at = next;
            continue;
        }
        size_t pages = (to - at) / scan->page;
        if (pages > page_entries) pages = page_entries;
        ssize_t got = pread(scan->pagemap.number, scan->pages, pages * 8, (off_t)(at / scan->page * 8));
        if (got < 8) return scan_run(scan, run < run_end ? run : at, to);
        pages = (size_t)got / 8;
        for (size_t i = 0; i < pages; i++, at += scan->page) {
            if ((scan->pages[i] & present) == 0) continue;
            // A system call costs more than a few pages.
            if (at - run_end > 4 * scan->page || at - run >= ScanPiece) {
                if (run < run_end && !scan_run(scan, run, run_end)) return false;
                run = at;
            }
            run_end = at + scan->page;
        }
    }
    return run < run_end ? scan_run(scan, run, run_end) : true;
}

static bool scan_mapping(void *context, const Mapping *mapping) {
    Scan *scan = context;
    if (!mapping->is_readable || !mapping->is_writable || !mapping->is_private) return true;
    const char *path = mapping->path;
    size_t length = mapping->path_length, size = mapping->high - mapping->low;
    // Heap objects are not on the main thread's stack; other stacks can't be recognised here.
    if (length >= 7 && !memcmp(path, "[stack]", 7)) return true;
    if (is_shadow(mapping->low)) return true;
    if (length > 0 && path[0] == '/') {
        if (size > max_file_mapping) return true;
    } else if (scan->layout && length == 0) {
        return scan_heap(scan, mapping->low, mapping->high, false);
    } else if (scan->layout && length == 6 && !memcmp(path, "[heap]", 6) && !scan->has_break) {
        scan->has_break = true;
        return scan_heap(scan, mapping->low, mapping->high, true);
    }
    return scan_region(scan, mapping->low, mapping->high);
}

CTelltaleScanResult ctelltale_scan(const uintptr_t *complements, size_t count, CTelltaleScanHit *hits,
                                   size_t capacity, uint64_t deadline,
                                   const CTelltaleHeapLayout *layout) {
    int saved = errno;
    Scan scan;
    memset(&scan, 0, sizeof scan);
    if (count == 0) return scan.result;
    if (count > max_words) {
        scan.result.error = EINVAL;
        return scan.result;
    }
    size_t size = ScanPiece + MapsRoom + (page_entries + max_words) * sizeof(uint64_t);
    void *memory = reader_room(size);
    if (!memory) {
        scan.result.error = errno;
        errno = saved;
        return scan.result;
    }
    scan.page = reader_page();
    scan.count = count;
    scan.hits = hits;
    scan.capacity = capacity;
    scan.deadline = deadline;
    scan.layout = layout;
    scan.piece = memory;
    scan.pages = (uint64_t *)(void *)(scan.piece + ScanPiece);
    uintptr_t *words = (uintptr_t *)(scan.pages + page_entries);
    for (size_t i = 0; i < count; i++) words[i] = ~complements[i];
    scan.words = words;
    scan.text = (char *)(words + max_words);
    scan.pagemap = ctelltale_descriptor_open("/proc/thread-self/pagemap", 0);
    make_ranges(&scan);
    ctelltale_reading_begin();
    int error = ctelltale_maps_each(scan.text, MapsRoom, &scan, scan_mapping);
    ctelltale_reading_end();
    if (error != 0 && scan.result.error == 0) scan.result.error = error;
    if (scan.pagemap.number >= 0) ctelltale_descriptor_close(&scan.pagemap);
    munmap(memory, size);
    errno = saved;
    return scan.result;
}

CTelltaleScanHit *ctelltale_scan_room(size_t capacity) {
    size_t size;
    if (__builtin_mul_overflow(capacity, sizeof(CTelltaleScanHit), &size) || size == 0) return NULL;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

void ctelltale_scan_room_free(CTelltaleScanHit *room, size_t capacity) {
    munmap(room, capacity * sizeof(CTelltaleScanHit));
}
#endif
