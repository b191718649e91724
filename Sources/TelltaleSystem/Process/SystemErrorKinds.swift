#if TELLTALE_COMPILED
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension SystemError {
    /// Nobody listens (`ECONNREFUSED`).
    package var isRefused: Bool { code == ECONNREFUSED }
    /// It took too long (`ETIMEDOUT`).
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// This user may not (`EACCES`, `EPERM`).
    package var isDenied: Bool { code == EACCES || code == EPERM }
}
#endif
