// A referrer search: its memory, its results, and the edges between nodes.
#include "memory/holders.h"
#include "memory/reader.h"

#if TELLTALE_AGENT

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

CTelltaleHolderSearch *ctelltale_holders_make(const CTelltaleHeapLayout *layout, uint64_t deadline) {
    CTelltaleHolderSearch *search = reader_room(sizeof *search);
    if (!search) return NULL;
    search->layout = *layout;
    search->deadline = deadline;
    search->page = reader_page();
    search->pagemap.number = -1;
    return search;
}

void holders_begin(CTelltaleHolderSearch *search) {
    search->pagemap = ctelltale_descriptor_open("/proc/thread-self/pagemap", 0);
    holders_list_areas(search);
}

void holders_end(CTelltaleHolderSearch *search) {
    if (search->pagemap.number >= 0) ctelltale_descriptor_close(&search->pagemap);
    search->pagemap.number = -1;
}

void ctelltale_holders_free(CTelltaleHolderSearch *search) {
    munmap(search, sizeof *search);
}

bool ctelltale_holders_stack(CTelltaleHolderSearch *search, int32_t thread, uintptr_t from,
                             uintptr_t thread_pointer, bool is_holder) {
    if (search->stack_count == MostStacks) return false;
    search->stacks[search->stack_count++] =
        (HolderStack){from, thread_pointer, thread, is_holder};
    search->are_stacks_sorted = false;
    return true;
}

bool ctelltale_holders_image(CTelltaleHolderSearch *search, uintptr_t low, uintptr_t high) {
    if (search->image_count == MostImages) return false;
    search->images[search->image_count++] = (HolderImage){low, high};
    return true;
}

bool holders_in_image(const CTelltaleHolderSearch *search, uintptr_t address) {
    for (size_t i = 0; i < search->image_count; i++)
        if (address >= search->images[i].low && address < search->images[i].high) return true;
    return false;
}

bool ctelltale_holders_event(CTelltaleHolderSearch *search, int32_t epoll, int32_t descriptor,
                             uintptr_t data) {
    if (search->event_count == MostEvents) return false;
    search->events[search->event_count++] = (HolderEvent){data, epoll, descriptor};
    return true;
}

// MARK: Nodes and edges

uint32_t holders_node(CTelltaleHolderSearch *search, uintptr_t start, CTelltaleHolderKind kind,
                      bool *is_new) {
    size_t slot = (start >> 3) * UINT64_C(0x9E3779B97F4A7C15) >> 45;
    *is_new = false;
    for (;; slot++) {
        slot &= NodeSlots - 1;
        uint32_t known = search->slots[slot];
        if (known == 0) break;
        CTelltaleHolderNode *node = &search->nodes[known - 1];
        if (node->start == start && node->kind == kind) return known - 1;
    }
    if (search->node_count == MostNodes) {
        search->result.is_full = true;
        return UINT32_MAX;
    }
    uint32_t index = (uint32_t)search->node_count++;
    search->slots[slot] = index + 1;
    CTelltaleHolderNode *node = &search->nodes[index];
    memset(node, 0, sizeof *node);
    node->start = start;
    node->kind = kind;
    *is_new = true;
    return index;
}

void holders_edge(CTelltaleHolderSearch *search, uint32_t holder, uint32_t held, uintptr_t offset) {
    // A table points to its own parts. Only a word that leads to an object's beginning is a reference; for
    // a target no other word counts.
    const CTelltaleHolderNode *node = &search->nodes[held];
    if (holder == held && node->high - node->low > sizeof(uintptr_t)) return;
    // One stack often contains the same word many times in succession.
    CTelltaleHolderEdge edge = {holder, held, offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX};
    if (search->edge_count > 0) {
        CTelltaleHolderEdge *last = &search->edges[search->edge_count - 1];
        if (last->holder == holder && last->held == held &&
            search->nodes[holder].kind == CTelltaleHolderThread)
            return;
    }
    if (search->edge_count == MostEdges) {
        search->result.is_full = true;
        return;
    }
    search->edges[search->edge_count++] = edge;
}

uint32_t ctelltale_holders_target(CTelltaleHolderSearch *search, uintptr_t start, size_t reach) {
    bool is_new;
    uint32_t index = holders_node(search, start, CTelltaleHolderBlock, &is_new);
    if (index == UINT32_MAX || !is_new) return index;
    CTelltaleHolderNode *node = &search->nodes[index];
    node->low = start;
    node->high = start + reach;
    node->state = CTelltaleHolderWanted;
    ctelltale_reading_copy(start, &node->word, sizeof node->word);
    return index;
}

CTelltaleHolderNode *ctelltale_holders_nodes(CTelltaleHolderSearch *search, size_t *count) {
    *count = search->node_count;
    return search->nodes;
}

const CTelltaleHolderEdge *ctelltale_holders_edges(CTelltaleHolderSearch *search, size_t *count) {
    *count = search->edge_count;
    return search->edges;
}

#endif
