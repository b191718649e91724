// One level of a referrer search: all memory is copied in chunks, and each word compared with the wanted
// ones.
#include "memory/holders.h"

#if TELLTALE_AGENT
#include "memory/growing.h"
#include "memory/words.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A pointer into a block may be to a part of it; into a large one only near its start.
enum { whole_reach = 1024, large_reach = 64 };

// MARK: Wanted words

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
    holders_make_ranges(search);
}

// MARK: Results

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

// Returns the wanted node that a word leads to; NULL if it leads to none.
static const HolderWanted *_Nullable wanted_by(const CTelltaleHolderSearch *search, uintptr_t word) {
    word = word << HolderMarkBits >> HolderMarkBits;
    size_t bit = (word >> 4 ^ word >> 22) & (FilterBits - 1);
    if ((search->filter[bit / 64] >> (bit % 64) & 1) == 0) return NULL;
    size_t low = SORTED_PREFIX(search->wanted_count, i, search->wanted[i].low <= word);
    return low == 0 || word >= search->wanted[low - 1].high ? NULL : &search->wanted[low - 1];
}

static void check(CTelltaleHolderSearch *search, const uintptr_t *at) {
    const HolderWanted *wanted = wanted_by(search, *at);
    if (!wanted) return;
    uintptr_t address = search->base + (uintptr_t)((const char *)at - search->piece);
    if (address < search->area->low || address >= search->area->high) return;
    found(search, address, wanted->node);
}

// Adds references from words that the kernel keeps, which count like those in memory.
static void search_events(CTelltaleHolderSearch *search) {
    for (size_t i = 0; i < search->event_count; i++) {
        const HolderEvent *event = &search->events[i];
        const HolderWanted *wanted = wanted_by(search, event->data);
        if (!wanted) continue;
        bool is_new;
        uintptr_t start = (uintptr_t)event->epoll << 32 | (uint32_t)event->descriptor;
        uint32_t holder = holders_node(search, start, CTelltaleHolderEvent, &is_new);
        if (holder != UINT32_MAX) holders_edge(search, holder, wanted->node, 0);
    }
}

// Whole pages are copied, so that no rest remains. Not instrumented by a sanitizer: it reads the agent's
// own chunk.
__attribute__((no_sanitize("address", "thread")))
static void search_range(CTelltaleHolderSearch *search, const HolderRange *range, size_t from, size_t size) {
    uintptr_t low = range->low, span = range->span;
    const uintptr_t *at = (const uintptr_t *)(const void *)(search->piece + from);
    const uintptr_t *end = at + size / sizeof(uintptr_t);
    for (; at < end; at += 8) {
        if (!words_within(at, 1, HolderMarkBits, low, span)) continue;
        for (size_t i = 0; i < 8; i++)
            if ((at[i] << HolderMarkBits) - low <= span) check(search, &at[i]);
    }
}

void holders_search_piece(CTelltaleHolderSearch *search, size_t got) {
    for (size_t at = 0, size; at < got; at += size) {
        bool is_copied = holders_has_copied(search, at);
        for (size = search->page; at + size < got; size += search->page)
            if (holders_has_copied(search, at + size) != is_copied) break;
        if (!is_copied) continue;
        search->result.bytes += size;
        for (size_t i = 0; i < search->range_count; i++)
            search_range(search, &search->ranges[i], at, size);
    }
}

// MARK: The level

CTelltaleHolderLevel ctelltale_holders_level(CTelltaleHolderSearch *search) {
    int saved = errno;
    search->result.blocks = 0;
    ctelltale_reading_begin();
    holders_begin(search);
    prepare(search);
    search_events(search);
    for (size_t i = 0; i < search->area_count && !search->result.is_late; i++) {
        HolderArea *area = &search->areas[i];
        search->area = area;
        for (int try = 0; !holders_walk_area(search, UINTPTR_MAX) && !search->result.is_late; try++) {
            if (try < 3) continue;
            // The region changes all the time, or is something else: each word counts.
            search->result.is_torn = true;
            if (area->kind != AreaBlocks) break;
            area->kind = AreaUnknown;
        }
    }
    if (!search->result.is_late && search->result.error == 0)
        for (size_t i = 0; i < search->node_count; i++)
            if (search->nodes[i].state == CTelltaleHolderWanted)
                search->nodes[i].state = CTelltaleHolderSearched;
    holders_end(search);
    ctelltale_reading_end();
    errno = saved;
    return search->result;
}

#endif
