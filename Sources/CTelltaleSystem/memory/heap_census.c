// Counts all blocks in use by their first words. A chunk of 256 KB begins with a block's header, so that
// each block is seen completely. The counts of a chunk are valid once the next one was walked, since the
// host's threads change the blocks in the meantime.
#include "memory/heap_census.h"
#include "process/clock.h"
#include "process/turns.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <string.h>

// MARK: Counting

// Returns whether a word that looks like an object's reference count can be one: not freed, and its
// deinit not begun. The bits of swift-6.3.1-RELEASE (RefCount.h), as in references.c.
static inline bool is_counted(uintptr_t counts) {
    if (counts >> 62 == 3) return true;
    if ((counts & 1) == 0 || (counts & 0x1FFFFFFFE) == 0) return false;
    return (counts >> 32 & 1) == 0 && counts >> 63 == 0;
}

static inline uintptr_t word_at(const char *piece, size_t offset) {
    return *(const uintptr_t *)(const void *)(piece + offset);
}

static void commit(CTelltaleHeapCensus *census) {
    CTelltaleHeapTotals *totals = &census->totals;
    for (size_t i = 0; i < census->found_count; i++) {
        HeapFound *found = &census->found[i];
        CTelltaleHeapRow *row = found->row;
        totals->blocks++;
        totals->bytes += found->size;
        if (!row) {
            int bit = 63 - __builtin_clzll(found->size);
            totals->other_blocks[bit]++;
            totals->other_bytes[bit] += found->size;
            continue;
        }
        totals->objects++;
        totals->object_bytes += found->size;
        row->count++;
        row->bytes += found->size;
        if (!found->is_kept) continue;
        if (census->kept < census->capacity) census->addresses[census->kept++] = found->address;
        else totals->left_out++;
    }
    census->found_count = 0;
}

// Returns whether an object contains the bytes searched for; `available` bytes are at `object`.
static bool fits(const CTelltaleHeapCensus *census, const char *object, size_t available) {
    size_t end = census->filter_offset + census->filter_size;
    return census->filter_size == 0 ||
           (end <= available &&
            memcmp(object + census->filter_offset, census->filter, census->filter_size) == 0);
}

// Takes a block in use, of which the given number of bytes are at `object`, at least the first two words.
static inline void take(CTelltaleHeapCensus *census, uintptr_t address, size_t size, const char *object,
                        size_t available) {
    uintptr_t word = word_at(object, 0), counts = word_at(object, 8);
    if (counts == census->freed_key) return;
    HeapFound *found = &census->found[census->found_count++];
    found->row = NULL;
    found->size = size;
    found->address = address;
    found->is_kept = false;
    if ((word & 7) != 0 || word - 4096 >= (uintptr_t)1 << 47) return;
    bool has_counts = is_counted(counts);
    if (!has_counts && !census->has_told) return;
    CTelltaleHeapRow *row = census->last;
    if (!row || row->word != word) {
        // Without reference counts it can only be one of the announced objects.
        if (!has_counts && (census->told_filter[word >> 4 & 63] & 1) == 0) return;
        row = heap_row(census, word);
        if (!row) return;
        census->last = row;
    }
    if (row->kind == CTelltaleHeapOther || size < row->least + 8) return;
    if (!has_counts && row->kind != CTelltaleHeapTold) return;
    found->row = row;
    if (row->is_wanted) found->is_kept = fits(census, object, available);
}

// MARK: The walk

// Takes the blocks of the chunk at `header`, of which there are `got` bytes, and returns the start of the
// first block that is incomplete in it; 0 if the walk lost the headers.
__attribute__((no_sanitize("address", "thread")))
static uintptr_t take_piece(CTelltaleHeapCensus *census, uintptr_t header, size_t got, uintptr_t high) {
    const CTelltaleHeapLayout *layout = &census->search->layout;
    const char *piece = census->search->piece;
    uintptr_t marks = layout->marks, in_use = layout->mark_before;
    size_t smallest = layout->smallest, at = 0, left = high - header;
    while (at + 32 <= got) {
        size_t size = word_at(piece, at + 8) & ~marks;
        if (size < smallest || (size & 15) != 0 || size > left - at) {
            // Headers of size 0 mark the end of a part of an arena.
            return left - at > 64 || size > 16 ? 0 : high;
        }
        size_t next = at + size;
        // The last block is the arena's unallocated rest.
        if (next == left) return high;
        uintptr_t after;
        if (next + 16 <= got) {
            after = word_at(piece, next + 8);
        } else if (at > 0 && size < HolderPiece / 2) {
            break;
        } else if (!ctelltale_read_memory(header + next + 8, &after, sizeof after)) {
            return 0;
        }
        if ((after & in_use) != 0)
            take(census, header + at + 16, size, piece + at + 16, got - at - 16);
        at = next;
    }
    // Headers of size 0 at the very end.
    if (at + 32 > got && left - at <= 32) return high;
    return header + at;
}

