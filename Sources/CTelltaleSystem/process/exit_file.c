// The one file that goes when the process ends by `exit`: by a return from `main`, on any thread, or in a
// handler of the host's. A process that is killed leaves it behind.
//
// It goes last. A handler of the host's that hangs, also one given to atexit before the agent's start, is what a client
// then asks about.
//
// The thread that takes the record out of its place owns it. So the agent's thread, which makes a
// lost file anew, and the thread that ends the process need no lock.
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
    /// A child of a fork, or of a clone that runs no handlers of a fork, ends without it.
    pid_t process;
    char path[];
} ExitFile;

static _Atomic(ExitFile *) exit_file;
static _Atomic bool is_exiting;

static void remove_it(void) {
    ExitFile *file = atomic_exchange(&exit_file, NULL);
    if (!file) return;
    struct stat status;
    // A file that has come into its place is not ours.
    if (file->process == getpid() && lstat(file->path, &status) == 0 && S_ISSOCK(status.st_mode) &&
        status.st_dev == file->device && status.st_ino == file->inode)
        unlink(file->path);
    free(file);
}

// The loader runs it when all handlers given to atexit have come back, and the later the smaller its number is;
// those up to 100 are the compiler's.
__attribute__((destructor(101))) static void at_exit(void) {
    atomic_store(&is_exiting, true);
    remove_it();
}

// quick_exit runs no destructors, and its handlers in the reverse order of their coming.
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
    // The process began to end before this one was there.
    if (atomic_load(&is_exiting)) remove_it();
}

bool ctelltale_is_exiting(void) { return atomic_load(&is_exiting); }
#endif
