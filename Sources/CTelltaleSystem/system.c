#include "CTelltaleSystem.h"
