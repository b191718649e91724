// Runs on signals.
//
// Proves that a descriptor's number still is ours, before it is written to, read from or closed.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"
#include "process/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static CTelltaleDescriptor facts_of(int number) {
    CTelltaleDescriptor made = {.number = -1};
    struct stat facts;
    if (number < 0 || fstat(number, &facts) != 0) return made;
    made.number = number;
    made.device = (uint64_t)facts.st_dev;
    made.inode = (uint64_t)facts.st_ino;
    return made;
}

CTelltaleDescriptor ctelltale_descriptor(int number) {
    int saved = errno;
    CTelltaleDescriptor made = facts_of(number);
    errno = saved;
    return made;
}

CTelltaleDescriptor ctelltale_descriptor_open(const char *path, int flags) {
    return ctelltale_descriptor(open(path, flags | O_RDONLY | O_CLOEXEC));
}

static uint64_t hash(uint64_t value, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) value = (value ^ (uint8_t)bytes[i]) * 1099511628211u;
    return value;
}

CTelltaleDescriptor ctelltale_descriptor_of_file(int number) {
    int saved = errno;
    CTelltaleDescriptor made = facts_of(number);
    uint64_t time = clock_now();
    uint64_t mixed = hash(14695981039346656037u, (const char *)&time, sizeof time);
    // Beyond 8 GiB, which no reader reaches by chance, and below the maximum of any file system.
    off_t mark = (off_t)((UINT64_C(1) << 33) + (mixed >> 31));
    if (made.number >= 0 && lseek(number, mark, SEEK_SET) == mark) {
        made.known_by = CTelltaleKnownByOffset;
        made.mark = (uint64_t)mark;
    }
    errno = saved;
    return made;
}

// Returns the number of the watched directory; 0 if /proc doesn't report it, with `errno` 0 if there is
// none.
static uint64_t watched_by(int number) {
    // snprintf is not async-signal-safe.
    char path[40] = "/proc/self/fdinfo/", digits[12], text[1024];
    size_t length = strlen(path), count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (count > 0) path[length++] = digits[--count];
    path[length] = 0;
    CTelltaleDescriptor info = ctelltale_descriptor_open(path, 0);
    if (info.number < 0) return 0;
    ssize_t size = pread(info.number, text, sizeof text - 1, 0);
    ctelltale_descriptor_close(&info);
    if (size <= 0) return 0;
    errno = 0;
    text[size] = 0;
    const char *line = strstr(text, "\ninotify ");
    return line ? hash(14695981039346656037u, line, strlen(line)) : 0;
}

CTelltaleDescriptor ctelltale_descriptor_of_watch(int number) {
    int saved = errno;
    CTelltaleDescriptor made = facts_of(number);
    made.known_by = CTelltaleKnownByWatch;
    made.mark = made.number < 0 ? 0 : watched_by(number);
    errno = saved;
    return made;
}

bool ctelltale_descriptor_is_ours(const CTelltaleDescriptor *descriptor) {
    int saved = errno;
    CTelltaleDescriptor now = facts_of(descriptor->number);
    bool same = now.number >= 0 && now.device == descriptor->device && now.inode == descriptor->inode;
    if (same && descriptor->known_by == CTelltaleKnownByOffset)
        same = lseek(descriptor->number, 0, SEEK_CUR) == (off_t)descriptor->mark;
    if (same && descriptor->known_by == CTelltaleKnownByWatch)
        same = descriptor->mark != 0 && watched_by(descriptor->number) == descriptor->mark;
    errno = saved;
    return same;
}

bool ctelltale_descriptor_is_lost(const CTelltaleDescriptor *descriptor) {
    if (descriptor->known_by != CTelltaleKnownByWatch) return !ctelltale_descriptor_is_ours(descriptor);
    int saved = errno;
    CTelltaleDescriptor now = facts_of(descriptor->number);
    bool same = now.number >= 0 && now.device == descriptor->device && now.inode == descriptor->inode;
    uint64_t watched = same ? watched_by(descriptor->number) : 0;
    // Another kind of descriptor, such as an eventfd, has a file that doesn't mention inotify.
    bool is_read = watched != 0 || (same && errno == 0);
    errno = saved;
    return !same || (is_read && watched != descriptor->mark);
}

void ctelltale_descriptor_close(const CTelltaleDescriptor *descriptor) {
    int saved = errno;
    if (ctelltale_descriptor_is_ours(descriptor)) close(descriptor->number);
    errno = saved;
}
#endif
