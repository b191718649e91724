#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Tries host code in a copy of the process before it runs on an owner for the first time.
///
/// Code that waits for the very owner that it runs on (`queue.sync` in a method that an access to the queue
/// calls) ends the process in Dispatch, or leaves the owner's lock held forever. In the copy, which is made
/// within the owner's access, it does the same, and only the copy is lost. Code that checks for its owner
/// (`dispatchPrecondition`, an actor's isolation check) finds it there. The owner is held while the copy is
/// made, and not while the code runs in the copy.
final class HostCodeTrials: Sendable {
    /// The code; each is tried once.
    enum Code: Hashable {
        /// A closure, by its registration.
        case registration(UInt64)
        /// An object's own `description`, by the object's registration.
        case description(UInt64)
        /// A function that was found by its symbol.
        case function(UInt)
    }

    /// The reason why code was not run.
    private struct Refusal {
        var failure: CommandFailure
        /// True if another trial would give the same result.
        var isCertain = false
        /// True if the code would end the service.
        var isFatal = false
    }

    private enum Verdict {
        case passed
        /// The code tried to reach outside of the copy.
        case outside
        case refused(Refusal)
    }

    private static let mostPassed = 4096
    /// If another thread held a lock when the copy was made, the lock is held in the copy forever; another
    /// copy is made then.
    private static let attempts = 3

    private let passed = Locked<Set<Code>>([])

    /// Returns true if code may run on its owner without a trial: it has no owner, or it has returned from
    /// an earlier run.
    func isDone(_ code: Code, on owner: Owner) -> Bool {
        switch owner {
        case .none, .closure: true
        default: passed.withLock { $0.contains(code) }
        }
    }

    /// Tries code that has not passed yet.
    ///
    /// `name` is the client's name for the code, `body` the code as it will be run. If a client asked for
    /// this very code (`isAsked`), it is run even if it can't be tried, or has waited in the copy for
    /// something else.
    ///
    /// - Returns: False if the owner did not respond until `deadline`, so the code was not tried.
    /// - Throws: The reason why the code must not run on the owner.
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
            ) { Result { () throws(SystemError) in try TrialRun(goesOn: isLater, body) } }
            guard case .finished(let trial) = made else { return false }
            switch Self.judge(trial, name, on: owner, agent.symbols, until: deadline, hint) {
            case .passed: (refusal, attempts) = (nil, 0)
            // Tries once more, to see what the code waits for afterwards; other results after failed calls
            // prove nothing.
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
        let copy = "a copy of the process, in which it is tried first,"
        return CopyCost.now.refusal.map { untried(name, $0.sentence(on: copy), hint) }
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

    /// ` in Ledger.sum(), Ledger.swift:41`; empty if no host function is known.
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

    /// The description in answers of a value that the entry's closure has computed.
    var codeDescription: String {
        guard propertyOf != nil else { return "from its closure" }
        return run.contains(.offOwner)
            ? "computed by its closure, off its owner" : "computed by its closure"
    }

    /// The failure of a read-only agent that would have to run the entry's closure; nil if the closure may
    /// run.
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
