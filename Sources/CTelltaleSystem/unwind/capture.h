//! What is kept from one capture of threads to the next.
#pragma once

#include "unwind/unwind.h"

/// What is copied of one stack at most, and to begin with.
#define LARGEST_STACK (1u << 20)
#define FIRST_STACK 4096u

struct CTelltaleCapture {
    struct unwinder *unwinder;
    uint8_t *stack;
    CTelltaleDescriptor tasks;
    /// Where a thread's robust list and id are, from its thread pointer.
    bool has_pointers;
    intptr_t list_offset, id_offset;
    intptr_t local_offsets[CTELLTALE_LOCAL_WORDS];
    uintptr_t job_runner;
};

/// Finds out where threads' local storage is, by the calling thread.
void capture_find_thread_pointer(CTelltaleCapture *capture);

/// Reads the wanted words of a thread's local storage.
void capture_read_words(CTelltaleCapture *capture, CTelltaleThread *out);
