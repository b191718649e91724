import Foundation
import TelltaleSystem

/// A condition that did not become true in time.
package struct Overdue: Error, CustomStringConvertible {
    package let description: String
}

/// Waits for a condition, however long the machine takes within reason.
///
/// A loop without an end would hang the whole run and say nothing: a test's time limit can't end a
/// thread.
///
/// - Parameters:
///   - what: The awaited condition, as in "that the host has heard it".
///   - seconds: How long at most.
///   - holds: Whether it holds by now.
/// - Throws: ``Overdue``, or an error of `holds`.
package func waitUntil(
    _ what: @autoclosure () -> String, seconds: Int = 30, _ holds: () throws -> Bool
) throws {
    let deadline = MonotonicTime.now.advanced(by: .seconds(seconds))
    while true {
        // Asked once more after the deadline: this thread may have had no core meanwhile.
        let isLate = MonotonicTime.now >= deadline
        if try holds() { return }
        guard !isLate else {
            throw Overdue(description: "\(seconds) s later it does not hold that \(what())")
        }
        usleep(1000)
    }
}

/// As ``waitUntil(_:seconds:_:)``, and leaves its thread to others meanwhile: the condition may
/// need one of Swift's own.
package func waitWithoutBlocking(
    until what: @autoclosure () -> String, seconds: Int = 30, _ holds: () throws -> Bool
) async throws {
    let deadline = MonotonicTime.now.advanced(by: .seconds(seconds))
    while true {
        let isLate = MonotonicTime.now >= deadline
        if try holds() { return }
        guard !isLate else {
            throw Overdue(description: "\(seconds) s later it does not hold that \(what())")
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
