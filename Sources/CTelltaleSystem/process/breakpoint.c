// A breakpoint for debuggers.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

// In C: a Swift function with a C name exists twice, and Swift calls the copy without the C name.
__attribute__((noinline)) void telltale_breakpoint(void) {
    // A call of a function without any effect would be optimised away.
    __asm__ volatile("");
}
#endif
