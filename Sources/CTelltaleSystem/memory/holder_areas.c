// Lists the memory of this process that may contain references, and the way in which it is searched: blocks
// of the allocator, live stacks, variables of images, and memory of unknown use.
//
// Adjacent anonymous mappings are one line in the kernel's list, so each line is split: arenas are at
// multiples of 64 MB, large blocks at pages, and stacks at the addresses that their threads report.
#include "memory/growing.h"
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

bool holders_are_present(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    search->present = ctelltale_resident_pages(search->pagemap.number, low, (high - low) / search->page);
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
            if (heap_mapped_size(&search->layout, words, at, high) != 0) return at;
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
                          ? heap_mapped_size(&search->layout, words, low, high)
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
    size_t first = SORTED_PREFIX(search->stack_count, i, search->stacks[i].pointer < low);
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
    bool has_file = mapping->path_length > 0 && !mapping_begins(mapping, "[anon:") && !mapping_begins(mapping, "[heap]");
    return !mapping->is_writable && !has_file && !holders_in_image(search, mapping->low);
}

static bool take_mapping(void *context, const Mapping *mapping) {
    CTelltaleHolderSearch *search = context;
    if (!mapping->is_readable && !mapping->is_writable) search->forbidden_end = mapping->high;
    if (!mapping->is_readable || !mapping->is_private) return true;
    if (!mapping->is_writable && !is_protected(search, mapping)) return true;
    if (mapping_begins(mapping, "[stack")) {
        add_main_stack(search, mapping);
    } else if (mapping_begins(mapping, "[heap]")) {
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
    } else if (holders_in_image(search, mapping->low)) {
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
