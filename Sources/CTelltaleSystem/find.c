// From an address to the functions that are there.
#define _GNU_SOURCE
#include "object_file.h"

#if defined(CTELLTALE_AGENT) && defined(__linux__)

#include <string.h>

size_t ctelltale_object_find(CTelltaleObject *object, uint64_t address, bool with_lines,
                             CTelltaleFoundFrame *frames, size_t capacity, char *text,
                             size_t text_capacity) {
    if (capacity == 0 || text_capacity == 0 || text_capacity > UINT32_MAX) return 0;
    uint64_t start = 0;
    memset(&frames[0], 0, sizeof frames[0]);
    size_t length = symbols_name(object, address, text, text_capacity, &start);
    if (!length) return 0;
    frames[0].name_length = (uint32_t)length;
    frames[0].file = (uint32_t)length;
    frames[0].symbol_offset = address - start;
    return 1;
}

CTelltaleLines ctelltale_object_lines(CTelltaleObject *object) { return CTelltaleLinesAbsent; }
void ctelltale_object_trim(CTelltaleObject *object) {}
#endif
