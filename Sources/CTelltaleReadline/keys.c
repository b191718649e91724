#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

#include <readline/readline.h>

#include "keys.h"

static int interrupt_pipe = -1;
static bool interrupted;
static enum { no_interrupt, accept_pending } phase;

// The terminal, opened once more so that a read of it that finds nothing comes back; `terminal` itself where it can't
// be opened (it has another owner, or no name here).
//
// Ctrl-C drops input that was typed and not read. If it comes between the wait for a byte and the
// read of it, the read would wait for the next key, and the interrupt with it (measured: 11 to 52
// of 2,000). Flags of the descriptor that we were given, or of the terminal, are shared with other
// processes, also after our end.
static int unwaiting(int terminal) {
    static int opened = -1;
    static int of = -1;
    if (of != terminal) {
        const char *name = ttyname(terminal);
        opened = name == NULL ? -1 : open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        of = terminal;
    }
    return opened < 0 ? terminal : opened;
}

static bool take_interrupt(void) {
    bool any = false;
    char byte;
    while (interrupt_pipe >= 0 && read(interrupt_pipe, &byte, 1) == 1) any = true;
    return any;
}

// Reads a byte of the terminal, or the interrupt.
//
// readline's own SIGINT handler cleans up and sends the signal on to ours, which fills the pipe. The
// line is then ended in two steps: Ctrl-G first, which leaves a search or a question about the number
// of candidates, and then the end of an emptied line.
static int get_byte(FILE *stream) {
    int terminal = unwaiting(fileno(stream));
    if (phase == accept_pending) {
        phase = no_interrupt;
        interrupted = true;
        rl_replace_line("", 0);
        return '\n';
    }
    while (true) {
        // The signals are blocked between the check and the wait, so that none falls in between.
        sigset_t ours, before;
        sigemptyset(&ours);
        sigaddset(&ours, SIGINT);
        sigaddset(&ours, SIGTSTP);
        sigaddset(&ours, SIGWINCH);
        sigaddset(&ours, SIGTERM);
        sigaddset(&ours, SIGHUP);
        pthread_sigmask(SIG_BLOCK, &ours, &before);
        int ready = 0;
        int failure = 0;
        fd_set descriptors;
        FD_ZERO(&descriptors);
        if (rl_pending_signal() == 0) {
            FD_SET(terminal, &descriptors);
            int highest = terminal;
            if (interrupt_pipe >= 0) {
                FD_SET(interrupt_pipe, &descriptors);
                if (interrupt_pipe > highest) highest = interrupt_pipe;
            }
            ready = pselect(highest + 1, &descriptors, NULL, NULL, NULL, &before);
            failure = errno;
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (ready <= 0) {
            if (ready < 0 && failure != EINTR) return EOF;
            rl_check_signals();
        }
        if (take_interrupt()) {
            phase = accept_pending;
            return 7;
        }
        if (ready > 0 && FD_ISSET(terminal, &descriptors)) {
            unsigned char byte;
            ssize_t count = read(terminal, &byte, 1);
            if (count == 1) return byte;
            if (count == 0 || (errno != EINTR && errno != EAGAIN)) return EOF;
        }
    }
}

void ctelltale_keys_start(int interrupts) {
    interrupt_pipe = interrupts;
    rl_getc_function = get_byte;
}

void ctelltale_keys_begin_line(void) {
    interrupted = false;
    phase = no_interrupt;
    // A Ctrl-C that came just after the last command had ended was meant for that command.
    (void)take_interrupt();
}

bool ctelltale_keys_were_interrupted(void) { return interrupted; }
