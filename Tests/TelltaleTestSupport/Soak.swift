import Foundation

/// The extent of the tests: a part in every run, all of it with `TELLTALE_SOAK=1`.
package enum Soak {
    /// Indicates that all of it is asked for.
    package static let isOn = ProcessInfo.processInfo.environment["TELLTALE_SOAK"] == "1"

    /// A number of tries.
    package static func count(_ bounded: Int, soak: Int) -> Int { isOn ? soak : bounded }
}
