// Writes a tree as JSON. The text before a node's text is the same for each value of a property: it is made
// once and then copied.
#if TELLTALE_AGENT
#include "values/page.h"
#include "values/text.h"
#include "values/tree.h"

// The beginning `{"label":…,"type":…,"kind":…,"text":"` of similar nodes; for elements the text after the
// label.
typedef struct {
    uint32_t label, what;
    uint32_t start, size;
    bool is_made;
} Beginning;

#define BEGINNINGS 256u
#define BEGINNING_BYTES 65536u

typedef struct {
    const CTelltaleTree *tree;
    const CTelltalePlans *plans;
    Page page;
    OpenNode open[MOST_OPEN];
    size_t depth;
    Beginning table[BEGINNINGS];
    char bytes[BEGINNING_BYTES];
    uint32_t used;
} Writer;

static char *add(char *out, const char *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}
// A few moves and no call, without optimisation too.
#define ADD(out, text) ((char *)__builtin_memcpy(out, text, sizeof(text) - 1) + sizeof(text) - 1)

static char *begin(const Writer *writer, uint32_t label, uint32_t what, char *out) {
    const CTelltaleNameText *type = ctelltale_name_text(writer->plans, tree_type(what));
    const char *kind = ctelltale_kind_word(tree_kind(what));
    bool is_element = what & CTelltaleNodeIsElement;
    if (!is_element && label == CTELLTALE_NO_NAME) {
        out = ADD(out, "{\"type\":\"");
    } else {
        if (!is_element) {
            const CTelltaleNameText *text = ctelltale_name_text(writer->plans, label);
            out = ADD(out, "{\"label\":\"");
            out = add(out, text->json, text->json_size);
        }
        out = ADD(out, "\",\"type\":\"");
    }
    out = add(out, type->json, type->json_size);
    out = ADD(out, "\",\"kind\":\"");
    out = add(out, kind, strlen(kind));
    *out++ = '"';
    if (what & CTelltaleNodeHasText) out = ADD(out, ",\"text\":\"");
    return what & CTelltaleNodeIsQuoted ? ADD(out, "\\\"") : out;
}

static size_t beginning_room(const Writer *writer, uint32_t label, uint32_t what) {
    return 96 + ctelltale_name_text(writer->plans, tree_type(what))->json_size +
           (what & CTelltaleNodeIsElement ? 0 : ctelltale_name_text(writer->plans, label)->json_size);
}

// Returns null for a beginning that is longer than the whole cache.
static const Beginning *make_beginning(Writer *writer, Beginning *found, uint32_t label, uint32_t what) {
    size_t room = beginning_room(writer, label, what);
    if (room > BEGINNING_BYTES) return NULL;
    if (BEGINNING_BYTES - writer->used < room) {
        writer->used = 0;
        memset(writer->table, 0, sizeof writer->table);
    }
    char *start = writer->bytes + writer->used;
    uint32_t size = (uint32_t)(begin(writer, label, what, start) - start);
    *found = (Beginning){label, what, writer->used, size, true};
    writer->used += size;
    return found;
}

// Writes the text before a node's text, and reserves space for `more` bytes; null once the sink takes no
// more.
static char *put_beginning(Writer *writer, uint32_t label, uint32_t what, size_t more) {
    uint32_t name = what & CTelltaleNodeIsElement ? 0 : label;
    Beginning *place = &writer->table[(name * 31 + (what >> 12) * 7 + what) % BEGINNINGS];
    bool is_made = place->is_made && place->label == name && place->what == what;
    const Beginning *known = is_made ? place : make_beginning(writer, place, name, what);
    size_t size = known ? known->size : beginning_room(writer, label, what);
    char *out = page_room(&writer->page, 32 + size + more);
    if (!out) return NULL;
    if (what & CTelltaleNodeIsElement) {
        out = ADD(out, "{\"label\":\"[");
        out += ctelltale_text_natural(label, out);
        *out++ = ']';
    }
    return known ? add(out, writer->bytes + known->start, known->size) : begin(writer, label, what, out);
}

static char *end_text(uint32_t what, char *out) {
    if (what & CTelltaleNodeIsQuoted) return ADD(out, "\\\"\"");
    if (what & CTelltaleNodeHasText) *out++ = '"';
    return out;
}

static void put_numbers(Writer *writer, const CTelltaleNode *node) {
    char *room = page_room(&writer->page, 128);
    if (!room) return;
    char *out = room;
    if (node->flags & CTelltaleNodeHasAddress) {
        out = ADD(out, ",\"address\":\"");
        out += ctelltale_text_address(node->value, out);
        *out++ = '"';
    }
    int64_t handle = node_handle(writer->tree, node);
    if (handle > 0) {
        out = ADD(out, ",\"handle\":");
        out += ctelltale_text_integer(handle, out);
    }
    if (node->flags & CTelltaleNodeHasCount) {
        out = ADD(out, ",\"count\":");
        out += ctelltale_text_natural(node->value, out);
    }
    writer->page.used += (size_t)(out - room);
}

