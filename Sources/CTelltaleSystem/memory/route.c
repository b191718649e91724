// A way through objects and arrays that was gone before. In C since an agent lives in debug builds, where each
// step in Swift takes as long as all of them here.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <string.h>

static bool load(uintptr_t address, uintptr_t *word) {
    return ctelltale_reading_copy(address, word, sizeof *word);
}

// Where there can be an object at all.
static bool may_stand(uintptr_t object) { return object > 0xFFFF && (object & 7) == 0; }

static bool is_of(uintptr_t object, uintptr_t type) {
    uintptr_t word;
    return may_stand(object) && load(object, &word) && word == type;
}

// An array's count stands behind the header of its storage, and before twice its capacity and a flag
// (swift-6.3.1, `_ArrayBody`). More than `most` is no array but something else's bytes.
static bool read_array(uintptr_t place, uintptr_t *storage, size_t *length) {
    enum { count_at = 16 };
    const int64_t most = (int64_t)1 << 40;
    struct {
        int64_t count;
        uint64_t capacity;
    } body;
    if (!load(place, storage) || !may_stand(*storage)) return false;
    if (!ctelltale_reading_copy(*storage + count_at, &body, sizeof body)) return false;
    if (body.count < 0 || body.count >= most || (uint64_t)body.count > body.capacity >> 1) return false;
    *length = (size_t)body.count;
    return true;
}

static size_t write_number(uint64_t number, bool is_negative, char *text) {
    char digits[CTELLTALE_ROUTE_TEXT];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    if (is_negative) digits[--at] = '-';
    memcpy(text, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

static size_t write_signed(uint64_t bits, size_t size, char *text) {
    unsigned unused = (unsigned)(sizeof bits - size) * 8;
    int64_t number = (int64_t)(bits << unused) >> unused;
    return write_number(number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0, text);
}

static size_t write_truth(uint64_t bits, char *text) {
    const char *word = bits & 1 ? "true" : "false";
    memcpy(text, word, strlen(word));
    return strlen(word);
}

static size_t write_value(uint64_t bits, CTelltaleRouteForm form, size_t size, char *text) {
    switch (form) {
    case CTelltaleRouteSigned: return write_signed(bits, size, text);
    case CTelltaleRouteUnsigned: return write_number(bits, false, text);
    case CTelltaleRouteTruth: return write_truth(bits, text);
    }
    return 0;
}

// The place at the end of the steps, or what an array there counts; `holder` is the object that was entered last.
static bool follow(const CTelltaleRouteStep *steps, size_t count, uintptr_t *place, uintptr_t *holder,
                   bool *is_count) {
    uintptr_t storage;
    size_t length;
    for (const CTelltaleRouteStep *step = steps; step < steps + count; step++) {
        switch (step->kind) {
        case CTelltaleRouteField: *place += step->offset; break;
        case CTelltaleRouteObject:
            if (!load(*place, place) || !is_of(*place, step->type)) return false;
            *holder = *place;
            break;
        case CTelltaleRouteElement:
            if (!read_array(*place, &storage, &length) || step->index >= length) return false;
            *place = storage + step->offset + step->index * step->stride;
            break;
        case CTelltaleRouteCount:
            if (!read_array(*place, &storage, &length)) return false;
            *place = length;
            *is_count = true;
            return true;
        }
    }
    return true;
}

size_t ctelltale_route_read(uintptr_t object, uintptr_t type, const CTelltaleRouteStep *steps, size_t count,
                            CTelltaleRouteForm form, size_t size, char *text) {
    uintptr_t place = object, holder = object;
    bool is_count = false;
    uint64_t bits = 0;
    ctelltale_reading_begin();
    bool is_read = is_of(object, type) && follow(steps, count, &place, &holder, &is_count) &&
                   (is_count || (size <= sizeof bits && ctelltale_reading_copy(place, &bits, size)));
    ctelltale_reading_end();
    if (!is_read) return 0;
    return write_value(is_count ? place : bits, form, size, text);
}

uintptr_t ctelltale_route_place(uintptr_t object, uintptr_t type, const CTelltaleRouteStep *steps, size_t count,
                                uintptr_t *holder) {
    uintptr_t place = object;
    bool is_count = false;
    *holder = object;
    ctelltale_reading_begin();
    bool is_there = is_of(object, type) && follow(steps, count, &place, holder, &is_count) && !is_count;
    ctelltale_reading_end();
    return is_there ? place : 0;
}
#endif
