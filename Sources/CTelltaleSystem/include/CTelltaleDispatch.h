//! What libdispatch exports for debuggers.
#ifndef CTELLTALE_DISPATCH_H
#define CTELLTALE_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end
#endif
