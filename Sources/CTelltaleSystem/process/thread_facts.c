// What the kernel says of one thread besides its stack: its processor time, and lines of its `status`.
// Whoever asks a running thread looks here first whether it may be asked.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool ctelltale_thread_clock(int32_t id, uint64_t *out) {
    struct timespec time;
    clockid_t clock = (clockid_t)(((unsigned)~id << 3) | 6u);
    if (clock_gettime(clock, &time) != 0) return false;
    *out = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return true;
}

// Lines of a thread's `status`, each as "\nName:", whose values are read as hexadecimal. The file is read
// by piece: `Groups:` alone may be half a megabyte. Gives a bit for each line that is there; -1 and errno
// where the file can't be read.
static int read_status(int32_t id, const char *const *lines, uint64_t *const *values, size_t count) {
    enum { longest = 64 };  // a line's name and its value
    char path[64], text[4096 + 1];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", id);
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
            // One that isn't all there yet is found again, with what comes behind it.
            const char *at = strstr(text, lines[i]);
            if (!at) continue;
            *values[i] = strtoull(at + strlen(lines[i]), NULL, 16);
            found |= 1 << i;
        }
        kept = end < longest ? end : longest;
        memmove(text, text + end - kept, kept);
    }
    ctelltale_descriptor_close(&file);
    errno = error;
    return found;
}

bool ctelltale_thread_mask(int32_t id, const char *line, uint64_t *out) {
    int found = read_status(id, &line, &out, 1);
    if (found == 0) errno = ENOTSUP;
    return found > 0;
}

bool ctelltale_thread_rules(int32_t id, CTelltaleThreadRules *out) {
    static const char *const lines[] = {"\nSigBlk:", "\nSeccomp:", "\nSeccomp_filters:"};
    memset(out, 0, sizeof *out);
    uint64_t *const values[] = {&out->blocked, &out->seccomp_mode, &out->seccomp_filters};
    int found = read_status(id, lines, values, 3);
    // A kernel without seccomp has no filters, and one before 5.9 doesn't count them.
    if (found >= 0 && !(found & 1)) errno = ENOTSUP;
    return found > 0 && found & 1;
}

#endif
