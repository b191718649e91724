#if TELLTALE_AGENT
import Synchronization
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The log of changes and calls, written as they happen, and of denied and failed commands: an append-only
/// file, or standard error.
struct AuditLog: Sendable {
    /// The path of a file, `off`, or `nil` for standard error.
    let place: String?
    private let losses = Losses()

    init(place: String?) { self.place = place }

    /// The number of lines that standard error has rejected since it last accepted one.
    private final class Losses: Sendable {
        let count = Atomic(0)
    }

    private var isOn: Bool { place != "off" }

    /// The time a change waits for room in standard error, the first time that there is none.
    private static let patience = Duration.milliseconds(200)

    /// Records a change that was made, or a call.
    func write(_ record: ChangeRecord) {
        guard isOn else { return }
        let old = record.old.map { "\($0.escaped) -> " } ?? ""
        let line =
            "telltale[\(ProcessIdentity.pid)] AUDIT \(record.time) change \(record.number) "
            + "\(record.path.escaped): \(old)\(record.new.escaped) "
            + "(\(record.result.escaped)) by \(record.command.map { $0 + " of " } ?? "")"
            + ProcessFacts.rendered(record.by).escaped
        append(line)
    }

    /// Records a command that was refused before it did anything. The keys in its target are left out,
    /// because nothing says whether one is a secret.
    func write(denied command: String, _ target: String?, by peer: Peer) {
        append(
            "telltale[\(ProcessIdentity.pid)] AUDIT "
                + "\(Quantity.moment(nanoseconds: WallClock.nanoseconds)) denied "
                + "\(command.escaped)\(target.map { " " + Self.withoutKeys($0).escaped } ?? "") by "
                + ProcessFacts.rendered(peer).escaped)
    }

    /// A typed path with `[…]` in place of each key.
    private static func withoutKeys(_ target: String) -> String {
        guard let path = try? ValuePath(parsing: target) else {
            return HostLabel.shown(target)
        }
        return path.components.reduce(ValuePath(root: path.root).description) { text, step in
            if case .key = step { text + "[…]" } else { text + step.description }
        }
    }

    /// Records a command that was tried and not completed. The reason is recorded as its code alone: the
    /// message may repeat a secret that was typed.
    func write(failed command: String, _ target: String, _ failure: CommandFailure, by peer: Peer) {
        let target = failure.bringsSecret ? Self.withoutKeys(target) : target
        append(
            "telltale[\(ProcessIdentity.pid)] AUDIT "
                + "\(Quantity.moment(nanoseconds: WallClock.nanoseconds)) failed "
                + "\(command.escaped) \(HostLabel.shown(target).escaped) "
                + "(\(failure.code.rawValue)) by "
                + ProcessFacts.rendered(peer).escaped)
    }

    private func append(_ line: String) {
        guard isOn else { return }
        if let place {
            do throws(SystemError) {
                let mode = try PrivateFile.appendKeepingMode(
                    Array((line + "\n").utf8), to: place)
                if mode & 0o044 != 0 {
                    SharedState.current.note(
                        "the audit log \(place) has mode 0\(String(mode, radix: 8)), so others "
                            + "may read it; the agent leaves it so")
                }
                return
            } catch {
                SharedState.current.note(
                    "the audit log could not be written: \(error); changes are on standard error"
                )
            }
        }
        print(line)
    }

    /// Prints a line. A line that standard error rejects is counted, and the next accepted line is preceded
    /// by the count, so that readers of the log see the gap.
    private func print(_ line: String) {
        let lost = losses.count.load(ordering: .relaxed)
        let gap =
            "telltale[\(ProcessIdentity.pid)] AUDIT standard error did not take "
            + Quantity.count(lost, "line", "lines") + " before this one; `changes` has the latest"
        let lines = (lost > 0 ? [gap] : []) + [line]
        // If lines were lost, standard error is not being read, so later changes don't wait for it.
        let deadline = MonotonicTime.now.advanced(by: lost > 0 ? .zero : Self.patience)
        guard StandardError.write(lines: lines, until: deadline) == lines.count else {
            losses.count.add(1, ordering: .relaxed)
            return SharedState.current.note(
                "the audit log lacks lines: standard error did not take them")
        }
        losses.count.subtract(lost, ordering: .relaxed)
    }
}
#endif
