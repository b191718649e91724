// Loads code that a client has compiled.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int find_code(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    CTelltaleLoadedCode *object = context;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[n];
        uintptr_t low = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || (uintptr_t)object->entry - low >= segment->p_memsz) continue;
        object->low = low;
        object->high = low + segment->p_memsz;
        return 1;
    }
    return 0;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static void fail(CTelltaleLoadedCode *object, const char *call, const char *why) {
    snprintf(object->failure, sizeof object->failure, "%s: %s", call, why);
}

void ctelltale_object_load(const void *bytes, size_t count, const char *entry,
                           CTelltaleLoadedCode *object) {
    memset(object, 0, sizeof *object);
    // In memory: no file system has to allow its execution, and no other process sees it.
    int file = memfd_create("telltale-eval", MFD_CLOEXEC);
    if (file < 0) return fail(object, "memfd_create", strerror(errno));
    if (!write_all(file, bytes, count)) {
        fail(object, "write", strerror(errno));
        close(file);
        return;
    }
    // The loader takes two objects of one path for the same. Each is loaded by a thread of its own.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/fd/%d", syscall(SYS_gettid), file);
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    close(file);
    if (!handle) {
        const char *why = dlerror();
        return fail(object, "dlopen", why ? why : "no reason was given");
    }
    object->entry = dlsym(handle, entry);
    if (!object->entry) return fail(object, "dlsym", entry);
    dl_iterate_phdr(find_code, object);
}
#endif
