// Sorts elements by their keys: a list of 100,000 is sorted within one access to its owner, while Swift
// without optimisation needs seconds.
#if TELLTALE_AGENT
#include "CTelltaleValues.h"

#include <stdlib.h>

// Equal elements keep their order.
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
