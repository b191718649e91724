// Bounds the output of demanglers for a symbol, and demangles C++ functions with the C++ library's own
// demangler.
//
// A demangler's output has no limit: each reference to an earlier part of the name is expanded, so that 250
// bytes of C++ make 570 MB, and 140 of Swift 70 MB (measured). An upper bound of the output is computed
// first. A name that could expand to megabytes stays as it is: among real names 1 in 100 of C++, and 1 in
// 10,000 of Swift.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <stdlib.h>
#include <string.h>

enum {
    MaximumSymbol = 1024,
    MaximumSwiftSymbol = 4096,
    MaximumOutput = 8 << 20,
    MaximumParts = 24,
    /// The maximum expansions of a byte of C++, an `Ss`, and a byte of Swift, except for a few.
    LongestWord = 20,
    LongestAbbreviation = 100,
    LongestPart = 24,
};

// MARK: Parts

/// The expansion of a name so far. A part of it can't be longer than everything before the first reference
/// to it, or to a later part; parts are counted as they are made.
typedef struct {
    uint64_t size;
    size_t count;
    struct {
        unsigned index;
        uint64_t size;
    } parts[MaximumParts];
} Parts;

/// Adds the expansion of a part; false if the total is too large.
static bool parts_use(Parts *all, unsigned index, uint64_t times) {
    size_t known = 0;
    while (known < all->count && all->parts[known].index < index) known++;
    if (known == all->count) {
        if (all->count == MaximumParts) return false;
        all->parts[all->count].index = index;
        all->parts[all->count++].size = all->size;
    }
    all->size += all->parts[known].size * times;
    return all->size <= MaximumOutput;
}

// MARK: C++

/// Parses a reference such as `S1_` or `T_`: returns its length, 0 if there is none, and its index.
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

static bool is_output_bounded(const char *symbol, size_t length) {
    Parts parts = {.size = 0};
    uint64_t parameter = 0;
    bool is_in_value = false;
    for (size_t i = 0; i < length;) {
        const char *at = symbol + i;
        size_t skipped = 0, number = 0;
        unsigned index;
        if (parts.size > MaximumOutput) return false;
        if (*at >= '0' && *at <= '9') {
            // Skips a name with a length prefix, unless it may be a value: `Li5E`, `LN4EnumE5E`.
            for (; at[skipped] >= '0' && at[skipped] <= '9' && number <= length; skipped++)
                number = number * 10 + (size_t)(at[skipped] - '0');
            bool may_be_value = is_in_value || (i > 0 && (at[-1] == 'E' || at[-1] == '_'));
            if (!may_be_value && number <= length - i - skipped) skipped += number;
            parts.size += skipped + LongestWord;
            i += skipped;
            continue;
        }
        parts.size += at[0] == 'S' && at[1] >= 'a' ? LongestAbbreviation : LongestWord;
        if (*at == 'S' && (skipped = reference(at, &index))) {
            if (!parts_use(&parts, index, 1)) return false;
        } else if (*at == 'T' && (skipped = reference(at, &index))) {
            // A parameter expands to at most everything before its first use; `I` and `J` begin other arguments.
            if (!parameter) parameter = parts.size;
            parts.size += parameter;
        } else {
            if (*at == 'I' || *at == 'J') parameter = 0;
            if (*at == 'L' || *at == 'E') is_in_value = *at == 'L';
            // Packs are written out for each of their parts.
            if ((at[0] == 'D' && at[1] == 'p' && !is_pack_of_parameter(at + 2)) ||
                (at[0] == 's' && at[1] == 'p'))
                parts.size *= length;
            skipped = 1;
        }
        i += skipped;
    }
    return parts.size <= MaximumOutput;
}

// Swift's runtime is linked with it. Weak, for a host without it.
extern char *__cxa_demangle(const char *, char *, size_t *, int *) __attribute__((weak));

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

// MARK: Swift

// `AbC` is the second part and the third, `A3B` is the second part three times, `A5_` is the 33rd.
bool ctelltale_swift_symbol_is_bounded(const char *symbol) {
    size_t length = strnlen(symbol, MaximumSwiftSymbol + 1);
    if (length > MaximumSwiftSymbol) return false;
    Parts parts = {.size = 0};
    for (size_t i = 0; i < length;) {
        const char *at = symbol + i;
        if (parts.size > MaximumOutput) return false;
        parts.size += LongestPart;
        i++;
        if (*at == 'A') {
            bool is_last = false;
            while (!is_last && i < length) {
                size_t number = 0;
                bool has_number = symbol[i] >= '0' && symbol[i] <= '9';
                for (; symbol[i] >= '0' && symbol[i] <= '9'; i++)
                    if (number < MaximumSwiftSymbol) number = number * 10 + (size_t)(symbol[i] - '0');
                char letter = symbol[i];
                unsigned index;
                if (letter >= 'a' && letter <= 'z') {
                    index = (unsigned)(letter - 'a');
                } else if (letter >= 'A' && letter <= 'Z') {
                    index = (unsigned)(letter - 'A');
                    is_last = true;
                } else if (letter == '_') {
                    index = (unsigned)number + 26 + has_number;
                    number = 0;
                    is_last = true;
                } else {
                    break;
                }
                i++;
                if (!parts_use(&parts, index, number ? number : 1)) return false;
            }
        } else if (*at == '0') {
            // Words of earlier names, before the rest of this one.
            while (symbol[i] >= 'a' && symbol[i] <= 'z') i++;
            if (symbol[i] >= 'A' && symbol[i] <= 'Z') i++;
        } else if (*at >= '1' && *at <= '9') {
            size_t number = (size_t)(*at - '0');
            for (; symbol[i] >= '0' && symbol[i] <= '9'; i++)
                if (number < MaximumSwiftSymbol) number = number * 10 + (size_t)(symbol[i] - '0');
            // An index, a count of `S`, or a pass of the optimiser is not a name; the discriminator
            // of files' private names is one.
            bool is_file = number == 33 && length - i > 34 && !memcmp(symbol + i + 33, "LL", 2);
            bool is_name =
                at - symbol >= 2 && symbol[i] != '_' && at[-1] != 'S' && at[-2] != 'T';
            if ((is_name || is_file) && number <= length - i) {
                parts.size += number;
                i += number;
            }
        }
    }
    return parts.size <= MaximumOutput;
}
#endif
