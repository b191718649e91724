#ifndef CTELLTALE_SYSTEM_H
#define CTELLTALE_SYSTEM_H
#pragma clang assume_nonnull begin
#pragma clang assume_nonnull end
#endif
