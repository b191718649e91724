#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc

/// Takes signals for the agent, and gives them back.
///
/// One handler in C is over the host's, which is still called. The alternative of a
/// `DispatchSource` on Linux was measured: a signal in its start-up window kills the process, the
/// host's handler is dropped and never restored.
package enum SignalTrap {
    /// The reason that a signal was not taken.
    package enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// It belongs to the Swift runtime's crash reporter, or can't be caught at all.
        case reserved(Int32)
        /// Its handler lies in the Swift runtime; chaining into it ended the process (measured).
        case swiftRuntime(Int32)
        /// Its handler is Dispatch's: the host has a source for it, which is shared instead.
        case dispatch(Int32)
        /// The host ignores it. `exec` keeps that and makes a handler the default action, so that a program
        /// that the host starts would be ended by the signal which it now ignores.
        case ignored(Int32)
        /// The main thread blocks it: the host waits with `sigwait` or `signalfd`.
        case blocked(Int32)
        /// The host has installed its own handler over ours since it was first taken.
        case replaced(Int32)
        /// The main thread has blocked it since it was taken.
        case blockedSince(Int32)
        case system(SystemError)

        package var description: String {
            switch self {
            case .reserved(let signal):
                "\(SignalNumber.name(signal)) can't be used: it belongs to the kernel or to the "
                    + "Swift runtime's crash reporter"
            case .swiftRuntime(let signal):
                "\(SignalNumber.name(signal)) is handled by the Swift runtime and was left alone"
            case .dispatch(let signal):
                "the host has a dispatch source for \(SignalNumber.name(signal)), which is shared"
            case .ignored(let signal):
                "the host ignores \(SignalNumber.name(signal)), which programs that it starts inherit; it "
                    + "was left alone; use another signal for the agent"
            case .blocked(let signal):
                "the main thread blocks \(SignalNumber.name(signal)) (sigwait or signalfd?); it was "
                    + "left alone; use another signal for the agent"
            case .replaced(let signal):
                "somebody has replaced the agent's handler of \(SignalNumber.name(signal)) since "
                    + "start(); it was left alone"
            case .blockedSince(let signal):
                "the main thread blocks \(SignalNumber.name(signal)) since start(): whether the agent "
                    + "or the host gets one is chance; block it before start(), which then leaves it "
                    + "alone, or use another signal for the agent"
            case .system(let error): error.description
            }
        }
    }

    package struct Delivery: Sendable, Equatable {
        package var signal: Int32
        /// `si_code`.
        package var code: Int32
        package var senderPID: Int32
        package var senderUID: UInt32
        package var time: MonotonicTime
        /// The number of signals it stands for: more than one if the ring was full.
        package var count = 1
    }

    /// Takes `signal`. From the return of this call on it is recorded, on any thread that receives
    /// it.
    package static func take(_ signal: Int32) throws(Refusal) {
        guard SignalNumber.canBeTaken(signal) else { throw .reserved(signal) }
        try leaveIgnored(signal)
        if let module = module(of: ctelltale_signal_current(signal)) {
            if module.contains("libdispatch") { throw .dispatch(signal) }
            if module.contains("libswiftCore") { throw .swiftRuntime(signal) }
        }
        if staysBlockedInMain(signal) { throw .blocked(signal) }
        switch ctelltale_signal_take(signal) {
        case CTelltaleSignalTaken: return
        case CTelltaleSignalReplaced: throw .replaced(signal)
        default: throw .system(SystemError("sigaction(\(SignalNumber.name(signal)))"))
        }
    }

    /// Refuses a signal that the host ignores.
    package static func leaveIgnored(_ signal: Int32) throws(Refusal) {
        if ctelltale_signal_is_ignored(signal) { throw .ignored(signal) }
    }

    /// Gives `signal` back; true if it is again exactly as it was.
    package static func giveBack(_ signal: Int32) -> Bool { ctelltale_signal_give_back(signal) }

    /// Returns whether the kernel calls our handler for `signal`.
    package static func isOurs(_ signal: Int32) -> Bool { ctelltale_signal_is_ours(signal) }

    /// Returns whether the handler of `signal` is Dispatch's: the host has made a source for it.
    package static func isDispatchs(_ signal: Int32) -> Bool {
        module(of: ctelltale_signal_current(signal))?.contains("libdispatch") ?? false
    }

    /// Makes each signal delivered from now on wake `descriptor`; only this process's signals are recorded.
    package static func open(wake descriptor: OwnDescriptor) {
        ctelltale_wake_open(descriptor.raw)
    }

    package static func close() { ctelltale_wake_open(-1) }

    /// The signals that came since the last call, oldest first; those of one number that came while
    /// the ring was full are one delivery together, whose sender is not known.
    package static func drain() -> [Delivery] {
        var deliveries: [Delivery] = []
        var next = CTelltaleSignal()
        while deliveries.count < 4096, ctelltale_signal_next(&next) {
            deliveries.append(
                Delivery(
                    signal: next.signal, code: next.code, senderPID: next.sender_pid,
                    senderUID: next.sender_uid, time: MonotonicTime(nanoseconds: next.time)))
        }
        for signal in 1...SignalNumber.largest {
            let missed = ctelltale_signal_overflow(signal)
            guard missed > 0 else { continue }
            deliveries.append(
                Delivery(
                    signal: signal, code: unknownSender, senderPID: 0, senderUID: 0, time: .now,
                    count: Int(missed)))
        }
        return deliveries
    }

    /// Records a signal as the handler would, for a dispatch source used in its place.
    package static func record(_ signal: Int32) {
        ctelltale_signal_record(signal, unknownSender, 0, 0)
    }

    /// The code of a signal whose sender is not known: a dispatch source doesn't tell, and the ring
    /// was full.
    package static let unknownSender = Int32.min

    private static func module(of handler: UnsafeRawPointer?) -> String? {
        guard let handler else { return nil }
        var path: UnsafePointer<CChar>?
        var symbol: UnsafePointer<CChar>?
        guard ctelltale_module_of(handler, &path, &symbol), let path else { return nil }
        let name = String(cString: path)
        return name.split(separator: "/").last.map(String.init) ?? name
    }

    /// Returns whether the first thread blocks `signal`, or waits for it: a signal to the process
    /// goes there when it can.
    package static func isBlockedInMain(_ signal: Int32) -> Bool {
        guard (1...64).contains(signal) else { return false }
        let thread = "/proc/self/task/\(getpid())"
        let blocked = SmallFile.text(of: "\(thread)/status")
            .flatMap { ProcessFiles.value(of: "SigBlk", in: $0) }
            .flatMap { UInt64($0, radix: 16) }
        // While it is in `sigwait`, the kernel shows the awaited signals as not blocked.
        let mask = (blocked ?? 0) | waitedForByMain(thread)
        return mask & (1 << UInt64(signal - 1)) != 0
    }

    // On its way into `dispatchMain()` the main thread blocks nearly everything for a moment: a
    // `start()` on another thread would find that, and the first signal end the process (2 of 40).
    private static func staysBlockedInMain(_ signal: Int32) -> Bool {
        for _ in 0..<20 {
            guard isBlockedInMain(signal) else { return false }
            if NativeThread.currentID == Int64(getpid()) { return true }
            _ = poll(nil, 0, 1)
        }
        return isBlockedInMain(signal)
    }

    // The set that `rt_sigtimedwait` was called with, which lies in this process's memory.
    private static func waitedForByMain(_ thread: String) -> UInt64 {
        guard let place = SmallFile.text(of: "\(thread)/wchan"),
            place.contains("sigtimedwait"),
            let fields = SmallFile.text(of: "\(thread)/syscall")?.split(separator: " "),
            fields.count > 1, fields[1].hasPrefix("0x"),
            let address = UInt(fields[1].dropFirst(2), radix: 16)
        else { return 0 }
        var set: UInt64 = 0
        return ctelltale_read_memory(address, &set, 8) ? set : 0
    }
}

/// The action of a process on a signal at one moment, to be restored later.
package struct KeptAction: @unchecked Sendable {
    // A plain C struct, never changed after `init`.
    private let action: sigaction
    private let signal: Int32

    package init(of signal: Int32) {
        self.signal = signal
        var action = sigaction()
        _ = sigaction(signal, nil, &action)
        self.action = action
    }

    /// Puts a handler that does nothing over the default action, which for most signals ends the process.
    /// "Ignore" would be inherited by a program that the host starts meanwhile.
    package func dropIfDefault() {
        let handler = action.__sigaction_handler.sa_handler
        guard action.sa_flags & Int32(SA_SIGINFO) == 0, handler == nil else { return }
        var dropping = sigaction()
        dropping.__sigaction_handler.sa_handler = { _ in }
        dropping.sa_flags = SA_RESTART
        _ = sigaction(signal, &dropping, nil)
    }

    package func putBack() {
        var action = action
        _ = sigaction(signal, &action, nil)
    }
}
#endif
