// Writes a tree as text, as `ValueTree` lays it out without colours: one line for each node, two spaces for
// each level. Nothing in it needs an escape: it is not used for trees with control sequences.
#if TELLTALE_AGENT
#include "values/tree_text.h"

#include "values/text.h"
#include "values/tree.h"

void ctelltale_text_put_number(Page *page, const char *before, uint64_t number) {
    char digits[24];
    page_put(page, before, strlen(before));
    page_put(page, digits, ctelltale_text_natural(number, digits));
}

void ctelltale_text_put_text(Page *page, const CTelltaleNode *node) {
    char *room = page_room(page, (size_t)node->text_size + 2);
    if (!room) return;
    char *out = room;
    bool is_quoted = node->flags & CTelltaleNodeIsQuoted;
    if (is_quoted) *out++ = '"';
    memcpy(out, node->text, node->text_size);
    out += node->text_size;
    if (is_quoted) *out++ = '"';
    page->used += (size_t)(out - room);
}

void ctelltale_text_put_leaf(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node) {
    if (node->flags & CTelltaleNodeHasText)
        ctelltale_text_put_text(page, node);
    else
        page_name(page, plans, node->type);
}

static bool is_reason(const CTelltalePlans *plans, CTelltaleName cut, const char *reason) {
    if (cut == CTELLTALE_NO_NAME) return false;
    const CTelltaleNameText *text = ctelltale_name_text(plans, cut);
    return text->size == strlen(reason) && memcmp(text->bytes, reason, text->size) == 0;
}

bool ctelltale_text_is_depth(const CTelltalePlans *plans, const CTelltaleNode *node) {
    return is_reason(plans, node->cut, "depth");
}

void ctelltale_text_put_cut(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node) {
    char digits[32];
    size_t size = ctelltale_text_count(node->omitted, digits);
    bool has_omitted = node->flags & CTelltaleNodeHasOmitted;
    if (is_reason(plans, node->cut, "elements")) {
        PAGE_WORD(page, "… ");
        if (has_omitted) page_put(page, digits, size);
        if (has_omitted) PAGE_WORD(page, " ");
        PAGE_WORD(page, "more");
        return;
    }
    PAGE_WORD(page, "…");
    page_name(page, plans, node->cut);
    if (ctelltale_text_is_depth(plans, node) || !has_omitted || node->omitted == 0) return;
    PAGE_WORD(page, " (");
    page_put(page, digits, size);
    PAGE_WORD(page, " more)");
}

void ctelltale_text_put_identity(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                       const CTelltaleNode *node, bool falls_back) {
    int64_t handle = node_handle(tree, node);
    char digits[24];
    if (handle > 0)
        ctelltale_text_put_number(page, "#", (uint64_t)handle);
    else if (node->flags & CTelltaleNodeHasAddress)
        page_put(page, digits, ctelltale_text_address(node->value, digits));
    else if (falls_back)
        page_name(page, plans, node->type);
}

static void put_described(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                          const CTelltaleNode *node) {
    const CTelltaleNameText *type = ctelltale_name_text(plans, node->type);
    page_put(page, type->bytes, type->size);
    bool has_words = type->size > 0;
    if (node->kind == CTelltaleNodeObject &&
        (node_handle(tree, node) > 0 || node->flags & CTelltaleNodeHasAddress)) {
        if (has_words) PAGE_WORD(page, " ");
        ctelltale_text_put_identity(page, tree, plans, node, false);
        has_words = true;
    }
    if (!(node->flags & CTelltaleNodeHasText) || node->text_size == 0) return;
    bool is_type = node->text_size == type->size &&
                   memcmp(node->text, type->bytes, type->size) == 0;
    if (is_type) return;
    if (has_words) PAGE_WORD(page, " ");
    ctelltale_text_put_text(page, node);
}

static void put_collection(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                           const CTelltaleNode *node) {
    put_described(page, tree, plans, node);
    if (!(node->flags & CTelltaleNodeHasCount)) return;
    char digits[32];
    PAGE_WORD(page, " ");
    page_put(page, digits, ctelltale_text_count(node->value, digits));
    bool is_one = node->value == 1;
    if (node->kind == CTelltaleNodeDictionary)
        page_put(page, is_one ? " entry" : " entries", is_one ? 6 : 8);
    else
        page_put(page, is_one ? " element" : " elements", is_one ? 8 : 9);
}

static void put_head(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                     const CTelltaleNode *node) {
    switch ((CTelltaleNodeKind)node->kind) {
    case CTelltaleNodeScalar:
    case CTelltaleNodeString:
    case CTelltaleNodeEnumeration: ctelltale_text_put_leaf(page, plans, node); break;
    case CTelltaleNodeNone: PAGE_WORD(page, "nil"); break;
    case CTelltaleNodeMasked: PAGE_WORD(page, "<masked>"); break;
    case CTelltaleNodeReference:
        PAGE_WORD(page, "-> ");
        ctelltale_text_put_identity(page, tree, plans, node, true);
        break;
    case CTelltaleNodeArray:
    case CTelltaleNodeSet:
    case CTelltaleNodeDictionary: put_collection(page, tree, plans, node); break;
    default: put_described(page, tree, plans, node); break;
    }
}

