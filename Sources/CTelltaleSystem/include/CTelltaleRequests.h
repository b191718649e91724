//! Lines of JSON-RPC that are told apart by their bytes alone.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What every request of the usual form begins with, and every answer.
#define CTELLTALE_REQUEST_HEAD "{\"jsonrpc\":\"2.0\",\"id\":"

/// The most digits of a number that is taken for an id.
#define CTELLTALE_REQUEST_DIGITS 15

/// The bytes of a request's id, which follows its head, where it has the usual form and is a number; else 0.
size_t ctelltale_request_id(const uint8_t *line, size_t size);

/// Whether both have the same bytes.
bool ctelltale_request_is(const uint8_t *line, size_t size, const uint8_t *other, size_t other_size);

#pragma clang assume_nonnull end
