#if TELLTALE_AGENT
package import TelltalePicture
import TelltaleProtocol

/// The numbers of things that may grow, at one moment.
package struct GrowthSample: Sendable {
    /// Something that is counted.
    package enum Subject: Hashable, Sendable {
        /// Objects of a class, by its first word in memory.
        case heap(UInt)
        case threads, children, endedChildren
        /// The memory that is resident, in MiB.
        case residentMemory
        /// `asyncAfter` items, with those of `Task.sleep`.
        case delayedItems
        /// The items that wait on a queue, by its address.
        case queueItems(UInt)
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
    /// The subjects that could not be counted whole.
    package var unknown: Set<Subject> = []

    /// - Parameter seconds: The moment, on the clock of the other samples.
    package init(seconds: Double) { self.seconds = seconds }

    /// Sets the number of something.
    package mutating func add(_ subject: Subject, _ count: Int) {
        amounts[subject] = Amount(count)
    }

    /// Counts the items of a picture's queues, its delayed items, and the children.
    package mutating func add(_ picture: Picture, _ border: BorderFacts) {
        if picture.gaps.contains(where: { !$0.parts.isDisjoint(with: .timers) }) {
            unknown.insert(.delayedItems)
        } else {
            add(.delayedItems, picture.timers.count { $0.isAfter })
        }
        for queue in picture.queues where queue.kind != .global && !queue.isDispatchsOwn {
            add(.queueItems(queue.address), queue.waiting ?? 0)
        }
        add(.children, border.children.count)
        add(.endedChildren, border.children.count { $0.state == "Z" })
    }
}

/// Something that has grown from sample to sample, at a rate that does not fall.
package struct Growth: Sendable {
    package var subject: GrowthSample.Subject
    package var count: Int
    package var perMinute: Double
    package var bytes: UInt64?
    /// The time in which it grew, in seconds.
    package var seconds: Double
    /// The property or variable by which most of it is kept; `nil` if unknown.
    package var holder: String?

    /// The least share of pairs of samples of which the later has more, where they are of a few seconds: what goes
    /// up and down under a load rises by chance in a third of such series, if only three parts are compared
    /// (H. B. Mann, Nonparametric tests against trend, 1945).
    private static let steadyShare = 0.9

    /// The meaning of a subject that a sample doesn't have.
    package enum Absence: Sendable {
        /// There is none of it.
        case none
        /// It was not among the counted ones: only later samples are compared.
        case unknown
    }

    /// Compares samples, oldest first.
    ///
    /// A cache or a pool grows at first and then no more, and a busy service has more of everything for a
    /// while. So the time is divided into thirds, of which the least counts: it must rise from third to
    /// third, at the end at half the rate of the beginning or more, and by a hundredth of the whole. A
    /// queue counts if it was never empty, however many items it has: nothing fills it on purpose.
    ///
    /// - Parameters:
    ///   - samples: The samples of one series.
    ///   - absence: The meaning of a subject that a sample doesn't have.
    ///   - least: The number of samples from which a growth can be told, at least 3.
    ///   - isSteady: Set if only a growth from almost each sample to the next counts, as in series of a few seconds.
    /// - Returns: The growths, those with the most bytes first.
    /// - Complexity: O(*n*) for *n* amounts in all samples; if `isSteady`, for each sample.
    package static func all(
        in samples: [GrowthSample], absence: Absence = .none, least: Int = 3,
        isSteady: Bool = false
    ) -> [Growth] {
        guard let last = samples.last else { return [] }
        return last.amounts.keys.compactMap { subject in
            let points = points(of: subject, in: samples, absence)
            guard points.count >= max(least, 3), !isSteady || rises(points) else { return nil }
            return Growth(of: subject, points, last)
        }.sorted {
            ($0.bytes ?? 0, $0.perMinute) > ($1.bytes ?? 0, $1.perMinute)
        }
    }

    private typealias Point = (seconds: Double, count: Int)

    private static func points(
        of subject: GrowthSample.Subject, in samples: [GrowthSample], _ absence: Absence
    ) -> [Point] {
        var points: [Point] = []
        for sample in samples.reversed() {
            let isNone = absence == .none && !sample.unknown.contains(subject)
            guard let count = sample.amounts[subject]?.count ?? (isNone ? 0 : nil) else { break }
            points.append((sample.seconds, count))
        }
        return points.reversed()
    }

    /// Returns `nil` if that is no growth.
    private init?(
        of subject: GrowthSample.Subject, _ points: [Point], _ last: GrowthSample
    ) {
        let part = points.count / 3
        let thirds = [
            points.prefix(part), points.dropFirst(part).dropLast(part), points.suffix(part),
        ].compactMap { $0.min { $0.count < $1.count } }
        guard thirds.count == 3, let amount = last.amounts[subject] else { return nil }
        let growth = thirds[2].count - thirds[0].count
        let early = Self.rate(thirds[0], thirds[1])
        let late = Self.rate(thirds[1], thirds[2])
        let share = subject.queue == nil ? thirds[0].count / 100 : thirds[0].count > 0 ? 0 : .max
        guard growth >= max(subject.least, share), early > 0, late >= early / 2 else { return nil }
        self.subject = subject
        count = amount.count
        bytes = amount.bytes
        perMinute = Self.rate(thirds[0], thirds[2]) * 60
        seconds = last.seconds - points[0].seconds
    }

    /// Returns whether the later of two samples has more, in almost all pairs.
    private static func rises(_ points: [Point]) -> Bool {
        var rising = 0
        for (index, point) in points.enumerated() {
            rising += points[..<index].count { $0.count < point.count }
        }
        let pairs = points.count * (points.count - 1) / 2
        return Double(rising) >= steadyShare * Double(pairs)
    }

    private static func rate(_ one: Point, _ other: Point) -> Double {
        let length = other.seconds - one.seconds
        return length > 0 ? Double(other.count - one.count) / length : 0
    }

    /// Returns whether another one rises as fast, by a twentieth, in as long a time.
    func isEqual(to other: Growth) -> Bool {
        abs(perMinute - other.perMinute) <= perMinute / 20
            && abs(seconds - other.seconds) <= seconds / 4
    }

    /// Makes the finding of it.
    ///
    /// - Parameters:
    ///   - name: The subject's.
    ///   - equally: The names of those that rise as fast.
    /// - Returns: A suspicion.
    func finding(named name: String, equally: [String]) -> DoctorAnswer.Finding {
        .init(
            .grows(
                what: name, count: count, perMinute: perMinute, bytes: bytes, holder: holder,
                equally: equally.isEmpty ? nil : equally),
            .suspicion, seconds: seconds)
    }
}

extension GrowthSample.Subject {
    /// The least growth that counts: more of things that are made by the dozen.
    fileprivate var least: Int {
        switch self {
        // The agent's own work makes some tens of arrays and strings.
        case .heap: 100
        case .delayedItems, .queueItems: 20
        case .threads, .children, .endedChildren, .descriptors: 5
        case .residentMemory: 8
        }
    }

    /// The address of the queue whose items are counted.
    package var queue: UInt? {
        guard case .queueItems(let address) = self else { return nil }
        return address
    }

    /// The name; `nil` for a class and for a queue, which the picture doesn't know.
    package var name: String? {
        switch self {
        case .heap, .queueItems: nil
        case .threads: "threads"
        case .children: "child processes"
        case .endedChildren: "child processes that have ended and that nothing waits for"
        case .delayedItems: "delayed items (asyncAfter, Task.sleep)"
        case .residentMemory: "resident memory in MiB"
        case .descriptors(let kind): kind == "process" ? "pidfds" : "\(kind) descriptors"
        }
    }
}
#endif
