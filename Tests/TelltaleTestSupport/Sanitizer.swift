#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The sanitizer that the tests' process was compiled with.
package enum Sanitizer {
    /// Indicates that the thread sanitizer is active.
    ///
    /// It reports a race that is made on purpose, and its own locks and threads don't survive a
    /// fork of a process whose threads are at work.
    package static let watchesThreads = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