static void put_indent(Page *page, size_t level) {
    char *room = page_room(page, 2 * level);
    if (!room) return;
    memset(room, ' ', 2 * level);
    page->used += 2 * level;
}

// Returns whether the cut is reported on the node's own line.
static bool is_beside(const CTelltalePlans *plans, const CTelltaleNode *node) {
    return node->end == node->next && !is_reason(plans, node->cut, "elements");
}

// Writes the indent and the label, and reserves space for `more` bytes; null once the sink takes no more.
static char *put_label(Page *page, const CTelltalePlans *plans, uint32_t label, uint32_t flags, size_t level,
                       size_t more) {
    bool is_element = flags & CTelltaleNodeIsElement;
    const CTelltaleNameText *name = ctelltale_name_text(plans, is_element ? CTELLTALE_NO_NAME : label);
    char *out = page_room(page, 2 * level + name->size + 32 + more);
    if (!out) return NULL;
    memset(out, ' ', 2 * level);
    out += 2 * level;
    if (is_element) {
        *out++ = '[';
        out += ctelltale_text_natural(label, out);
        *out++ = ']';
    } else if (label == CTELLTALE_NO_NAME) {
        *out++ = '_';
    } else {
        memcpy(out, name->bytes, name->size);
        out += name->size;
    }
    memcpy(out, ": ", 2);
    return out + 2;
}

// Writes a node with only a text; returns the offset of the next node.
static uint32_t put_text_line(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                              const TreeHead *head, uint32_t at, size_t level) {
    char *out = put_label(page, plans, head->label, head->what, level, (size_t)head->text_size + 3);
    if (!out) return at;
    bool is_quoted = head->what & CTelltaleNodeIsQuoted;
    if (is_quoted) *out++ = '"';
    memcpy(out, tree_leaf_text(tree, at), head->text_size);
    out += head->text_size;
    if (is_quoted) *out++ = '"';
    *out++ = '\n';
    page->used = (size_t)(out - page->bytes);
    return tree_leaf_end(head, at);
}

static void put_line(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                     const CTelltaleNode *node, size_t level) {
    char *out = put_label(page, plans, node->label, node->flags, level, 0);
    if (!out) return;
    page->used = (size_t)(out - page->bytes);
    put_head(page, tree, plans, node);
    if (node->cut != CTELLTALE_NO_NAME && is_beside(plans, node)) {
        PAGE_WORD(page, " ");
        ctelltale_text_put_cut(page, plans, node);
    }
    if (node->note != CTELLTALE_NO_NAME) {
        PAGE_WORD(page, "  (");
        page_name(page, plans, node->note);
        PAGE_WORD(page, ")");
    } else if (node->kind == CTelltaleNodeUnavailable) {
        PAGE_WORD(page, "  (unavailable)");
    }
    PAGE_WORD(page, "\n");
}

static void put_cut_line(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node, size_t level) {
    if (node->cut == CTELLTALE_NO_NAME || is_beside(plans, node)) return;
    put_indent(page, level);
    ctelltale_text_put_cut(page, plans, node);
    PAGE_WORD(page, "\n");
}

bool ctelltale_tree_lines(const CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleSink sink,
                          void *context) {
    Page page = {NULL, 0, 0, sink, context, false};
    OpenNode open[MOST_OPEN];
    size_t depth = 0;
    for (uint32_t at = 0; at < tree->size && !page.has_failed;) {
        const TreeHead *head = tree_head(tree, at);
        CTelltaleNodeKind kind = tree_kind(head->what);
        bool is_text = (kind == CTelltaleNodeScalar || kind == CTelltaleNodeString) &&
                       (head->what & (CTelltaleNodeHasText | TREE_HAS_TAIL)) == CTelltaleNodeHasText;
        if (is_text && at > 0) {
            at = put_text_line(&page, tree, plans, head, at, depth);
        } else {
            CTelltaleNode node = ctelltale_tree_node(tree, at);
            if (at > 0) put_line(&page, tree, plans, &node, depth);
            uint32_t here = at;
            at = node.next;
            if (node.end > node.next) {
                if (depth == MOST_OPEN) page.has_failed = true;
                else open[depth++] = (OpenNode){here, node.next, node.end};
                continue;
            }
            put_cut_line(&page, plans, &node, depth + 1);
        }
        for (; depth > 0 && open[depth - 1].end == at; depth--) {
            CTelltaleNode node = ctelltale_tree_node(tree, open[depth - 1].node);
            put_cut_line(&page, plans, &node, depth);
        }
    }
    return page_end(&page);
}
#endif
