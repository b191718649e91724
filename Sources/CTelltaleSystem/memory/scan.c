// A search of this process's own memory for objects by their first word.
//
// The memory is copied in pieces by the kernel, so that what the host unmaps meanwhile is an error and
// no fault, and so that the host is never stopped. What never was touched (most of every thread's
// stack) is left out by the kernel's page map: reading it would cost time and page tables.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    piece_size = 256 * 1024,
    text_size = 16 * 1024,
    // One entry of 8 bytes a page: 16 MB of memory at a time.
    page_entries = 4096,
    max_words = 4096,
    // Bits of a filter that most words fail which lie among those that are looked for.
    filter_bits = 4096,
    max_ranges = 4,
    // A file that is mapped for its data is read by whoever mapped it, not by us; the writable part
    // of a library is smaller.
    max_file_mapping = 16 * 1024 * 1024,
};

// The words lie in few places (the data of one or two libraries). A word outside of these ranges is
// none of them, which is one subtraction and one comparison for each range.
typedef struct {
    uintptr_t low;
    uintptr_t span;
} Range;

typedef struct {
    const uintptr_t *words;
    size_t count;
    Range ranges[max_ranges];
    size_t range_count;
    uint64_t filter[filter_bits / 64];
    CTelltaleScanHit *hits;
    size_t capacity;
    uint64_t deadline;
    uintptr_t page;
    int pid;
    CTelltaleDescriptor memory;
    CTelltaleDescriptor pagemap;
    char *piece;
    char *text;
    uint64_t *pages;
    CTelltaleScanResult result;
} Scan;

// The sanitizers' own memory on x86-64: terabytes of address space in which no object lies, and whose
// page map alone would take minutes.
extern void __tsan_init(void) __attribute__((weak));
extern void __asan_init(void) __attribute__((weak));

static bool is_shadow(uintptr_t from) {
#ifdef __x86_64__
    if (&__tsan_init && from >= 0x010000000000 && from < 0x550000000000) return true;
    if (&__asan_init && from >= 0x00007fff8000 && from < 0x10007fff8000) return true;
#endif
    (void)from;
    return false;
}

