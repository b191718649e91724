//! The agent's signal handler, one for all signals, and the chain to the host's handlers.
#pragma once

#include <signal.h>

#include "CTelltaleSystem.h"

#pragma clang assume_nonnull begin

/// The agent's action on a signal, only in this process. Async-signal-safe.
///
/// @return true if the signal was the agent's own: the host's handler isn't called.
typedef bool (*ctelltale_on_signal)(int signal, siginfo_t *info, void *context);

/// Installs our handler over the process's action on `signal`, which is kept: a handler of the host is
/// still called, after ours, with its own mask.
///
/// @param flags Added to the handler's own flags, such as SA_RESTART; a host's own handler otherwise
///   restarts calls or not as the host chose.
CTelltaleSignalResult ctelltale_chain_take(int signal, int flags, ctelltale_on_signal ours);

/// Restores the action of `signal`. If the host has installed a handler over ours in the meantime, that one
/// is left alone. From then on our handler only passes signals on, since the host's handler may call it.
/// Async-signal-safe.
///
/// @return true if the action is again exactly as it was.
bool ctelltale_chain_give_back(int signal);

/// Returns whether the host had no handler for `signal` when ours was installed. Async-signal-safe.
bool ctelltale_chain_has_default(int signal);

/// Returns whether the kernel calls our handler for `signal` now.
bool ctelltale_chain_is_ours(int signal);

#pragma clang assume_nonnull end
