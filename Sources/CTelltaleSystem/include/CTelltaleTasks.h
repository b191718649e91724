//! What the Swift concurrency runtime exports for debuggers.
#ifndef CTELLTALE_TASKS_H
#define CTELLTALE_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end
#endif
