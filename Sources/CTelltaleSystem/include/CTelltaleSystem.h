//! Parts of the agent that can't be written in Swift: a signal handler that allocates nothing, the kernel's
//! record of the peer of a socket, reads of memory that can't fault, and the work of a forked child. Every
//! symbol begins with `ctelltale_`.
//!
//! All of it is declared everywhere, since Swift's importer reads these headers without the target's own
//! defines. Each source file selects whether it is compiled with the agent (`TELLTALE_AGENT`) or with the
//! parts that the agent shares with the client (`TELLTALE_COMPILED`).
#pragma once

#include "CTelltaleBorder.h"
#include "CTelltaleCalls.h"
#include "CTelltaleConcurrency.h"
#include "CTelltaleDescriptors.h"
#include "CTelltaleDispatch.h"
#include "CTelltaleEventLoops.h"
#include "CTelltaleGuard.h"
#include "CTelltaleHeap.h"
#include "CTelltaleHolders.h"
#include "CTelltaleImages.h"
#include "CTelltaleMemory.h"
#include "CTelltaleProcess.h"
#include "CTelltaleReach.h"
#include "CTelltaleSignals.h"
#include "CTelltaleStacks.h"
#include "CTelltaleSymbols.h"
#include "CTelltaleTrials.h"
