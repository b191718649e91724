// Where a debugger is told to stop.
#if TELLTALE_AGENT
#include "CTelltaleSystem.h"

// In C: of a Swift function with a C name there are two, and Swift calls the one that nobody has named.
__attribute__((noinline)) void telltale_breakpoint(void) {
    // A function without any effect is not called.
    __asm__ volatile("");
}
#endif
