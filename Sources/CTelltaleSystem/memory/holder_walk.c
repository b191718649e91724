// The search of the memory, chunk by chunk. The walk follows the headers of blocks, so that for each word
// it is known whether it is in a block in use, and where that block begins.
#include "memory/growing.h"
#include "memory/holders.h"
#include "memory/resident.h"
#include "process/clock.h"
#include "process/turns.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <string.h>
#include <unistd.h>

uintptr_t holders_load(const CTelltaleHolderSearch *search, uintptr_t address) {
    uintptr_t word = 0;
    if (address - search->base <= HolderPiece - 8 &&
        holders_has_copied(search, address - search->base))
        memcpy(&word, search->piece + (address - search->base), sizeof word);
    else
        ctelltale_reading_copy(address, &word, sizeof word);
    return word;
}

static uintptr_t load_for(const void *context, uintptr_t address) { return holders_load(context, address); }

// Finds the block in use that contains `address`; a block's last word is in the next block's header.
bool holders_find_block(const CTelltaleHolderSearch *search, uintptr_t address, uintptr_t *header,
                        size_t *size) {
    const CTelltaleHeapLayout *layout = &search->layout;
    size_t low = SORTED_PREFIX(search->bound_count, i, search->bounds[i] <= address - layout->header);
    if (low == 0) return false;
    *header = search->bounds[low - 1];
    *size = search->sizes[low - 1];
    if (search->area->kind == AreaMapped) return address < *header + *size;
    if (address >= *header + *size + 8) return false;
    uintptr_t next = *header + *size + 8;
    // The last block is the unallocated rest of the arena.
    if (next >= search->area->high) return false;
    if ((holders_load(search, next) & layout->mark_before) == 0) return false;
    if (holders_load(search, *header + layout->header + layout->freed_word) == layout->freed_key)
        return false;
    return !heap_is_listed(layout, *header, *size, load_for, search);
}

// Walks the headers in a chunk; false if a header is invalid, or was not copied.
__attribute__((no_sanitize("address", "thread")))
static bool walk_headers(CTelltaleHolderSearch *search, size_t got) {
    uintptr_t header = search->next_header, base = search->base, end = base + got;
    uintptr_t high = search->area->high, *bounds = search->bounds, *sizes = search->sizes;
    uintptr_t marks = search->layout.marks, smallest = search->layout.smallest;
    size_t count = 0;
    // The block that reaches into the chunk.
    if (search->bound_count > 0) {
        bounds[0] = bounds[search->bound_count - 1];
        sizes[0] = sizes[search->bound_count - 1];
        count = 1;
    }
    while (header < end) {
        if (!holders_has_copied(search, header - base + 8)) return false;
        size_t size = *(const uintptr_t *)(const void *)(search->piece + (header - base) + 8) & ~marks;
        if (size < smallest || (size & 15) != 0 || size > high - header) {
            // Headers of size 0 mark the end of a part of an arena.
            if (high - header > 64 || size > 16) return false;
            header = high;
            break;
        }
        bounds[count] = header;
        sizes[count++] = size;
        header += size;
    }
    search->result.blocks += count;
    search->next_header = header;
    search->bound_count = count;
    return true;
}

// The state of a walk over blocks at the start of a chunk, so that it can be resumed there.
typedef struct {
    uintptr_t at, next_header, open_header, open_size;
    bool has_open;
} Place;

static Place place_of(const CTelltaleHolderSearch *search, uintptr_t at) {
    Place place = {.at = at, .next_header = search->next_header};
    size_t count = search->bound_count;
    place.has_open = count > 0;
    if (count > 0) {
        place.open_header = search->bounds[count - 1];
        place.open_size = search->sizes[count - 1];
    }
    return place;
}

static uintptr_t go_back(CTelltaleHolderSearch *search, const Place *place) {
    search->next_header = place->next_header;
    search->bounds[0] = place->open_header;
    search->sizes[0] = place->open_size;
    search->bound_count = place->has_open;
    return place->at;
}

// Returns the current end of a region of blocks: it grows and shrinks as the host allocates and frees.
uintptr_t holders_end_now(const CTelltaleHolderSearch *search, const HolderArea *area) {
    if (area->is_break) return (uintptr_t)sbrk(0) & ~(search->page - 1);
    uintptr_t start = area->low & ~(uintptr_t)(search->layout.span - 1), size = 0;
    ctelltale_read_memory(start + search->layout.span_size, &size, sizeof size);
    bool is_one = size % search->page == 0 && size <= search->layout.span && start + size > area->low;
    return is_one ? start + size : area->high;
}

