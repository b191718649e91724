// A tree as JSON. What stands before a node's text is the same for each value of a property: it is made once
// and copied then.
#if TELLTALE_AGENT
#include "values/page.h"
#include "values/text.h"

// `{"label":…,"type":…,"kind":…` of nodes that are alike; of elements what stands behind the label.
typedef struct {
    CTelltaleName label, type;
    uint32_t start, size;
    uint8_t kind;
    bool is_element, is_made;
} Beginning;

#define BEGINNINGS 256u
#define BEGINNING_BYTES 65536u

typedef struct {
    const CTelltaleTree *tree;
    const CTelltalePlans *plans;
    Page page;
    Beginning table[BEGINNINGS];
    char bytes[BEGINNING_BYTES];
    uint32_t used;
} Writer;

static char *add(char *out, const char *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}
#define ADD(out, text) add(out, text, sizeof(text) - 1)

static char *begin(const Writer *writer, const CTelltaleNode *node, char *out) {
    const CTelltaleNameText *type = ctelltale_name_text(writer->plans, node->type);
    const char *kind = ctelltale_kind_word(node->kind);
    if (!(node->flags & CTelltaleNodeIsElement) && node->label == CTELLTALE_NO_NAME) {
        out = ADD(out, "{\"type\":\"");
    } else {
        if (!(node->flags & CTelltaleNodeIsElement)) {
            const CTelltaleNameText *label = ctelltale_name_text(writer->plans, node->label);
            out = ADD(out, "{\"label\":\"");
            out = add(out, label->json, label->json_size);
        }
        out = ADD(out, "\",\"type\":\"");
    }
    out = add(out, type->json, type->json_size);
    out = ADD(out, "\",\"kind\":\"");
    out = add(out, kind, strlen(kind));
    return ADD(out, "\"");
}

static size_t beginning_room(const Writer *writer, const CTelltaleNode *node) {
    bool has_label = !(node->flags & CTelltaleNodeIsElement);
    return 64 + ctelltale_name_text(writer->plans, node->type)->json_size +
           (has_label ? ctelltale_name_text(writer->plans, node->label)->json_size : 0);
}

static const Beginning *beginning(Writer *writer, const CTelltaleNode *node) {
    bool is_element = node->flags & CTelltaleNodeIsElement;
    CTelltaleName label = is_element ? 0 : node->label;
    uint32_t at = (label * 31 + node->type * 7 + node->kind + is_element) % BEGINNINGS;
    Beginning *found = &writer->table[at];
    if (found->is_made && found->label == label && found->type == node->type &&
        found->kind == node->kind && found->is_element == is_element)
        return found;
    size_t room = beginning_room(writer, node);
    if (room > BEGINNING_BYTES) return NULL;
    if (BEGINNING_BYTES - writer->used < room) {
        writer->used = 0;
        memset(writer->table, 0, sizeof writer->table);
    }
    char *start = writer->bytes + writer->used;
    uint32_t size = (uint32_t)(begin(writer, node, start) - start);
    *found = (Beginning){label, node->type, writer->used, size, node->kind, is_element, true};
    writer->used += size;
    return found;
}

static void put_beginning(Writer *writer, const CTelltaleNode *node) {
    const Beginning *known = beginning(writer, node);
    char *room = page_room(&writer->page, 32 + (known ? known->size : beginning_room(writer, node)));
    if (!room) return;
    char *out = room;
    if (node->flags & CTelltaleNodeIsElement) {
        out = ADD(out, "{\"label\":\"[");
        out += ctelltale_text_natural(node->label, out);
        *out++ = ']';
    }
    out = known ? add(out, writer->bytes + known->start, known->size) : begin(writer, node, out);
    writer->page.used += (size_t)(out - room);
}

static void put_text(Writer *writer, const CTelltaleNode *node) {
    const char *text = writer->tree->texts + node->text;
    bool is_plain = node->flags & CTelltaleNodeIsPlain;
    char *room = page_room(&writer->page, 16 + (is_plain ? 1 : 6) * (size_t)node->text_size);
    if (!room) return;
    char *out = ADD(room, ",\"text\":\"");
    if (node->flags & CTelltaleNodeIsQuoted) out = ADD(out, "\\\"");
    if (is_plain)
        out = add(out, text, node->text_size);
    else
        out += ctelltale_text_json(text, node->text_size, out);
    if (node->flags & CTelltaleNodeIsQuoted) out = ADD(out, "\\\"");
    *out++ = '"';
    writer->page.used += (size_t)(out - room);
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

// What stands behind a node's parts.
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

static void put_nodes(Writer *writer) {
    const CTelltaleTree *tree = writer->tree;
    OpenNode open[MOST_OPEN];
    size_t depth = 0;
    for (uint32_t i = 0; i < tree->count && !writer->page.has_failed; i++) {
        const CTelltaleNode *node = &tree->nodes[i];
        put_beginning(writer, node);
        if (node->flags & CTelltaleNodeHasText) put_text(writer, node);
        if (node->handle || node->flags & (CTelltaleNodeHasAddress | CTelltaleNodeHasCount))
            put_numbers(writer, node);
        PAGE_WORD(&writer->page, ",\"children\":[");
        if (node->end > i + 1) {
            if (depth == MOST_OPEN) {
                writer->page.has_failed = true;
                return;
            }
            open[depth++] = (OpenNode){i, node->end};
            continue;
        }
        put_end(writer, node);
        while (depth > 0 && open[depth - 1].end == i + 1) put_end(writer, &tree->nodes[open[--depth].node]);
        if (depth > 0) PAGE_WORD(&writer->page, ",");
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
    writer->page = (Page){NULL, 0, 0, sink, context, false};
    put_nodes(writer);
    bool is_done = page_end(&writer->page);
    free(writer);
    return is_done;
}
#endif
