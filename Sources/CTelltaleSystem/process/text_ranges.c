// Where the process has code, by the kernel's list of mappings: what is taken for a function that a
// task goes on in has to lie there. Read without the standard library's buffers and the loader's lock.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *hex(const char *at, uintptr_t *value) {
    *value = 0;
    for (;; at++) {
        if (*at >= '0' && *at <= '9') {
            *value = *value << 4 | (uintptr_t)(*at - '0');
        } else if (*at >= 'a' && *at <= 'f') {
            *value = *value << 4 | (uintptr_t)(*at - 'a' + 10);
        } else {
            return at;
        }
    }
}

static void add_range(const char *line, CTelltaleTextRange *ranges, size_t capacity, size_t *count) {
    uintptr_t from, to;
    line = hex(line, &from);
    if (*line != '-') return;
    line = hex(line + 1, &to);
    if (strlen(line) < 4 || line[3] != 'x' || to <= from) return;
    if (*count > 0 && ranges[*count - 1].to == from) {
        ranges[*count - 1].to = to;
    } else if (*count < capacity) {
        ranges[*count] = (CTelltaleTextRange){from, to};
        *count += 1;
    }
}

size_t ctelltale_text_ranges(CTelltaleTextRange *ranges, size_t capacity) {
    int saved = errno;
    size_t count = 0, kept = 0;
    char text[8192];
    CTelltaleDescriptor maps = ctelltale_descriptor_open("/proc/thread-self/maps", 0);
    off_t at = 0;
    while (maps.number >= 0) {
        ssize_t got = pread(maps.number, text + kept, sizeof text - 1 - kept, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        at += got;
        size_t end = kept + (size_t)got;
        text[end] = 0;
        char *line = text;
        for (char *stop; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
            *stop = 0;
            add_range(line, ranges, capacity, &count);
        }
        kept = end - (size_t)(line - text);
        if (kept >= sizeof text - 1) break;  // no line of the kernel's is that long
        memmove(text, line, kept);
    }
    if (maps.number >= 0) ctelltale_descriptor_close(&maps);
    errno = saved;
    return count;
}

#endif
