// Finds the entry of a function in an image's `.eh_frame`, through the table of `.eh_frame_hdr`, and reads
// it. All reads are guarded: the image may be unloaded in the meantime.
#if TELLTALE_AGENT
#include "memory/growing.h"
#include "unwind/unwind.h"

// Reads a complete entry of `.eh_frame`; its first four bytes are its length.
static size_t read_entry(uintptr_t address, uint8_t *buffer) {
    uint32_t length;
    if (!ctelltale_read_memory(address, &length, sizeof length)) return 0;
    if (length < 4 || length > LARGEST_ENTRY - 4) return 0;
    if (!ctelltale_read_memory(address, buffer, length + 4)) return 0;
    return length + 4;
}

static bool read_common(struct unwinder *unwinder, uintptr_t address, struct entry *entry) {
    size_t size = read_entry(address, unwinder->common_bytes);
    if (!size) return false;
    Cursor bytes = {.at = unwinder->common_bytes + 4, .end = unwinder->common_bytes + size};
    if (cursor_number(&bytes, 4) != 0) return false;
    uint64_t version = cursor_number(&bytes, 1);
    if (version != 1 && version != 3) return false;
    const char *augmentation = (const char *)bytes.at;
    const void *close = memchr(bytes.at, 0, (size_t)(bytes.end - bytes.at));
    if (!close) return false;
    bytes.at = (const uint8_t *)close + 1;
    entry->code_alignment = cursor_uleb(&bytes);
    entry->data_alignment = cursor_sleb(&bytes);
    entry->return_register = (unsigned)(version == 1 ? cursor_number(&bytes, 1) : cursor_uleb(&bytes));
    entry->pointer_encoding = 0;
    if (*augmentation == 'z') {
        entry->has_augmentation = true;
        uint64_t length = cursor_uleb(&bytes);
        if (bytes.failed || length > (uint64_t)(bytes.end - bytes.at)) return false;
        const uint8_t *after = bytes.at + length;
        for (augmentation++; *augmentation; augmentation++) {
            if (*augmentation == 'R') {
                entry->pointer_encoding = (uint8_t)cursor_number(&bytes, 1);
            } else if (*augmentation == 'P') {
                uint8_t encoding = (uint8_t)cursor_number(&bytes, 1);
                cursor_pointer(&bytes, encoding, 0);
            } else if (*augmentation == 'L') {
                cursor_number(&bytes, 1);
            } else if (*augmentation == 'S') {
                entry->is_signal_frame = true;
            } else if (*augmentation != 'B') {
                break;
            }
        }
        bytes.at = after;
    } else if (*augmentation) {
        return false;
    }
    entry->initial = bytes.at;
    entry->initial_end = bytes.end;
    return !bytes.failed && entry->return_register < REGISTERS;
}

// Searches the table of `.eh_frame_hdr`: pairs of four-byte offsets from the header, sorted.
static uintptr_t find_entry(const CTelltaleImage *image, uintptr_t pc) {
    uint8_t head[12];
    uintptr_t header = image->eh_frame_hdr;
    if (!header || image->eh_frame_hdr_size < sizeof head ||
        !ctelltale_read_memory(header, head, sizeof head) || head[0] != 1 || head[2] != 0x03 ||
        head[3] != 0x3b || (head[1] != 0x1b && head[1] != 0x1c && head[1] != 0x03))
        return 0;
    size_t skipped = 4 + ((head[1] & 0x0f) == 0x0c ? 8u : 4u);
    uint32_t count;
    if (!ctelltale_read_memory(header + skipped, &count, sizeof count)) return 0;
    uintptr_t table = header + skipped + 4;
    if (image->eh_frame_hdr_size < skipped + 4 ||
        count > (image->eh_frame_hdr_size - skipped - 4) / 8)
        return 0;
    int64_t wanted = (int64_t)(pc - header);

    struct {
        int32_t start, entry;
    } block[256];
    size_t low = 0, high = count;
    // The wanted entry is in [low, high); while that is a wide range, it is searched by single reads.
    while (high - low > sizeof block / sizeof *block) {
        size_t middle = low + (high - low) / 2;
        int32_t start;
        if (!ctelltale_read_memory(table + middle * 8, &start, sizeof start)) return 0;
        if (start <= wanted)
            low = middle;
        else
            high = middle;
    }
    if (high == low || !ctelltale_read_memory(table + low * 8, block, (high - low) * 8)) return 0;
    size_t before = SORTED_PREFIX(high - low, i, block[i].start <= wanted);
    return before ? header + (uintptr_t)(intptr_t)block[before - 1].entry : 0;
}

bool unwinder_read_function(struct unwinder *unwinder, const CTelltaleImage *image, uintptr_t pc,
                            struct entry *entry) {
    memset(entry, 0, sizeof *entry);
    uintptr_t address = find_entry(image, pc);
    if (address < image->low || address >= image->high) return false;
    size_t size = read_entry(address, unwinder->entry_bytes);
    if (!size) return false;
    Cursor bytes = {.at = unwinder->entry_bytes + 4, .end = unwinder->entry_bytes + size};
    uint32_t back = (uint32_t)cursor_number(&bytes, 4);
    if (back == 0 || !read_common(unwinder, address + 4 - back, entry)) return false;
    uintptr_t place = address + (uintptr_t)(bytes.at - unwinder->entry_bytes);
    entry->start = cursor_pointer(&bytes, entry->pointer_encoding, place);
    entry->end = entry->start + cursor_pointer(&bytes, entry->pointer_encoding & 0x0f, 0);
    if (entry->has_augmentation) {
        uint64_t length = cursor_uleb(&bytes);
        if (bytes.failed || length > (uint64_t)(bytes.end - bytes.at)) return false;
        bytes.at += length;
    }
    entry->program = bytes.at;
    entry->program_end = bytes.end;
    return !bytes.failed && pc >= entry->start && pc < entry->end;
}
#endif
