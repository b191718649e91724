//! Copies of this process's own memory by plain loads: a fault at one of a few instructions is an answer.
//!
//! Only on a thread that reads, between `ctelltale_reading_begin` and `ctelltale_reading_end`; a signal
//! handler uses the kernel's copy (memory/guarded.h), since it may run with the faults' signals blocked.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Copies `size` bytes at `from`; true if all of them were there. Only where the faults' signals are ours.
bool ctelltale_fault_copy(void *to, const void *from, size_t size);

/// Returns whether the fault table exists for this kind of processor.
bool ctelltale_fault_table_exists(void);

/// Takes the faults' signals for copies, unless the host has put a handler over ours. The copying
/// thread must not block them. Async-signal-safe; waits for no other thread.
///
/// @return true if `ctelltale_fault_table_let_go` is owed.
bool ctelltale_fault_table_take(void);

/// Restores the actions when the last thread releases them.
void ctelltale_fault_table_let_go(void);

/// In a forked child: no thread reads. Its handlers are restored by the hook itself.
void ctelltale_fault_table_forget(void);
