#if TELLTALE_AGENT
import TelltaleSystem

/// How a runtime keeps something of which it tells nobody, in parts that are each believed only after
/// a self-test has read objects of the agent's own with it, in states that are known.
protocol CalibratedLayout: Sendable {
    /// Something that is tried by itself, by the name that answers have for it.
    associatedtype Part: RawRepresentable<String> & CaseIterable & Hashable & Sendable

    /// Whose layout it is, as `info` says it.
    static var subject: String { get }
    /// What came of it in this process.
    static var calibration: Calibration<Self> { get }

    /// The parts without which something that doesn't move may go unseen.
    static var essential: Set<Part> { get }

    var failures: [Part: LayoutFailure] { get set }

    /// The layout as it is known from the sources, of which nothing has been tried.
    init()

    /// Tries it, on the calling thread; what does not read back is off.
    mutating func selfTest()
}

struct LayoutFailure: Sendable, Equatable {
    var reason: String
    /// It may hold at another time: there was no thread to be had, or Dispatch was held.
    var isPassing = false
}

extension CalibratedLayout {
    static var essential: Set<Part> { [] }

    /// Whether `part` can be believed.
    func has(_ part: Part) -> Bool { failures.isEmpty || failures[part] == nil }

    /// Why a part is off, as answers say it; nil where it is there.
    func reason(_ part: Part) -> String? { failures[part].map { "not available: \($0.reason)" } }

    var notes: [String] {
        var byReason: [(reason: String, parts: [String])] = []
        for part in Part.allCases {
            guard let reason = failures[part]?.reason else { continue }
            if let at = byReason.firstIndex(where: { $0.reason == reason }) {
                byReason[at].parts.append(part.rawValue)
            } else {
                byReason.append((reason, [part.rawValue]))
            }
        }
        return byReason.map {
            "not available: \($0.parts.joined(separator: ", ")) (\($0.reason))"
        }
    }

    /// Whether an essential part is off.
    var isBlind: Bool { failures.keys.contains { Self.essential.contains($0) } }

    /// Whether it is worth another try.
    var isPassing: Bool { failures.contains { $0.value.isPassing } }

    /// Has parts be off; the first reason stays.
    mutating func fail(_ parts: Part..., reason: String, isPassing: Bool = false) {
        for part in parts where failures[part] == nil {
            failures[part] = LayoutFailure(reason: reason, isPassing: isPassing)
        }
    }

    /// Has a part be off unless `isRead`.
    mutating func expect(_ isRead: Bool, _ part: Part, _ reason: String) {
        if !isRead { fail(part, reason: reason) }
    }

    /// Has a part be off unless a thread was seen to sleep as expected.
    mutating func expect(_ outcome: SleepingThread.Outcome, _ part: Part, _ reason: String) {
        switch outcome {
        case .seen: break
        case .otherwise: fail(part, reason: reason)
        case .late:
            fail(part, reason: "a thread of our own did not wait in time", isPassing: true)
        }
    }

    static func off(_ reason: String, isPassing: Bool = false) -> Self {
        var layout = Self()
        for part in Part.allCases {
            layout.failures[part] = LayoutFailure(reason: reason, isPassing: isPassing)
        }
        return layout
    }

    /// The layout as it stands after its self-test.
    static func tried() -> Self {
        var layout = Self()
        layout.selfTest()
        return layout
    }

    /// The layout, which is calibrated first where nobody has done that; see
    /// ``Calibration/known(by:)``.
    static func known(by deadline: MonotonicTime) -> Self { calibration.known(by: deadline) }
}
#endif
