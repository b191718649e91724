#ifndef CTELLTALE_READLINE_H
#define CTELLTALE_READLINE_H

// The client's terminal: a line editor over GNU readline, and Ctrl-C.
//
// This target is the licence boundary: only the program `telltale` links it. None of the functions
// may be called from two threads at once; the interrupt pipe may be read from any.

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef enum {
    CTELLTALE_LINE,
    /// Ctrl-C: the typed text is dropped.
    CTELLTALE_INTERRUPTED,
    /// Ctrl-D on an empty line, or the terminal has gone.
    CTELLTALE_END,
} ctelltale_line_status;

/// The candidates of one completion, filled by the callback through `ctelltale_candidates_add`.
typedef struct ctelltale_candidates ctelltale_candidates;

/// Finds the completions of a word.
///
/// - `line` is the text before the cursor, UTF-8, ended by zero.
/// - `start` is the byte in `line` at which the word begins that a candidate replaces.
/// - Returns true if the answer is final; false to have file names completed.
typedef bool (*ctelltale_completer)(
    const char *line, size_t start, ctelltale_candidates *candidates, void *_Nullable context);

/// Makes the line editor ready: reads the user's key bindings, sets the locale to one in UTF-8.
///
/// - `name` selects the `$if` sections of `~/.inputrc`; it is copied.
/// - `breaks` are the characters that end a word; copied.
/// - `interrupts` is the pipe of `ctelltale_interrupt_install`, or -1.
void ctelltale_editor_start(
    const char *name, const char *breaks, int interrupts, ctelltale_completer completer,
    void *_Nullable context);

/// Reads one line, showing `prompt`.
///
/// - `line` is set to the line without its end, to be freed by the caller with `free`; to NULL if
///   the status is not `CTELLTALE_LINE`.
ctelltale_line_status ctelltale_editor_read(
    const char *prompt, char *_Nullable *_Nonnull line);

/// Adds a line to the history in memory, which keeps at most `bound` lines.
void ctelltale_editor_remember(const char *line, int bound);

/// Adds a candidate: the complete replacement of the word, and its text in a list of several.
/// Copied; dropped if memory is short.
///
/// - `word` is NULL for a hint, which is shown below the others, and replaces nothing.
void ctelltale_candidates_add(
    ctelltale_candidates *candidates, const char *_Nullable word, const char *shown);

/// Has Ctrl-C (SIGINT) write one byte into a pipe from now on, instead of ending the program.
///
/// - Returns the pipe's end to read from, non-blocking and closed on exec; -1 with `errno` set.
int ctelltale_interrupt_install(void);

/// The program's argument of this number, 0 for its name; NULL behind the last one.
const char *_Nullable ctelltale_argument(int index);

/// The name and version of the library that edits lines, such as `GNU readline 8.2`.
const char *ctelltale_editor_library(void);

#pragma clang assume_nonnull end

#endif
