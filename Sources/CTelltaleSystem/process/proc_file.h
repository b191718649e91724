//! Small files of /proc.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Reads the beginning of a file, closed by a zero; by one call, as the kernel writes them whole.
///
/// @param directory What `path` is relative to, or AT_FDCWD.
/// @return how many bytes; -1 with `errno` set.
ssize_t ctelltale_proc_read(int directory, const char *path, char *buffer, size_t capacity);

/// Reads numbers of a thread's `status`; `lines` are as "\nName:". Read by piece: `Groups:` alone may be half
/// a megabyte.
///
/// @return a bit for each line that is there; -1 with `errno` set if the file can't be read.
int ctelltale_proc_status(int32_t thread, const char *_Nonnull const *_Nonnull lines,
                          uint64_t *_Nonnull const *_Nonnull values, size_t count, int base);

#pragma clang assume_nonnull end
