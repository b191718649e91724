// Whether who started the program has fewer rights than it has. In C since Swift's Glibc module has no
// getauxval.
#if TELLTALE_COMPILED
#include "CTelltaleSystem.h"

#include <unistd.h>

#include <sys/auxv.h>

bool ctelltale_is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#endif
