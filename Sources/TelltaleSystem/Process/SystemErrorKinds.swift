#if TELLTALE_COMPILED
import Glibc

extension SystemError {
    /// Nobody listens (`ECONNREFUSED`).
    package var isRefused: Bool { code == ECONNREFUSED }
    /// It took too long (`ETIMEDOUT`).
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// This user may not (`EACCES`, `EPERM`).
    package var isDenied: Bool { code == EACCES || code == EPERM }
}
#endif
