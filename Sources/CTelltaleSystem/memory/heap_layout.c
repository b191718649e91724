// The block layout of glibc's allocator, in one place (`malloc/malloc.c` and `malloc/arena.c` of glibc
// 2.36), and its self-test on blocks of the agent: another allocator fails it.
#include "memory/holders.h"
#include "memory/reader.h"
#include "memory/resident.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const CTelltaleHeapLayout ctelltale_heap_layout = {
    .header = 16,
    .smallest = 32,
    .marks = 7,
    .mark_before = 1,
    .mark_mapped = 2,
    .mark_other = 4,
    .span = 64 << 20,
    .span_arena = 0,
    .span_before = 8,
    .span_size = 16,
    .span_room = 24,
    .span_page = 32,
    .first_block = 0x8d0,
    .further_block = 0x30,
    .freed_word = 8,
    .listed_shift = 12,
    .thread_room = 0x900,
    .thread_id = 0x2d0,
};

size_t heap_block_size(const CTelltaleHeapLayout *layout, uintptr_t word, uintptr_t header,
                       uintptr_t end) {
    size_t size = word & ~(uintptr_t)layout->marks;
    if (size < layout->smallest || size % 16 != 0 || size > end - header) return 0;
    return size;
}

size_t heap_mapped_size(const CTelltaleHeapLayout *layout, const uintptr_t *words, uintptr_t header,
                        uintptr_t end) {
    if (words[0] != 0 || (words[1] & layout->marks) != layout->mark_mapped) return 0;
    size_t size = heap_block_size(layout, words[1], header, end);
    return header % reader_page() == 0 && size % reader_page() == 0 ? size : 0;
}

static uintptr_t word_at(uintptr_t address) {
    uintptr_t word = 0;
    ctelltale_read_memory(address, &word, sizeof word);
    return word;
}

size_t heap_arena_at(const CTelltaleHeapLayout *layout, uintptr_t start, uintptr_t high, uintptr_t page,
                     uintptr_t *header, uintptr_t *end) {
    uintptr_t words[4];
    if (!ctelltale_read_memory(start, words, sizeof words)) return 0;
    uintptr_t arena = words[layout->span_arena / 8], before = words[layout->span_before / 8];
    size_t size = words[layout->span_size / 8], room = words[layout->span_room / 8];
    bool is_first = arena == start + layout->further_block;
    bool is_further = before != 0 && before % layout->span == 0 && arena % 16 == 0;
    if (arena == 0 || !(is_first || is_further) || size > layout->span || size > high - start ||
        size % page != 0 || size < page)
        return 0;
    *header = start + (is_first ? layout->first_block : layout->further_block);
    if (heap_block_size(layout, word_at(*header + 8), *header, start + size) == 0) return 0;
    // The part that the arena has returned to the kernel is free.
    *end = start + (room > size && room <= layout->span ? room : size);
    if (*end > high) *end = high;
    return size;
}

uintptr_t heap_span_from(int pagemap, uintptr_t at, uintptr_t high, uintptr_t span) {
    while (true) {
        at = (at + span - 1) & ~(span - 1);
        if (at >= high) return high;
        uintptr_t next = ctelltale_resident_next(pagemap, at, high);
        if (next == at) return at;
        at = next;
    }
}

// Returns true for a block of `size` bytes: its header has its size, and the next header says that it is in
// use.
static bool is_block(const CTelltaleHeapLayout *layout, uintptr_t address, size_t size) {
    uintptr_t header = address - layout->header, word = word_at(header + 8);
    size_t found = heap_block_size(layout, word, header, header + size + 4096);
    if (found < size + 8 || (word & layout->mark_mapped) != 0) return false;
    return found <= size + 48 && (word_at(header + found + 8) & layout->mark_before) != 0;
}

// Finds the key in a freed block's second word: it is the same in each, and in no block in use.
static bool find_key(CTelltaleHeapLayout *layout, size_t size) {
    // Volatile, so that the compiler doesn't optimise the allocations away.
    void *volatile first = malloc(size), *volatile second = malloc(size);
    uintptr_t a = (uintptr_t)first, b = (uintptr_t)second;
    bool is_fine = a && b && is_block(layout, a, size) && is_block(layout, b, size);
    if (is_fine) memset(first, 0, size), memset(second, 0, size);
    free(second);
    free(first);
    if (!is_fine) return false;
    uintptr_t key = word_at(a + layout->freed_word);
    bool is_same = key != 0 && key == word_at(b + layout->freed_word);
    void *volatile again = malloc(size);
    bool is_cleared = (uintptr_t)again == a && word_at(a + layout->freed_word) == 0;
    free(again);
    layout->freed_key = key;
    return is_same && is_cleared;
}

