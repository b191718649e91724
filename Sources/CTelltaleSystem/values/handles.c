// Entries in an array, found by location and by number through two hash tables with chaining; a linked list
// through all entries keeps the order of use. An answer of 10,000 objects asks for as many numbers.
#if TELLTALE_AGENT
#include "CTelltaleHandles.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// The first entry is unused, so that zeroed tables are empty: untouched pages are never allocated.
#define NONE 0u
// The allocator's overhead for a text.
#define ALLOCATED 17u

typedef struct {
    // The address is stored as its complement: a search for retainers would find the plain word.
    uintptr_t complement;
    int64_t number;
    uint64_t hash;
    // The root, the type and the path, one after the other.
    char *bytes;
    uint32_t root_size, type_size, path_size;
    uint32_t next_by_place, next_by_number;
    // The neighbours in the order of use; `after` also links the free entries.
    uint32_t before, after;
} Entry;

struct CTelltaleHandles {
    Entry *entries;
    uint32_t *by_place, *by_number;
    // `begun` is the number of entries ever used; the free ones among them form a list.
    uint32_t capacity, buckets, count, begun, free;
    uint32_t oldest, newest;
    int64_t last;
    // The size of the entries in use.
    size_t bytes;
};

// The size of the entries, and of both hash tables after them.
static size_t tables_size(const CTelltaleHandles *handles) {
    return ((size_t)handles->capacity + 1) * sizeof(Entry) + (size_t)handles->buckets * 2 * sizeof(uint32_t);
}

