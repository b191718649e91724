#if TELLTALE_AGENT
import TelltaleSystem
import Dispatch

/// The host's own work on a signal: one dispatch source for each call of `Telltale.on`.
final class SignalFaces: Sendable {
    private final class Face: Sendable {
        let signal: SignalName
        // Dispatch's objects may be used on any thread; the overlay doesn't say so.
        nonisolated(unsafe) let source: any DispatchSourceUserDataAdd
        private let latest: Locked<SignalReport>

        init(
            signal: SignalName, queue: DispatchQueue,
            handler: @escaping @Sendable (SignalReport) -> Void
        ) {
            self.signal = signal
            let source = DispatchSource.makeUserDataAddSource(queue: queue)
            self.source = source
            latest = Locked(SignalReport(signal: signal, count: 0))
            source.setEventHandler { [self] in
                var report = latest.withLock { $0 }
                // Dispatch adds up what came while the queue was busy.
                report.count = Int(clamping: source.data)
                handler(report)
            }
        }

        func fire(_ report: SignalReport) {
            latest.withLock { $0 = report }
            source.add(data: UInt(clamping: max(1, report.count)))
        }
    }

    private let faces = Locked<[Face]>([])

    /// Adds a face; its source runs already.
    func add(
        _ signal: SignalName, queue: DispatchQueue,
        handler: @escaping @Sendable (SignalReport) -> Void
    ) -> any DispatchSourceProtocol {
        let face = Face(signal: signal, queue: queue, handler: handler)
        faces.withLock { faces in
            faces.removeAll { $0.source.isCancelled }
            faces.append(face)
        }
        face.source.activate()
        return RunningSource(face.source)
    }

    /// The signals that have a face.
    var signals: Set<SignalName> {
        faces.withLock { faces in Set(faces.filter { !$0.source.isCancelled }.map(\.signal)) }
    }

    /// Fires every face of the report's signal. The handlers run on the host's queues, not here.
    ///
    /// - Returns: False where Dispatch could not be told.
    func fire(_ report: SignalReport, through submitter: DispatchSubmitter) -> Bool {
        let matching = faces.withLock { faces in
            faces.filter { $0.signal == report.signal && !$0.source.isCancelled }
        }
        guard !matching.isEmpty else { return true }
        return submitter.submit {
            for face in matching { face.fire(report) }
        }
    }
}
#endif
