// A tree as one line, as it would be typed; as `PlainValue` has it, without colours.
#if TELLTALE_AGENT
#include "values/tree_text.h"

// What a node is written as.
typedef enum { Leaf, Bracket, Keyed, Arguments } Form;

static Form form_of(const CTelltaleNode *node, uint32_t index) {
    switch ((CTelltaleNodeKind)node->kind) {
    case CTelltaleNodeArray:
    case CTelltaleNodeSet: return Bracket;
    case CTelltaleNodeDictionary: return Keyed;
    case CTelltaleNodeTuple:
    case CTelltaleNodeObject: return Arguments;
    case CTelltaleNodeEnumeration:
        return node->end == index + 1 && node->cut == CTELLTALE_NO_NAME ? Leaf : Arguments;
    case CTelltaleNodeStructure: return node->flags & CTelltaleNodeHasText ? Leaf : Arguments;
    default: return Leaf;
    }
}

static void put_leaf(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                     const CTelltaleNode *node) {
    switch ((CTelltaleNodeKind)node->kind) {
    case CTelltaleNodeNone: PAGE_WORD(page, "nil"); return;
    case CTelltaleNodeMasked: PAGE_WORD(page, "<masked>"); return;
    case CTelltaleNodeReference: {
        int64_t handle = node_handle(tree, node);
        if (handle > 0)
            ctelltale_text_put_number(page, "#", (uint64_t)handle);
        else
            ctelltale_text_put_leaf(page, tree, plans, node);
        return;
    }
    case CTelltaleNodeUnavailable:
        PAGE_WORD(page, "<unavailable: ");
        page_name(page, plans, node->note == CTELLTALE_NO_NAME ? node->type : node->note);
        PAGE_WORD(page, ">");
        return;
    default: break;
    }
    ctelltale_text_put_leaf(page, tree, plans, node);
    if (node->kind == CTelltaleNodeEnumeration || node->cut == CTELLTALE_NO_NAME) return;
    PAGE_WORD(page, " ");
    ctelltale_text_put_cut(page, plans, node);
}

static void put_opening(Page *page, const CTelltaleTree *tree, const CTelltalePlans *plans,
                        const CTelltaleNode *node, Form form) {
    if (node->kind == CTelltaleNodeEnumeration) ctelltale_text_put_leaf(page, tree, plans, node);
    if (node->kind == CTelltaleNodeObject || node->kind == CTelltaleNodeStructure)
        page_name(page, plans, node->type);
    if (form == Arguments)
        PAGE_WORD(page, "(");
    else
        PAGE_WORD(page, "[");
}

static void put_closing(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node, uint32_t index,
                        Form form) {
    bool is_empty = node->end == index + 1;
    if (node->cut != CTELLTALE_NO_NAME) {
        if (!is_empty) PAGE_WORD(page, ", ");
        if (ctelltale_text_is_depth(plans, node))
            PAGE_WORD(page, "…");
        else
            ctelltale_text_put_cut(page, plans, node);
    } else if (is_empty && form == Keyed) {
        PAGE_WORD(page, ":");
    }
    if (form == Arguments)
        PAGE_WORD(page, ")");
    else
        PAGE_WORD(page, "]");
}

// `["a b"]` and `[3]` name a dictionary's keys; the brackets belong to the path.
static void put_key(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node) {
    if (node->flags & CTelltaleNodeIsElement) {
        ctelltale_text_put_number(page, "", node->label);
    } else {
        const CTelltaleNameText *label = ctelltale_name_text(plans, node->label);
        bool has_brackets =
            label->size >= 2 && label->bytes[0] == '[' && label->bytes[label->size - 1] == ']';
        page_put(page, label->bytes + has_brackets, label->size - 2 * has_brackets);
    }
    PAGE_WORD(page, ": ");
}

// A property's or a tuple element's label; a position is no label.
static void put_argument(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node) {
    const CTelltaleNameText *label = ctelltale_name_text(plans, node->label);
    if (label->size == 0) return;
    size_t start = 0;
    while (start < label->size && (label->bytes[start] == '.' || label->bytes[start] == '_')) start++;
    size_t digits = start;
    while (digits < label->size && label->bytes[digits] >= '0' && label->bytes[digits] <= '9') digits++;
    if (start > 0 && digits == label->size) return;
    page_put(page, label->bytes, label->size);
    PAGE_WORD(page, ": ");
}

static void put_label(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node, Form form) {
    if (form == Bracket || (!(node->flags & CTelltaleNodeIsElement) && node->label == CTELLTALE_NO_NAME))
        return;
    if (form == Keyed)
        put_key(page, plans, node);
    else
        put_argument(page, plans, node);
}

bool ctelltale_tree_plain(const CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleSink sink,
                          void *context) {
    Page page = {NULL, 0, 0, sink, context, false};
    OpenNode open[MOST_OPEN];
    Form forms[MOST_OPEN];
    size_t depth = 0;
    for (uint32_t i = 0; i < tree->count && !page.has_failed;) {
        const CTelltaleNode *node = &tree->nodes[i];
        if (depth > 0) {
            if (i > open[depth - 1].node + 1) PAGE_WORD(&page, ", ");
            put_label(&page, plans, node, forms[depth - 1]);
        }
        Form form = form_of(node, i);
        if (form == Leaf) {
            put_leaf(&page, tree, plans, node);
            i = node->end;
        } else {
            put_opening(&page, tree, plans, node, form);
            if (depth == MOST_OPEN) page.has_failed = true;
            else {
                open[depth] = (OpenNode){i, node->end};
                forms[depth++] = form;
            }
            i++;
        }
        for (; depth > 0 && open[depth - 1].end == i; depth--)
            put_closing(&page, plans, &tree->nodes[open[depth - 1].node], open[depth - 1].node,
                        forms[depth - 1]);
    }
    return page_end(&page);
}
#endif
