#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

/// Tries host code in a copy of the process before it runs on an owner for the first time.
///
/// Code that would wait for the very owner that it runs on (`queue.sync` in a method that a queue's access calls)
/// ends the process in Dispatch, or leaves the owner's lock held for good. In the copy, which is made within the
/// owner's access, it does the same, and only the copy is lost. What checks for its owner
/// (`dispatchPrecondition`, an actor's) finds it there. The owner is held for as long as the copy takes to be
/// made, and not while the code runs in it.
final class HostCodeTrials: Sendable {
    /// What runs: each is tried once.
    enum Code: Hashable {
        /// A closure, by its registration.
        case registration(UInt64)
        /// An object's own `description`, by the registration of the object.
        case description(UInt64)
        /// A function that was found by its symbol.
        case function(UInt)
    }

    /// Why code was not run, and whether another trial could say otherwise.
    private struct Refusal {
        var failure: CommandFailure
        /// Whether another trial would say the same.
        var isCertain = false
        /// Whether the service would end.
        var isFatal = false
    }

    private enum Verdict {
        case passed
        /// It went as far as the copy goes.
        case outside
        case refused(Refusal)
    }

    private static let mostPassed = 4096
    /// A lock that another thread had when the copy was made stops the copy for good: another copy is made then.
    private static let attempts = 3
    /// The resident size beyond which a copy would stop the service for more than 50 ms: 70 us for each MiB.
    static let mostResident: UInt64 = 700 << 20

    private let passed = Locked<Set<Code>>([])

    /// Whether code runs on its owner without a trial: it has no owner, or came back from one.
    func isDone(_ code: Code, on owner: Owner) -> Bool {
        switch owner {
        case .none, .closure: true
        default: passed.withLock { $0.contains(code) }
        }
    }

    /// Tries code where that is still to be done.
    ///
    /// `name` is as a client names it, `body` the code as it will be run. Where a client asked for this very
    /// code (`isAsked`), what can't be tried, or has waited in the copy for something else, is run all the same.
    ///
    /// - Returns: False where the owner did not answer until `deadline`: it was not tried.
    /// - Throws: Why it must not run on the owner.
    func check(
        _ code: Code, _ name: String, on owner: Owner, _ access: Owner.Access,
        in bulkhead: Bulkhead, of agent: Agent, until deadline: MonotonicTime, isAsked: Bool,
        hint: String, _ body: @escaping @Sendable () -> Void
    ) throws(CommandFailure) -> Bool {
        guard !isDone(code, on: owner) else { return true }
        var refusal = Self.refusalOfCopies(name, hint)
        var attempts = refusal != nil ? 0 : Self.attempts
        var goesOn = false
        while attempts > 0 {
            let isLater = goesOn
            let made = HostCall<Result<TrialRun, SystemError>>.on(
                owner, access, in: bulkhead, workers: agent.workers, until: deadline
            ) {
                do throws(SystemError) {
                    return .success(try TrialRun(goesOn: isLater, body))
                } catch {
                    return .failure(error)
                }
            }
            guard case .finished(let trial) = made else { return false }
            switch Self.judge(trial, name, on: owner, agent.symbols, until: deadline, hint) {
            case .passed: (refusal, attempts) = (nil, 0)
            // Once more, to see what it waits for afterwards; what else comes of failed calls says nothing.
            case .outside: (goesOn, attempts) = (true, goesOn ? 0 : attempts)
            case .refused(let found):
                refusal = goesOn && !found.isCertain ? nil : found
                let isEnough = found.isCertain || refusal == nil || isAsked && !found.isFatal
                attempts = isEnough ? 0 : attempts - 1
            }
        }
        if let refusal, refusal.isCertain || refusal.isFatal || !isAsked { throw refusal.failure }
        passed.withLock { passed in
            if passed.count >= Self.mostPassed { passed = [] }
            passed.insert(code)
        }
        return true
    }

