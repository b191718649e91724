// The forms of attributes' values, and the entries they refer to.
#if TELLTALE_AGENT
#include "symbols/dwarf_reader.h"

#include <string.h>

enum {
    FormAddress = 0x01,
    FormBlock2 = 0x03,
    FormBlock4 = 0x04,
    FormData2 = 0x05,
    FormData4 = 0x06,
    FormData8 = 0x07,
    FormString = 0x08,
    FormBlock = 0x09,
    FormBlock1 = 0x0a,
    FormData1 = 0x0b,
    FormFlag = 0x0c,
    FormSigned = 0x0d,
    FormStringOffset = 0x0e,
    FormUnsigned = 0x0f,
    FormReferenceAddress = 0x10,
    FormReference1 = 0x11,
    FormReference2 = 0x12,
    FormReference4 = 0x13,
    FormReference8 = 0x14,
    FormReferenceUnsigned = 0x15,
    FormIndirect = 0x16,
    FormSectionOffset = 0x17,
    FormExpression = 0x18,
    FormPresent = 0x19,
    FormStringIndex = 0x1a,
    FormAddressIndex = 0x1b,
    FormSupplementary4 = 0x1c,
    FormSupplementaryString = 0x1d,
    FormData16 = 0x1e,
    FormLineString = 0x1f,
    FormSignature = 0x20,
    FormImplicit = 0x21,
    FormLocationIndex = 0x22,
    FormRangeIndex = 0x23,
    FormSupplementary8 = 0x24,
    FormStringIndex1 = 0x25,
    FormStringIndex4 = 0x28,
    FormAddressIndex1 = 0x29,
    FormAddressIndex4 = 0x2c,
    FormGNUAddressIndex = 0x1f01,
    FormGNUStringIndex = 0x1f02,
    FormGNUReferenceAlternate = 0x1f20,
    FormGNUStringAlternate = 0x1f21,
};

int form_size(const Unit *unit, uint64_t form) {
    int offset = unit->is_64bit ? 8 : 4;
    switch (form) {
    case FormAddress: return unit->address_size;
    case FormData1: case FormFlag: case FormReference1: case FormStringIndex1: case FormAddressIndex1:
        return 1;
    case FormData2: case FormReference2: case FormStringIndex1 + 1: case FormAddressIndex1 + 1: return 2;
    case FormStringIndex1 + 2: case FormAddressIndex1 + 2: return 3;
    case FormData4: case FormReference4: case FormSupplementary4: case FormStringIndex4:
    case FormAddressIndex4:
        return 4;
    case FormData8: case FormReference8: case FormSignature: case FormSupplementary8: return 8;
    case FormData16: return 16;
    case FormStringOffset: case FormReferenceAddress: case FormSectionOffset: case FormLineString:
    case FormSupplementaryString: case FormGNUReferenceAlternate: case FormGNUStringAlternate:
        return offset;
    case FormPresent: case FormImplicit: return 0;
    default: return -1;
    }
}

static Value made(ValueKind kind, uint64_t value) { return (Value){kind, 0, value}; }

static Value skipped(Cursor *cursor, uint64_t count) {
    cursor_skip(cursor, count);
    return made(ValueNone, 0);
}