static uint64_t now_ns(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// As few ranges as may be: the words are split where the gaps between neighbours are widest.
static void make_ranges(Scan *scan) {
    size_t starts[max_ranges] = {0};
    size_t count = 1;
    while (count < max_ranges) {
        size_t widest = 0, known = 1;
        uintptr_t width = 16 * 1024;
        for (size_t i = 1; i < scan->count; i++) {
            if (known < count && starts[known] == i) {
                known++;
                continue;
            }
            uintptr_t gap = scan->words[i] - scan->words[i - 1];
            if (gap <= width) continue;
            width = gap;
            widest = i;
        }
        if (widest == 0) break;
        size_t at = count++;
        for (; at > 1 && starts[at - 1] > widest; at--) starts[at] = starts[at - 1];
        starts[at] = widest;
    }
    for (size_t i = 0; i < count; i++) {
        size_t end = i + 1 < count ? starts[i + 1] : scan->count;
        scan->ranges[i].low = scan->words[starts[i]];
        scan->ranges[i].span = scan->words[end - 1] - scan->ranges[i].low;
    }
    scan->range_count = count;
    for (size_t i = 0; i < scan->count; i++) {
        size_t bit = scan->words[i] >> 4 & (filter_bits - 1);
        scan->filter[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

static void check(Scan *scan, const char *at, uintptr_t base) {
    uintptr_t word = *(const uintptr_t *)(const void *)at;
    size_t bit = word >> 4 & (filter_bits - 1);
    if ((scan->filter[bit / 64] >> (bit % 64) & 1) == 0) return;
    size_t low = 0, high = scan->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->words[middle] < word) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low >= scan->count || scan->words[low] != word) return;
    if (scan->result.hits >= scan->capacity) {
        scan->result.is_full = true;
        return;
    }
    CTelltaleScanHit *hit = &scan->hits[scan->result.hits++];
    hit->address = base + (uintptr_t)(at - scan->piece);
    hit->word = word;
}

// Written out by hand: in a debug build of the host this is compiled without optimisation, where a
// loop's own bookkeeping costs more than its work.
#define LOOK(i) \
    if (at[2 * (i)] - low <= span) check(scan, (const char *)&at[2 * (i)], base);
#define LOOK8(i) \
    LOOK(i) LOOK(i + 1) LOOK(i + 2) LOOK(i + 3) LOOK(i + 4) LOOK(i + 5) LOOK(i + 6) LOOK(i + 7)

// Not watched by a sanitizer, which would make twenty times the work of it; it reads our own piece.
__attribute__((no_sanitize("address", "thread")))
static void look_for_range(Scan *scan, Range range, uintptr_t base, size_t size) {
    uintptr_t low = range.low, span = range.span;
    const uintptr_t *at = (const uintptr_t *)(const void *)scan->piece;
    // Whole pages are read, so that this leaves nothing over.
    const uintptr_t *end = at + size / sizeof(uintptr_t);
    for (; at < end; at += 64) {
        LOOK8(0) LOOK8(8) LOOK8(16) LOOK8(24)
    }
}

// Copies what can be copied of `size` bytes (whole pages) at `address`.
static size_t copy(Scan *scan, uintptr_t address, size_t size) {
    if (scan->memory.number < 0) {
        struct iovec local = {scan->piece, size}, remote = {(void *)address, size};
        ssize_t count = process_vm_readv(scan->pid, &local, 1, &remote, 1, 0);
        if (count >= 0) return (size_t)count & ~(size_t)(scan->page - 1);
        if (errno != EPERM && errno != ENOSYS && errno != EACCES) return 0;
        // A seccomp filter or a hardened kernel refuses it even for the own process.
        scan->memory = ctelltale_descriptor_open("/proc/thread-self/mem", 0);
        if (scan->memory.number < 0) {
            scan->result.error = errno;
            return 0;
        }
    }
    ssize_t count = pread(scan->memory.number, scan->piece, size, (off_t)address);
    return count < 0 ? 0 : (size_t)count & ~(size_t)(scan->page - 1);
}

// False where the scan is to end.
static bool scan_run(Scan *scan, uintptr_t from, uintptr_t to) {
    while (from < to) {
        if (scan->result.is_full || scan->result.error != 0) return false;
        if (now_ns() >= scan->deadline) {
            scan->result.is_late = true;
            return false;
        }
        size_t size = to - from < piece_size ? to - from : piece_size;
        size_t got = copy(scan, from, size);
        for (size_t i = 0; i < scan->range_count && got > 0; i++) {
            look_for_range(scan, scan->ranges[i], from, got);
        }
        scan->result.bytes += got;
        // What could not be read is gone, or no memory: on behind it.
        from += got > 0 ? got : scan->page;
    }
    return true;
}

static bool scan_region(Scan *scan, uintptr_t from, uintptr_t to) {
    const uint64_t present = (uint64_t)3 << 62;  // in memory, or swapped out
    if (scan->pagemap.number < 0 || to - from <= 16 * scan->page) return scan_run(scan, from, to);
    uintptr_t run = from, run_end = from;
    for (uintptr_t at = from; at < to;) {
        // Address space that is only reserved has no bound: terabytes of it, with nothing to copy.
        if (now_ns() >= scan->deadline) {
            scan->result.is_late = true;
            return false;
        }
        size_t pages = (to - at) / scan->page;
        if (pages > page_entries) pages = page_entries;
        ssize_t got = pread(scan->pagemap.number, scan->pages, pages * 8, (off_t)(at / scan->page * 8));
        if (got < 8) return scan_run(scan, run < run_end ? run : at, to);
        pages = (size_t)got / 8;
        for (size_t i = 0; i < pages; i++, at += scan->page) {
            if ((scan->pages[i] & present) == 0) continue;
            // Gaps of a few pages are read through: a call costs more than they do.
            if (at - run_end > 4 * scan->page || at - run >= piece_size) {
                if (run < run_end && !scan_run(scan, run, run_end)) return false;
                run = at;
            }
            run_end = at + scan->page;
        }
    }
    return run < run_end ? scan_run(scan, run, run_end) : true;
}

static const char *hex(const char *at, uintptr_t *value) {
    *value = 0;
    for (;; at++) {
        char c = *at;
        if (c >= '0' && c <= '9') {
            *value = *value << 4 | (uintptr_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            *value = *value << 4 | (uintptr_t)(c - 'a' + 10);
        } else {
            return at;
        }
    }
}

// "7f0000000000-7f0000021000 rw-p 00000000 00:00 0    [name]", closed by a zero.
static bool scan_line(Scan *scan, const char *line) {
    uintptr_t from, to;
    line = hex(line, &from);
    if (*line != '-') return true;
    line = hex(line + 1, &to);
    if (strncmp(line, " rw", 3) != 0 || line[4] != 'p' || to <= from) return true;
    // Objects of the heap don't lie on the main thread's stack; other stacks aren't told apart here.
    if (strstr(line, "[stack]") != NULL || strstr(line, "[v") != NULL) return true;
    if (is_shadow(from)) return true;
    bool is_file = strchr(line, '/') != NULL;
    if (is_file && to - from > max_file_mapping) return true;
    return scan_region(scan, from, to);
}

static void scan_maps(Scan *scan) {
    CTelltaleDescriptor maps = ctelltale_descriptor_open("/proc/thread-self/maps", 0);
    off_t at = 0;
    if (maps.number < 0) {
        scan->result.error = errno;
        return;
    }
    size_t kept = 0;
    for (;;) {
        ssize_t count = pread(maps.number, scan->text + kept, text_size - 1 - kept, at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) scan->result.error = errno;
        if (count <= 0) break;
        at += count;
        size_t end = kept + (size_t)count;
        scan->text[end] = 0;
        char *line = scan->text;
        for (char *stop; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
            *stop = 0;
            if (!scan_line(scan, line)) {
                ctelltale_descriptor_close(&maps);
                return;
            }
        }
        kept = end - (size_t)(line - scan->text);
        if (kept >= text_size - 1) break;  // no line of the kernel's is that long
        memmove(scan->text, line, kept);
    }
    ctelltale_descriptor_close(&maps);
}

CTelltaleScanResult ctelltale_scan(const uintptr_t *words, size_t count, CTelltaleScanHit *hits,
                                   size_t capacity, uint64_t deadline) {
    int saved = errno;
    Scan scan;
    memset(&scan, 0, sizeof scan);
    scan.memory.number = -1;
    if (count == 0) return scan.result;
    if (count > max_words) {
        scan.result.error = EINVAL;
        return scan.result;
    }
    // Shared, since only private memory is searched: what one scan has copied is no find of another.
    size_t size = piece_size + text_size + page_entries * sizeof(uint64_t);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        scan.result.error = errno;
        errno = saved;
        return scan.result;
    }
    long page = sysconf(_SC_PAGESIZE);
    scan.page = page > 0 ? (uintptr_t)page : 4096;
    scan.words = words;
    scan.count = count;
    scan.hits = hits;
    scan.capacity = capacity;
    scan.deadline = deadline;
    // The thread and not the process: a main thread that has ended has no memory to show.
    scan.pid = (int)syscall(SYS_gettid);
    scan.piece = memory;
    scan.pages = (uint64_t *)(void *)(scan.piece + piece_size);
    scan.text = (char *)(scan.pages + page_entries);
    scan.pagemap = ctelltale_descriptor_open("/proc/thread-self/pagemap", 0);
    make_ranges(&scan);
    scan_maps(&scan);
    if (scan.pagemap.number >= 0) ctelltale_descriptor_close(&scan.pagemap);
    if (scan.memory.number >= 0) ctelltale_descriptor_close(&scan.memory);
    munmap(memory, size);
    errno = saved;
    return scan.result;
}

CTelltaleScanHit *ctelltale_scan_room(size_t capacity) {
    size_t size;
    if (__builtin_mul_overflow(capacity, sizeof(CTelltaleScanHit), &size) || size == 0) return NULL;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return room == MAP_FAILED ? NULL : room;
}

void ctelltale_scan_room_free(CTelltaleScanHit *room, size_t capacity) {
    munmap(room, capacity * sizeof(CTelltaleScanHit));
}
#endif
