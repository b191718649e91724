// Lists the memory of this process that may contain references, and the way in which it is searched: blocks
// of the allocator, live stacks, variables of images, and memory of unknown use.
//
// Adjacent anonymous mappings are one line in the kernel's list, so each line is split: arenas are at
// multiples of 64 MB, large blocks at pages, and stacks at the addresses that their threads report.
#include "memory/holders.h"
#include "memory/resident.h"

#if TELLTALE_AGENT

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(CTelltaleHolderSearch *search, int kind, uintptr_t low, uintptr_t high, int32_t thread) {
    if (low >= high) return;
    if (search->area_count == MostAreas) {
        search->result.is_full = true;
        return;
    }
    HolderArea *area = &search->areas[search->area_count++];
    *area = (HolderArea){low, high, kind, thread, false};
}

static uintptr_t page_up(const CTelltaleHolderSearch *search, uintptr_t address) {
    return (address + search->page - 1) & ~(search->page - 1);
}

// MARK: Blocks with a mapping of their own

// Returns the size of such a block whose header may be at `header`; 0 if there is none.
static size_t mapped_size(const CTelltaleHolderSearch *search, const uintptr_t *words,
                          uintptr_t header, uintptr_t end) {
    const CTelltaleHeapLayout *layout = &search->layout;
    if (words[0] != 0 || (words[1] & layout->marks) != layout->mark_mapped) return 0;
    size_t size = heap_block_size(layout, words[1], header, end);
    return size % search->page == 0 ? size : 0;
}

bool holders_are_present(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    size_t count = (high - low) / search->page;
    search->present = UINT64_MAX;
    if (search->pagemap.number < 0 || count > HolderPiece / 4096) return true;
    ssize_t got = pread(search->pagemap.number, search->pages, count * 8,
                        (off_t)(low / search->page * 8));
    if (got < (ssize_t)(count * 8)) return true;
    search->present = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_there = search->pages[i] >> 62 != 0;  // in memory, or swapped out
        search->present |= (uint64_t)is_there << i;
    }
    return search->present != 0;
}

// Returns the first page from `low` on at which a large block begins; `high` if there is none.
static uintptr_t next_mapped(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    while ((low = ctelltale_resident_next(search->pagemap.number, low, high)) < high) {
        uintptr_t end = high - low < HolderPiece ? high : low + HolderPiece;
        if (!holders_are_present(search, low, end)) {
            low = end;
            continue;
        }
        for (uintptr_t at = low; at < end; at += search->page) {
            uintptr_t words[2];
            if ((search->present >> ((at - low) / search->page) & 1) == 0) continue;
            if (!ctelltale_reading_copy(at, words, sizeof words)) continue;
            if (mapped_size(search, words, at, high) != 0) return at;
        }
        low = end;
    }
    return high;
}

static void add_pages(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    uintptr_t words[2];
    while (low < high) {
        bool is_there = ctelltale_resident_next(search->pagemap.number, low, low + search->page) == low;
        size_t size = is_there && ctelltale_reading_copy(low, words, sizeof words)
                          ? mapped_size(search, words, low, high)
                          : 0;
        if (size != 0) {
            add(search, AreaMapped, low, low + size, 0);
            low += size;
        } else {
            uintptr_t next = next_mapped(search, low, high);
            add(search, AreaUnknown, low, next, 0);
            low = next;
        }
    }
}

// MARK: Arenas

// Adds the part of an arena that may begin at `start`, and returns its end; `start` if there is none.
static uintptr_t add_arena(CTelltaleHolderSearch *search, uintptr_t start, uintptr_t high) {
    uintptr_t header, end;
    size_t size = heap_arena_at(&search->layout, start, high, search->page, &header, &end);
    if (size == 0) return start;
    add(search, AreaBlocks, header, start + size, 0);
    return end;
}

static void add_anonymous(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    uintptr_t span = search->layout.span, at = low;
    for (; (at = heap_span_from(search->pagemap.number, at, high, span)) < high; at += span) {
        uintptr_t end = add_arena(search, at, high);
        if (end == at) continue;
        add_pages(search, low, at);
        low = end;
    }
    add_pages(search, low, high);
}

// MARK: Stacks

// Returns whether the stack of an ended thread is here: the C library keeps some for the next
// threads.
static bool is_dead_stack(const CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    uintptr_t words[2 * 4096 / 8];
    size_t size = sizeof words;
    if (high - low < size || !ctelltale_reading_copy(high - size, words, size)) return false;
    // The thread pointer points at itself, twice, and the kernel has cleared the id after it.
    for (size_t i = 0; i + search->layout.thread_id / 8 < size / 8; i += 2) {
        uintptr_t here = high - size + i * 8;
        if (words[i] != here || words[i + 2] != here) continue;
        return (uint32_t)words[i + search->layout.thread_id / 8] == 0 &&
               page_up(search, here + search->layout.thread_room) >= high;
    }
    return false;
}

