// A C++ symbol's function, by the C++ library's own demangler.
//
// That one gives back what a name stands for at any length: each reference to a part of the name (`S1_`,
// `T_`) is written out, so that 250 bytes make 570 MB (measured). Names that could do so stay as they are:
// one of 100 in a large C++ program, and those are long.
#define _GNU_SOURCE
#include "CTelltaleSystem.h"

#ifdef CTELLTALE_AGENT

#include <stdlib.h>
#include <string.h>

// Swift's runtime is linked with it. Weak: a host without it has none.
extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

enum { MaximumSymbol = 1024, MaximumOutput = 4 << 20, LongestWord = 20, LongestAbbreviation = 100 };

/// `S1_`, `T_`: how long it is, 0 where there is none, and which one it means.
static size_t reference(const char *at, unsigned *index) {
    size_t length = 1;
    unsigned value = 0;
    for (; (at[length] >= '0' && at[length] <= '9') || (at[length] >= 'A' && at[length] <= 'Z'); length++) {
        unsigned digit = (unsigned)(at[length] <= '9' ? at[length] - '0' : at[length] - 'A' + 10);
        if (value < 1 << 20) value = value * 36 + digit;
    }
    if (at[length] != '_') return 0;
    *index = length == 1 ? 0 : value + 1;
    return length + 1;
}

static bool is_pack_of_parameter(const char *at) {
    unsigned index;
    while (*at == 'O' || *at == 'R' || *at == 'K' || *at == 'P') at++;
    return *at == 'T' && reference(at, &index);
}

/// Whether the output is bounded. A part can't be longer than all that stands in front of the first
/// reference to it, or to one that was made later; parts are counted as they are made.
static bool is_output_bounded(const char *symbol, size_t length) {
    struct {
        unsigned index;
        uint64_t size;
    } parts[24];
    size_t count = 0;
    uint64_t size = 0, parameter = 0;
    bool is_in_value = false;
    for (size_t i = 0; i < length;) {
        const char *at = symbol + i;
        size_t skipped = 0, number = 0;
        unsigned index;
        if (size > MaximumOutput) return false;
        if (*at >= '0' && *at <= '9') {
            // A name of so many bytes, unless it may be a value: `Li5E`, `LN4EnumE5E`.
            for (; at[skipped] >= '0' && at[skipped] <= '9' && number <= length; skipped++)
                number = number * 10 + (size_t)(at[skipped] - '0');
            bool may_be_value = is_in_value || (i > 0 && (at[-1] == 'E' || at[-1] == '_'));
            if (!may_be_value && number <= length - i - skipped) skipped += number;
            size += skipped + LongestWord;
            i += skipped;
            continue;
        }
        size += at[0] == 'S' && at[1] >= 'a' ? LongestAbbreviation : LongestWord;
        if (*at == 'S' && (skipped = reference(at, &index))) {
            size_t known = 0;
            while (known < count && parts[known].index < index) known++;
            if (known == count) {
                if (count == sizeof parts / sizeof parts[0]) return false;
                parts[count].index = index;
                parts[count++].size = size;
            }
            size += parts[known].size;
        } else if (*at == 'T' && (skipped = reference(at, &index))) {
            // Parameters change where others begin.
            if (!parameter) parameter = size;
            size += parameter;
        } else {
            if (*at == 'I' || *at == 'J') parameter = 0;
            if (*at == 'L' || *at == 'E') is_in_value = *at == 'L';
            // Packs are written out for each of their parts.
            if ((at[0] == 'D' && at[1] == 'p' && !is_pack_of_parameter(at + 2)) ||
                (at[0] == 's' && at[1] == 'p'))
                size *= length;
            skipped = 1;
        }
        i += skipped;
    }
    return size <= MaximumOutput;
}

char *_Nullable ctelltale_demangle_cpp(const char *symbol) {
    size_t length = strnlen(symbol, MaximumSymbol + 1);
    if (!__cxa_demangle || strncmp(symbol, "_Z", 2) || length > MaximumSymbol ||
        !is_output_bounded(symbol, length))
        return NULL;
    int status = 0;
    char *result = __cxa_demangle(symbol, NULL, NULL, &status);
    if (status == 0) return result;
    free(result);
    return NULL;
}
#endif
