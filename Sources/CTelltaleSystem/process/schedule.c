// Reads the time a thread last ran, from the kernel's scheduler.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/clock.h"
#include "process/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Returns the text after the colon in the line that begins with `name`.
static const char *value_of(const char *text, const char *name) {
    size_t length = strlen(name);
    for (const char *line = text; line && *line;) {
        if (!strncmp(line, name, length) &&
            (line[length] == ' ' || line[length] == ':' || line[length] == '\t')) {
            const char *end = strchr(line, '\n');
            const char *colon = strchr(line + length, ':');
            return colon && (!end || colon < end) ? colon + 1 : NULL;
        }
        line = strchr(line, '\n');
        if (line) line++;
    }
    return NULL;
}

// Converts milliseconds with six decimals to microseconds.
static uint64_t microseconds(const char *text) {
    char *end = NULL;
    uint64_t whole = strtoull(text, &end, 10), part = 0;
    if (!end || *end != '.') return whole * 1000;
    int digits = 0;
    for (end++; digits < 3; end++, digits++) {
        if (*end < '0' || *end > '9') break;
        part = part * 10 + (uint64_t)(*end - '0');
    }
    for (; digits < 3; digits++) part *= 10;
    return whole * 1000 + part;
}

static bool scheduler_of(const char *path, CTelltaleSchedule *out) {
    char text[8192];
    if (ctelltale_proc_read(AT_FDCWD, path, text, sizeof text) <= 0) return false;
    const char *switches = value_of(text, "nr_switches"), *ran = value_of(text, "se.exec_start");
    if (!switches) return false;
    out->switches = strtoull(switches, NULL, 10);
    out->last_ran = ran ? microseconds(ran) : 0;
    return true;
}

bool ctelltale_thread_schedule(int32_t thread, CTelltaleSchedule *out) {
    char path[64];
    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "/proc/self/task/%d/sched", thread);
    if (scheduler_of(path, out)) return true;
    // Without that file, reads the number of voluntary and involuntary switches.
    static const char *const lines[] = {"\nvoluntary_ctxt_switches:", "\nnonvoluntary_ctxt_switches:"};
    uint64_t gave = 0, taken = 0, *const values[] = {&gave, &taken};
    if (ctelltale_proc_status(thread, lines, values, 2, 10) != 3) return false;
    out->switches = gave + taken;
    return true;
}

// Returns the time since a moment that the kernel gives in ticks since boot.
static double seconds_since(unsigned long long ticks) {
    struct timespec now;
    long rate = sysconf(_SC_CLK_TCK);
    if (rate <= 0 || clock_gettime(CLOCK_BOOTTIME, &now)) return -1;
    double ago = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - (double)ticks / (double)rate;
    return ago < 0 ? 0 : ago;
}

int ctelltale_last_core(int32_t thread, double *age) {
    char path[64], text[1024];
    *age = -1;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    if (ctelltale_proc_read(AT_FDCWD, path, text, sizeof text) <= 0) return -1;
    // The name may contain any character; the fields after it are counted from 3.
    const char *at = strrchr(text, ')');
    for (int field = 2; at && field < 39; field++) {
        at = strchr(at + 1, ' ');
        if (at && field + 1 == 22) *age = seconds_since(strtoull(at + 1, NULL, 10));
    }
    return at ? (int)strtol(at + 1, NULL, 10) : -1;
}

bool ctelltale_bind_to_core(int core) {
    // Only cores on which the calling thread may run anyway: not an isolated core that the host has given
    // to a thread of its own, nor one outside of a container's share. On those cores the wait is not dated.
    cpu_set_t before, one;
    if (core < 0 || core >= CPU_SETSIZE || ctelltale_filters_have_grown()) return false;
    if (sched_getaffinity(0, sizeof before, &before) || !CPU_ISSET(core, &before)) return false;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

uint64_t ctelltale_scheduler_clock(void) {
    // Makes the kernel update the time.
    sched_yield();
    CTelltaleSchedule own = {0};
    return scheduler_of("/proc/thread-self/sched", &own) ? own.last_ran : 0;
}

uint64_t ctelltale_thread_ready_time(int32_t thread) {
    char path[64], text[96], *end = NULL;
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", thread);
    if (ctelltale_proc_read(AT_FDCWD, path, text, sizeof text) <= 0) return 0;
    strtoull(text, &end, 10);
    return end ? strtoull(end, NULL, 10) : 0;
}

bool ctelltale_thread_clock(int32_t id, uint64_t *out) {
    return clock_read((clockid_t)(((unsigned)~id << 3) | 6u), out);
}
#endif
