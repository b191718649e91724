#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

/// Circles of waits that the functions of the threads show, and no word in memory.
extension Doctor {
    // MARK: Initialisers

    /// Lazy globals and `static let`s whose initialisers need each other.
    ///
    /// The thread that closes the circle is refused by the kernel (EDEADLK) and asks again and again, so that it
    /// uses a core and seems to make progress. Each thread's functions say which value it makes and which one it
    /// needs.
    func initialiserCircles() -> [DoctorAnswer.Finding] {
        let needs = Self.needs(in: process.later)
        let earlier = Self.needs(in: process.earlier)
        var found: [DoctorAnswer.Finding] = []
        var seen: Set<Int32> = []
        for start in needs.keys.sorted() where !seen.contains(start) {
            var circle: [Int32] = []
            var next: Int32? = start
            while let thread = next, !circle.contains(thread), needs[thread] != nil,
                needs[thread] == earlier[thread]
            {
                circle.append(thread)
                let wanted = needs[thread]?.wanted ?? ""
                next = needs.first { $0.value.made.contains(wanted) }?.key
            }
            guard next == start else { continue }
            seen.formUnion(circle)
            let names = circle.compactMap { needs[$0]?.wanted }
            let finding = StuckAnswer.Finding(
                .cycle(of: names.map { .init(.lock, $0) }), .deadlock, seconds: process.window,
                parties: circle.map { process.brief(thread: $0) })
            found.append(.init(.stuck(finding: finding), .fault, seconds: process.window))
        }
        return found
    }

    /// The value that a thread waits for in its initialiser, and those that it makes itself meanwhile.
    private struct Need: Equatable {
        var wanted: String
        var made: Set<String>
    }

    private static func needs(in picture: Picture) -> [Int32: Need] {
        var needs: [Int32: Need] = [:]
        for thread in picture.threads where !thread.isAgent {
            var names: [String] = []
            for (frame, caller) in zip(thread.stack, thread.stack.dropFirst())
            where (frame.function ?? "").contains("once_slow") {
                if let name = caller.lazyValue { names.append(name) }
            }
            guard let wanted = names.first, names.count > 1 else { continue }
            needs[thread.id] = Need(wanted: wanted, made: Set(names.dropFirst()))
        }
        return needs
    }

    // MARK: Read-write locks

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
                .readsAgain(lock: name, outer: thread.outerReader, finding: finding), .fault,
                seconds: finding.seconds)
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

extension ResolvedFrame {
    /// `LeftHalf.value` of `LeftHalf.value.unsafeMutableAddressor`.
    fileprivate var lazyValue: String? {
        guard let name = shortFunction ?? function else { return nil }
        let end = ".unsafeMutableAddressor"
        return name.hasSuffix(end) ? String(name.dropLast(end.count)) : name
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

    /// The function that had taken it first.
    fileprivate var outerReader: String? {
        guard let outer = takings?.outer else { return nil }
        return stack[(outer + 1)...].first(where: \.isHosts)?.title
    }
}
#endif