Value value_read(Cursor *cursor, const Unit *unit, uint64_t form, int64_t implicit) {
    // An indirect form names another one, once: a chain of them has no use.
    if (form == FormIndirect) form = cursor_uleb(cursor);
    int size = form_size(unit, form);
    switch (form) {
    case FormAddress: return made(ValueAddress, cursor_number(cursor, (unsigned)size));
    case FormData1: case FormData2: case FormData4: case FormData8:
        return made(ValueConstant, cursor_number(cursor, (unsigned)size));
    case FormFlag: return skipped(cursor, 1);
    case FormPresent: return made(ValueNone, 0);
    case FormSigned: return made(ValueConstant, (uint64_t)cursor_sleb(cursor));
    case FormUnsigned: return made(ValueConstant, cursor_uleb(cursor));
    case FormImplicit: return made(ValueConstant, (uint64_t)implicit);
    case FormString: {
        Value value = {ValueText, (uint8_t)cursor->section, cursor_offset(cursor)};
        cursor_skip_text(cursor);
        return value;
    }
    case FormStringOffset:
        return (Value){ValueText, SectionStrings, cursor_number(cursor, (unsigned)size)};
    case FormLineString:
        return (Value){ValueText, SectionLineStrings, cursor_number(cursor, (unsigned)size)};
    case FormStringIndex: case FormGNUStringIndex: return made(ValueTextIndex, cursor_uleb(cursor));
    case FormAddressIndex: case FormGNUAddressIndex:
        return made(ValueAddressIndex, cursor_uleb(cursor));
    case FormReference1: case FormReference2: case FormReference4: case FormReference8:
        return made(ValueReference, unit->offset + cursor_number(cursor, (unsigned)size));
    case FormReferenceUnsigned: return made(ValueReference, unit->offset + cursor_uleb(cursor));
    case FormReferenceAddress: return made(ValueReference, cursor_number(cursor, (unsigned)size));
    case FormSectionOffset: return made(ValueSectionOffset, cursor_number(cursor, (unsigned)size));
    case FormRangeIndex: return made(ValueRangeIndex, cursor_uleb(cursor));
    case FormLocationIndex:
        cursor_uleb(cursor);
        return made(ValueNone, 0);
    case FormBlock1: return skipped(cursor, cursor_u8(cursor));
    case FormBlock2: return skipped(cursor, cursor_u16(cursor));
    case FormBlock4: return skipped(cursor, cursor_u32(cursor));
    case FormBlock: case FormExpression: return skipped(cursor, cursor_uleb(cursor));
    default:
        if (form >= FormStringIndex1 && form <= FormStringIndex4)
            return made(ValueTextIndex, cursor_number(cursor, (unsigned)size));
        if (form >= FormAddressIndex1 && form <= FormAddressIndex4)
            return made(ValueAddressIndex, cursor_number(cursor, (unsigned)size));
        // References into a supplementary file are not followed.
        if (size >= 0) return skipped(cursor, (uint64_t)size);
        cursor->failed = true;
        return made(ValueNone, 0);
    }
}

/// Reads the number at `index` of a table in a section.
static bool entry_of(const CTelltaleObject *object, SectionKind section, uint64_t base, uint64_t index,
                     unsigned size, uint64_t *value) {
    if (index > UINT32_MAX || base > UINT64_MAX / 2) return false;
    *value = 0;
    return size <= 8 && section_read(object, section, base + index * size, value, size);
}

bool value_address(const CTelltaleObject *object, const Unit *unit, Value value, uint64_t *address) {
    if (value.kind == ValueAddress) {
        *address = value.value;
        return true;
    }
    return value.kind == ValueAddressIndex &&
           entry_of(object, SectionAddresses, unit->address_base, value.value, unit->address_size,
                    address);
}

bool value_text(const CTelltaleObject *object, const Unit *unit, Value value, SectionKind *section,
                uint64_t *offset) {
    if (value.kind == ValueText) {
        *section = (SectionKind)value.section;
        *offset = value.value;
        return true;
    }
    *section = SectionStrings;
    return value.kind == ValueTextIndex && entry_of(object, SectionStringOffsets, unit->string_base,
                                                    value.value, unit->is_64bit ? 8 : 4, offset);
}

void attributes_take(Attributes *a, uint64_t name, Value value) {
    if (value.kind == ValueNone) return;
    switch (name) {
    case 0x03: a->name = value; break;
    case 0x10: a->lines = value; break;
    case 0x11: a->low = value; break;
    case 0x12: a->high = value; break;
    case 0x1b: a->directory = value; break;
    case 0x31: a->origin = value; break;
    case 0x47: a->specification = value; break;
    case 0x55: a->ranges = value; break;
    case 0x58: a->call_file = value; break;
    case 0x59: a->call_line = value; break;
    case 0x6e: case 0x2007: a->linkage_name = value; break;
    case 0x72: a->string_base = value; break;
    case 0x73: case 0x2133: a->address_base = value; break;
    case 0x74: a->range_list_base = value; break;
    // DW_AT_APPLE_optimized, which Swift writes everywhere.
    case 0x3fe1: a->is_optimised = value; break;
    default: break;
    }
}

