// Texts, eight bytes at a time where most of them are simple: without optimisation each step costs the
// same, whatever it does.
#if TELLTALE_AGENT
#include "values/text.h"

#include <string.h>

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)
// Sets the high bit of each byte that is zero, and perhaps of one above it.
#define ZEROS(word) (((word) - ONES) & ~(word) & HIGHS)
#define BELOW_SPACE(word) (((word) - ONES * 0x20) & ~(word) & HIGHS)

static uint64_t last_bytes(const char *bytes, size_t size, uint8_t filling) {
    uint64_t word = ONES * filling;
    memcpy(&word, bytes, size);
    return word;
}

static bool is_special(uint64_t word) {
    return ((word & HIGHS) | BELOW_SPACE(word) | ZEROS(word ^ (ONES * '"')) |
            ZEROS(word ^ (ONES * '\\')) | ZEROS(word ^ (ONES * 0x7F))) != 0;
}

bool ctelltale_text_is_simple(const char *bytes, size_t size) {
    uint64_t word;
    for (; size >= 8; size -= 8, bytes += 8) {
        memcpy(&word, bytes, 8);
        if (is_special(word)) return false;
    }
    return size == 0 || !is_special(last_bytes(bytes, size, 'a'));
}

static unsigned look(uint64_t word) {
    unsigned seen = is_special(word) ? TextIsNotSimple : 0;
    if (ZEROS(word ^ (ONES * '=')) | ZEROS(word ^ (ONES * '%'))) seen |= TextHasMark;
    if (ZEROS(word ^ (ONES * ':'))) seen |= TextHasColon;
    return ZEROS(word ^ (ONES * '@')) ? seen | TextHasAt : seen;
}

typedef uint8_t Sixteen __attribute__((vector_size(16)));
typedef uint64_t Two __attribute__((vector_size(16)));

#define IS_ANY(mask) ((((Two)(mask))[0] | ((Two)(mask))[1]) != 0)

// Classifies those of 16 bytes that a mask selects. All tests are combined for text without special bytes,
// which is the most frequent.
static unsigned look_at_sixteen(const char *bytes, const Sixteen *lanes) {
    Sixteen text;
    __builtin_memcpy(&text, bytes, 16);
    // Bytes from a space on and below DEL are 0 to 94 less 32.
    Sixteen special = ((Sixteen)(text - 0x20 > 0x5E) | (Sixteen)(text == '"') | (Sixteen)(text == '\\')) & *lanes;
    Sixteen mark = ((Sixteen)(text == '=') | (Sixteen)(text == '%')) & *lanes;
    Sixteen colon = (Sixteen)(text == ':') & *lanes, at = (Sixteen)(text == '@') & *lanes;
    Sixteen all = special | mark | colon | at;
    if (!IS_ANY(all)) return 0;
    return (IS_ANY(special) ? TextIsNotSimple : 0) | (IS_ANY(mark) ? TextHasMark : 0) |
           (IS_ANY(colon) ? TextHasColon : 0) | (IS_ANY(at) ? TextHasAt : 0);
}

