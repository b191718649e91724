// Entry point for libFuzzer with generated object files: everything in CTelltaleSystem that reads
// names and lines out of them. Compiled by `run-objects` together with those sources, under the
// address and undefined-behaviour sanitizers.
#include "CTelltaleSystem.h"
#include "memory/guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// A broken promise ends the process as a fault would, so that the input is kept.
static void promise(bool holds) {
    if (!holds) abort();
}

/// The reader of the process's memory, without what a whole agent gives it.
bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size) {
    return ctelltale_guarded_copy(address, buffer, size) == (ssize_t)size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("object", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) < 0 || pwrite(file, data, size, 0) != (ssize_t)size) return 0;
    CTelltaleObjectProblem problem;
    CTelltaleObject *object = ctelltale_object_open(path, NULL, 0, 0, 1 << 20, &problem);
    if (!object) return 0;
    // The address of the seeds' code.
    static CTelltaleFoundFrame frames[8];
    static char text[4096];
    for (uint64_t address = 0x580; address < 0x780; address += 5) {
        size_t count = ctelltale_object_find(object, address, true, frames, 8, text, sizeof text);
        promise(count <= 8);
        for (size_t i = 0; i < count; i++) {
            promise((size_t)frames[i].name + frames[i].name_length < sizeof text);
            promise((size_t)frames[i].file + frames[i].file_length < sizeof text);
            promise(strlen(text + frames[i].name) <= sizeof text);
        }
    }
    promise(ctelltale_object_bytes(object) < 64 << 20);
    ctelltale_object_close(object);
    return 0;
}
