//! Names and lines for addresses: ELF symbol tables and DWARF, read lazily.
#ifndef CTELLTALE_SYMBOLS_H
#define CTELLTALE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end
#endif
