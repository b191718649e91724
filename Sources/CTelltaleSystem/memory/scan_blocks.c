// Scans the heap without the inside of large blocks: objects are at the start of a block, and most of a
// service's memory is in buffers.
#include "memory/heap.h"
#include "memory/resident.h"
#include "memory/scan.h"

#if TELLTALE_AGENT

// Weak, as a runtime may lack it.
extern const void *const _swift_concurrency_debug_asyncTaskSlabMetadata __attribute__((weak));

// The size from which skipping to the next block is worth a call of its own.
enum { large_block = 64 * 1024, near_pages = 1 };

static uintptr_t page_down(const Scan *scan, uintptr_t address) { return address & ~(scan->page - 1); }

// Reads a word of the chunk that was read from `at` to `end`, or a word after it.
static uintptr_t load(const Scan *scan, uintptr_t at, uintptr_t end, uintptr_t address) {
    uintptr_t word = 0;
    if (address < end) return *(const uintptr_t *)(const void *)(scan->piece + (address - at));
    ctelltale_read_memory(address, &word, sizeof word);
    return word;
}

// Returns whether other objects are inside of a block: functions of tasks have child tasks among their
// allocations.
static bool has_objects(const Scan *scan, uintptr_t first_word) {
    if (scan_has_word(scan, first_word)) return true;
    return &_swift_concurrency_debug_asyncTaskSlabMetadata &&
           first_word == (uintptr_t)_swift_concurrency_debug_asyncTaskSlabMetadata;
}

// Returns whether the header after a large block says that the block is in use. The size of a block that
// the host splits at this moment doesn't lead to the next one.
static bool is_in_use(const Scan *scan, uintptr_t next, uintptr_t high) {
    uintptr_t word;
    return next + 16 <= high && ctelltale_read_memory(next + 8, &word, sizeof word) &&
           heap_block_size(scan->layout, word, next, high) != 0 && (word & scan->layout->mark_before) != 0;
}

// Scans adjacent blocks from a header on. If a header is invalid, the whole rest is scanned.
static bool scan_blocks(Scan *scan, uintptr_t header, uintptr_t high) {
    const CTelltaleHeapLayout *layout = scan->layout;
    uintptr_t at = page_down(scan, header);
    size_t size = near_pages * scan->page;
    while (at < high) {
        if (!scan_goes_on(scan)) return false;
        uintptr_t rest = (high - at + scan->page - 1) & ~(scan->page - 1);
        size_t got = scan_piece(scan, at, rest < size ? rest : size);
        if (got == 0) return scan_region(scan, at, high);
        uintptr_t end = at + got;
        // After a large block, the next one is likely near.
        size = size < ScanPiece ? size * 2 : ScanPiece;
        // Headers are 16-aligned, so the size of a header that begins in the chunk is in the chunk too.
        while (header < end && header < high) {
            uintptr_t word = load(scan, at, end, header + 8);
            size_t length = heap_block_size(layout, word, header, high);
            // Headers of size 0 mark the end of a part of an arena.
            if (length == 0) return high - header <= 64 ? true : scan_region(scan, end, high);
            uintptr_t first = load(scan, at, end, header + layout->header);
            uintptr_t next = header + length;
            header = next;
            if (length < large_block || page_down(scan, next) <= end) continue;
            // The kernel may have no pages for memory that is free, or was never allocated.
            bool is_left_out = !has_objects(scan, first) && is_in_use(scan, next, high);
            if (!is_left_out && !scan_region(scan, end, page_down(scan, next))) return false;
            end = page_down(scan, next);
            size = near_pages * scan->page;
        }
        at = end;
    }
    return true;
}

// Scans large blocks with mappings of their own, as far as they are adjacent from `from` on.
static bool scan_pages(Scan *scan, uintptr_t from, uintptr_t to) {
    uintptr_t words[3];
    while (from < to && ctelltale_read_memory(from, words, sizeof words)) {
        size_t size = heap_mapped_size(scan->layout, words, from, to);
        if (size < large_block || has_objects(scan, words[2])) break;
        if (!scan_goes_on(scan)) return false;
        scan_piece(scan, from, scan->page);
        from += size;
    }
    return from < to ? scan_region(scan, from, to) : true;
}

bool scan_heap(Scan *scan, uintptr_t from, uintptr_t to, bool is_break) {
    if (is_break) return scan_blocks(scan, from, to);
    uintptr_t span = scan->layout->span, at = from;
    for (; (at = heap_span_from(scan->pagemap.number, at, to, span)) < to; at += span) {
        uintptr_t header, end;
        size_t size = heap_arena_at(scan->layout, at, to, scan->page, &header, &end);
        if (size == 0) continue;
        if (from < at && !scan_pages(scan, from, at)) return false;
        // The arena itself is before its first block.
        if (!scan_blocks(scan, header, at + size)) return false;
        from = end;
    }
    return from < to ? scan_pages(scan, from, to) : true;
}

#endif