CTelltaleHandles *ctelltale_handles_make(uint32_t capacity) {
    CTelltaleHandles *handles = calloc(1, sizeof *handles);
    if (!handles) return NULL;
    handles->capacity = capacity;
    handles->buckets = 64;
    while (handles->buckets < capacity) handles->buckets *= 2;
    // Mapped directly from the kernel: the allocator would clear memory of that size, which makes all of it
    // resident.
    void *tables = mmap(NULL, tables_size(handles), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (tables == MAP_FAILED) {
        free(handles);
        return NULL;
    }
    handles->entries = tables;
    handles->by_place = (uint32_t *)(void *)(handles->entries + capacity + 1);
    handles->by_number = handles->by_place + handles->buckets;
    return handles;
}

void ctelltale_handles_free(CTelltaleHandles *handles) {
    for (uint32_t i = 1; i <= handles->begun; i++) free(handles->entries[i].bytes);
    munmap(handles->entries, tables_size(handles));
    free(handles);
}

// MARK: Use

static void unlink_use(CTelltaleHandles *handles, uint32_t index) {
    Entry *entry = &handles->entries[index];
    *(entry->before == NONE ? &handles->oldest : &handles->entries[entry->before].after) = entry->after;
    *(entry->after == NONE ? &handles->newest : &handles->entries[entry->after].before) = entry->before;
}

static void link_newest(CTelltaleHandles *handles, uint32_t index) {
    Entry *entry = &handles->entries[index];
    entry->before = handles->newest;
    entry->after = NONE;
    *(handles->newest == NONE ? &handles->oldest : &handles->entries[handles->newest].after) = index;
    handles->newest = index;
}

static void use(CTelltaleHandles *handles, uint32_t index) {
    if (handles->newest == index) return;
    unlink_use(handles, index);
    link_newest(handles, index);
}

// MARK: Finding

static uint32_t *number_bucket(CTelltaleHandles *handles, int64_t number) {
    return &handles->by_number[(uint64_t)number & (handles->buckets - 1)];
}

static uint32_t *place_bucket(CTelltaleHandles *handles, uint64_t hash) {
    return &handles->by_place[hash & (handles->buckets - 1)];
}

// A text of no bytes may have no address, and `memcpy` and `memcmp` must not be given a null pointer.
static char *appended(char *end, const void *bytes, uint32_t size) {
    if (size > 0) memcpy(end, bytes, size);
    return end + size;
}

static bool is_same(const char *bytes, const char *others, uint32_t size) {
    return size == 0 || memcmp(bytes, others, size) == 0;
}

static uint64_t mix(uint64_t hash, const char *bytes, size_t size) {
    for (; size >= 8; size -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    uint64_t word = size;
    if (size > 0) memcpy(&word, bytes, size);
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static bool is_at(const Entry *entry, const CTelltaleHandlePlace *place) {
    return entry->complement == ~place->address && entry->root_size == place->root_size &&
           entry->type_size == place->type_size && entry->path_size == place->path_size &&
           is_same(entry->bytes, place->root, place->root_size) &&
           is_same(entry->bytes + entry->root_size, place->type, place->type_size) &&
           is_same(entry->bytes + entry->root_size + entry->type_size, place->path, place->path_size);
}

static void unchain(uint32_t *link, uint32_t index, Entry *entries, bool is_by_place) {
    while (*link != index)
        link = is_by_place ? &entries[*link].next_by_place : &entries[*link].next_by_number;
    *link = is_by_place ? entries[index].next_by_place : entries[index].next_by_number;
}

static size_t entry_size(const Entry *entry) {
    return sizeof *entry + ALLOCATED + entry->root_size + entry->type_size + entry->path_size;
}

static void forget_oldest(CTelltaleHandles *handles) {
    uint32_t index = handles->oldest;
    Entry *entry = &handles->entries[index];
    unlink_use(handles, index);
    unchain(place_bucket(handles, entry->hash), index, handles->entries, true);
    unchain(number_bucket(handles, entry->number), index, handles->entries, false);
    handles->bytes -= entry_size(entry);
    free(entry->bytes);
    memset(entry, 0, sizeof *entry);
    entry->after = handles->free;
    handles->free = index;
    handles->count--;
}

static void forget_some(CTelltaleHandles *handles) {
    uint32_t many = handles->capacity / 8;
    for (uint32_t i = 0; i < (many ? many : 1) && handles->oldest != NONE; i++) forget_oldest(handles);
}

size_t ctelltale_handles_bytes(const CTelltaleHandles *handles) { return handles->bytes; }

void ctelltale_handles_forget(CTelltaleHandles *handles, size_t bytes) {
    size_t rest = handles->bytes > bytes ? handles->bytes - bytes : 0;
    while (handles->bytes > rest && handles->oldest != NONE) forget_oldest(handles);
}

static int64_t add(CTelltaleHandles *handles, const CTelltaleHandlePlace *place, uint64_t hash) {
    char *bytes = malloc((size_t)place->root_size + place->type_size + place->path_size + 1);
    if (!bytes) return 0;
    if (handles->count >= handles->capacity) forget_some(handles);
    uint32_t index = handles->free == NONE ? ++handles->begun : handles->free;
    Entry *entry = &handles->entries[index];
    handles->free = entry->after;
    handles->count++;
    char *end = appended(bytes, place->root, place->root_size);
    end = appended(end, place->type, place->type_size);
    appended(end, place->path, place->path_size);
    uint32_t *by_place = place_bucket(handles, hash), *by_number = number_bucket(handles, ++handles->last);
    *entry = (Entry){~place->address,  handles->last,   hash,      bytes,      place->root_size,
                     place->type_size, place->path_size, *by_place, *by_number, NONE, NONE};
    *by_place = *by_number = index;
    link_newest(handles, index);
    handles->bytes += entry_size(entry);
    return handles->last;
}

// Hashes the root and the type, which most objects of an answer share.
static uint64_t names_hash(const CTelltaleHandlePlace *place) {
    return mix(mix(0, place->root, place->root_size), place->type, place->type_size);
}
static bool has_same_names(const CTelltaleHandlePlace *place, const CTelltaleHandlePlace *other) {
    return place->root == other->root && place->type == other->type &&
           place->root_size == other->root_size && place->type_size == other->type_size;
}

static uint64_t hash_of(const CTelltaleHandlePlace *place, uint64_t names) {
    return mix(names ^ place->address, place->path, place->path_size);
}

static int64_t find_or_add(CTelltaleHandles *handles, const CTelltaleHandlePlace *place, uint64_t hash) {
    for (uint32_t at = *place_bucket(handles, hash); at != NONE; at = handles->entries[at].next_by_place) {
        if (handles->entries[at].hash != hash || !is_at(&handles->entries[at], place)) continue;
        use(handles, at);
        return handles->entries[at].number;
    }
    return add(handles, place, hash);
}

int64_t ctelltale_handles_number(CTelltaleHandles *handles, const CTelltaleHandlePlace *place) {
    return find_or_add(handles, place, hash_of(place, names_hash(place)));
}

// A bucket, its entry and the entry's bytes are three cache misses in sequence, 60 ns for each location;
// for several locations at a time the misses overlap.
void ctelltale_handles_numbers(CTelltaleHandles *handles, const CTelltaleHandlePlace *places, size_t count,
                               int64_t *numbers) {
    enum { AtOnce = 16 };
    uint64_t hashes[AtOnce], names = count > 0 ? names_hash(places) : 0;
    for (size_t from = 0; from < count; from += AtOnce) {
        size_t many = count - from < AtOnce ? count - from : AtOnce;
        for (size_t i = 0; i < many; i++) {
            const CTelltaleHandlePlace *place = &places[from + i];
            if (from + i > 0 && !has_same_names(place, place - 1)) names = names_hash(place);
            hashes[i] = hash_of(place, names);
            __builtin_prefetch(place_bucket(handles, hashes[i]));
        }
        for (size_t i = 0; i < many; i++) {
            uint32_t at = *place_bucket(handles, hashes[i]);
            if (at != NONE) __builtin_prefetch(&handles->entries[at]);
        }
        for (size_t i = 0; i < many; i++) {
            uint32_t at = *place_bucket(handles, hashes[i]);
            if (at != NONE) __builtin_prefetch(handles->entries[at].bytes);
        }
        for (size_t i = 0; i < many; i++)
            numbers[from + i] = find_or_add(handles, &places[from + i], hashes[i]);
    }
}

bool ctelltale_handles_place(CTelltaleHandles *handles, int64_t number, CTelltaleHandlePlace *place) {
    for (uint32_t at = *number_bucket(handles, number); at != NONE; at = handles->entries[at].next_by_number) {
        const Entry *entry = &handles->entries[at];
        if (entry->number != number) continue;
        use(handles, at);
        const char *type = entry->bytes + entry->root_size;
        *place = (CTelltaleHandlePlace){~entry->complement, entry->bytes,     type, type + entry->type_size,
                                        entry->root_size, entry->type_size, entry->path_size};
        return true;
    }
    return false;
}
#endif
