//! What is loaded into this process, as the kernel maps it: no lock of the loader is taken.
#ifndef CTELLTALE_IMAGES_H
#define CTELLTALE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#pragma clang assume_nonnull end
#endif
