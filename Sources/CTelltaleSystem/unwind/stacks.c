// Captures threads without disturbing them: the records of `/proc` for each, and the stack of a blocked
// one. The thread gets no signal and loses no time.
#if TELLTALE_AGENT
#include "process/proc_file.h"
#include "unwind/unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number of attempts for a thread that runs in the meantime, according to its clock.
#define TRIES 4

CTelltaleCapture *ctelltale_capture_make(void) {
    CTelltaleCapture *capture = calloc(1, sizeof *capture);
    if (!capture) return NULL;
    capture->tasks.number = -1;
    capture->unwinder = unwinder_make();
    // Only touched pages take memory.
    capture->stack = malloc(LARGEST_STACK);
    if (capture->unwinder && capture->stack) return capture;
    ctelltale_capture_free(capture);
    return NULL;
}

void ctelltale_capture_free(CTelltaleCapture *capture) {
    ctelltale_capture_end(capture);
    free(capture->unwinder);
    free(capture->stack);
    free(capture);
}

// MARK: One capture

int ctelltale_capture_begin(CTelltaleCapture *capture, const CTelltaleImages *images) {
    ctelltale_capture_end(capture);
    // If `/proc` belongs to another pid namespace, its ids are not those that system calls take.
    char own[16];
    ssize_t length = readlink("/proc/self", own, sizeof own - 1);
    if (length <= 0) return errno;
    own[length] = 0;
    if (atoi(own) != getpid()) return ENOTSUP;
    // Opened anew each time: a descriptor from before a fork would show the parent's threads.
    capture->tasks = ctelltale_descriptor_open("/proc/self/task", O_DIRECTORY);
    if (capture->tasks.number < 0) return errno;
    capture->unwinder->images = images;
    capture->unwinder->image = NULL;
    capture_find_thread_pointer(capture);
    return 0;
}

void ctelltale_capture_end(CTelltaleCapture *capture) {
    if (capture->tasks.number >= 0) ctelltale_descriptor_close(&capture->tasks);
    capture->tasks.number = -1;
}

static int compare(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}

size_t ctelltale_capture_threads(CTelltaleCapture *capture, int32_t *ids, size_t capacity) {
    struct entry {
        uint64_t inode;
        int64_t next;
        uint16_t length;
        uint8_t type;
        char name[];
    };
    _Alignas(8) char buffer[16384];
    size_t count = 0;
    // Without this check, a host directory with that number would lose its position.
    if (!ctelltale_descriptor_is_ours(&capture->tasks)) return 0;
    if (lseek(capture->tasks.number, 0, SEEK_SET) < 0) return 0;
    for (;;) {
        long size = syscall(SYS_getdents64, capture->tasks.number, buffer, sizeof buffer);
        if (size <= 0) break;
        for (long at = 0; at + (long)sizeof(struct entry) <= size;) {
            const struct entry *entry = (const void *)(buffer + at);
            if (entry->length == 0) break;
            at += entry->length;
            int64_t id = 0;
            for (const char *c = entry->name; *c >= '0' && *c <= '9' && id <= INT32_MAX; c++)
                id = id * 10 + (*c - '0');
            if (id <= 0 || id > INT32_MAX) continue;
            if (count < capacity) ids[count] = (int32_t)id;
            count++;
        }
    }
    qsort(ids, count < capacity ? count : capacity, sizeof *ids, compare);
    return count;
}

// Reads a file of a thread, terminated by a zero; -1 if it has ended or the kernel refuses.
static ssize_t read_file(CTelltaleCapture *capture, int32_t id, const char *name, char *buffer,
                         size_t capacity) {
    char path[48];
    snprintf(path, sizeof path, "%d/%s", id, name);
    return ctelltale_proc_read(capture->tasks.number, path, buffer, capacity);
}

static bool read_stat(CTelltaleCapture *capture, CTelltaleThread *out) {
    char text[512];
    ssize_t size = read_file(capture, out->id, "stat", text, sizeof text);
    if (size <= 0) return errno != ENOENT && errno != ESRCH;
    // The host chose the name, which may contain parentheses; the last one closes it.
    char *open = memchr(text, '(', (size_t)size), *close = strrchr(text, ')');
    if (!open || !close || close < open) return true;
    size_t length = (size_t)(close - open - 1);
    if (length > sizeof out->name - 1) length = sizeof out->name - 1;
    memcpy(out->name, open + 1, length);
    out->name[length] = 0;
    if (close + 2 < text + size) out->state = close[2];
    if (out->processor_time) return true;
    // If the clock is not available, reads fields 14 and 15, in hundredths of a second.
    unsigned long user = 0, kernel = 0;
    if (sscanf(close + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) == 2)
        out->processor_time = (uint64_t)(user + kernel) * 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
    return true;
}

enum where { nowhere, runs, is_blocked };

