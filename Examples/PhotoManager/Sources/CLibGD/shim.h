#ifndef CLIBGD_SHIM_H
#define CLIBGD_SHIM_H

#include <gd.h>

#endif
