// Elements in the order of their keys: a list of 100,000 is sorted within its owner's turn, which Swift
// without optimisation needs seconds for.
#if TELLTALE_AGENT
#include "CTelltaleValues.h"

#include <stdlib.h>

// Equal ones stay as they were.
static int rising(const void *left, const void *right) {
    const CTelltaleKey *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int falling(const void *left, const void *right) {
    const CTelltaleKey *a = left, *b = right;
    if (a->key != b->key) return a->key > b->key ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void ctelltale_keys_sort(CTelltaleKey *keys, size_t count, bool falls) {
    qsort(keys, count, sizeof *keys, falls ? falling : rising);
}
#endif
