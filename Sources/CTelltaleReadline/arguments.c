#include <stddef.h>

#include "CTelltaleReadline.h"

static int count;
static char **words;

// glibc passes `main`'s arguments to a constructor too. Swift's own way to the arguments reads
// /proc/self/maps first, a tenth of the total time of a short command of ours.
__attribute__((constructor)) static void keep(int argc, char **argv) {
    count = argc;
    words = argv;
}

const char *ctelltale_argument(int index) {
    return words != NULL && index >= 0 && index < count ? words[index] : NULL;
}