uintptr_t heap_listed_next(const CTelltaleHeapLayout *layout, uintptr_t address, uintptr_t word) {
    return word ^ address >> layout->listed_shift;
}

bool heap_is_listed(const CTelltaleHeapLayout *layout, uintptr_t header, size_t size,
                    uintptr_t (*load)(const void *context, uintptr_t address), const void *context) {
    if (size > layout->listed_most) return false;
    // The first word leads to another block of this size, and that block's to a third, or to the end. A
    // block in use matches by chance once in millions.
    for (int step = 0; step < 2; step++) {
        uintptr_t address = header + layout->header;
        header = heap_listed_next(layout, address, load(context, address));
        if (header == 0) return true;
        if (header % 16 != 0 || header >> 47 != 0) return false;
        if ((load(context, header + 8) & ~(uintptr_t)layout->marks) != size) return false;
    }
    return true;
}

// Returns whether small blocks are freed into lists, in which each block leads to the header of the
// previous one.
static bool has_lists(const CTelltaleHeapLayout *layout, size_t size) {
    // The thread's own cache takes seven; the last ones go to a list.
    enum { count = 9 };
    void *volatile blocks[count];
    bool is_fine = true;
    for (size_t i = 0; i < count; i++) {
        blocks[i] = malloc(size);
        is_fine = is_fine && blocks[i] && is_block(layout, (uintptr_t)blocks[i], size);
    }
    for (size_t i = 0; i < count; i++) free(blocks[i]);
    if (!is_fine) return false;
    uintptr_t last = (uintptr_t)blocks[count - 1];
    return heap_listed_next(layout, last, word_at(last)) ==
           (uintptr_t)blocks[count - 2] - layout->header;
}

// A large block is a mapping by itself, after a header at the start of a page.
static bool is_mapped(const CTelltaleHeapLayout *layout) {
    size_t size = (size_t)65 << 20;  // more than the threshold ever grows to
    void *volatile block = malloc(size);
    uintptr_t address = (uintptr_t)block;
    uintptr_t word = block ? word_at(address - 8) : 0;
    bool is_right = (word & ~(uintptr_t)layout->marks) >= size && word % 16 <= layout->marks;
    // Unless a host has freed that much: then the block is a part of that memory, and shows nothing more.
    if ((word & layout->mark_mapped) != 0)
        is_right = is_right && (word & layout->marks) == layout->mark_mapped &&
                   address % 4096 == layout->header && word_at(address - 16) == 0;
    free(block);
    return is_right;
}

// Returns whether arenas are where they are looked for, by a block of the calling thread: the main arena in
// the heap that grows by `brk`, others in parts of the usual size and distance. With `glibc.malloc.hugetlb=2`
// they are not; a part then has the size of its pages (since glibc 2.35).
static bool has_spans(const CTelltaleHeapLayout *layout) {
    void *volatile block = malloc(1000);
    uintptr_t address = (uintptr_t)block, header, end;
    bool is_right = address != 0;
    if (is_right && (word_at(address - 8) & layout->mark_other) == 0) {
        is_right = address < (uintptr_t)sbrk(0);
    } else if (is_right) {
        uintptr_t start = address & ~(layout->span - 1), page = reader_page();
        size_t size = heap_arena_at(layout, start, start + layout->span, page, &header, &end);
        is_right = size != 0 && address < start + size && word_at(start + layout->span_page) <= page;
    }
    free(block);
    return is_right;
}

const char *ctelltale_heap_calibrate(CTelltaleHeapLayout *layout) {
#if !defined(__GLIBC__) || !defined(__x86_64__)
    (void)layout;
    return "the C library's allocator is known of glibc on x86-64 alone";
#else
    int saved = errno;
    // A thread caches seven freed blocks of a size, and only those have the key. These sizes are rarely
    // used by other code.
    bool has_key = find_key(layout, 1000) || find_key(layout, 904) || find_key(layout, 808);
    bool has_mapped = has_key && is_mapped(layout), are_spans = has_key && has_spans(layout);
    // Other threads may free such a block at this moment.
    if (has_key && (has_lists(layout, 104) || has_lists(layout, 88) || has_lists(layout, 120)))
        layout->listed_most = 128;
    errno = saved;
    if (!has_key) return "blocks of our own did not read back: the allocator is not glibc's";
    if (!are_spans) return "the arenas are not of the usual size (glibc.malloc.hugetlb)";
    return has_mapped ? NULL : "a large block of our own did not read back";
#endif
}

#endif
