// A thread's reading: the reader of this process's memory, for the duration of an access.
#if TELLTALE_AGENT
#include "memory/guarded.h"
#include "memory/reader.h"
#include "process/turns.h"

static ssize_t copy_own(void *context, uintptr_t address, void *buffer, size_t size) {
    (void)context;
    return ctelltale_guarded_copy(address, buffer, size);
}

// The number of open readings, and of those that copy by chunks.
static _Thread_local struct {
    unsigned depth, buffered;
    MemoryReader reader;
} reading = {.reader.source = copy_own};

void ctelltale_reading_begin_unbuffered(void) { reading.depth++; }

void ctelltale_reading_end_unbuffered(void) {
    if (--reading.depth == 0) reader_close(&reading.reader);
}

void ctelltale_reading_begin(void) {
    ctelltale_reading_begin_unbuffered();
    reading.buffered++;
    reader_drop(&reading.reader);
}

void ctelltale_reading_end(void) {
    reading.buffered--;
    reader_drop(&reading.reader);
    ctelltale_reading_end_unbuffered();
}

void ctelltale_reading_refresh(void) { reader_drop(&reading.reader); }

void ctelltale_reading_rest(void) { reader_close(&reading.reader); }

bool ctelltale_reading_copy(uintptr_t address, void *buffer, size_t size) {
    if (reading.buffered == 0) return ctelltale_read_memory(address, buffer, size);
    turns_give_seldom();
    return reader_copy(&reading.reader, address, buffer, size);
}

ssize_t ctelltale_read_part(uintptr_t address, void *buffer, size_t size) {
    turns_give_seldom();
    ssize_t got = reader_fetch(&reading.reader, address, buffer, size);
    if (reading.depth == 0) reader_close(&reading.reader);
    return got;
}

bool ctelltale_read_memory(uintptr_t address, void *buffer, size_t size) {
    return ctelltale_read_part(address, buffer, size) == (ssize_t)size;
}
#endif
