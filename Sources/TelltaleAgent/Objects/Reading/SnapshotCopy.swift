#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// Makes copy-on-write snapshots of the process for commands, and the errors for users if none can be made.
enum SnapshotCopy {
    /// The purpose of a snapshot: a subject for messages, and whether the user requested a snapshot
    /// explicitly.
    struct Purpose: Sendable {
        var subject: String
        var isAsked: Bool
        /// The command that requests one explicitly; `nil` if there is none.
        var command: String?
    }

    /// The time after the read's deadline at which a snapshot exits on its own.
    private static let grace = Duration.milliseconds(250)

    /// - Throws: `.unsupported` if a snapshot would cost the service too much, or the system can't make one.
    static func make(
        for purpose: Purpose, until deadline: MonotonicTime
    ) throws(CommandFailure) -> FrozenCopy {
        do throws(FrozenCopy.Failure) {
            return try FrozenCopy.weighed(
                until: deadline.advanced(by: grace), isAsked: purpose.isAsked)
        } catch {
            throw failure(error, purpose)
        }
    }

    private static func failure(_ failure: FrozenCopy.Failure, _ purpose: Purpose) -> CommandFailure
    {
        switch failure {
        case .system(let error):
            CommandFailure(
                .unsupported, "\(purpose.subject) was not read: no copy of the process: \(error)",
                hint: "give the object an owner, so that it can be read there")
        case .refused(let refusal):
            CommandFailure(
                .unsupported,
                "\(purpose.subject) was not read: \(refusal.sentence(on: "a snapshot"))",
                hint: refusal.yields
                    ? purpose.command.map { "`\($0)` does it all the same" }
                        ?? "a plain property (a number, a Bool) is compared without a snapshot"
                    : "give the object an owner, so that it can be read there")
        }
    }
}

extension CopyCost.Refusal {
    /// The reason as a sentence on the copy, such as `a snapshot`.
    func sentence(on copy: String) -> String {
        switch self {
        case .stops(let time):
            return "\(copy) would stop the service for some \(Quantity.time(time))"
        case .kills(let memory, let left):
            return
                "\(copy) can take \(Quantity.bytes(memory)), and with \(Quantity.bytes(left)) left the "
                + "kernel might end the service"
        case .takes(let memory, let free):
            return
                "\(copy) can take \(Quantity.bytes(memory)) of the \(Quantity.bytes(free)) that are free"
        case .filtered:
            return "\(copy) can't be made under a seccomp filter that was installed after start()"
        case .unknown(let memory, let gap):
            return
                "\(copy) can take \(Quantity.bytes(memory)), and how much is free isn't known: \(gap)"
        }
    }
}
#endif
