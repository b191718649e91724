// Thread names, ids and masks, and which object of the process holds an address. In C because glibc
// shows these GNU functions only under _GNU_SOURCE.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <link.h>
#include <sys/syscall.h>
#else
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <uuid/uuid.h>
#endif

int64_t ctelltale_thread_id(void) {
#ifdef __linux__
    return syscall(SYS_gettid);
#else
    uint64_t id = 0;
    pthread_threadid_np(NULL, &id);
    return (int64_t)id;
#endif
}

void ctelltale_name_thread(const char *name) {
    char kept[16];
    strncpy(kept, name, sizeof kept - 1);
    kept[sizeof kept - 1] = 0;
#ifdef __linux__
    pthread_setname_np(pthread_self(), kept);
#else
    pthread_setname_np(kept);
#endif
}

static void fill(sigset_t *mask, const int *keep, size_t count) {
    sigfillset(mask);
    // Blocking a fault's signal would turn the fault into a silent kill. By SIGPROF Swift's backtracer
    // suspends the threads of a process that crashes.
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(mask, faults[i]);
#ifdef __linux__
    // A worker that Dispatch makes in one of the agent's calls inherits what its thread blocks, and blocks
    // all the rest but this itself.
    sigdelset(mask, SIGPIPE);
#endif
    for (size_t i = 0; i < count; i++) sigdelset(mask, keep[i]);
}

void ctelltale_mask_thread(const int *keep, size_t count) {
    sigset_t mask;
    fill(&mask, keep, count);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

#ifdef __linux__
// glibc has it since 2.32.
extern int pthread_attr_setsigmask_np(pthread_attr_t *, const sigset_t *) __attribute__((weak));
#endif

bool ctelltale_mask_new_thread(pthread_attr_t *attributes, const int *keep, size_t count) {
#ifdef __linux__
    sigset_t mask;
    fill(&mask, keep, count);
    return pthread_attr_setsigmask_np && pthread_attr_setsigmask_np(attributes, &mask) == 0;
#else
    (void)attributes, (void)keep, (void)count;
    return false;
#endif
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

#ifdef __linux__
struct build_id {
    uint8_t *buffer;
    size_t capacity, length;
};

// The executable is the first object that dl_iterate_phdr visits.
static int find_build_id(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct build_id *found = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
        const char *at = (const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const char *end = at + info->dlpi_phdr[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            size_t name = (note->n_namesz + 3u) & ~3u, value = (note->n_descsz + 3u) & ~3u;
            const char *bytes = at + sizeof *note;
            if (name + value > (size_t)(end - bytes)) break;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(bytes, "GNU", 4)) {
                found->length = note->n_descsz < found->capacity ? note->n_descsz : found->capacity;
                memcpy(found->buffer, bytes + name, found->length);
                return 1;
            }
            at = bytes + name + value;
        }
    }
    return 1;
}

size_t ctelltale_build_id(uint8_t *buffer, size_t capacity) {
    struct build_id found = {buffer, capacity, 0};
    dl_iterate_phdr(find_build_id, &found);
    return found.length;
}
#else
// Written for macOS; not compiled here.
size_t ctelltale_build_id(uint8_t *buffer, size_t capacity) {
    const struct mach_header_64 *header = (const void *)_dyld_get_image_header(0);
    if (!header) return 0;
    const char *at = (const char *)(header + 1);
    for (uint32_t i = 0; i < header->ncmds; i++) {
        const struct load_command *command = (const void *)at;
        if (command->cmd == LC_UUID) {
            const struct uuid_command *uuid = (const void *)command;
            size_t length = capacity < sizeof uuid->uuid ? capacity : sizeof uuid->uuid;
            memcpy(buffer, uuid->uuid, length);
            return length;
        }
        at += command->cmdsize;
    }
    return 0;
}
#endif