// A mask table: reading from 16 minus the text's length on selects as many first lanes as the text has
// bytes.
static const uint8_t lanes[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

unsigned ctelltale_text_look_short(const char *bytes, size_t size) {
    Sixteen mask;
    __builtin_memcpy(&mask, lanes + 16 - size, 16);
    return look_at_sixteen(bytes, &mask);
}

unsigned ctelltale_text_look(const char *bytes, size_t size) {
    unsigned seen = 0;
    if (size >= 16) {
        Sixteen all;
        __builtin_memcpy(&all, lanes, 16);
        for (size_t i = 0; i + 16 <= size; i += 16) seen |= look_at_sixteen(bytes + i, &all);
        // The last bytes, some of them for a second time.
        return size % 16 ? seen | look_at_sixteen(bytes + size - 16, &all) : seen;
    }
    uint64_t word;
    if (size >= 8) {
        memcpy(&word, bytes, 8);
        seen = look(word);
        memcpy(&word, bytes + size - 8, 8);
        return seen | look(word);
    }
    return size == 0 ? 0 : look(last_bytes(bytes, size, 'a'));
}

static bool is_header(char byte) {
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z') || byte == '-' ||
           byte == '_';
}

// Returns whether the text before a colon could be the name of a header that matters on one line: a name
// with a hyphen, `authorization` or `cookie`.
static bool may_be_header(const char *bytes, size_t size) {
    if (size == 0) return false;
    bool has_hyphen = false;
    for (size_t i = 0; i < size; i++) {
        if (!is_header(bytes[i])) return false;
        if (bytes[i] == '-') has_hyphen = true;
    }
    return has_hyphen || (bytes[0] | 0x20) == 'a' || (bytes[0] | 0x20) == 'c';
}

static bool ends_authority(char byte) {
    return (uint8_t)byte <= 32 || memchr("/?#\"<>`", byte, 8) != NULL;
}

// Returns whether a colon is between a host and its port: `//127.0.0.1:8000/`.
static bool is_port(const char *bytes, const char *end, const char *colon) {
    const char *start = colon, *port = colon + 1;
    while (start > bytes && start[-1] != ':' && !ends_authority(start[-1])) start--;
    if (start - bytes < 2 || start[-1] != '/' || start[-2] != '/') return false;
    while (port < end && *port >= '0' && *port <= '9') port++;
    return port == end || ends_authority(*port);
}

// Without `@`, `=` and `%` a secret can only follow a colon: in JSON after a quote, which a simple text
// does not have; after a header's name; and between `//` and a path, if the colon is not a scheme's.
bool ctelltale_text_may_hold_secret(const char *bytes, size_t size, unsigned seen) {
    if (!(seen & (TextHasMark | TextHasColon))) return false;
    if (seen & (TextIsNotSimple | TextHasAt | TextHasMark)) return true;
    const char *colon = bytes, *end = bytes + size;
    while ((colon = memchr(colon, ':', (size_t)(end - colon)))) {
        bool is_scheme = end - colon >= 3 && colon[1] == '/' && colon[2] == '/';
        if (!is_scheme && !is_port(bytes, end, colon) &&
            (may_be_header(bytes, (size_t)(colon - bytes)) || memmem(bytes, size, "//", 2))) return true;
        colon++;
    }
    return false;
}

// Decodes the scalar that begins at a position; returns its length, 0 if there is none.
static size_t scalar_at(const char *bytes, size_t size, uint32_t *scalar) {
    uint8_t first = (uint8_t)bytes[0];
    if (first < 0x80) {
        *scalar = first;
        return 1;
    }
    size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > size) return 0;
    uint32_t value = first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (((uint8_t)bytes[i] & 0xC0) != 0x80) return 0;
        value = value << 6 | ((uint8_t)bytes[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return 0;
    *scalar = value;
    return length;
}

static bool steers(uint32_t scalar) {
    if (scalar < 0x20 || (scalar >= 0x7F && scalar <= 0x9F)) return true;
    if (scalar < 0x061C) return false;
    return scalar == 0x061C || (scalar >= 0x200B && scalar <= 0x200F) ||
           (scalar >= 0x2028 && scalar <= 0x202E) || (scalar >= 0x2060 && scalar <= 0x206F) ||
           scalar == 0xFEFF || (scalar >= 0xFFF9 && scalar <= 0xFFFB) ||
           (scalar >= 0xE0000 && scalar <= 0xE007F);
}

bool ctelltale_text_is_utf8(const char *bytes, size_t size, bool *has_steering) {
    *has_steering = false;
    for (size_t i = 0; i < size;) {
        uint32_t scalar;
        size_t length = scalar_at(bytes + i, size - i, &scalar);
        if (length == 0) return false;
        if (steers(scalar)) *has_steering = true;
        i += length;
    }
    return true;
}

static size_t escape_unit(uint32_t unit, char *out) {
    static const char digits[] = "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'u';
    for (int i = 0; i < 4; i++) out[2 + i] = digits[unit >> (12 - 4 * i) & 0xF];
    return 6;
}

static size_t escape(uint32_t scalar, char *out) {
    char short_form = 0;
    switch (scalar) {
    case '"': short_form = '"'; break;
    case '\\': short_form = '\\'; break;
    case '\n': short_form = 'n'; break;
    case '\r': short_form = 'r'; break;
    case '\t': short_form = 't'; break;
    default: break;
    }
    if (short_form) {
        out[0] = '\\';
        out[1] = short_form;
        return 2;
    }
    if (scalar < 0x10000) return escape_unit(scalar, out);
    size_t size = escape_unit(0xD7C0 + (scalar >> 10), out);
    return size + escape_unit(0xDC00 + (scalar & 0x3FF), out + size);
}

size_t ctelltale_text_json(const char *bytes, size_t size, char *out) {
    size_t written = 0;
    for (size_t i = 0; i < size;) {
        uint32_t scalar = 0;
        size_t length = scalar_at(bytes + i, size - i, &scalar);
        if (length == 0) {
            // Invalid UTF-8 is never passed; this is the replacement that a String would make of it.
            memcpy(out + written, "\xEF\xBF\xBD", 3);
            written += 3;
            i++;
        } else if (scalar == '"' || scalar == '\\' || steers(scalar)) {
            written += escape(scalar, out + written);
            i += length;
        } else {
            memcpy(out + written, bytes + i, length);
            written += length;
            i += length;
        }
    }
    return written;
}

// MARK: Numbers

size_t ctelltale_text_natural(uint64_t number, char *out) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536"
                                "37383940414243444546474849505152535455565758596061626364656667686970717273"
                                "7475767778798081828384858687888990919293949596979899";
    char digits[20];
    size_t at = sizeof digits;
    while (number >= 100) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (number >= 10) {
        at -= 2;
        memcpy(digits + at, pairs + 2 * number, 2);
    } else {
        digits[--at] = (char)('0' + number);
    }
    memcpy(out, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

size_t ctelltale_text_integer(int64_t number, char *out) {
    if (number >= 0) return ctelltale_text_natural((uint64_t)number, out);
    out[0] = '-';
    return 1 + ctelltale_text_natural(0 - (uint64_t)number, out + 1);
}

size_t ctelltale_text_address(uint64_t number, char *out) {
    static const char digits[] = "0123456789abcdef";
    size_t size = 2;
    out[0] = '0';
    out[1] = 'x';
    int shift = 60;
    while (shift > 0 && number >> shift == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) out[size++] = digits[number >> shift & 0xF];
    return size;
}
#endif
