// A thread's reading: by the fault table from its first copy on, or by the kernel where that can't be had.
// Taking the faults' signals and giving them back costs as much as one or two of the kernel's copies.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"
#include "memory/fault_table.h"
#include "memory/guarded.h"
#include "process/clock.h"
#include "process/turns.h"

#include <pthread.h>
#include <signal.h>

static _Thread_local struct {
    unsigned depth;
    bool has_asked;
    bool has_table;
    bool uses_kept;
    CTelltaleFaults *kept;
    uint64_t kept_since;
} reading;

// The time for which our handler is assumed to be installed before it is checked again: as long as
// a reading of some size takes.
static const uint64_t trust = 1000 * 1000;

enum { Free, Taken, InUse };

static bool change(CTelltaleFaults *faults, int32_t from, int32_t to) {
    return __atomic_compare_exchange_n(&faults->state, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

// A signal that is blocked when its fault comes ends the process.
static bool blocks_faults(void) {
    sigset_t mask;
    if (pthread_sigmask(SIG_SETMASK, NULL, &mask) != 0) return true;
    return sigismember(&mask, SIGSEGV) || sigismember(&mask, SIGBUS);
}

void ctelltale_reading_begin(void) {
    if (reading.depth++ == 0) reading.has_asked = false;
}

void ctelltale_reading_rest(void) {
    if (reading.uses_kept)
        change(reading.kept, InUse, Taken);
    else if (reading.has_table)
        ctelltale_fault_table_let_go();
    reading.has_table = reading.has_asked = reading.uses_kept = false;
}

void ctelltale_reading_end(void) {
    if (reading.depth > 0 && --reading.depth == 0) ctelltale_reading_rest();
}

void ctelltale_faults_take(CTelltaleFaults *faults) {
    reading.kept = faults;
    reading.kept_since = clock_now();
    bool is_taken = !blocks_faults() && ctelltale_fault_table_take();
    __atomic_store_n(&faults->state, is_taken ? Taken : Free, __ATOMIC_SEQ_CST);
}

void ctelltale_faults_give_back(CTelltaleFaults *faults) {
    reading.kept = NULL;
    ctelltale_faults_take_from_thread(faults);
}

void ctelltale_faults_take_from_thread(CTelltaleFaults *faults) {
    if (change(faults, Taken, Free)) ctelltale_fault_table_let_go();
}

bool ctelltale_reading_is_fast(void) { return reading.has_table; }

// Returns whether the fault table is in use. Asked once for an answer: a handler installed later is
// a danger only in the rare fault.
static bool has_table(void) {
    if (reading.depth > 0 && !reading.has_asked) {
        reading.has_asked = true;
        reading.uses_kept = reading.kept && clock_now() - reading.kept_since < trust &&
                            change(reading.kept, Taken, InUse);
        reading.has_table =
            reading.uses_kept || (!blocks_faults() && ctelltale_fault_table_take());
    }
    return reading.has_table;
}

bool ctelltale_reading_copy(uintptr_t address, void *buffer, size_t size) {
    turns_give_seldom();
    if (has_table()) return ctelltale_fault_copy(buffer, (const void *)address, size);
    return ctelltale_read_memory(address, buffer, size);
}

ssize_t ctelltale_reading_copy_part(uintptr_t address, void *buffer, size_t size) {
    turns_give_seldom();
    if (has_table()) {
        if (address + size < address) return 0;
        if (ctelltale_fault_copy(buffer, (const void *)address, size)) return (ssize_t)size;
    }
    return ctelltale_guarded_copy(address, buffer, size);
}

bool ctelltale_reading_gather(const struct iovec *to, const struct iovec *from, size_t count) {
    turns_give_seldom();
    if (!has_table()) return ctelltale_guarded_gather(to, from, count);
    for (size_t i = 0; i < count; i++)
        if (!ctelltale_fault_copy(to[i].iov_base, from[i].iov_base, from[i].iov_len)) return false;
    return true;
}
#endif
