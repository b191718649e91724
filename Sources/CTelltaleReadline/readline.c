#include "CTelltaleReadline.h"
