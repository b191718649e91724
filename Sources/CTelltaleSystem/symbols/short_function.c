// Shortens a demangled Swift function so that it fits a screen.
//
// In C, since each new function of a dump goes through it, and Swift at -Onone takes 300 us for one, while
// this takes 3 (measured at -O0). One pass finds the brackets; then each part is copied once, so that the
// work is bounded by the length.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <stdlib.h>
#include <string.h>

enum { MaximumLength = 16384 };

typedef struct {
    const char *bytes;
    /// The number of open brackets around each byte; the brackets themselves count as outside.
    uint16_t *depths;
    char *output;
    size_t used, capacity;
} Shortening;

typedef struct {
    size_t start, end;
} Range;

static bool is_operator(char byte) { return byte && strchr("/=-+!*%<>&|^~?", byte) != NULL; }

static void put(Shortening *s, const char *text, size_t count) {
    if (count > s->capacity - s->used) count = s->capacity - s->used;
    memcpy(s->output + s->used, text, count);
    s->used += count;
}

static void put_range(Shortening *s, Range range) { put(s, s->bytes + range.start, range.end - range.start); }
static void put_word(Shortening *s, const char *word) { put(s, word, strlen(word)); }

static bool starts(const Shortening *s, Range range, const char *word) {
    size_t count = strlen(word);
    return count <= range.end - range.start && !memcmp(s->bytes + range.start, word, count);
}

/// Returns the position of `word`, outside of all brackets that are opened in `range`; its end if
/// it isn't there.
static size_t find(const Shortening *s, Range range, const char *word) {
    for (size_t i = range.start; i < range.end; i++)
        if (s->bytes[i] == word[0] && s->depths[i] == s->depths[range.start] &&
            starts(s, (Range){i, range.end}, word))
            return i;
    return range.end;
}

/// Returns the position of `word`; the range's end if it isn't there.
static size_t find_anywhere(const Shortening *s, Range range, const char *word) {
    for (size_t i = range.start; i < range.end; i++)
        if (starts(s, (Range){i, range.end}, word)) return i;
    return range.end;
}

/// Returns the position of the bracket that closes the one at `index`; the range's end without one.
static size_t closing(const Shortening *s, size_t index, size_t end) {
    for (size_t i = index + 1; i < end; i++)
        if (s->depths[i] == s->depths[index]) return i;
    return end;
}

static void find_depths(Shortening *s, size_t length) {
    uint16_t depth = 0;
    char previous = 0;
    // An operator such as `Int.< infix`: its `<` opens nothing.
    bool in_operator = false;
    for (size_t i = 0; i < length; i++) {
        char byte = s->bytes[i];
        in_operator = is_operator(byte) && (in_operator || previous == '.');
        bool opens = byte == '(' || byte == '[' || (byte == '<' && !in_operator);
        bool closes =
            byte == ')' || byte == ']' || (byte == '>' && !in_operator && previous != '-');
        if (closes && depth > 0) depth--;
        s->depths[i] = depth;
        if (opens) depth++;
        previous = byte;
    }
}

// MARK: Compiler words before a name

static const char *const wrappings[] = {
    "await resume partial function for ", "suspend resume partial function for ",
    "partial apply forwarder for ",       "protocol witness for ",
    "dispatch thunk of ",                 "merged ",
    "@objc ",                             "@nonobjc ",
    "async function pointer to ",         "curry thunk of ",
    "freestanding ",
};

static const char *const specializations[] = {
    "generic specialization ",         "generic not re-abstracted specialization ",
    "generic partial specialization ", "generic pre-specialization ",
    "generic not-reabstracted specialization ", "function signature specialization ",
    "inlined generic function ",
};

