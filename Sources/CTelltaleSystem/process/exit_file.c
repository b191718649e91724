// The file that is removed when the process ends by `exit`: by a return from `main`, on any thread, or in a
// handler of the host. A process that is killed leaves it behind.
//
// It is removed last: if a handler of the host hangs, even one given to atexit before the agent's start, a
// client must still be able to ask about it.
//
// The thread that takes the record out of its slot owns it. So the agent's thread, which recreates a lost
// file, and the thread that ends the process need no lock.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    dev_t device;
    ino_t inode;
    /// A forked child, or one made by a clone that runs no fork handlers, doesn't remove the file at its
    /// exit.
    pid_t process;
    char path[];
} ExitFile;

static _Atomic(ExitFile *) exit_file;
static _Atomic bool is_exiting;

static void remove_it(void) {
    ExitFile *file = atomic_exchange(&exit_file, NULL);
    if (!file) return;
    struct stat status;
    // A file that has replaced it is not ours.
    if (file->process == getpid() && lstat(file->path, &status) == 0 && S_ISSOCK(status.st_mode) &&
        status.st_dev == file->device && status.st_ino == file->inode)
        unlink(file->path);
    free(file);
}

// The loader runs it after all handlers given to atexit have returned. Lower numbers run later; those up to
// 100 are reserved for the compiler.
__attribute__((destructor(101))) static void at_exit(void) {
    atomic_store(&is_exiting, true);
    remove_it();
}

// quick_exit runs no destructors, and runs its handlers in reverse order of registration.
__attribute__((constructor(101))) static void install(void) { (void)at_quick_exit(at_exit); }

void ctelltale_exit_file_set(const char *_Nullable path) {
    ExitFile *made = NULL;
    struct stat status;
    if (path && lstat(path, &status) == 0) {
        size_t size = strlen(path) + 1;
        made = malloc(sizeof *made + size);
        if (made) {
            *made = (ExitFile){.device = status.st_dev, .inode = status.st_ino, .process = getpid()};
            memcpy(made->path, path, size);
        }
    }
    free(atomic_exchange(&exit_file, made));
    // The exit of the process began before this record was stored.
    if (atomic_load(&is_exiting)) remove_it();
}

bool ctelltale_is_exiting(void) { return atomic_load(&is_exiting); }
#endif
