#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "CTelltaleReadline.h"

static volatile int write_end = -1;

static void on_interrupt(int number) {
    (void)number;
    int saved = errno;
    // The pipe is not blocking: when it is full, a byte that says the same is in it already.
    char byte = 1;
    if (write_end >= 0 && write(write_end, &byte, 1) < 0) { /* nothing can be done here */ }
    errno = saved;
}

static int prepare(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

int ctelltale_interrupt_install(void) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    if (prepare(ends[0]) < 0 || prepare(ends[1]) < 0) {
        int saved = errno;
        close(ends[0]);
        close(ends[1]);
        errno = saved;
        return -1;
    }
    write_end = ends[1];
    struct sigaction action = {0};
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    // No SA_RESTART: a wait for the terminal is to come back, so that the line is dropped.
    if (sigaction(SIGINT, &action, NULL) != 0) return -1;
    // The parent process may have had it blocked, and masks are inherited.
    sigset_t interrupt_only;
    sigemptyset(&interrupt_only);
    sigaddset(&interrupt_only, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &interrupt_only, NULL);
    return ends[0];
}
