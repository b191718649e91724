import Dispatch

/// Work that is sent synchronously to a background queue, and its result from there to the main queue: from a
/// thread of neither, since both waits would be for itself otherwise.
enum BackgroundThenMain {
    /// Does it.
    ///
    /// - Parameter completion: Called on the main queue with the background's result.
    static func begin(_ completion: @escaping @MainActor @Sendable (String) -> Void) {
        let background = DispatchQueue(label: "com.telltale.background", qos: .background)
        DispatchQueue.global().async {
            let sum = background.sync { (1...1_000).reduce(0, +) }
            DispatchQueue.main.sync {
                MainActor.assumeIsolated { completion("1 to 1000 make \(sum)") }
            }
        }
    }
}