// Returns the number that the instruction before the system call at `pc` loads; -1 if that is another
// instruction. A call that continues after a stop of its thread, by ptrace or SIGSTOP, has the number of
// restart_syscall in /proc/…/syscall until it ends (Linux 6.1: poll, nanosleep and timed futex waits); its
// arguments and `pc` stay. glibc 2.36 loads the number right before the call in all of these.
static int64_t number_loaded(uint64_t pc) {
#if defined(__x86_64__)
    // mov $number, %eax; syscall
    unsigned char code[7];
    uint32_t number;
    if (!ctelltale_read_memory(pc - sizeof code, code, sizeof code)) return -1;
    if (code[0] != 0xB8 || code[5] != 0x0F || code[6] != 0x05) return -1;
    memcpy(&number, code + 1, sizeof number);
    return number;
#else
    // mov x8, #number; svc #0. Not run here.
    uint32_t code[2];
    if (!ctelltale_read_memory(pc - sizeof code, code, sizeof code)) return -1;
    if ((code[0] & 0xFFE0001F) != 0xD2800008 || code[1] != 0xD4000001) return -1;
    return code[0] >> 5 & 0xFFFF;
#endif
}

// `running`, or `NUMBER 0x… (six) SP PC`, or `-1 SP PC`.
static enum where read_call(CTelltaleCapture *capture, CTelltaleThread *out, uint64_t *sp,
                            uint64_t *pc) {
    char text[256], *at = text, *end;
    ssize_t size = read_file(capture, out->id, "syscall", text, sizeof text);
    if (size <= 0) return nowhere;
    if (*text == 'r') return runs;
    out->call = strtoll(at, &end, 10);
    if (end == at) return nowhere;
    size_t count = 0;
    uint64_t words[8] = {0};
    for (at = end; count < 8; count++, at = end) {
        words[count] = strtoull(at, &end, 16);
        if (end == at) break;
    }
    if (count == 8) {
        memcpy(out->arguments, words, sizeof out->arguments);
        *sp = words[6];
        *pc = words[7];
        int64_t number = out->call == SYS_restart_syscall ? number_loaded(*pc) : -1;
        if (number >= 0) out->call = number;
    } else if (count == 2) {
        *sp = words[0];
        *pc = words[1];
    } else {
        return nowhere;
    }
    out->is_in_call = out->call >= 0;
    out->stack_pointer = *sp;
    return is_blocked;
}

// Walks the frames of a blocked thread, from a copy of its stack that grows as needed.
static void walk(CTelltaleCapture *capture, uint64_t sp, uint64_t pc, CTelltaleThread *out,
                 CTelltaleFrame *frames, size_t capacity) {
    struct stack_copy stack = {
        .low = stack_copy_low(sp), .capacity = LARGEST_STACK, .room = LARGEST_STACK,
        .top = out->thread_pointer, .bytes = capture->stack, .may_grow = true};
    // Memory above the thread's own storage is not part of its stack.
    if (out->thread_pointer > sp && out->thread_pointer - stack.low < stack.capacity)
        stack.capacity = (out->thread_pointer - stack.low + 7) & ~(size_t)7;
    stack_copy_grow(&stack, FIRST_STACK);
    capture->unwinder->runner = capture->job_runner;
    capture->unwinder->task = out->words[1];
    struct registers registers;
    memset(&registers, 0, sizeof registers);
    registers.pc = pc;
    registers.values[STACK_POINTER] = sp;
    registers.known = UINT64_C(1) << STACK_POINTER;
    out->frame_count =
        unwinder_walk(capture->unwinder, &stack, &registers, frames, capacity, &out->end);
    out->has_lost_leaf = capture->unwinder->has_lost_leaf;
}

// Returns whether the thread is still in the same system call: for a thread whose clock is not available.
static bool is_unmoved(CTelltaleCapture *capture, const CTelltaleThread *thread, uint64_t sp,
                       uint64_t pc) {
    CTelltaleThread again = *thread;
    uint64_t sp_again = 0, pc_again = 0;
    return read_call(capture, &again, &sp_again, &pc_again) == is_blocked && sp_again == sp &&
           pc_again == pc && again.call == thread->call &&
           !memcmp(again.arguments, thread->arguments, sizeof again.arguments);
}

static bool is_gone(CTelltaleThread *out) {
    out->end = CTelltaleStackGone;
    return false;
}

bool ctelltale_capture_thread(CTelltaleCapture *capture, int32_t id, CTelltaleThread *out,
                              CTelltaleFrame *frames, size_t capacity) {
    memset(out, 0, sizeof *out);
    out->id = id;
    out->call = -1;
    out->end = frames ? CTelltaleStackHidden : CTelltaleStackNotWanted;
    bool has_clock = ctelltale_thread_clock(id, &out->processor_time);
    if (!read_stat(capture, out)) return is_gone(out);
    capture_read_words(capture, out);
    for (int try = 0; try < TRIES; try++) {
        uint64_t sp = 0, pc = 0, before = out->processor_time, after;
        out->is_in_call = false;
        out->call = -1;
        out->stack_pointer = 0;
        memset(out->arguments, 0, sizeof out->arguments);
        if (has_clock && !ctelltale_thread_clock(id, &before)) return is_gone(out);
        enum where where = read_call(capture, out, &sp, &pc);
        if (where == nowhere) return true;
        if (where == runs) {
            out->state = 'R';
            if (frames) out->end = CTelltaleStackRunning;
            return true;
        }
        if (out->state == 'R') out->state = 'S';
        if (!frames) return true;
        walk(capture, sp, pc, out, frames, capacity);
        if (!has_clock || !ctelltale_thread_clock(id, &after)) {
            if (is_unmoved(capture, out, sp, pc)) return true;
            continue;
        }
        out->processor_time = after;
        if (after == before) return true;
    }
    // The last result may mix two moments.
    out->frame_count = 0;
    out->end = CTelltaleStackMoving;
    return true;
}
#endif
