// What is done for every request, in C for the debug builds that the agent lives in.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

#include <string.h>

size_t ctelltale_request_id(const uint8_t *line, size_t size) {
    enum { head = sizeof CTELLTALE_REQUEST_HEAD - 1 };
    if (size <= head || memcmp(line, CTELLTALE_REQUEST_HEAD, head) != 0) return 0;
    size_t end = head;
    while (end < size && line[end] >= '0' && line[end] <= '9') end++;
    size_t digits = end - head;
    // One that begins with a zero has no other digit.
    if (digits == 0 || digits > CTELLTALE_REQUEST_DIGITS || (digits > 1 && line[head] == '0')) return 0;
    return digits;
}

bool ctelltale_request_is(const uint8_t *line, size_t size, const uint8_t *other, size_t other_size) {
    return size == other_size && memcmp(line, other, size) == 0;
}
#endif
