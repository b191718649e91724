//! Small files of /proc.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/// Reads the beginning of a file, terminated by a zero; with one call, since the kernel writes such files
/// completely.
///
/// @param directory The directory that `path` is relative to, or AT_FDCWD.
/// @return the number of bytes; -1 with `errno` set.
ssize_t ctelltale_proc_read(int directory, const char *path, char *buffer, size_t capacity);

/// Reads numbers of a thread's `status`; `lines` have the form "\nName:". Read in parts: `Groups:` alone
/// may have half a megabyte.
///
/// @return a bit for each line found; -1 with `errno` set if the file can't be read.
int ctelltale_proc_status(int32_t thread, const char *_Nonnull const *_Nonnull lines,
                          uint64_t *_Nonnull const *_Nonnull values, size_t count, int base);

#pragma clang assume_nonnull end