    private static func refusalOfCopies(_ name: String, _ hint: String) -> Refusal? {
        let resident = ProcessFacts().residentBytes
        guard resident > mostResident else { return nil }
        return Refusal(
            failure: CommandFailure(
                .unsupported,
                "\(name) was not run: a copy of the process, in which it is tried first, would stop the "
                    + "service for some \(Quantity.time(.microseconds(resident >> 20) * 70))",
                hint: "--yes runs it untried; \(hint)"))
    }

    private static func judge(
        _ made: Result<TrialRun, SystemError>, _ name: String, on owner: Owner,
        _ symbols: Symbolicator, until deadline: MonotonicTime, _ hint: String
    ) -> Verdict {
        guard case .success(let trial) = made else {
            return .refused(
                untried(name, "there is no copy of the process to try it in", hint))
        }
        let images = LoadedImages.read()
        let (ending, raw) = withExtendedLifetime(images) {
            trial.ending(until: deadline, images: images?.table)
        }
        let frames = symbols.resolve(raw.map(RawFrame.init), deadline: deadline).flatMap { $0 }
        func refused(
            _ reason: String, _ end: String = "", _ code: CommandFailure.Code = .unsupported,
            isCertain: Bool = false, isFatal: Bool = false
        ) -> Verdict {
            let message =
                "\(name) was not run: \(reason)\(place(frames))\(end) (tried in a copy of the process)"
            return .refused(
                Refusal(
                    failure: CommandFailure(code, message, hint: hint), isCertain: isCertain,
                    isFatal: isFatal))
        }
        switch ending {
        case .returned: return .passed
        case .outside: return .outside
        case .lost:
            return .refused(
                untried(name, "the copy of the process that it is tried in has ended", hint))
        case .signalled(let signal):
            let isDispatch = frames.first?.module?.hasPrefix("libdispatch") == true
            let cause =
                isDispatch ? "it waits for \(owner.named), on which it runs; that" : "it"
            return refused(
                "\(cause) would end the service (\(SignalNumber.name(signal)))",
                isCertain: isDispatch, isFatal: true)
        case .waits(let isForItself):
            guard !isForItself else {
                return refused("it waits for a lock that it runs under", isCertain: true)
            }
            return refused("it waits", ", and would hold \(owner.named) for as long")
        case .runs:
            return refused(
                "it did not come back in time", ", and would hold \(owner.named) for as long",
                .timeout)
        }
    }

    private static func untried(_ name: String, _ reason: String, _ hint: String) -> Refusal {
        Refusal(
            failure: CommandFailure(
                .unsupported, "\(name) was not run: \(reason)",
                hint: "--yes runs it untried; \(hint)"))
    }

    /// ` in Ledger.sum(), Ledger.swift:41`; empty where no function of the host's is known.
    private static func place(_ frames: [ResolvedFrame]) -> String {
        guard let frame = frames.hostFrame, let title = frame.title else { return "" }
        let file = frame.sourceFile?.split(separator: "/").last
        guard let file, let line = frame.line else { return " in \(title)" }
        return " in \(title), \(file):\(line)"
    }
}

extension Owner {
    fileprivate var named: String {
        if case .mainActor = self { return "the main actor" }
        return shortName
    }
}

extension RegistryEntry {
    var code: HostCodeTrials.Code { .registration(identifier) }

    /// What an answer says of a value that the entry's closure has made.
    var codeDescription: String {
        guard propertyOf != nil else { return "from its closure" }
        return run.contains(.offOwner)
            ? "computed by its closure, off its owner" : "computed by its closure"
    }

    /// What is said where a read-only agent would have to run the entry's closure; nil where it may.
    func refusal(in mode: AgentConfiguration.Mode) -> CommandFailure? {
        guard isMade, mode == .readOnly, !run.contains(.inReadOnlyMode) else { return nil }
        return CommandFailure(
            .denied,
            "\(name) is computed by code of the service, which a read-only agent doesn't run",
            hint: "in the service: run: .inReadOnlyMode where it is registered, or start it with "
                + "TELLTALE_MODE=read-write")
    }
}
#endif
