// What the kernel says of one thread besides its stack: its processor time, and lines of its `status`.
// Whoever interrupts a running thread looks here first whether it may be.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "process/clock.h"
#include "process/proc_file.h"

#include <errno.h>
#include <string.h>

bool ctelltale_thread_clock(int32_t id, uint64_t *out) {
    return clock_read((clockid_t)(((unsigned)~id << 3) | 6u), out);
}

bool ctelltale_thread_mask(int32_t id, const char *line, uint64_t *out) {
    int found = ctelltale_proc_status(id, &line, &out, 1, 16);
    if (found == 0) errno = ENOTSUP;
    return found > 0;
}

bool ctelltale_thread_rules(int32_t id, CTelltaleThreadRules *out) {
    static const char *const lines[] = {"\nSigBlk:", "\nSeccomp:", "\nSeccomp_filters:"};
    memset(out, 0, sizeof *out);
    uint64_t *const values[] = {&out->blocked, &out->seccomp_mode, &out->seccomp_filters};
    int found = ctelltale_proc_status(id, lines, values, 3, 16);
    // A kernel without seccomp has no filters, and one before 5.9 doesn't count them.
    if (found >= 0 && !(found & 1)) errno = ENOTSUP;
    return found > 0 && found & 1;
}
#endif
