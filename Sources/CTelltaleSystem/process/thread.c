// Thread names, ids and masks, and which object of the process holds an address. In C because glibc
// shows these GNU functions only under _GNU_SOURCE.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"
#include "process/build_id.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <link.h>
#include <sys/syscall.h>

int64_t ctelltale_thread_id(void) {
    return syscall(SYS_gettid);
}

void ctelltale_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
    pthread_setname_np(pthread_self(), kept);
}

static void fill(sigset_t *mask, const int *keep, size_t count) {
    sigfillset(mask);
    // Blocking a fault's signal would turn the fault into a silent kill. By SIGPROF Swift's backtracer
    // suspends the threads of a process that crashes.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(mask, faults[i]);
    // A worker that Dispatch makes in one of the agent's calls inherits what its thread blocks, and blocks
    // all the rest but this itself.
    sigdelset(mask, SIGPIPE);
    for (size_t i = 0; i < count; i++) sigdelset(mask, keep[i]);
}

void ctelltale_mask_thread(const int *keep, size_t count) {
    sigset_t mask;
    fill(&mask, keep, count);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// glibc has it since 2.32.
extern int pthread_attr_setsigmask_np(pthread_attr_t *, const sigset_t *) __attribute__((weak));

bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *keep, size_t count) {
    sigset_t mask;
    fill(&mask, keep, count);
    return pthread_attr_setsigmask_np && pthread_attr_setsigmask_np(attributes, &mask) == 0;
}

void ctelltale_block_for_new_thread(sigset_t *before) {
    sigset_t mask;
    fill(&mask, NULL, 0);
    // What the maker blocks of the rest stays blocked: a signal may wait for it.
    pthread_sigmask(SIG_BLOCK, &mask, before);
}

bool ctelltale_module_of(const void *address, const char **path, const char **symbol) {
    Dl_info info;
    if (dladdr(address, &info) == 0) return false;
    *path = info.dli_fname;
    *symbol = info.dli_sname;
    return true;
}

struct build_id {
    uint8_t *buffer;
    size_t capacity, length;
};

// The executable is the first object that dl_iterate_phdr visits.
static int find_build_id(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct build_id *found = context;
    for (int i = 0; i < info->dlpi_phnum && found->length == 0; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) continue;
        found->length = build_id_find((const uint8_t *)(info->dlpi_addr + segment->p_vaddr),
                                      segment->p_memsz, found->buffer, found->capacity);
    }
    return 1;
}

size_t ctelltale_build_id(uint8_t *buffer, size_t capacity) {
    struct build_id found = {buffer, capacity, 0};
    dl_iterate_phdr(find_build_id, &found);
    return found.length;
}
#endif
