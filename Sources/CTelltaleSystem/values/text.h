//! The parts of a text that need no escape: in JSON, and on a terminal.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Returns whether all bytes are visible ASCII, without `"` and `\`: the same in JSON, in quotes and
/// unquoted.
bool ctelltale_text_is_simple(const char *bytes, size_t size);

/// Returns whether a text is UTF-8; sets `steers` if it contains a control scalar for a terminal
/// (`Unicode.Scalar.steersTerminal`).
bool ctelltale_text_is_utf8(const char *bytes, size_t size, bool *steers);

/// The kinds of bytes in a text.
enum {
    /// A byte for which `ctelltale_text_is_simple` is false.
    TextIsNotSimple = 1,
    /// `=` or `%`.
    TextHasMark = 2,
    TextHasColon = 4,
    /// `@`.
    TextHasAt = 8,
};
unsigned ctelltale_text_look(const char *bytes, size_t size);
/// For a text of less than 16 bytes in memory that is readable as far as 16.
unsigned ctelltale_text_look_short(const char *bytes, size_t size);

/// Returns whether `SecretURL.masking` must be called to find secrets in a text: false only if it would
/// find none. `seen` is the result of `ctelltale_text_look`.
bool ctelltale_text_may_hold_secret(const char *bytes, size_t size, unsigned seen);

/// Writes a text's JSON without the quotes, at most six times its size; returns the number of bytes.
size_t ctelltale_text_json(const char *bytes, size_t size, char *out);

/// Writes a number; returns the number of bytes, at most 20.
size_t ctelltale_text_natural(uint64_t number, char *out);
size_t ctelltale_text_integer(int64_t number, char *out);
/// Writes an address with `0x`; returns the number of bytes, at most 18.
size_t ctelltale_text_address(uint64_t number, char *out);

#pragma clang assume_nonnull end
