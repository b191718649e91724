#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleProtocol

/// The numbers of things that may grow, at one moment.
package struct GrowthSample: Sendable {
    /// Something that is counted.
    package enum Subject: Hashable, Sendable {
        /// Objects of a class, by its first word in memory.
        case heap(UInt)
        case threads, tasks, children, endedChildren
        /// `asyncAfter` items, with those of `Task.sleep`.
        case delayedItems
        /// Descriptors of a kind.
        case descriptors(String)
    }

    package struct Amount: Sendable {
        package var count: Int
        package var bytes: UInt64?

        package init(_ count: Int, bytes: UInt64? = nil) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// The moment, in seconds on any clock.
    package var seconds: Double
    package var amounts: [Subject: Amount] = [:]

    /// Counts what a picture and its border have.
    package init(_ picture: Picture) {
        seconds = picture.time.inSeconds
        func add(_ subject: Subject, _ count: Int) {
            if count > 0 { amounts[subject] = Amount(count) }
        }
        add(.threads, picture.threads.count { !$0.isAgent })
        add(.tasks, picture.tasks.count)
        add(.delayedItems, picture.timers.count { $0.isAfter })
        guard let border = picture.border else { return }
        add(.children, border.children.count)
        add(.endedChildren, border.children.count { $0.state == "Z" })
        for (kind, found) in Dictionary(grouping: border.descriptors, by: \.kind) {
            add(.descriptors(kind), found.count)
        }
    }
}

/// Something that has grown from sample to sample, at a rate that does not fall.
package struct Growth: Sendable {
    package var subject: GrowthSample.Subject
    package var count: Int
    package var perMinute: Double
    package var bytes: UInt64?

    /// Compares three samples or more.
    ///
    /// A cache or a pool grows at first and then no more; a growth counts if it went on in the second
    /// half of the time at half the rate of the first or more, and by a hundredth of the whole.
    package static func all(in samples: [GrowthSample]) -> [Growth] {
        guard samples.count >= 3, let first = samples.first, let last = samples.last,
            last.seconds > first.seconds
        else { return [] }
        let middle = samples[samples.count / 2]
        let grown = last.amounts.compactMap { subject, amount -> Growth? in
            let counts = samples.map { $0.amounts[subject]?.count ?? 0 }
            guard zip(counts, counts.dropFirst()).allSatisfy(<) else { return nil }
            let begin = counts[0]
            let growth = amount.count - begin
            guard growth >= max(subject.least, begin / 100) else { return nil }
            let early = rate(subject, first, middle)
            guard rate(subject, middle, last) >= early / 2 else { return nil }
            return Growth(
                subject: subject, count: amount.count,
                perMinute: Double(growth) / (last.seconds - first.seconds) * 60,
                bytes: amount.bytes)
        }
        return grown.sorted {
            ($0.bytes ?? 0, $0.perMinute) > ($1.bytes ?? 0, $1.perMinute)
        }
    }

    private static func rate(
        _ subject: GrowthSample.Subject, _ one: GrowthSample, _ other: GrowthSample
    ) -> Double {
        let length = other.seconds - one.seconds
        guard length > 0 else { return 0 }
        let growth =
            (other.amounts[subject]?.count ?? 0) - (one.amounts[subject]?.count ?? 0)
        return Double(growth) / length
    }

    /// The finding, where the subject's name is known.
    package func finding(named name: String, watched seconds: Double) -> DoctorAnswer.Finding {
        .init(
            .grows(what: name, count: count, perMinute: perMinute, bytes: bytes), .suspicion,
            seconds: seconds)
    }
}

extension GrowthSample.Subject {
    /// The least growth that counts: more of things that are made by the dozen.
    fileprivate var least: Int {
        switch self {
        case .heap, .tasks, .delayedItems: 20
        case .threads, .children, .endedChildren, .descriptors: 5
        }
    }

    /// The name; `nil` for a class, which the picture doesn't know.
    package var name: String? {
        switch self {
        case .heap: nil
        case .threads: "threads"
        case .tasks: "tasks"
        case .children: "child processes"
        case .endedChildren: "child processes that have ended and that nothing waits for"
        case .delayedItems: "delayed items (asyncAfter, Task.sleep)"
        case .descriptors(let kind): kind == "process" ? "pidfds" : "\(kind) descriptors"
        }
    }
}
#endif