// MARK: Ranges

// The ends of an entry, by its kind: an address, an index of one, an offset from the base, or the length.
enum { EndAddress, EndIndex, EndOffset, EndLength };
static const uint8_t range_ends[][2] = {
    [2] = {EndIndex, EndIndex},      // startx_endx
    [3] = {EndIndex, EndLength},     // startx_length
    [4] = {EndOffset, EndOffset},    // offset_pair
    [6] = {EndAddress, EndAddress},  // start_end
    [7] = {EndAddress, EndLength},   // start_length
};

static bool range_end(Cursor *cursor, const Unit *unit, uint8_t end, uint64_t base, uint64_t low,
                      uint64_t *address) {
    switch (end) {
    case EndAddress: *address = cursor_number(cursor, unit->address_size); return true;
    case EndOffset: *address = base + cursor_uleb(cursor); return true;
    case EndLength: *address = low + cursor_uleb(cursor); return true;
    default:
        return value_address(cursor->object, unit, made(ValueAddressIndex, cursor_uleb(cursor)), address);
    }
}

static void ranges_of_list(const CTelltaleObject *object, const Unit *unit, uint64_t offset,
                           RangeCall each, void *context) {
    uint8_t buffer[ShortWindow];
    Cursor cursor;
    cursor_open(&cursor, object, SectionRangeLists, offset, UINT64_MAX, buffer, sizeof buffer);
    uint64_t base = unit->base_address;
    while (!cursor_ends(&cursor)) {
        uint64_t low = 0, high = 0;
        uint8_t kind = cursor_u8(&cursor);
        if (kind == 0 || kind > 7) return;
        if (kind == 1 || kind == 5) {  // base_addressx, base_address
            range_end(&cursor, unit, kind == 1 ? EndIndex : EndAddress, 0, 0, &base);
            continue;
        }
        bool known = range_end(&cursor, unit, range_ends[kind][0], base, 0, &low);
        known &= range_end(&cursor, unit, range_ends[kind][1], base, low, &high);
        if (!cursor.failed && known && low < high) each(context, low, high);
    }
}

static void ranges_before_5(const CTelltaleObject *object, const Unit *unit, uint64_t offset,
                            RangeCall each, void *context) {
    uint8_t buffer[ShortWindow];
    Cursor cursor;
    cursor_open(&cursor, object, SectionRanges, offset, UINT64_MAX, buffer, sizeof buffer);
    uint64_t base = unit->base_address;
    uint64_t all = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    while (!cursor_ends(&cursor)) {
        uint64_t low = cursor_number(&cursor, unit->address_size);
        uint64_t high = cursor_number(&cursor, unit->address_size);
        if (cursor.failed || (low == 0 && high == 0)) return;
        if (low == all) base = high;
        else if (low < high) each(context, base + low, base + high);
    }
}

void ranges_each(const CTelltaleObject *object, const Unit *unit, const Attributes *a, RangeCall each,
                 void *context) {
    uint64_t low, high;
    if (a->ranges.kind == ValueRangeIndex) {
        uint64_t offset;
        if (entry_of(object, SectionRangeLists, unit->range_list_base, a->ranges.value,
                     unit->is_64bit ? 8 : 4, &offset) &&
            offset < UINT64_MAX / 2)
            ranges_of_list(object, unit, unit->range_list_base + offset, each, context);
    } else if (a->ranges.kind != ValueNone) {
        if (unit->version >= 5) ranges_of_list(object, unit, a->ranges.value, each, context);
        else ranges_before_5(object, unit, a->ranges.value, each, context);
    } else if (value_address(object, unit, a->low, &low)) {
        // The upper end is an address, or the length.
        if (a->high.kind == ValueConstant) high = low + a->high.value;
        else if (!value_address(object, unit, a->high, &high)) return;
        if (low < high) each(context, low, high);
    }
}
#endif
