//! The stacks of this process's threads, read without stopping one.
#ifndef CTELLTALE_STACKS_H
#define CTELLTALE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end
#endif
