//! Copies of this process's own memory by the kernel: a bad address is a result and not a fault.
//! Async-signal-safe; no cancellation point. It waits for pages that are not there yet, so all code except
//! handlers reads by memory/reader.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#pragma clang assume_nonnull begin

/// Copies the readable part of `size` bytes at `address`, up to the first missing page.
///
/// @return the number of bytes; -1 with `errno` set if the kernel refuses all copies.
ssize_t ctelltale_guarded_copy(uintptr_t address, void *buffer, size_t size);

/// Copies several ranges, by one call if the kernel permits it; false unless all of them are there.
bool ctelltale_guarded_gather(const struct iovec *to, const struct iovec *from, size_t count);

#pragma clang assume_nonnull end
