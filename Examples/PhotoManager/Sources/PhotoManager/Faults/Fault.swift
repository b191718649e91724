/// A mistake that services make, staged on this one's own photos, downloads and operations, so that
/// there is something to find: `photo-manager --fault NAME`.
struct Fault: Sendable {
    /// Undoes a fault. A fault with a waiting thread has none: code that holds the object to
    /// signal, even weakly, could end the wait, and `stuck` would say so.
    typealias Clearing = @Sendable () -> Void

    /// The name, as typed.
    let name: String
    /// A one-line description of the fault.
    let summary: String
    /// Stages the fault, on the main thread. Returns its undoing; `nil` if only a restart undoes
    /// it.
    let stage: @MainActor @Sendable (Service) -> Clearing?

    /// The gallery.
    static let all =
        queueFaults + waitingFaults + lockFaults + taskFaults + operationFaults + raceFaults
        + busyFaults + countingFaults

    /// The fault of a name.
    static func named(_ name: String) -> Fault? { all.first { $0.name == name } }

    /// A line for each.
    static var list: String {
        AlignedList.text(
            all.map { fault in
                let command = FaultGuide.all[fault.name]?.command ?? "stuck"
                return (fault.name, "\(fault.summary) (\(command))")
            })
    }
}
