#if TELLTALE_COMPILED
import CTelltaleSystem
import Glibc

/// A failed system call: its name, its object, and the reason.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The error number of the C library.
    package var code: Int32
    /// The call and its object: `bind(/tmp/telltale-0/1-2.sock)`.
    package var call: String

    package init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// Takes the calling thread's `errno`; to be made right after the call.
    package init(_ call: String) { self.init(call, code: errno) }

    /// The call and the C library's words for the error number: `bind(…): Address already in use`.
    package var description: String { "\(call): \(Self.text(code))" }

    /// The C library's words for an error number.
    package static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress else { return "error \(code)" }
            buffer.initialize(repeating: 0)
            ctelltale_error_text(code, start, buffer.count)
            return String(cString: start)
        }
    }
}

/// Calls `body` again for as long as a signal interrupts it.
///
/// - Returns: What `body` returned last; -1 with `errno` set to something else than `EINTR`.
package func retryingInterrupts<Result: FixedWidthInteger & SignedNumeric>(
    _ body: () -> Result
) -> Result {
    while true {
        let result = body()
        if result != -1 || errno != EINTR { return result }
    }
}

extension SystemError {
    /// There is no listener (`ECONNREFUSED`).
    package var isRefused: Bool { code == ECONNREFUSED }
    /// It took too long (`ETIMEDOUT`).
    package var isTimeout: Bool { code == ETIMEDOUT }
    /// This user may not (`EACCES`, `EPERM`).
    package var isDenied: Bool { code == EACCES || code == EPERM }
}
#endif
