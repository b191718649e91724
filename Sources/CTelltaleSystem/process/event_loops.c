// Finds the wait targets of event loops, from the text files of /proc and by `poll` without waiting. In C
// for parsing the texts.
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/clock.h"
#include "process/proc_file.h"

_Static_assert(sizeof(CTelltalePolled) == sizeof(struct pollfd), "it is handed to poll");
_Static_assert(CTelltaleReadable == POLLIN && CTelltaleWritable == POLLOUT && CTelltaleHungUp == POLLHUP,
               "as poll has them");

// MARK: Event loops

// The link's text gives the kind; anonymous files have no inode of their own that would.
static CTelltaleDescriptorKind kind_of(int directory, const char *name) {
    static const struct {
        const char *text;
        CTelltaleDescriptorKind kind;
    } kinds[] = {
        {"anon_inode:[eventpoll]", CTelltaleEpoll},    {"anon_inode:[io_uring]", CTelltaleRing},
        {"anon_inode:[eventfd]", CTelltaleEventCounter}, {"anon_inode:[timerfd]", CTelltaleTimer},
        {"anon_inode:[signalfd]", CTelltaleSignals},   {"socket:", CTelltaleSocket},
        {"pipe:", CTelltalePipe},
    };
    char text[40];
    ssize_t size = readlinkat(directory, name, text, sizeof text - 1);
    if (size <= 0) return CTelltaleOther;
    text[size] = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(text, kinds[i].text, strlen(kinds[i].text))) return kinds[i].kind;
    return CTelltaleOther;
}

int ctelltale_loop_descriptors(CTelltaleLoopDescriptor *out, size_t capacity, size_t *open,
                               uint64_t deadline) {
    *open = 0;
    char path[48];
    ctelltale_descriptors_path(path, sizeof path, "fd");
    DIR *list = opendir(path);
    if (!list) return -1;
    CTelltaleDescriptor own = ctelltale_descriptor(dirfd(list));
    size_t count = 0;
    // A process may have a million descriptors; at most this number is examined.
    while (count < capacity && *open < 65536) {
        struct dirent *entry = readdir(list);
        if (!entry || (*open % 256 == 255 && clock_now() > deadline)) break;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        ++*open;
        CTelltaleDescriptorKind kind = kind_of(own.number, entry->d_name);
        if (kind == CTelltaleEpoll || kind == CTelltaleRing)
            out[count++] = (CTelltaleLoopDescriptor){atoi(entry->d_name), kind};
    }
    // `closedir` closes the number even if it belongs to another file by now; leaking its memory is the
    // lesser loss.
    if (ctelltale_descriptor_is_ours(&own)) closedir(list);
    return (int)count;
}

// MARK: Members of an epoll

// `tfd:        5 events:       1d data: ffffffffffffffff  pos:0 ino:61af sdev:7`
static bool read_member(const char *line, CTelltaleMember *out) {
    int number;
    unsigned events;
    unsigned long long data, inode = 0;
    if (sscanf(line, "tfd: %d events: %x data: %llx", &number, &events, &data) != 3) return false;
    const char *end = strchr(line, '\n'), *at = strstr(line, " ino:");
    if (at && (!end || at < end)) inode = strtoull(at + 5, NULL, 16);
    *out = (CTelltaleMember){number, events, data, inode};
    return true;
}

static int read_members(const char *text, CTelltaleMember *out, size_t capacity, int64_t *total) {
    size_t count = 0;
    *total = 0;
    for (const char *line = strstr(text, "tfd:"); line; line = strstr(line + 4, "\ntfd:")) {
        if (*line == '\n') line++;
        ++*total;
        if (count < capacity && read_member(line, &out[count])) count++;
    }
    return (int)count;
}

// With one `pread`: each further one would make the kernel write all lines again, under the epoll's lock.
int ctelltale_epoll_members(int epoll, CTelltaleMember *out, size_t capacity, int64_t *total) {
    enum { usual = 8192, most = 1 << 20 };
    char name[24], path[64], small[usual];
    *total = 0;
    snprintf(name, sizeof name, "fdinfo/%d", epoll);
    ctelltale_descriptors_path(path, sizeof path, name);
    ssize_t size = ctelltale_proc_read(AT_FDCWD, path, small, sizeof small);
    if (size <= 0) return -1;
    if (size < usual - 1) return read_members(small, out, capacity, total);
    char *text = malloc(most);
    if (!text) return -1;
    size = ctelltale_proc_read(AT_FDCWD, path, text, most);
    int count = size <= 0 ? -1 : read_members(text, out, capacity, total);
    if (size >= most - 1) *total = -1;
    free(text);
    return count;
}

// MARK: Timers

// Each entry is like `signal: 60/00007f3c5c0011e0`; a timer without a value of its own has its number
// there.
int ctelltale_process_timers(void) {
    enum { first_pointer = 1 << 16 };
    char text[4096];
    if (ctelltale_proc_read(AT_FDCWD, "/proc/self/timers", text, sizeof text) < 0) return -1;
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\nsignal: ")); at++) {
        const char *value = strchr(at, '/');
        uint64_t word = value ? strtoull(value + 1, NULL, 16) : 0;
        count += word >= first_pointer;
    }
    return count;
}

// MARK: Ready descriptors

int ctelltale_poll_now(CTelltalePolled *polled, size_t count) {
    return poll((struct pollfd *)polled, (nfds_t)count, 0);
}

static int64_t number_after(const char *text, const char *name, int base) {
    const char *at = strstr(text, name);
    return at ? (int64_t)strtoull(at + strlen(name), NULL, base) : -1;
}

static void read_counts(int number, CTelltaleDescriptorFacts *out) {
    char path[48], text[1024];
    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", number);
    if (ctelltale_proc_read(AT_FDCWD, path, text, sizeof text) <= 0) return;
    if (out->kind == CTelltaleTimer) {
        out->unread = number_after(text, "\nticks:", 10);
    } else {
        out->unread = number_after(text, "\neventfd-count:", 16);
        out->serial = number_after(text, "\neventfd-id:", 10);
    }
}

bool ctelltale_descriptor_facts(int number, CTelltaleDescriptorFacts *out) {
    *out = (CTelltaleDescriptorFacts){.unread = -1, .serial = -1};
    struct stat facts;
    if (fstat(number, &facts)) return false;
    out->inode = (uint64_t)facts.st_ino;
    int value = 0;
    socklen_t size = sizeof value;
    switch (facts.st_mode & S_IFMT) {
    case S_IFSOCK:
        out->kind = CTelltaleSocket;
        if (!getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) && value)
            out->kind = CTelltaleListener;
        else if (!ioctl(number, FIONREAD, &value))
            out->unread = value;
        return true;
    case S_IFIFO:
        out->kind = CTelltalePipe;
        if (!ioctl(number, FIONREAD, &value)) out->unread = value;
        return true;
    default: break;
    }
    char name[40];
    snprintf(name, sizeof name, "/proc/thread-self/fd/%d", number);
    out->kind = kind_of(AT_FDCWD, name);
    if (out->kind == CTelltaleEventCounter || out->kind == CTelltaleTimer) read_counts(number, out);
    return true;
}

#endif
