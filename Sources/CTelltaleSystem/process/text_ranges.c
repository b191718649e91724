// Where the process has code, by the kernel's list of mappings: what is taken for a function that a
// task goes on in has to lie there.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/maps.h"

#include <errno.h>

struct list {
    CTelltaleTextRange *ranges;
    size_t count, capacity;
};

static bool take(void *context, const Mapping *mapping) {
    struct list *list = context;
    if (!mapping->is_executable) return true;
    CTelltaleTextRange *last = list->count ? &list->ranges[list->count - 1] : NULL;
    if (last && last->to == mapping->low) {
        last->to = mapping->high;
    } else if (list->count < list->capacity) {
        list->ranges[list->count++] = (CTelltaleTextRange){mapping->low, mapping->high};
    }
    return true;
}

size_t ctelltale_text_ranges(CTelltaleTextRange *ranges, size_t capacity) {
    int saved = errno;
    char buffer[MapsRoom];
    struct list list = {.ranges = ranges, .capacity = capacity};
    ctelltale_maps_each(buffer, sizeof buffer, &list, take);
    errno = saved;
    return list.count;
}
#endif
