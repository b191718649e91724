//! Runs code that may trap, on a thread that survives it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The end of a guarded call that did not return.
typedef struct {
    /// The signal; 0 if the code called a function that ends the process.
    int signal;
    /// The exit status that was asked for, if `signal` is 0.
    int status;
    /// True if the call was cancelled, by `ctelltale_guard_cancel`.
    bool is_cancelled;
    /// The address that was not accessible, of SIGSEGV and SIGBUS.
    uintptr_t address;
} CTelltaleTrap;

/// Makes guarded calls, one after another, and cancels the one under way.
typedef struct CTelltaleGuard CTelltaleGuard;

/// Makes a guard.
///
/// @param low, high The code that may be cancelled in the middle: it takes no lock of the C library's or the
///   runtime's.
CTelltaleGuard *_Nullable ctelltale_guard_make(uintptr_t low, uintptr_t high);

void ctelltale_guard_free(CTelltaleGuard *guard);

/// Calls `body(context)`. A trap on the calling thread (SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT) ends
/// the call: nothing between here and the trap is unwound, so locks and memory of that code stay as they are.
///
/// For the time of the call the process has handlers for these signals, which pass on each signal that isn't of
/// a guarded call.
///
/// @return true if `body` returned; false if it trapped, with `trap` filled in.
bool ctelltale_guard_call(
    CTelltaleGuard *guard, void (*body)(void *_Nullable), void *_Nullable context,
    CTelltaleTrap *trap);

/// Ends the guarded call if its thread is in the code that may be cancelled. The thread is interrupted by a
/// signal, so a call that waits in the kernel goes on.
///
/// @return true if no call is under way; false if it has to be tried again.
bool ctelltale_guard_cancel(CTelltaleGuard *guard);

/// Ends the guarded call of the calling thread; a process that has none exits. Takes the place of `exit` in code
/// that is evaluated.
_Noreturn void ctelltale_guard_exit(int status);

/// A shared object that was loaded from memory; it is never unloaded, since the runtime keeps its metadata.
typedef struct {
    /// The address of its function, NULL if it was not loaded.
    void *_Nullable entry;
    /// The range of its code.
    uintptr_t low, high;
    /// The words of the loader or of the system, if `entry` is NULL.
    char failure[256];
} CTelltaleLoadedCode;

/// Loads a shared object whose bytes these are, and finds its function `entry`. Takes the loader's lock, and
/// runs the object's initialisers.
void ctelltale_object_load(
    const void *bytes, size_t count, const char *entry, CTelltaleLoadedCode *object);

#pragma clang assume_nonnull end
