// Locks of stdio's streams. In C for the fields of `FILE`, which glibc declares (bits/types/struct_FILE.h).
#include "CTelltaleSystem.h"

#if TELLTALE_AGENT
#include <stdio.h>

uintptr_t ctelltale_stream_lock(FILE *stream) { return (uintptr_t)stream->_lock; }

uintptr_t ctelltale_standard_lock(int descriptor) {
    FILE *stream = descriptor == 0 ? stdin : descriptor == 1 ? stdout : stderr;
    // A host may have set the variable to null.
    return stream ? ctelltale_stream_lock(stream) : 0;
}
#endif
