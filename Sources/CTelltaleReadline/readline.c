// For wcswidth.
#define _GNU_SOURCE
#include <locale.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "CTelltaleReadline.h"
#include "keys.h"

// A word, NULL if it is only shown, and its text in a list.
struct candidate {
    char *word;
    char *shown;
};

struct ctelltale_candidates {
    struct candidate *all;
    size_t count;
    size_t room;
};

static ctelltale_completer completer;
static void *completer_context;

// More than any terminal shows; readline asks before it lists more than 100.
enum { most_candidates = 4096 };

void ctelltale_candidates_add(
    ctelltale_candidates *candidates, const char *word, const char *shown) {
    if (candidates->count >= most_candidates) return;
    if (candidates->count == candidates->room) {
        size_t room = candidates->room == 0 ? 32 : candidates->room * 2;
        struct candidate *all = realloc(candidates->all, room * sizeof *all);
        if (all == NULL) return;
        candidates->all = all;
        candidates->room = room;
    }
    struct candidate made = {word == NULL ? NULL : strdup(word), strdup(shown)};
    if (made.shown == NULL || (word != NULL && made.word == NULL)) {
        free(made.word);
        free(made.shown);
        return;
    }
    candidates->all[candidates->count++] = made;
}

static size_t next_candidate;
// The candidates of the last completion: the list of them is asked for later.
static ctelltale_candidates found;

static void forget_candidates(void) {
    for (size_t index = 0; index < found.count; index++) {
        free(found.all[index].word);
        free(found.all[index].shown);
    }
    free(found.all);
    found = (ctelltale_candidates){0};
}

// readline takes ownership of each word.
static char *generate(const char *text, int state) {
    size_t length = strlen(text);
    if (state == 0) next_candidate = 0;
    while (next_candidate < found.count) {
        const char *word = found.all[next_candidate++].word;
        if (word != NULL && strncmp(word, text, length) == 0) return strdup(word);
    }
    return NULL;
}

// `matches` followed by the hints, and `text` as the common prefix if there is nothing else: that
// changes nothing in the line. A single word is inserted, whatever hints there are.
static char **with_hints(char **matches, const char *text) {
    size_t words = 0;
    while (matches != NULL && matches[words] != NULL) words++;
    if (words == 1) return matches;
    size_t hints = 0;
    for (size_t index = 0; index < found.count; index++) {
        if (found.all[index].word == NULL) hints++;
    }
    if (hints == 0) return matches;
    if (words == 0) words = 1;
    char **all = realloc(matches, (words + hints + 1) * sizeof *all);
    if (all == NULL) return matches;
    if (matches == NULL) all[0] = strdup(text);
    for (size_t index = 0; index < found.count; index++) {
        if (found.all[index].word == NULL) all[words++] = strdup(found.all[index].shown);
    }
    all[words] = NULL;
    return all;
}

static char **attempt(const char *text, int start, int end) {
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    if (completer == NULL || start < 0 || end < start || rl_line_buffer == NULL) return NULL;
    char *line = strndup(rl_line_buffer, (size_t)end);
    if (line == NULL) return NULL;
    forget_candidates();
    bool final = completer(line, (size_t)start, &found, completer_context);
    free(line);
    rl_attempted_completion_over = final ? 1 : 0;
    if (found.count == 0) return NULL;
    return with_hints(rl_completion_matches(text, generate), text);
}

// Returns the number of terminal columns of a text; its bytes if the locale can't say.
static int columns(const char *text) {
    wchar_t wide[1024];
    size_t count = mbstowcs(wide, text, sizeof wide / sizeof *wide);
    int width = count == (size_t)-1 ? -1 : wcswidth(wide, count);
    return width < 0 ? (int)strlen(text) : width;
}

// Returns the shown text of a match. Matches come in the order of the candidates, so that each is
// searched for after the last one.
static char *shown_of(const char *match, size_t *next) {
    for (size_t step = 0; step < found.count; step++) {
        struct candidate *one = &found.all[(*next + step) % found.count];
        if (strcmp(one->word == NULL ? one->shown : one->word, match) != 0) continue;
        *next = (*next + step + 1) % found.count;
        return one->shown;
    }
    return NULL;
}

// readline asks only where it lists them itself.
static bool is_list_wanted(int count) {
    if (rl_completion_query_items <= 0 || count < rl_completion_query_items) return true;
    fprintf(rl_outstream, "\nDisplay all %d possibilities? (y or n)", count);
    fflush(rl_outstream);
    while (true) {
        int key = rl_read_key();
        if (key == 'y' || key == 'Y' || key == ' ') return true;
        // Also Ctrl-G, which Ctrl-C is mapped to, and the end of the input.
        if (key == 'n' || key == 'N' || key == 127 || key == 7 || key < 0) return false;
    }
}

// Lists the texts of the matches; the first match is the common prefix.
static void list(char **matches, int count, int widest) {
    if (!is_list_wanted(count)) {
        rl_crlf();
        rl_on_new_line();
        rl_forced_update_display();
        return;
    }
    char **shown = calloc((size_t)count + 2, sizeof *shown);
    size_t next = 0;
    if (shown != NULL) {
        shown[0] = matches[0];
        widest = 0;
        for (int index = 1; index <= count; index++) {
            char *text = shown_of(matches[index], &next);
            shown[index] = text == NULL ? matches[index] : text;
            int width = columns(shown[index]);
            if (width > widest) widest = width;
        }
    }
    rl_display_match_list(shown == NULL ? matches : shown, count, widest);
    free(shown);
    rl_forced_update_display();
}

// The editor counts columns by the locale. A terminal of today is in UTF-8 even where a container or
// `sudo` has taken LANG away.
static void use_utf8(void) {
    if (setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0) return;
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) setlocale(LC_CTYPE, "en_US.UTF-8");
}

ctelltale_line_status ctelltale_editor_read(const char *prompt, char **line) {
    ctelltale_keys_begin_line();
    *line = readline(prompt);
    if (ctelltale_keys_were_interrupted()) {
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
    ctelltale_keys_start(interrupts);
    completer = complete;
    completer_context = context;
    // Both are kept by the library for as long as the program runs.
    rl_readline_name = strdup(name);
    rl_completer_word_break_characters = strdup(breaks);
    rl_attempted_completion_function = attempt;
    rl_completion_display_matches_hook = list;
    using_history();
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
