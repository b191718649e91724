#include <errno.h>
#include <locale.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "CTelltaleReadline.h"

struct ctelltale_candidates {
    char **words;
    size_t count;
    size_t room;
};

static ctelltale_completer completer;
static void *completer_context;
static int interrupt_pipe = -1;
static bool interrupted;

// More than any terminal shows; readline asks before it lists more than 100.
enum { most_candidates = 4096 };

void ctelltale_candidates_add(ctelltale_candidates *candidates, const char *word) {
    if (candidates->count >= most_candidates) return;
    if (candidates->count == candidates->room) {
        size_t room = candidates->room == 0 ? 32 : candidates->room * 2;
        char **words = realloc(candidates->words, room * sizeof *words);
        if (words == NULL) return;
        candidates->words = words;
        candidates->room = room;
    }
    char *copy = strdup(word);
    if (copy != NULL) candidates->words[candidates->count++] = copy;
}

static size_t next_candidate;
static ctelltale_candidates *current;

// readline takes ownership of each word.
static char *generate(const char *text, int state) {
    size_t length = strlen(text);
    if (state == 0) next_candidate = 0;
    while (current != NULL && next_candidate < current->count) {
        char *word = current->words[next_candidate];
        current->words[next_candidate++] = NULL;
        if (word == NULL) continue;
        if (strncmp(word, text, length) == 0) return word;
        free(word);
    }
    return NULL;
}

static char **attempt(const char *text, int start, int end) {
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    if (completer == NULL || start < 0 || end < start || rl_line_buffer == NULL) return NULL;
    char *line = strndup(rl_line_buffer, (size_t)end);
    if (line == NULL) return NULL;
    ctelltale_candidates found = {0};
    bool final = completer(line, (size_t)start, &found, completer_context);
    free(line);
    rl_attempted_completion_over = final ? 1 : 0;
    char **matches = NULL;
    if (found.count > 0) {
        current = &found;
        matches = rl_completion_matches(text, generate);
        current = NULL;
    }
    for (size_t index = 0; index < found.count; index++) free(found.words[index]);
    free(found.words);
    return matches;
}

// The editor counts columns by the locale. A terminal of today is in UTF-8 even where a container or
// `sudo` has taken LANG away.
static void use_utf8(void) {
    if (setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) setlocale(LC_CTYPE, "en_US.UTF-8");
}


static bool take_interrupt(void) {
    bool any = false;
    char byte;
    while (interrupt_pipe >= 0 && read(interrupt_pipe, &byte, 1) == 1) any = true;
    return any;
}

static enum { no_interrupt, accept_pending } phase;

// Reads a byte of the terminal, or the interrupt.
//
// readline's own SIGINT handler cleans up and sends the signal on to ours, which fills the pipe. The
// line is then ended in two steps: Ctrl-G first, which leaves a search or a question about the number
// of candidates, and then the end of an emptied line.
static int get_byte(FILE *stream) {
    int terminal = fileno(stream);
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

ctelltale_line_status ctelltale_editor_read(const char *prompt, char **line) {
    interrupted = false;
    phase = no_interrupt;
    // A Ctrl-C that came just after the last command had ended was meant for that command.
    (void)take_interrupt();
    *line = readline(prompt);
    if (interrupted) {
        free(*line);
        *line = NULL;
        return CTELLTALE_INTERRUPTED;
    }
    return *line == NULL ? CTELLTALE_END : CTELLTALE_LINE;
}

const char *ctelltale_editor_library(void) {
    static char text[64];
    snprintf(text, sizeof text, "GNU readline %s", rl_library_version);
    return text;
}


void ctelltale_editor_start(
    const char *name, const char *breaks, int interrupts, ctelltale_completer complete,
    void *context) {
    use_utf8();
    interrupt_pipe = interrupts;
    completer = complete;
    completer_context = context;
    // Both are kept by the library for as long as the program runs.
    rl_readline_name = strdup(name);
    rl_completer_word_break_characters = strdup(breaks);
    rl_attempted_completion_function = attempt;
    using_history();
    rl_getc_function = get_byte;
    // The bell of Ctrl-G on every Ctrl-C, and the paste marks in a recorded session, are noise.
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("enable-bracketed-paste", "off");
    // The candidates come in the order in which people count.
    rl_sort_completion_matches = 0;
    // Quotes don't begin a file name here: `cache["a b"]` is one path, and the caller finds its start.
    rl_completer_quote_characters = "";
    rl_basic_quote_characters = "";
}

void ctelltale_editor_remember(const char *line, int bound) {
    stifle_history(bound);
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last != NULL && strcmp(last->line, line) == 0) return;
    add_history(line);
}
