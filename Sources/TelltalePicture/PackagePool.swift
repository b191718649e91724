#if TELLTALE_AGENT
/// A pool of threads of a package, such as SwiftNIO's `NIOThreadPool`, and its line.
package struct PackagePool: Sendable {
    /// The pool object.
    package var address: UInt
    /// The pool's class: `NIOThreadPool`.
    package var name: String
    /// Its threads.
    package var threads: [Int32]
    /// The number of items that no thread has taken yet.
    package var waiting: Int

    package init(address: UInt, name: String, threads: [Int32], waiting: Int) {
        self.address = address
        self.name = name
        self.threads = threads
        self.waiting = waiting
    }
}
#endif
