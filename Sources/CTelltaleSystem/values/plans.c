// Plans by the address of their type's metadata, and names by their bytes: two hash tables with open
// addressing. Entries are never removed one by one.
#if TELLTALE_AGENT
#include "CTelltalePlans.h"
#include "memory/growing.h"
#include "values/text.h"

#include <stdlib.h>
#include <string.h>

// A node of a tree has 20 bits for a name, of which one value means none.
#define MOST_NAMES ((1u << 20) - 1)

struct CTelltalePlans {
    CTelltalePlan **table;
    size_t room, count;
    CTelltalePlan *all;
    CTelltaleNameText *names;
    size_t name_count, name_room;
    // Indices of names, plus one.
    uint32_t *name_table;
    size_t name_table_room;
    size_t longest_name, names_size;
    bool is_odd, is_cut;
};

static size_t hash_address(const void *address) {
    uint64_t mixed = (uint64_t)(uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 20);
}

static size_t hash_bytes(const char *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001B3);
    return (size_t)(hash ^ hash >> 29);
}

CTelltalePlans *ctelltale_plans_make(void) {
    CTelltalePlans *plans = calloc(1, sizeof *plans);
    if (!plans) return NULL;
    plans->room = 256;
    plans->table = calloc(plans->room, sizeof *plans->table);
    plans->name_table_room = 1024;
    plans->name_table = calloc(plans->name_table_room, sizeof *plans->name_table);
    if (plans->table && plans->name_table) return plans;
    ctelltale_plans_free(plans);
    return NULL;
}

void ctelltale_plans_free(CTelltalePlans *plans) {
    for (CTelltalePlan *plan = plans->all; plan;) {
        CTelltalePlan *next = plan->next;
        free(plan->parts);
        free(plan);
        plan = next;
    }
    for (size_t i = 0; i < plans->name_count; i++) free((char *)plans->names[i].bytes);
    free(plans->names);
    free(plans->table);
    free(plans->name_table);
    free(plans);
}

// MARK: Plans

static CTelltalePlan **slot(CTelltalePlan **table, size_t room, const void *metadata) {
    size_t at = hash_address(metadata) & (room - 1);
    while (table[at] && table[at]->metadata != metadata) at = (at + 1) & (room - 1);
    return &table[at];
}

CTelltalePlan *ctelltale_plan_find(const CTelltalePlans *plans, const void *metadata) {
    return *slot(plans->table, plans->room, metadata);
}

static bool grow(CTelltalePlans *plans) {
    size_t room = plans->room * 2;
    CTelltalePlan **table = calloc(room, sizeof *table);
    if (!table) return false;
    for (CTelltalePlan *plan = plans->all; plan; plan = plan->next) *slot(table, room, plan->metadata) = plan;
    free(plans->table);
    plans->table = table;
    plans->room = room;
    return true;
}

CTelltalePlan *ctelltale_plan(CTelltalePlans *plans, const void *metadata) {
    CTelltalePlan *found = ctelltale_plan_find(plans, metadata);
    if (found) return found;
    if (plans->count * 2 >= plans->room && !grow(plans)) return NULL;
    CTelltalePlan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->kind = CTelltalePlanUnmade;
    plan->type = CTELLTALE_NO_NAME;
    plan->metadata = metadata;
    plan->next = plans->all;
    plans->all = plan;
    plans->count++;
    *slot(plans->table, plans->room, metadata) = plan;
    return plan;
}

CTelltalePart *ctelltale_plan_parts(CTelltalePlan *plan, uint32_t count) {
    free(plan->parts);
    plan->parts = calloc(count ? count : 1, sizeof *plan->parts);
    plan->part_count = plan->parts ? count : 0;
    return plan->parts;
}

// MARK: Names

const CTelltaleNameText *ctelltale_name_text(const CTelltalePlans *plans, CTelltaleName name) {
    static const CTelltaleNameText none = {"", "", 0, 0, true, false};
    return name < plans->name_count ? &plans->names[name] : &none;
}

size_t ctelltale_names_longest(const CTelltalePlans *plans) { return plans->longest_name; }

size_t ctelltale_names_size(const CTelltalePlans *plans) { return plans->names_size; }

bool ctelltale_names_are_cut(const CTelltalePlans *plans) { return plans->is_cut; }

bool ctelltale_names_are_odd(const CTelltalePlans *plans) { return plans->is_odd; }

static bool is_position(const char *bytes, size_t size) {
    size_t start = 0;
    while (start < size && (bytes[start] == '.' || bytes[start] == '_')) start++;
    size_t digits = start;
    while (digits < size && bytes[digits] >= '0' && bytes[digits] <= '9') digits++;
    return start > 0 && digits == size;
}

static uint32_t *name_slot(const CTelltalePlans *plans, uint32_t *table, size_t room, const char *bytes,
                           size_t size) {
    size_t at = hash_bytes(bytes, size) & (room - 1);
    for (; table[at]; at = (at + 1) & (room - 1)) {
        const CTelltaleNameText *text = &plans->names[table[at] - 1];
        if (text->size == size && memcmp(text->bytes, bytes, size) == 0) break;
    }
    return &table[at];
}

static bool grow_names(CTelltalePlans *plans) {
    if (plans->name_count * 2 < plans->name_table_room) return true;
    size_t room = plans->name_table_room * 2;
    uint32_t *table = calloc(room, sizeof *table);
    if (!table) return false;
    for (size_t i = 0; i < plans->name_count; i++)
        *name_slot(plans, table, room, plans->names[i].bytes, plans->names[i].size) = (uint32_t)i + 1;
    free(plans->name_table);
    plans->name_table = table;
    plans->name_table_room = room;
    return true;
}

static CTelltaleName number(CTelltalePlans *plans, const char *bytes, size_t size) {
    if (size > UINT32_MAX / 8 || !grow_names(plans)) return CTELLTALE_NO_NAME;
    uint32_t *found = name_slot(plans, plans->name_table, plans->name_table_room, bytes, size);
    if (*found) return *found - 1;
    void *names = plans->names;
    if (!array_grow(&names, &plans->name_room, plans->name_count + 1, sizeof *plans->names, MOST_NAMES))
        return CTELLTALE_NO_NAME;
    plans->names = names;
    char *copy = malloc(size + size * 6 + 1);
    if (!copy) return CTELLTALE_NO_NAME;
    memcpy(copy, bytes, size);
    size_t json_size = ctelltale_text_json(copy, size, copy + size);
    // Few names contain anything to escape.
    char *all = realloc(copy, size + json_size + 1);
    if (all) copy = all;
    CTelltaleNameText *text = &plans->names[plans->name_count];
    bool steers;
    bool is_text = ctelltale_text_is_utf8(copy, size, &steers);
    *text = (CTelltaleNameText){copy,     copy + size, (uint32_t)size, (uint32_t)json_size, is_text && !steers,
                                is_position(bytes, size)};
    plans->names_size += sizeof *text + size + json_size + 1;
    if (text->json_size > plans->longest_name) plans->longest_name = text->json_size;
    if (!text->is_plain) plans->is_odd = true;
    *found = (uint32_t)++plans->name_count;
    return (CTelltaleName)(plans->name_count - 1);
}

CTelltaleName ctelltale_name(CTelltalePlans *plans, const char *bytes, size_t size) {
    CTelltaleName name = number(plans, bytes, size);
    if (name == CTELLTALE_NO_NAME) plans->is_cut = true;
    return name;
}
#endif
