#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

/// Calls code that may trap; the trap ends the call and not the process.
///
/// For the time of a call the process has handlers for the signals of a trap. They pass on each signal that is
/// not of such a call, and are given back after it.
package final class GuardedCall: @unchecked Sendable {
    // Made in `init` and freed in `deinit`; the C side's own state is atomic.
    private let guardian: OpaquePointer

    /// The end of a call that did not return.
    package enum Trap: Sendable {
        /// A signal, and the address that was not accessible.
        case signal(Int32, address: UInt?)
        /// The code asked for the end of the process.
        case exit(Int32)
        case cancelled
    }

    /// Makes a guard; `code` is what may be cancelled in the middle. `nil` without memory.
    package init?(code: Range<UInt>) {
        guard let made = ctelltale_guard_make(code.lowerBound, code.upperBound) else { return nil }
        guardian = made
    }

    deinit { ctelltale_guard_free(guardian) }

    /// Runs `body` on the calling thread; one call at a time.
    ///
    /// Nothing between here and a trap is unwound: locks that the code holds stay locked, and its memory is not
    /// released. The runtime's record of the thread's accesses is put back, so the thread can go on.
    ///
    /// - Returns: `nil` if `body` returned.
    package func run(_ body: @escaping () -> Void) -> Trap? {
        // Escaping, since a trap leaves the references to it that its frames hold.
        let call = Unmanaged.passRetained(Body(body))
        var trap = CTelltaleTrap()
        let hasReturned = ctelltale_guard_call(
            guardian,
            { context in
                guard let context else { return }
                Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().run()
            }, call.toOpaque(), &trap)
        if hasReturned {
            call.release()
            return nil
        }
        if trap.is_cancelled { return .cancelled }
        if trap.signal == 0 { return .exit(trap.status) }
        let isFault = trap.signal == SIGSEGV || trap.signal == SIGBUS
        return .signal(trap.signal, address: isFault ? UInt(trap.address) : nil)
    }

    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Ends the call under way, if its thread comes by in the code that may be cancelled before `deadline`.
    ///
    /// Until then the thread is interrupted each millisecond.
    ///
    /// - Returns: true if no call is under way any more.
    package func cancel(until deadline: MonotonicTime) -> Bool {
        repeat {
            if ctelltale_guard_cancel(guardian) { return true }
        } while .now < deadline
        return false
    }

    /// The signals of a trap, which a thread that makes such a call must not block.
    package static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
}

/// A shared object that was loaded from memory, for good.
package struct LoadedObject: Sendable {
    /// The address of its function.
    package let entry: UInt
    package let code: Range<UInt>

    /// The system's reason that an object could not be loaded.
    package struct Failure: Error { package let words: String }

    /// Loads an object on the calling thread, which takes the loader's lock and runs the object's initialisers.
    package init(_ bytes: [UInt8], entry name: String) throws(Failure) {
        var object = CTelltaleLoadedCode()
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            ctelltale_object_load(start, buffer.count, name, &object)
        }
        guard let entry = object.entry else {
            throw Failure(
                words: withUnsafeBytes(of: &object.failure) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        self.entry = UInt(bitPattern: entry)
        code = UInt(object.low)..<UInt(object.high)
    }
}
#endif
