// Whether who started the program has fewer rights than it has. In C since Swift's Glibc module has no
// getauxval.
#include "CTelltaleSystem.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>

bool ctelltale_is_privileged(void) { return getauxval(AT_SECURE) != 0; }
#else
// Written for macOS; not compiled here.
bool ctelltale_is_privileged(void) { return issetugid() != 0; }
#endif
