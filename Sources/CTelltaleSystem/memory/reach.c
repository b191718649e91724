// The forward search: breadth first, each block once, by words that lead to the start of a block.
#include "memory/reach.h"

#if TELLTALE_AGENT
#include "CTelltaleMemory.h"
#include "memory/growing.h"
#include "memory/reader.h"
#include "process/clock.h"
#include "process/turns.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    // Limits for one block and for all of them: a block with millions of words is mostly a buffer.
    MostOfOne = 1 << 20,
    MostOfAll = 64 << 20,
    MostDepth = 16,
};

static const uint32_t nobody = UINT32_MAX;

CTelltaleReach *ctelltale_reach_make(const CTelltaleHeapLayout *layout) {
    CTelltaleReach *reach = reader_room(sizeof *reach);
    if (!reach) return NULL;
    reach->layout = *layout;
    reach->page = reader_page();
    return reach;
}

void ctelltale_reach_free(CTelltaleReach *reach) { munmap(reach, sizeof *reach); }

// MARK: Nodes

static uint32_t *slot_of(const CTelltaleReach *reach, uintptr_t start) {
    size_t slot = (start >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 46;
    for (;; slot++) {
        slot &= ReachSlots - 1;
        uint32_t known = reach->slots[slot];
        if (known == 0 || reach->nodes[known - 1].start == start)
            return (uint32_t *)&reach->slots[slot];
    }
}

static ReachNode *node_add(CTelltaleReach *reach, uintptr_t start) {
    uint32_t *slot = slot_of(reach, start);
    if (*slot != 0 || reach->node_count == ReachNodes) return NULL;
    ReachNode *node = &reach->nodes[reach->node_count++];
    *slot = (uint32_t)reach->node_count;
    *node = (ReachNode){.start = start, .from = nobody};
    return node;
}

void ctelltale_reach_close(CTelltaleReach *reach, uintptr_t start) {
    ReachNode *node = node_add(reach, start);
    if (node) node->state = NodeClosed;
}

bool ctelltale_reach_want(CTelltaleReach *reach, uintptr_t address, uintptr_t holder) {
    uint32_t known = *slot_of(reach, address);
    // An excluded node may still be a target.
    ReachNode *node = known != 0 ? &reach->nodes[known - 1] : node_add(reach, address);
    if (!node || node->state == NodeWanted) return node != NULL;
    node->state = NodeWanted;
    node->holder = holder;
    reach->left++;
    return true;
}

bool ctelltale_reach_want_inside(CTelltaleReach *reach, uintptr_t address) {
    if (reach->inside_count == ReachInsides) return false;
    reach->inside[reach->inside_count++] = (ReachInside){address, nobody};
    reach->is_sorted = false;
    reach->left++;
    return true;
}

static int by_address(const void *left, const void *right) {
    const ReachInside *a = left, *b = right;
    return a->address < b->address ? -1 : a->address > b->address;
}

static size_t first_inside(const CTelltaleReach *reach, uintptr_t low) {
    return SORTED_PREFIX(reach->inside_count, i, reach->inside[i].address < low);
}

static void find_inside(CTelltaleReach *reach, const ReachNode *node) {
    for (size_t i = first_inside(reach, node->start);
         i < reach->inside_count && reach->inside[i].address < node->start + node->size; i++) {
        if (reach->inside[i].node != nobody) continue;
        reach->inside[i].node = (uint32_t)(node - reach->nodes);
        reach->left--;
    }
}

// MARK: Walking

// Reads the clocks from time to time: that of a thread's processor time needs a system call.
static bool is_late(CTelltaleReach *reach) {
    if (!reach->is_late && reach->asked++ % 32 == 0) {
        turns_give();
        reach->is_late = clock_now() >= reach->deadline || clock_used() >= reach->last_use;
    }
    return reach->is_late;
}

static void come_to(CTelltaleReach *reach, uint32_t from, uintptr_t offset, uintptr_t word) {
    uint32_t known = *slot_of(reach, word);
    ReachNode *holder = &reach->nodes[from], *node = known != 0 ? &reach->nodes[known - 1] : NULL;
    if (node) {
        if (node->state != NodeWanted) return;
        if (node->holder != 0 && (holder->is_stack || reach_load(NULL, holder->start) != node->holder)) return;
        node->state = NodeFound;
        reach->left--;
    } else {
        size_t size = holder->depth < MostDepth ? reach_block(reach, word) : 0;
        if (size == 0 || !(node = node_add(reach, word))) return;
        node->size = size;
        node->root = holder->root;
        node->depth = holder->depth + 1;
    }
    node->from = from;
    node->offset = (uint32_t)offset;
    if (node->state == NodeOpen) find_inside(reach, node);
}

// Not instrumented by a sanitizer: it reads the agent's own chunk.
__attribute__((no_sanitize("address", "thread")))
static void walk_piece(CTelltaleReach *reach, uint32_t index, uintptr_t offset, size_t size) {
    uintptr_t low = reach->mapping_count ? reach->mappings[0].low : UINTPTR_MAX;
    uintptr_t span = reach->mapping_count ? reach->mappings[reach->mapping_count - 1].high - low : 0;
    for (size_t i = 0; i < size / 8; i++) {
        // The bits above the 48 of an address are marks.
        uintptr_t word = reach->piece[i] << 16 >> 16;
        if (word - low < span && word % 16 == 0) come_to(reach, index, offset + i * 8, word);
    }
}

static void walk(CTelltaleReach *reach, uint32_t index) {
    ReachNode *node = &reach->nodes[index];
    size_t size = node->size < MostOfOne ? node->size : MostOfOne;
    for (size_t at = 0; at < size && reach->left > 0; at += ReachPiece) {
        size_t part = size - at < ReachPiece ? size - at : ReachPiece;
        if (reach->bytes > MostOfAll || is_late(reach)) return;
        reach->bytes += part;
        if (!ctelltale_reading_copy(node->start + at, reach->piece, part)) return;
        walk_piece(reach, index, at, part);
    }
}

void ctelltale_reach_from_block(CTelltaleReach *reach, uint32_t root, uintptr_t start) {
    reach_list(reach);
    size_t size = reach_block(reach, start);
    ReachNode *node = size > 0 ? node_add(reach, start) : NULL;
    if (!node) return;
    node->size = size;
    node->root = root;
}

void ctelltale_reach_from_stack(CTelltaleReach *reach, uint32_t root, uintptr_t low, uintptr_t high) {
    ReachNode *node = low < high ? node_add(reach, low) : NULL;
    if (!node) return;
    node->size = high - low;
    node->root = root;
    node->is_stack = true;
}

bool ctelltale_reach_run(CTelltaleReach *reach, uint64_t used, uint64_t deadline) {
    int saved = errno;
    reach->deadline = deadline;
    reach->last_use = clock_used() + used;
    reach->is_late = false;
    reach->asked = 0;
    reach_list(reach);
    if (!reach->is_sorted)
        qsort(reach->inside, reach->inside_count, sizeof *reach->inside, by_address);
    reach->is_sorted = true;
    for (; reach->next < reach->node_count && reach->left > 0; reach->next++) {
        if (is_late(reach)) break;
        if (reach->nodes[reach->next].state == NodeOpen) walk(reach, (uint32_t)reach->next);
    }
    errno = saved;
    return reach->left == 0;
}

size_t ctelltale_reach_way(const CTelltaleReach *reach, uintptr_t address, CTelltaleReachStep *steps,
                           size_t capacity, uint32_t *root) {
    size_t count = 0;
    uintptr_t offset;
    uint32_t next;
    size_t inside = first_inside(reach, address);
    if (inside < reach->inside_count && reach->inside[inside].address == address) {
        next = reach->inside[inside].node;
        offset = next != nobody ? address - reach->nodes[next].start : 0;
    } else {
        uint32_t known = *slot_of(reach, address);
        if (known == 0 || reach->nodes[known - 1].state != NodeFound) return 0;
        next = reach->nodes[known - 1].from;
        offset = reach->nodes[known - 1].offset;
    }
    while (next != nobody && count < capacity) {
        const ReachNode *node = &reach->nodes[next];
        steps[count++] = (CTelltaleReachStep){node->is_stack ? 0 : node->start, node->size, offset};
        *root = node->root;
        next = node->from;
        offset = node->offset;
    }
    return count;
}
#endif
