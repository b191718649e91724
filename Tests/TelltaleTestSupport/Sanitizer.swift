#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What the tests' process was compiled with.
package enum Sanitizer {
    /// Whether the thread sanitizer watches.
    ///
    /// It reports a race that is made on purpose, and its own locks and threads don't survive a
    /// fork of a process whose threads are at work.
    package static let watchesThreads = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
