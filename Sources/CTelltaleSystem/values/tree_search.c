// Finds names and texts of a tree that contain a word.
#if TELLTALE_AGENT
#include "values/tree.h"

static char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? (char)(byte + 32) : byte; }

// The maximum size of a chunk. A word has at most 1,000 bytes, so longer words fit too.
#define PIECE 4096u

// Searches chunks of the text in lower case, each with the end of the previous one, so that a word across
// two chunks is found: `memmem` takes time that grows with the text, whatever the word.
bool ctelltale_text_has(const char *bytes, size_t size, const char *word, size_t word_size) {
    if (word_size == 0 || word_size > size || word_size > PIECE / 2) return false;
    char piece[PIECE];
    size_t kept = 0;
    for (size_t next = 0; next < size;) {
        size_t count = size - next < PIECE - kept ? size - next : PIECE - kept;
        for (size_t i = 0; i < count; i++) piece[kept + i] = lower(bytes[next + i]);
        next += count;
        size_t filled = kept + count;
        if (memmem(piece, filled, word, word_size)) return true;
        kept = filled < word_size - 1 ? filled : word_size - 1;
        memmove(piece, piece + filled - kept, kept);
    }
    return false;
}

static bool has(const char *bytes, size_t size, CTelltaleTreeSearch *search) {
    search->left -= size < search->left ? size : search->left;
    return ctelltale_text_has(bytes, size, search->word, search->size);
}

static bool fits(CTelltaleTreeSearch *search, const CTelltaleNode *node) {
    // The replacement of a secret is not a value.
    bool is_value = node->flags & CTelltaleNodeHasText && node->kind != CTelltaleNodeMasked;
    if (is_value && has(node->text, node->text_size, search)) return true;
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
    while (search->next < tree->size) {
        if (search->left == 0) return CTELLTALE_SEARCH_PAUSED;
        uint32_t at = search->next;
        // The cost of a node apart from its texts.
        search->left -= search->left < 32 ? search->left : 32;
        CTelltaleNode node = ctelltale_tree_node(tree, at);
        search->next = node.next;
        search->looked++;
        while (search->depth > 0 && search->ends[search->depth - 1] <= at) search->depth--;
        bool is_hit = fits(search, &node);
        // A reader's depth limit keeps these within their capacity.
        if (node.end > node.next && search->depth < CTELLTALE_MOST_STEPS + 8) {
            search->above[search->depth] = at;
            search->ends[search->depth++] = node.end;
        }
        if (is_hit) return at;
    }
    return CTELLTALE_SEARCH_ENDED;
}
#endif