static int by_pointer(const void *left, const void *right) {
    const HolderStack *a = left, *b = right;
    return a->pointer < b->pointer ? -1 : a->pointer > b->pointer;
}

// Splits a mapping without a file: stacks in it come first. A mapping with a guard page before it begins
// with a stack; its part below the stack pointer is stale memory of earlier calls.
static void split(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    bool is_guarded = search->forbidden_end == low;
    size_t first = 0, last = search->stack_count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (search->stacks[middle].pointer < low) first = middle + 1;
        else last = middle;
    }
    for (; first < search->stack_count && search->stacks[first].pointer < high; first++) {
        const HolderStack *stack = &search->stacks[first];
        uintptr_t from = stack->from < low || stack->from > stack->pointer ? low : stack->from;
        uintptr_t top = page_up(search, stack->pointer + search->layout.thread_room);
        if (top > high) top = high;
        if (!is_guarded) add_anonymous(search, low, from & ~(search->page - 1));
        if (stack->is_holder) add(search, AreaStack, from & ~(uintptr_t)15, top, stack->thread);
        low = top;
        is_guarded = false;
    }
    if (is_guarded && low < high && is_dead_stack(search, low, high)) return;
    add_anonymous(search, low, high);
}

// MARK: Mappings

static bool is_image(const CTelltaleHolderSearch *search, const Mapping *mapping) {
    for (size_t i = 0; i < search->image_count; i++)
        if (mapping->low >= search->images[i].low && mapping->low < search->images[i].high)
            return true;
    return false;
}

static bool has_path(const Mapping *mapping, const char *path) {
    return mapping->path_length >= strlen(path) && !memcmp(mapping->path, path, strlen(path));
}

// Adds the main thread's stack, whose part above its pointer is live.
static void add_main_stack(CTelltaleHolderSearch *search, const Mapping *mapping) {
    for (size_t i = 0; i < search->stack_count; i++) {
        const HolderStack *stack = &search->stacks[i];
        if (stack->from < mapping->low || stack->from >= mapping->high) continue;
        if (stack->is_holder)
            add(search, AreaStack, stack->from & ~(uintptr_t)15, mapping->high, stack->thread);
        return;
    }
    // The thread is running: all of its stack may be live.
    add(search, AreaStack, mapping->low, mapping->high, (int32_t)getpid());
}

// Returns whether memory without a file is read-only for the moment, as of a heap that is protected while it
// is not changed. Read-only parts of files and images are constants, and contain no reference to the heap.
static bool is_protected(const CTelltaleHolderSearch *search, const Mapping *mapping) {
    bool has_file = mapping->path_length > 0 && !has_path(mapping, "[anon:") && !has_path(mapping, "[heap]");
    return !mapping->is_writable && !has_file && !is_image(search, mapping);
}

static bool take_mapping(void *context, const Mapping *mapping) {
    CTelltaleHolderSearch *search = context;
    if (!mapping->is_readable && !mapping->is_writable) search->forbidden_end = mapping->high;
    if (!mapping->is_readable || !mapping->is_private) return true;
    if (!mapping->is_writable && !is_protected(search, mapping)) return true;
    if (has_path(mapping, "[stack")) {
        add_main_stack(search, mapping);
    } else if (has_path(mapping, "[heap]")) {
        // The heap may be in several adjacent lines.
        HolderArea *before = search->heap_area < search->area_count
                                 ? &search->areas[search->heap_area]
                                 : NULL;
        if (before && before->high == mapping->low) {
            before->high = mapping->high;
        } else {
            search->heap_area = search->area_count;
            add(search, AreaBlocks, mapping->low, mapping->high, 0);
            if (search->heap_area < search->area_count)
                search->areas[search->heap_area].is_break = true;
        }
    } else if (is_image(search, mapping)) {
        add(search, AreaGlobals, mapping->low, mapping->high, 0);
    } else if (mapping->path_length > 0 && mapping->path[0] == '/') {
        add(search, AreaUnknown, mapping->low, mapping->high, 0);
    } else {
        split(search, mapping->low, mapping->high);
    }
    return true;
}

void holders_list_areas(CTelltaleHolderSearch *search) {
    if (!search->are_stacks_sorted)
        qsort(search->stacks, search->stack_count, sizeof *search->stacks, by_pointer);
    search->are_stacks_sorted = true;
    search->area_count = 0;
    search->heap_area = SIZE_MAX;
    search->forbidden_end = 0;
    int error = ctelltale_maps_each(search->text, MapsRoom, search, take_mapping);
    if (error != 0 && search->result.error == 0) search->result.error = error;
}

#endif
