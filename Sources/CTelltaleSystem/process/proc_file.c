// Reads small files of /proc. It uses pread, since the host may have closed the descriptor and reused its
// number for a socket, and proves that the number is ours before closing it.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t ctelltale_proc_read(int directory, const char *path, char *buffer, size_t capacity) {
    CTelltaleDescriptor file =
        ctelltale_descriptor(openat(directory, path, O_RDONLY | O_CLOEXEC));
    if (file.number < 0) return -1;
    ssize_t size;
    do size = pread(file.number, buffer, capacity - 1, 0);
    while (size < 0 && errno == EINTR);
    ctelltale_descriptor_close(&file);
    if (size >= 0) buffer[size] = 0;
    return size;
}

int ctelltale_proc_status(int32_t thread, const char *const *lines, uint64_t *const *values,
                          size_t count, int base) {
    enum { longest = 64 };  // a line's name and its value
    char path[64], text[4096 + 1];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
    CTelltaleDescriptor file = ctelltale_descriptor_open(path, 0);
    if (file.number < 0) return -1;
    off_t at_byte = 0;
    size_t kept = 0;
    int found = -1, error = ESRCH;
    for (;;) {
        ssize_t size = pread(file.number, text + kept, sizeof text - 1 - kept, at_byte);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) {
            error = errno;
            found = -1;
        }
        if (size <= 0) break;
        at_byte += size;
        if (found < 0) found = 0;
        size_t end = kept + (size_t)size;
        text[end] = 0;
        for (size_t i = 0; i < count; i++) {
            // An incomplete line is found again, with the text after it.
            const char *at = strstr(text, lines[i]);
            if (!at) continue;
            *values[i] = strtoull(at + strlen(lines[i]), NULL, base);
            found |= 1 << i;
        }
        kept = end < longest ? end : longest;
        memmove(text, text + end - kept, kept);
    }
    ctelltale_descriptor_close(&file);
    errno = error;
    return found;
}
#endif
