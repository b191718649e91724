#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleSystem

extension Agent {
    /// Makes a dump for a signal and writes it to the configured destination.
    func writeDump(for delivery: SignalTrap.Delivery, merged: Int) {
        let isKnown = delivery.code != SignalTrap.unknownSender
        let sender = Peer(
            uid: delivery.senderUID, pid: delivery.senderPID,
            program: ProcessFiles(pid: delivery.senderPID).name)
        writeDump(
            cause: .signal(
                name: SignalNumber.name(delivery.signal), sender: isKnown ? sender : nil,
                merged: merged))
    }

    /// Makes a dump and writes it to the configured destination. The diagnosis and the picture behind it
    /// may be `known` already.
    func writeDump(
        cause: DumpReport.Cause, known: (answer: StuckAnswer, picture: Picture)? = nil
    ) {
        if let shortage = MemoryRoom.shortage(for: .dump) {
            return shared.note("a dump was not made: \(shortage.reason)")
        }
        let dump = makeDump(cause: cause, known: known)
        switch configuration.dumpOutput {
        case .standardError: writeToStandardError(dump)
        case .file(let template): write(dump, template: template)
        case .lines:
            // The closure is host code: it runs on a worker and is abandoned at the deadline.
            let call = HostCall<Bool>()
            let lines = dumpLines
            workers.submit(
                WorkerPool.Job(
                    bulkhead: .dumpLines, isWanted: { call.isWanted },
                    run: { leave in
                        call.run {
                            lines?.value?(dump.lines)
                            return true
                        }
                        leave()
                    }, enqueue: nil))
            let deadline = MonotonicTime.now.advanced(by: configuration.dumpDeadline)
            if case .finished = call.outcome(until: deadline) { return }
            shared.note("dump d\(dump.id): the closure that takes its lines did not come back")
        }
    }

    func makeDump(
        cause: DumpReport.Cause, known: (answer: StuckAnswer, picture: Picture)? = nil
    ) -> DumpAnswer {
        let maker = DumpMaker(agent: self, id: dumps.makeID(), cause: cause)
        let previous = dumps.previous
        let dump = NativeThread.givingCore {
            GuardedReading.unbuffered { maker.make(previous: previous, known: known) }
        }
        DebuggerStop.dumpIsMade()
        return dump
    }

    private func writeToStandardError(_ dump: DumpAnswer) {
        let shown = Self.cut(
            dump.lines, to: configuration.standardErrorLines, pid: ProcessIdentity.pid,
            id: dump.id)
        let deadline = MonotonicTime.now.advanced(by: .seconds(2))
        let written = StandardError.write(lines: shown, until: deadline)
        if written < shown.count {
            shared.note(
                "dump d\(dump.id): standard error took \(written) of \(shown.count) lines; "
                    + "`telltale \(ProcessIdentity.pid) dump d\(dump.id)` shows all")
        }
    }

    /// Returns at most `limit` lines; the last one gives the total count.
    static func cut(_ lines: [String], to limit: Int, pid: Int32, id: Int) -> [String] {
        let prefix = "telltale[\(pid)] d\(id) "
        let command =
            "(`telltale \(pid) dump d\(id)` shows all; TELLTALE_OUTPUT=FILE has room for all)"
        guard lines.count > limit, let last = lines.last else { return lines }
        return lines.prefix(limit - 2)
            + [
                prefix + "CUT \(lines.count - limit + 1) lines were left out here \(command)",
                last + " shown=\(limit)",
            ]
    }

    private func write(_ dump: DumpAnswer, template: String) {
        let file = DumpFile(
            template: template, pid: ProcessIdentity.pid, name: name,
            keptCount: configuration.keptFiles, keptBytes: configuration.keptFileBytes)
        do throws(SystemError) {
            let path = try file.write(dump)
            print(["d\(dump.id) written to \(path), \(dump.lines.count) lines"])
        } catch {
            shared.note(
                "dump d\(dump.id) could not be written: \(error); it goes to standard error")
            writeToStandardError(dump)
        }
    }
}
#endif