/// Removes one compiler word before the function; false if there is none.
static bool unwrap(const Shortening *s, Range *range) {
    // `(1) await resume…`
    if (starts(s, *range, "(") && range->end - range->start > 1 &&
        s->bytes[range->start + 1] >= '0' && s->bytes[range->start + 1] <= '9') {
        size_t end = closing(s, range->start, range->end);
        if (end + 2 < range->end && s->bytes[end + 1] == ' ') {
            range->start = end + 2;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof wrappings / sizeof wrappings[0]; i++) {
        if (!starts(s, *range, wrappings[i])) continue;
        range->start += strlen(wrappings[i]);
        if (range->start < range->end) range->end = find(s, *range, " in conformance ");
        return true;
    }
    for (size_t i = 0; i < sizeof specializations / sizeof specializations[0]; i++) {
        if (!starts(s, *range, specializations[i])) continue;
        size_t of = find(s, *range, " of ");
        // `<Arg[1] = [Closure Propagated : …, Argument Types : []> of`: a bracket is not closed.
        if (of == range->end) of = find_anywhere(s, *range, "> of ") + 1;
        if (of >= range->end) return false;
        range->start = of + 4;
        return true;
    }
    return false;
}

// MARK: One name

/// Writes `(_:to:)` for `(Swift.Int, to: Swift.String)`.
static void put_labels(Shortening *s, Range range) {
    put_word(s, "(");
    while (range.start < range.end) {
        size_t end = find(s, range, ",");
        size_t i = range.start;
        while (i < end && !strchr(": .(", s->bytes[i])) i++;
        bool has_label = i < end && i > range.start && s->bytes[i] == ':';
        if (has_label) put_range(s, (Range){range.start, i});
        else put_word(s, "_");
        put_word(s, ":");
        range.start = end + 1;
        while (range.start < range.end && s->bytes[range.start] == ' ') range.start++;
    }
    put_word(s, ")");
}

/// Returns whether the space at `index` is followed by a word that only belongs to the text of a
/// declaration: ` infix(`, ` #1 (`. Gives the end of that word.
static bool skips_word(const Shortening *s, size_t index, size_t end, size_t *next) {
    size_t i = index + 1;
    while (i < end && !strchr(" (<", s->bytes[i])) i++;
    Range word = {index + 1, i};
    size_t count = i - word.start;
    *next = i;
    return count == 0 || s->bytes[word.start] == '#' || (count == 5 && starts(s, word, "infix")) ||
           (count == 6 && starts(s, word, "prefix")) || (count == 7 && starts(s, word, "postfix"));
}

/// Writes an entity such as `Module.Type.name<A>(label: Int) -> ()`.
static void put_entity(Shortening *s, Range range) {
    Range whole = range;
    if (starts(s, range, "(extension in ")) {
        size_t end = closing(s, range.start, range.end);
        if (end + 1 < range.end && s->bytes[end + 1] == ':') range.start = end + 2;
    }
    range.end = find(s, range, " : ");
    size_t begin = s->used, component = begin;
    // The end of the first component in the output: that is the module.
    size_t module = 0;
    for (size_t i = range.start; i < range.end; i++) {
        char byte = s->bytes[i];
        bool is_empty = s->used == component;
        if (byte == '.' && !is_empty && s->output[s->used - 1] != '.') {
            put_word(s, ".");
            component = s->used;
            if (module == 0) module = s->used;
        } else if (byte == '(') {
            size_t end = closing(s, i, range.end);
            if (end == range.end) break;
            Range inner = {i + 1, end};
            if (!is_empty) {
                put_labels(s, inner);
                break;
            }
            // A private name: `(Type in _0123456789ABCDEF)`.
            if (inner.start < inner.end) inner.end = find(s, inner, " in ");
            put_range(s, inner);
            i = end;
        } else if (byte == '<' && !(i + 1 < range.end && s->depths[i + 1] == s->depths[i])) {
            size_t end = closing(s, i, range.end);
            if (end == range.end) put(s, &byte, 1);
            else i = end;
        } else if (byte == ' ') {
            size_t next;
            if (!skips_word(s, i, range.end, &next)) break;
            i = next - 1;
        } else {
            put(s, &byte, 1);
        }
    }
    if (s->used == begin) {
        put_range(s, whole);
    } else if (module && module < s->used) {
        memmove(s->output + begin, s->output + module, s->used - module);
        s->used -= module - begin;
    }
}

/// Writes a part such as `closure #1 (Int) -> ()` or `static Module.Type.name(label: Int) -> ()`.
static void put_part(Shortening *s, Range range) {
    if (starts(s, range, "closure #") || starts(s, range, "implicit closure #")) {
        size_t number = find(s, range, "#");
        put_range(s, (Range){range.start, find(s, (Range){number, range.end}, " ")});
        return;
    }
    // `default argument 0 of Module.name(…)`, `type metadata accessor for Module.Type`
    while (range.start < range.end) {
        size_t of = find(s, range, " of "), after = of + 4;
        if (of == range.end) {
            of = find(s, range, " for ");
            after = of + 5;
        }
        if (of == range.end || after >= range.end) break;
        put_range(s, (Range){range.start, after});
        range.start = after;
    }
    if (starts(s, range, "static ")) {
        put_word(s, "static ");
        range.start += 7;
    }
    put_entity(s, range);
}

size_t ctelltale_short_function(const char *function, size_t length, char *output, size_t capacity) {
    Shortening s = {.bytes = function, .output = output, .capacity = capacity};
    if (length == 0 || length > MaximumLength || !(s.depths = malloc(length * sizeof *s.depths))) {
        put(&s, function, length);
        return s.used;
    }
    find_depths(&s, length);
    Range range = {0, length};
    while (range.start < range.end && unwrap(&s, &range)) {}
    if (starts(&s, range, "reabstraction thunk")) {
        put_word(&s, "reabstraction thunk");
    } else if (starts(&s, range, "macro expansion #")) {
        // The module, the file and the location follow, which the line already has.
        put_range(&s, (Range){range.start, find(&s, range, " in ")});
    } else {
        while (range.start < range.end) {
            size_t end = find(&s, range, " in ");
            put_part(&s, (Range){range.start, end});
            if (end == range.end) break;
            put_word(&s, " in ");
            range.start = end + 4;
        }
    }
    free(s.depths);
    return s.used;
}

// MARK: Searching

bool ctelltale_holds(const uint8_t *_Nullable whole, size_t whole_size,
                     const uint8_t *_Nullable part, size_t part_size) {
    if (part_size == 0 || !part) return true;
    return whole && memmem(whole, whole_size, part, part_size) != NULL;
}
#endif
