//! What a task has allocated, for those who read tasks.
#pragma once

#include "CTelltaleSystem.h"
#include "names.h"

#if TELLTALE_AGENT
/// Where the memory ends that a task has around one of its functions' contexts; 0 where that isn't known. What
/// lies behind is another's.
uintptr_t task_memory_end(const CTelltaleTaskRuntime *runtime, uintptr_t task, uintptr_t context);
#endif
