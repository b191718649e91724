//! The one way to this process's own memory where it may not be there: the kernel copies it, so that a bad
//! address is an answer and no fault. Async-signal-safe; no cancellation point.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#pragma clang assume_nonnull begin

/// Copies the readable part of `size` bytes at `address`, up to the first missing page.
///
/// @return how many bytes; -1 with `errno` set if the kernel lets nothing be copied at all.
ssize_t ctelltale_guarded_copy(uintptr_t address, void *buffer, size_t size);

/// Copies several pieces, where the kernel permits by one call; false unless all of them are there.
bool ctelltale_guarded_gather(const struct iovec *to, const struct iovec *from, size_t count);

#if TELLTALE_AGENT
/// The same two, in a reading (`ctelltale_reading_begin`) by plain loads. Not in a signal handler.
ssize_t ctelltale_reading_copy_part(uintptr_t address, void *buffer, size_t size);
bool ctelltale_reading_gather(const struct iovec *to, const struct iovec *from, size_t count);
#endif

// All or nothing of one piece is `ctelltale_read_memory`, in CTelltaleMemory.h.

#pragma clang assume_nonnull end