static bool is_late(CTelltaleHeapCensus *census) {
    turns_give();
    if (clock_now() >= census->search->deadline) census->totals.is_late = true;
    return census->totals.is_late;
}

// The size above which the inside of a block is skipped, and the next block's header is read next.
enum { near_size = 4096 };

static bool walk_blocks(CTelltaleHeapCensus *census, HolderArea *area) {
    enum { most_tries = 100, tries_in_place = 3 };
    // A filter may read at any offset in an object.
    size_t least = census->filter_size > 0 ? HolderPiece : near_size, size = least;
    CTelltaleHolderSearch *search = census->search;
    uintptr_t header = area->low, before = area->low;
    int tries = 0;
    while (header < area->high) {
        if (is_late(census)) return true;
        size_t left = area->high - header, wanted = left < size ? left : size;
        ssize_t copied = ctelltale_read_part(header, search->piece, wanted);
        if (copied < 0) {
            census->totals.error = errno;
            return true;
        }
        // Entries of this chunk follow those of the previous one, which are confirmed as soon as
        // this one is read.
        size_t known = census->found_count;
        if (known > HolderBounds) commit(census), known = 0;
        uintptr_t next = copied == (ssize_t)wanted ? take_piece(census, header, wanted, area->high) : 0;
        if (next > header) {
            size_t more = census->found_count - known;
            census->found_count = known;
            commit(census);
            memmove(census->found, census->found + known, more * sizeof *census->found);
            census->found_count = more;
            size = next > header + wanted ? least : size < HolderPiece ? size * 2 : HolderPiece;
            before = header;
            header = next;
            continue;
        }
        census->found_count = known;
        if (++tries > most_tries) return false;
        area->high = holders_end_now(search, area);
        if (tries % tries_in_place != 0) continue;
        census->found_count = 0;
        header = before;
    }
    commit(census);
    return true;
}

static void walk_mapped(CTelltaleHeapCensus *census, const HolderArea *area) {
    uintptr_t words[4];
    if (!ctelltale_reading_copy(area->low, words, sizeof words)) return;
    take(census, area->low + 16, area->high - area->low, (const char *)&words[2], 16);
    commit(census);
}

void ctelltale_heap_filter(CTelltaleHeapCensus *census, size_t offset, const void *bytes, size_t size) {
    if (size > sizeof census->filter) return;
    census->filter_offset = offset;
    census->filter_size = size;
    memcpy(census->filter, bytes, size);
}

const CTelltaleHeapTotals *ctelltale_heap_count(CTelltaleHeapCensus *census) {
    int saved = errno;
    CTelltaleHolderSearch *search = census->search;
    for (size_t i = 0; i < census->row_count; i++) census->rows[i].count = census->rows[i].bytes = 0;
    memset(&census->totals, 0, sizeof census->totals);
    census->kept = census->found_count = 0;
    census->last = NULL;
    ctelltale_reading_begin();
    holders_begin(search);
    census->totals.is_full = search->result.is_full;
    census->totals.error = search->result.error;
    census->is_listed = !search->result.is_full && search->result.error == 0;
    for (size_t i = 0; i < search->area_count; i++) {
        HolderArea *area = &search->areas[i];
        if (census->totals.error != 0 || (i % 64 == 0 && is_late(census))) break;
        if (area->kind == AreaMapped) walk_mapped(census, area);
        if (area->kind != AreaBlocks || walk_blocks(census, area)) continue;
        commit(census);
        census->totals.is_torn = true;
    }
    // Memory allocated from now on is in no list.
    census->is_listed = false;
    holders_end(search);
    ctelltale_reading_end();
    errno = saved;
    return &census->totals;
}

#endif
