// The processes of frozen copies, between the file that makes them and the one that waits for their end.
#ifndef CTELLTALE_COPIES_LEFT_H
#define CTELLTALE_COPIES_LEFT_H

#include <stdbool.h>
#include <sys/types.h>

#include "names.h"

// Whether it has ended, and is taken.
bool copy_is_gone(pid_t process);
// Whether there is room to wait for its end later.
bool copy_is_kept(pid_t process);

#endif
