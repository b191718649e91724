#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Circles through read-write locks, which the functions of the threads show, and no word in memory.
extension Doctor {
    /// Threads that read under a read-write lock and want to read again, behind a writer that waits for them.
    ///
    /// The C library keeps the number of readers alone. A reader that is in the function which takes the lock,
    /// called by that very function, is one of them.
    func repeatedReads() -> [DoctorAnswer.Finding] {
        let readers = waiters(of: "pthread_rwlock_rdlock")
        let writers = waiters(of: "pthread_rwlock_wrlock")
        return readers.compactMap { lock, thread -> DoctorAnswer.Finding? in
            guard let writer = writers.first(where: { $0.lock == lock })?.thread,
                thread.takesLockTwice, !hasOtherReader(than: thread, writer)
            else { return nil }
            let name = "read-write lock \(Quantity.address(lock))"
            let finding = StuckAnswer.Finding(
                .cycle(of: [
                    .init(.lock, name), .init(.thread, "thread \(writer.id)"), .init(.lock, name),
                ]), .deadlock, seconds: max(process.window, thread.offCPUFor ?? 0),
                parties: [process.brief(thread: thread.id), process.brief(thread: writer.id)])
            return .init(
                .readsAgain(
                    lock: name, outer: thread.outerReader, finding: finding,
                    inner: thread.innerReader),
                .fault, seconds: finding.seconds)
        }.prefix(Self.mostOfAKind).map(\.self)
    }

    /// Indicates that a third thread is under the function that takes the lock: it may be the reader for which
    /// the writer waits, if the function's two calls are of two locks.
    private func hasOtherReader(than reader: ThreadFacts, _ writer: ThreadFacts) -> Bool {
        guard let function = reader.stack.first(where: \.isHosts)?.function else { return true }
        return process.later.threads.contains { thread in
            thread.id != reader.id && thread.id != writer.id && thread.wait != reader.wait
                && thread.stack.contains { $0.function == function }
        }
    }

    /// The threads that stand still in this function, with the lock.
    private func waiters(of function: String) -> [(lock: UInt, thread: ThreadFacts)] {
        process.later.threads.compactMap { thread in
            guard !thread.isAgent, process.unmovedThreads.contains(thread.id),
                case .lock(let lock, _, _) = thread.wait,
                thread.stack.prefix(8).contains(where: { $0.symbol?.contains(function) == true })
            else { return nil }
            return (lock, thread)
        }
    }
}

extension ThreadFacts {
    /// The positions of the host's function that takes the lock: the innermost, and one that called it.
    private var takings: (inner: Int, outer: Int)? {
        guard let inner = stack.firstIndex(where: \.isHosts), let function = stack[inner].function,
            let outer = stack[(inner + 1)...].firstIndex(where: { $0.function == function })
        else { return nil }
        return (inner, outer)
    }

    fileprivate var takesLockTwice: Bool { takings != nil }

    /// The function that wants it again, with its line.
    fileprivate var innerReader: String? {
        guard let inner = takings?.inner, let function = stack[inner].function,
            let frame = stack[(inner + 1)...].first(where: {
                $0.isHosts && $0.function != function
            }), let title = frame.title
        else { return nil }
        return title + (StackText.place(frame.sourceFile, frame.line).map { " " + $0 } ?? "")
    }

    /// The function that had taken it first.
    fileprivate var outerReader: String? {
        guard let outer = takings?.outer else { return nil }
        return stack[(outer + 1)...].first(where: \.isHosts)?.title
    }
}
#endif
