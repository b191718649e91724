// Names and texts of a tree that have a word in them.
#if TELLTALE_AGENT
#include "CTelltaleValues.h"

#include <string.h>

static char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte; }

static bool has(const char *bytes, size_t size, const CTelltaleTreeSearch *search) {
    if (search->size == 0 || search->size > size) return false;
    char first = search->word[0];
    for (size_t i = 0; i + search->size <= size; i++) {
        if (lower(bytes[i]) != first) continue;
        size_t same = 1;
        while (same < search->size && lower(bytes[i + same]) == search->word[same]) same++;
        if (same == search->size) return true;
    }
    return false;
}

static bool fits(const CTelltaleTreeSearch *search, const CTelltaleNode *node) {
    // What stands in the place of a secret is no value.
    bool is_value = node->flags & CTelltaleNodeHasText && node->kind != CTelltaleNodeMasked;
    if (is_value && has(search->tree->texts + node->text, node->text_size, search)) return true;
    if (node->flags & CTelltaleNodeIsElement || node->label == CTELLTALE_NO_NAME) return false;
    const CTelltaleNameText *name = ctelltale_name_text(search->plans, node->label);
    return has(name->bytes, name->size, search);
}

CTelltaleTreeSearch ctelltale_tree_search_begin(const CTelltaleTree *tree, const CTelltalePlans *plans,
                                                const char *word, size_t size) {
    CTelltaleTreeSearch search = {0};
    search.tree = tree;
    search.plans = plans;
    search.word = word;
    search.size = size;
    return search;
}

uint32_t ctelltale_tree_search(CTelltaleTreeSearch *search) {
    const CTelltaleTree *tree = search->tree;
    while (search->next < tree->count) {
        uint32_t index = search->next++;
        const CTelltaleNode *node = &tree->nodes[index];
        while (search->depth > 0 && tree->nodes[search->above[search->depth - 1]].end <= index) search->depth--;
        bool is_hit = fits(search, node);
        // A reader's bound of the depth keeps these within their room.
        if (node->end > index + 1 && search->depth < CTELLTALE_MOST_STEPS + 8) search->above[search->depth++] = index;
        if (is_hit) return index;
    }
    return UINT32_MAX;
}
#endif
