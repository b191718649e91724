#if TELLTALE_AGENT
import Synchronization

/// A value that each process has one of: a forked child makes its own.
///
/// A thread that the fork did not copy may hold a lock inside the parent's value. So the child never
/// touches that value but through `make`, and never frees it.
///
/// Thread-safe. `current` costs one atomic load after the first call in a process.
package final class ForkLocal<Value: AnyObject & Sendable>: Sendable {
    private final class Instance: Sendable {
        let generation: UInt32
        let value: Value

        init(generation: UInt32, value: Value) {
            self.generation = generation
            self.value = value
        }
    }

    /// An `Instance`, retained for good.
    private let pointer = Atomic<UInt>(0)
    private let make: @Sendable (_ inherited: Value?) -> Value

    /// - Parameter make: Makes the value of this process. It is given the parent's value in a forked
    ///   child, and may run more than once where threads race; one result is kept.
    package init(_ make: @escaping @Sendable (_ inherited: Value?) -> Value) { self.make = make }

    /// The value of this process.
    package var current: Value {
        let generation = ForkHook.generation
        while true {
            let known = pointer.load(ordering: .acquiring)
            var inherited: Value?
            if let place = UnsafeRawPointer(bitPattern: known) {
                let found = Unmanaged<Instance>.fromOpaque(place).takeUnretainedValue()
                if found.generation == generation { return found.value }
                inherited = found.value
            }
            let made = Instance(generation: generation, value: make(inherited))
            let retained = Unmanaged.passRetained(made)
            let (isKept, _) = pointer.compareExchange(
                expected: known, desired: UInt(bitPattern: retained.toOpaque()),
                ordering: .acquiringAndReleasing)
            if isKept { return made.value }
            retained.release()
        }
    }
}
#endif