// Walks one chunk; returns the size of its readable part, or -1 if the walk lost the headers. A chunk
// copied `whole` shows which pages later levels can leave out.
static ssize_t walk_piece(CTelltaleHolderSearch *search, uintptr_t at, uintptr_t end, bool whole) {
    bool has_blocks = search->area->kind == AreaBlocks;
    ssize_t copied = holders_copy(search, at, end - at, whole);
    if (copied < 0) search->result.error = errno;
    size_t got = copied < 0 ? 0 : (size_t)copied & ~(size_t)(search->page - 1);
    if (has_blocks && (got < end - at || !walk_headers(search, got))) return -1;
    if (got == 0) return 0;
    holders_search_piece(search, got);
    if (has_blocks || search->area->kind == AreaMapped) holders_note_barren(search, got);
    return (ssize_t)got;
}

bool holders_walk_area(CTelltaleHolderSearch *search, uintptr_t until) {
    // The host's threads change the blocks in the meantime: the walk then restarts at the last chunk or the
    // one before.
    enum { most_tries = 100, tries_in_place = 3 };
    HolderArea *area = search->area;
    bool has_blocks = area->kind == AreaBlocks;
    search->bound_count = 0;
    search->next_header = area->low;
    if (area->kind == AreaMapped) {
        search->bounds[0] = area->low;
        search->sizes[0] = area->high - area->low;
        search->bound_count = 1;
    }
    uintptr_t at = area->low & ~(search->page - 1);
    Place before = place_of(search, at);
    int tries = 0;
    bool is_again = false;
    while (at < area->high && at <= until) {
        turns_give();
        if (search->result.is_late || clock_now() >= search->deadline) {
            search->result.is_late = true;
            return false;
        }
        uintptr_t end = area->high - at < HolderPiece ? area->high : at + HolderPiece;
        end = (end + search->page - 1) & ~(search->page - 1);
        search->base = at;
        // Most pages of a large block may never have been touched.
        bool is_awaited = has_blocks && search->next_header < end;
        search->present = UINT64_MAX;
        if (!is_awaited && (holders_are_barren(search, at, end) ||
                            !holders_are_present(search, at, end))) {
            at = ctelltale_resident_next(search->pagemap.number, end, area->high);
            continue;
        }
        Place place = place_of(search, at);
        // Memory outside of the chunk must be as recent as the chunk.
        ctelltale_reading_refresh();
        ssize_t got = walk_piece(search, at, end, is_again);
        is_again = got < 0;
        if (is_again) {
            if (++tries > most_tries || search->result.error != 0) return false;
            area->high = holders_end_now(search, area);
            at = go_back(search, tries % tries_in_place == 0 ? &before : &place);
            continue;
        }
        before = place;
        // Unreadable memory has been unmapped: the walk continues after it.
        at += got > 0 ? (uintptr_t)got : search->page;
    }
    return !has_blocks || until < area->high || search->next_header >= area->high;
}

bool ctelltale_holders_locate(CTelltaleHolderSearch *search, uintptr_t address,
                              CTelltaleHolderNode *out) {
    int saved = errno;
    memset(out, 0, sizeof *out);
    out->kind = CTelltaleHolderUnknown;
    out->start = address;
    search->range_count = 0;
    holders_begin(search);
    for (size_t i = 0; i < search->area_count; i++) {
        HolderArea *area = &search->areas[i];
        if (address < area->low || address >= area->high) continue;
        search->area = area;
        if (area->kind == AreaStack) {
            out->kind = CTelltaleHolderThread;
            out->start = (uintptr_t)area->thread;
        } else if (area->kind == AreaGlobals) {
            out->kind = CTelltaleHolderGlobal;
        } else if (area->kind != AreaUnknown && holders_walk_area(search, address)) {
            uintptr_t header;
            if (!holders_find_block(search, address, &header, &out->size)) break;
            out->kind = CTelltaleHolderBlock;
            out->start = header + search->layout.header;
            out->size -= 16;
        }
        break;
    }
    holders_end(search);
    errno = saved;
    return out->kind == CTelltaleHolderBlock;
}

#endif
