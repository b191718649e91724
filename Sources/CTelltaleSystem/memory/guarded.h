//! The kernel's copy of this process's own memory: a bad address is an answer and no fault. Async-signal-safe; no
//! cancellation point. It waits where a page is not there yet: all but handlers read by memory/reader.h.
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

#pragma clang assume_nonnull end