static void put_escaped(Writer *writer, CTelltaleName name) {
    const CTelltaleNameText *text = ctelltale_name_text(writer->plans, name);
    page_put(&writer->page, text->json, text->json_size);
}

// Writes the text after a node's parts.
static void put_end(Writer *writer, const CTelltaleNode *node) {
    if (node->cut == CTELLTALE_NO_NAME && node->note == CTELLTALE_NO_NAME) {
        PAGE_WORD(&writer->page, "]}");
        return;
    }
    PAGE_WORD(&writer->page, "]");
    if (node->cut != CTELLTALE_NO_NAME) {
        PAGE_WORD(&writer->page, ",\"cut\":{\"reason\":\"");
        put_escaped(writer, node->cut);
        PAGE_WORD(&writer->page, "\"");
        if (node->flags & CTelltaleNodeHasOmitted) {
            PAGE_WORD(&writer->page, ",\"omitted\":");
            char digits[24];
            page_put(&writer->page, digits, ctelltale_text_natural(node->omitted, digits));
        }
        PAGE_WORD(&writer->page, "}");
    }
    if (node->note != CTELLTALE_NO_NAME) {
        PAGE_WORD(&writer->page, ",\"note\":\"");
        put_escaped(writer, node->note);
        PAGE_WORD(&writer->page, "\"");
    }
    PAGE_WORD(&writer->page, "}");
}

// Writes a node with only a text that needs no escape; returns the offset of the next node.
static uint32_t put_leaf(Writer *writer, const TreeHead *head, uint32_t at) {
    char *out = put_beginning(writer, head->label, head->what, head->text_size + 32);
    if (!out) return at;
    out = add(out, tree_leaf_text(writer->tree, at), head->text_size);
    if (head->what & CTelltaleNodeIsQuoted)
        out = ADD(out, "\\\"\",\"children\":[]}");
    else
        out = ADD(out, "\",\"children\":[]}");
    writer->page.used = (size_t)(out - writer->page.bytes);
    return tree_leaf_end(head, at);
}

// Writes any node; returns the offset of its first part, or of the next node.
static uint32_t put_node(Writer *writer, const TreeHead *head, uint32_t at) {
    CTelltaleNode node = ctelltale_tree_node(writer->tree, at);
    bool is_plain = node.flags & CTelltaleNodeIsPlain;
    char *out = put_beginning(writer, head->label, head->what, 16 + (is_plain ? 1 : 6) * (size_t)node.text_size);
    if (!out) return at;
    if (!(node.flags & CTelltaleNodeHasText))
        ;
    else if (is_plain)
        out = add(out, node.text, node.text_size);
    else
        out += ctelltale_text_json(node.text, node.text_size, out);
    out = end_text(head->what, out);
    writer->page.used = (size_t)(out - writer->page.bytes);
    if (node.handle || node.flags & (CTelltaleNodeHasAddress | CTelltaleNodeHasCount)) put_numbers(writer, &node);
    PAGE_WORD(&writer->page, ",\"children\":[");
    if (node.end == node.next) {
        put_end(writer, &node);
    } else if (writer->depth == MOST_OPEN) {
        writer->page.has_failed = true;
    } else {
        writer->open[writer->depth++] = (OpenNode){at, node.next, node.end};
    }
    return node.next;
}

static void put_nodes(Writer *writer) {
    const CTelltaleTree *tree = writer->tree;
    const uint32_t plain = CTelltaleNodeHasText | CTelltaleNodeIsPlain;
    for (uint32_t at = 0; at < tree->size && !writer->page.has_failed;) {
        const TreeHead *head = tree_head(tree, at);
        size_t depth = writer->depth;
        bool is_leaf = (head->what & (plain | TREE_HAS_TAIL)) == plain;
        at = is_leaf ? put_leaf(writer, head, at) : put_node(writer, head, at);
        if (writer->depth > depth) continue;
        while (writer->depth > 0 && writer->open[writer->depth - 1].end == at) {
            CTelltaleNode node = ctelltale_tree_node(tree, writer->open[--writer->depth].node);
            put_end(writer, &node);
        }
        if (writer->depth > 0) PAGE_WORD(&writer->page, ",");
    }
}

bool ctelltale_tree_json(const CTelltaleTree *tree, const CTelltalePlans *plans, CTelltaleSink sink,
                         void *context) {
    Writer *writer = malloc(sizeof *writer);
    if (!writer) return false;
    memset(writer->table, 0, sizeof writer->table);
    writer->tree = tree;
    writer->plans = plans;
    writer->used = 0;
    writer->depth = 0;
    writer->page = (Page){NULL, 0, 0, sink, context, false};
    put_nodes(writer);
    bool is_done = page_end(&writer->page);
    free(writer);
    return is_done;
}
#endif
