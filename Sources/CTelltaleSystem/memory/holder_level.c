// One level of a search for holders: all memory is copied in pieces, and each word compared with what is
// looked for.
#include "memory/holders.h"

#if TELLTALE_AGENT
#include "memory/growing.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Compared are the 48 bits of an address: what stands above them are marks, as enumerations have them.
enum { mark_bits = 16 };
// A pointer into a block may be to a part of it; of a large one only to what lies at its start.
enum { whole_reach = 1024, large_reach = 64 };

// MARK: What is looked for

static int by_low(const void *left, const void *right) {
    const HolderWanted *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

static void add_filter(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    for (uintptr_t at = low >> 4; at <= (high - 1) >> 4; at++) {
        size_t bit = (at ^ at >> 18) & (FilterBits - 1);
        search->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

static void make_ranges(CTelltaleHolderSearch *search) {
    size_t starts[MostRanges];
    size_t count = array_split(search->wanted, search->wanted_count, sizeof *search->wanted,
                               offsetof(HolderWanted, high), 1 << 20, starts, MostRanges);
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? starts[i + 1] : search->wanted_count;
        uintptr_t low = search->wanted[starts[i]].low, high = search->wanted[end - 1].high;
        search->range_low[i] = low << mark_bits;
        search->range_span[i] = (high - 1 - low) << mark_bits;
    }
    search->range_count = count;
}

static void prepare(CTelltaleHolderSearch *search) {
    memset(search->filter, 0, sizeof search->filter);
    search->wanted_count = search->range_count = 0;
    for (size_t i = 0; i < search->node_count; i++) {
        const CTelltaleHolderNode *node = &search->nodes[i];
        if (node->state != CTelltaleHolderWanted || node->low >= node->high) continue;
        search->wanted[search->wanted_count++] =
            (HolderWanted){node->low, node->high, (uint32_t)i};
        add_filter(search, node->low, node->high);
    }
    qsort(search->wanted, search->wanted_count, sizeof *search->wanted, by_low);
    if (search->wanted_count > 0) make_ranges(search);
}

// MARK: Finds

static void found(CTelltaleHolderSearch *search, uintptr_t address, uint32_t held) {
    const HolderArea *area = search->area;
    bool is_new;
    uint32_t holder;
    uintptr_t start = address;
    if (area->kind == AreaBlocks || area->kind == AreaMapped) {
        uintptr_t header;
        size_t size;
        if (!holders_find_block(search, address, &header, &size)) return;
        start = header + search->layout.header;
        holder = holders_node(search, start, CTelltaleHolderBlock, &is_new);
        if (holder == UINT32_MAX) return;
        CTelltaleHolderNode *node = &search->nodes[holder];
        if (node->size == 0) {
            node->size = size - (area->kind == AreaMapped ? 16 : 8);
            node->word = holders_load(search, start);
        }
        if (is_new) {
            size_t reach = size <= whole_reach ? size - 16 : large_reach;
            node->low = start;
            node->high = start + reach;
        }
    } else {
        bool is_stack = area->kind == AreaStack;
        CTelltaleHolderKind kind = is_stack                     ? CTelltaleHolderThread
                                   : area->kind == AreaGlobals ? CTelltaleHolderGlobal
                                                               : CTelltaleHolderUnknown;
        if (is_stack) start = (uintptr_t)area->thread;
        holder = holders_node(search, start, kind, &is_new);
        if (holder == UINT32_MAX) return;
    }
    holders_edge(search, holder, held, address - start);
}

static void check(CTelltaleHolderSearch *search, const uintptr_t *at) {
    uintptr_t word = *at << mark_bits >> mark_bits;
    size_t bit = (word >> 4 ^ word >> 22) & (FilterBits - 1);
    if ((search->filter[bit / 64] >> (bit % 64) & 1) == 0) return;
    size_t low = SORTED_PREFIX(search->wanted_count, i, search->wanted[i].low <= word);
    if (low == 0 || word >= search->wanted[low - 1].high) return;
    uintptr_t address = search->base + (uintptr_t)((const char *)at - search->piece);
    if (address < search->area->low || address >= search->area->high) return;
    found(search, address, search->wanted[low - 1].node);
}

// Written out by hand: in a debug build of the host this is compiled without optimisation, where a
// loop's own bookkeeping costs more than its work.
#define CHECK(i) \
    if ((at[i] << mark_bits) - low <= span) check(search, &at[i]);
#define CHECK8(i) \
    CHECK(i) CHECK(i + 1) CHECK(i + 2) CHECK(i + 3) CHECK(i + 4) CHECK(i + 5) CHECK(i + 6) CHECK(i + 7)

// Whole pages are copied, so that this leaves nothing over. Not watched by a sanitizer: it reads our own
// piece.
__attribute__((no_sanitize("address", "thread")))
static void search_range(CTelltaleHolderSearch *search, size_t range, size_t size) {
    uintptr_t low = search->range_low[range], span = search->range_span[range];
    const uintptr_t *at = (const uintptr_t *)(const void *)search->piece;
    const uintptr_t *end = at + size / sizeof(uintptr_t);
    for (; at < end; at += 32) {
        CHECK8(0) CHECK8(8) CHECK8(16) CHECK8(24)
    }
}

void holders_search_piece(CTelltaleHolderSearch *search, size_t got) {
    search->result.bytes += got;
    for (size_t i = 0; i < search->range_count; i++) search_range(search, i, got);
}

// MARK: The level

CTelltaleHolderLevel ctelltale_holders_level(CTelltaleHolderSearch *search) {
    int saved = errno;
    search->result.blocks = 0;
    prepare(search);
    holders_list_areas(search);
    for (size_t i = 0; i < search->area_count && !search->result.is_late; i++) {
        HolderArea *area = &search->areas[i];
        search->area = area;
        for (int try = 0; !holders_walk_area(search, UINTPTR_MAX) && !search->result.is_late; try++) {
            if (try < 3) continue;
            // Somebody changes it all the time, or it is something else: each word counts.
            search->result.is_torn = true;
            if (area->kind != AreaBlocks) break;
            area->kind = AreaUnknown;
        }
    }
    if (!search->result.is_late && search->result.error == 0)
        for (size_t i = 0; i < search->node_count; i++)
            if (search->nodes[i].state == CTelltaleHolderWanted)
                search->nodes[i].state = CTelltaleHolderSearched;
    errno = saved;
    return search->result;
}

#endif
