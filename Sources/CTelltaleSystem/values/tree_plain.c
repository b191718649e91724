// Writes a tree as one line, in the syntax of input; the same as `PlainValue`, without colours.
#if TELLTALE_AGENT
#include "values/text.h"
#include "values/tree.h"
#include "values/tree_text.h"

// The form in which a node is written.
typedef enum { Leaf, Bracket, Keyed, Arguments } Form;

static Form form_of(const CTelltaleNode *node) {
    switch ((CTelltaleNodeKind)node->kind) {
    case CTelltaleNodeArray:
    case CTelltaleNodeSet: return Bracket;
    case CTelltaleNodeDictionary: return Keyed;
    case CTelltaleNodeTuple:
    case CTelltaleNodeObject: return Arguments;
    case CTelltaleNodeEnumeration:
        return node->end == node->next && node->cut == CTELLTALE_NO_NAME ? Leaf : Arguments;
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
            ctelltale_text_put_leaf(page, plans, node);
        return;
    }
    case CTelltaleNodeUnavailable:
        PAGE_WORD(page, "<unavailable: ");
        page_name(page, plans, node->note == CTELLTALE_NO_NAME ? node->type : node->note);
        PAGE_WORD(page, ">");
        return;
    default: break;
    }
    ctelltale_text_put_leaf(page, plans, node);
    if (node->kind == CTelltaleNodeEnumeration || node->cut == CTELLTALE_NO_NAME) return;
    PAGE_WORD(page, " ");
    ctelltale_text_put_cut(page, plans, node);
}

static void put_opening(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node, Form form) {
    if (node->kind == CTelltaleNodeEnumeration) ctelltale_text_put_leaf(page, plans, node);
    if (node->kind == CTelltaleNodeObject || node->kind == CTelltaleNodeStructure)
        page_name(page, plans, node->type);
    if (form == Arguments)
        PAGE_WORD(page, "(");
    else
        PAGE_WORD(page, "[");
}

static void put_closing(Page *page, const CTelltalePlans *plans, const CTelltaleNode *node, Form form) {
    bool is_empty = node->end == node->next;
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

// A node's label in the form of its parent. `["a b"]` and `[3]` name a dictionary's keys; the
// brackets belong to the path. A position is not a label.
typedef struct {
    const char *bytes;
    size_t size;
} Label;

static Label label_of(const CTelltalePlans *plans, Form form, uint32_t label, uint32_t flags, char *digits) {
    bool is_element = flags & CTelltaleNodeIsElement;
    if (form == Bracket || (is_element ? form != Keyed : label == CTELLTALE_NO_NAME)) return (Label){NULL, 0};
    if (is_element) return (Label){digits, ctelltale_text_natural(label, digits)};
    const CTelltaleNameText *name = ctelltale_name_text(plans, label);
    bool has_brackets =
        form == Keyed && name->size >= 2 && name->bytes[0] == '[' && name->bytes[name->size - 1] == ']';
    if (form == Arguments && (name->size == 0 || name->is_position)) return (Label){NULL, 0};
    return (Label){name->bytes + has_brackets, name->size - 2 * has_brackets};
}

typedef struct {
    const CTelltaleTree *tree;
    const CTelltalePlans *plans;
    Page page;
    OpenNode open[MOST_OPEN];
    Form forms[MOST_OPEN];
    size_t depth;
} Writer;

// Writes the text before a node, and reserves space for `more` bytes; null once the sink takes no more.
static char *put_before(Writer *writer, uint32_t at, uint32_t label, uint32_t flags, size_t more) {
    if (writer->depth == 0) return page_room(&writer->page, more);
    char digits[24];
    Label text = label_of(writer->plans, writer->forms[writer->depth - 1], label, flags, digits);
    char *out = page_room(&writer->page, text.size + more + 4);
    if (!out) return NULL;
    if (at > writer->open[writer->depth - 1].first) {
        memcpy(out, ", ", 2);
        out += 2;
    }
    if (!text.bytes) return out;
    memcpy(out, text.bytes, text.size);
    memcpy(out + text.size, ": ", 2);
    return out + text.size + 2;
}

// Writes a node with only a text; returns the offset of the next node.
static uint32_t put_text(Writer *writer, const TreeHead *head, uint32_t at) {
    char *out = put_before(writer, at, head->label, head->what, (size_t)head->text_size + 2);
    if (!out) return at;
    bool is_quoted = head->what & CTelltaleNodeIsQuoted;
    if (is_quoted) *out++ = '"';
    memcpy(out, tree_leaf_text(writer->tree, at), head->text_size);
    out += head->text_size;
    if (is_quoted) *out++ = '"';
    writer->page.used = (size_t)(out - writer->page.bytes);
    return tree_leaf_end(head, at);
}

// Writes any node; returns the offset of its first part, or of the next node.
static uint32_t put_node(Writer *writer, uint32_t at) {
    CTelltaleNode node = ctelltale_tree_node(writer->tree, at);
    // At least one byte: there is no address without a page.
    char *out = put_before(writer, at, node.label, node.flags, 1);
    if (!out) return at;
    writer->page.used = (size_t)(out - writer->page.bytes);
    Form form = form_of(&node);
    if (form == Leaf) {
        put_leaf(&writer->page, writer->tree, writer->plans, &node);
        return node.end;
    }
    put_opening(&writer->page, writer->plans, &node, form);
    if (node.end == node.next) {
        put_closing(&writer->page, writer->plans, &node, form);
    } else if (writer->depth == MOST_OPEN) {
        writer->page.has_failed = true;
    } else {
        writer->forms[writer->depth] = form;
        writer->open[writer->depth++] = (OpenNode){at, node.next, node.end};
    }
    return node.next;
}

static void put_nodes(Writer *writer) {
    for (uint32_t at = 0; at < writer->tree->size && !writer->page.has_failed;) {
        const TreeHead *head = tree_head(writer->tree, at);
        CTelltaleNodeKind kind = tree_kind(head->what);
        bool is_text = (kind == CTelltaleNodeScalar || kind == CTelltaleNodeString) &&
                       (head->what & (CTelltaleNodeHasText | TREE_HAS_TAIL)) == CTelltaleNodeHasText;
        at = is_text ? put_text(writer, head, at) : put_node(writer, at);
        while (writer->depth > 0 && writer->open[writer->depth - 1].end == at) {
            CTelltaleNode node = ctelltale_tree_node(writer->tree, writer->open[--writer->depth].node);
            put_closing(&writer->page, writer->plans, &node, writer->forms[writer->depth]);
        }
    }
}

bool ctelltale_tree_plain(const CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleSink sink,
                          void *context) {
    Writer *writer = malloc(sizeof *writer);
    if (!writer) return false;
    writer->tree = tree;
    writer->plans = plans;
    writer->page = (Page){NULL, 0, 0, sink, context, false};
    writer->depth = 0;
    put_nodes(writer);
    bool is_done = page_end(&writer->page);
    free(writer);
    return is_done;
}
#endif
