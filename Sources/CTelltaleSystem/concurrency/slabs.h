//! A task's allocations, for the readers of tasks.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"

#if TELLTALE_AGENT
/// Returns the end of the task's memory around one of its functions' contexts; 0 if unknown. Memory after
/// it belongs to other code.
uintptr_t task_memory_end(const CTelltaleTaskRuntime *runtime, uintptr_t task, uintptr_t context);
#endif
