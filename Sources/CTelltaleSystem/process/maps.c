// The kernel's list of mappings. The loader's own list is behind a lock, which a host that is stuck inside
// dlopen holds forever.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// The kernel's own default limit is 65,530 mappings.
#define LARGEST_LIST (64u << 20)

static bool number(const char **at, const char *end, unsigned base, uint64_t *out) {
    uint64_t value = 0;
    const char *first = *at;
    for (; *at < end; (*at)++) {
        char c = **at;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                : 99;
        if (digit >= base) break;
        value = value * base + digit;
    }
    *out = value;
    return *at > first;
}

static bool skip(const char **at, const char *end, char c) {
    if (*at >= end || **at != c) return false;
    (*at)++;
    return true;
}

// `START-END rwxp OFFSET MAJOR:MINOR INODE      PATH`
static bool parse(const char *at, const char *end, Mapping *out) {
    uint64_t low, high, major, minor;
    if (!number(&at, end, 16, &low) || !skip(&at, end, '-') || !number(&at, end, 16, &high) ||
        !skip(&at, end, ' ') || end - at < 5)
        return false;
    out->low = (uintptr_t)low;
    out->high = (uintptr_t)high;
    out->is_readable = at[0] == 'r';
    out->is_writable = at[1] == 'w';
    out->is_executable = at[2] == 'x';
    out->is_private = at[3] == 'p';
    at += 5;
    if (!number(&at, end, 16, &out->offset) || !skip(&at, end, ' ') ||
        !number(&at, end, 16, &major) || !skip(&at, end, ':') || !number(&at, end, 16, &minor) ||
        !skip(&at, end, ' ') || !number(&at, end, 10, &out->inode))
        return false;
    out->device = makedev((unsigned)major, (unsigned)minor);
    while (at < end && *at == ' ') at++;
    out->path = at;
    out->path_length = (size_t)(end - at);
    return high > low;
}

static const char flags_line[] = "VmFlags:";

static int read_lines(const CTelltaleDescriptor *file, char *buffer, size_t capacity, void *context,
                      bool (*each)(void *context, const Mapping *mapping),
                      void (*flags)(void *context, const char *text, size_t length)) {
    size_t kept = 0, total = 0;
    while (total <= LARGEST_LIST) {
        ssize_t count = pread(file->number, buffer + kept, capacity - kept, (off_t)total);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) return 0;
        total += (size_t)count;
        const char *at = buffer, *end = buffer + kept + (size_t)count, *newline;
        while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
            Mapping mapping;
            if (parse(at, newline, &mapping) && !each(context, &mapping)) return 0;
            size_t length = (size_t)(newline - at);
            if (flags && length >= sizeof flags_line && !memcmp(at, flags_line, sizeof flags_line - 1))
                flags(context, at + sizeof flags_line - 1, length - (sizeof flags_line - 1));
            at = newline + 1;
        }
        kept = (size_t)(end - at);
        if (kept == capacity) return EFBIG;
        memmove(buffer, at, kept);
    }
    return EFBIG;
}

int ctelltale_maps_with_flags(char *buffer, size_t capacity, void *context,
                              bool (*each)(void *context, const Mapping *mapping),
                              void (*flags)(void *context, const char *text, size_t length)) {
    // The file of the calling thread: a main thread that has ended has no memory to show.
    const char *path = flags ? "/proc/thread-self/smaps" : "/proc/thread-self/maps";
    CTelltaleDescriptor file = ctelltale_descriptor_open(path, 0);
    if (file.number < 0) return errno;
    int error = read_lines(&file, buffer, capacity, context, each, flags);
    ctelltale_descriptor_close(&file);
    return error;
}

int ctelltale_maps_each(char *buffer, size_t capacity, void *context,
                        bool (*each)(void *context, const Mapping *mapping)) {
    return ctelltale_maps_with_flags(buffer, capacity, context, each, NULL);
}

// The code ranges of the process: the resume function of a task must be in one.
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
