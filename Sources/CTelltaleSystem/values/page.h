//! Output in pages.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "CTelltaleValues.h"

#pragma clang assume_nonnull begin

typedef struct {
    char *_Nullable bytes;
    size_t used, room;
    CTelltaleSink sink;
    void *_Nullable context;
    bool has_failed;
} Page;

// Small enough to stay in a core's cache until it is sent.
#define PAGE_SIZE_WANTED (64u << 10)

static inline bool page_flush(Page *page) {
    if (page->used > 0 && !page->has_failed && !page->sink(page->context, page->bytes, page->used))
        page->has_failed = true;
    page->used = 0;
    return !page->has_failed;
}

static inline char *_Nullable page_new_room(Page *page, size_t size) {
    if (!page_flush(page)) return NULL;
    if (page->room < size) {
        size_t room = size > PAGE_SIZE_WANTED ? size : PAGE_SIZE_WANTED;
        free(page->bytes);
        page->bytes = malloc(room);
        page->room = page->bytes ? room : 0;
        if (!page->bytes) page->has_failed = true;
    }
    return page->bytes;
}

/// Returns the address for the next bytes, with space for the given number; null once the sink takes no
/// more. `page->used` counts the bytes written there.
__attribute__((always_inline)) static inline char *_Nullable page_room(Page *page, size_t size) {
    return page->room - page->used >= size ? page->bytes + page->used : page_new_room(page, size);
}

static inline void page_put(Page *page, const char *bytes, size_t size) {
    char *room = page_room(page, size);
    if (!room) return;
    memcpy(room, bytes, size);
    page->used += size;
}

#define PAGE_WORD(page, text) page_put(page, text, sizeof(text) - 1)

/// Ends the writing; false if the sink did not take all of it.
static inline bool page_end(Page *page) {
    bool is_done = page_flush(page);
    free(page->bytes);
    return is_done;
}

/// Nodes whose parts are being written.
typedef struct {
    uint32_t node, first, end;
} OpenNode;

/// The maximum depth of a written tree; a walk and a reader make at most one level for each of 64.
#define MOST_OPEN 512

/// Returns the number of a node's handle; 0 for none.
static inline int64_t node_handle(const CTelltaleTree *tree, const CTelltaleNode *node) {
    if (node->handle >= 0) return node->handle;
    size_t place = (size_t)(-(int64_t)node->handle - 1);
    return tree->numbers && place < tree->place_count ? tree->numbers[place] : 0;
}

#pragma clang assume_nonnull end
