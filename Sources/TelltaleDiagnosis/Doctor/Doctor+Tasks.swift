#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Doctor {
    /// The number of tasks at one place from which they are a finding.
    private static let manyTasks = 3
    /// The maximum number of places with fewer that are named.
    private static let mostFew = 2
    /// The maximum number of tasks that are looked at.
    private static let mostTasks = 10_000

    /// A place in the service's own code.
    private struct Place: Hashable {
        var function: String
        var file: String?
        var line: Int?
    }

    /// Places of the service's own at which several tasks wait to be resumed, and none has gone on: requests that
    /// wait for a connection of a pool, for a permit, for an answer that doesn't come.
    ///
    /// Something may yet resume them. Tasks that wait for a stream's next element, or until they
    /// are cancelled, are not among them: servers have thousands. One or two tasks at a place are no suspicion; that
    /// they wait is said, since nothing but the service's author knows whether it is right.
    func crowdsOfTasks() -> [DoctorAnswer.Finding] {
        guard process.window >= Self.leastWindow else { return [] }
        var places: [[RawFrame]: Place?] = [:]
        func place(of task: TaskFacts) -> Place? {
            if let known = places[task.frames] { return known }
            let place = self.place(of: task.address)
            places[task.frames] = .some(place)
            return place
        }
        var crowds: [Place: [UInt]] = [:]
        var moving: Set<Place> = []
        lazy var earlier = Set(process.earlier.tasks.map(\.address))
        for task in process.later.tasks.prefix(Self.mostTasks) where Self.mayBelong(task) {
            guard let place = place(of: task) else { continue }
            if process.unmovedTasks.contains(task.address) {
                crowds[place, default: []].append(task.address)
            } else if earlier.contains(task.address) {
                moving.insert(place)
            }
        }
        for task in process.earlier.tasks.prefix(Self.mostTasks)
        where Self.mayBelong(task) && process.tasks[task.address] == nil {
            // A task that has ended waited at a place that is known if another one waits there.
            if let place = places[task.frames] ?? nil { moving.insert(place) }
        }
        let still = crowds.filter { place, _ in !moving.contains(place) && !isNamed(place) }
            .sorted { ($1.value.count, $0.key.function) < ($0.value.count, $1.key.function) }
        let many = still.filter { $0.value.count >= Self.manyTasks }.prefix(Self.mostOfAKind)
        let few = still.filter { _, tasks in
            tasks.count < Self.manyTasks && !process.party(task: tasks[0]).isInFuture
        }
        return many.map { finding(of: $0.value, .suspicion) }
            + few.sorted { age(of: $0.value) > age(of: $1.value) }.prefix(Self.mostFew)
            .map { finding(of: $0.value, .notice) }
    }

    /// Places at which promises of SwiftNIO were made of which none has been completed. A server may keep some as
    /// long as it lives.
    func pendingPromises() -> [DoctorAnswer.Finding] {
        guard process.window >= Self.leastWindow else { return [] }
        let earlier = Set(process.earlier.eventLoops.flatMap(\.promises))
        let later = Set(process.later.eventLoops.flatMap(\.promises))
        let moving = Set(earlier.subtracting(later).map(\.place))
        let places = Dictionary(grouping: later.intersection(earlier), by: \.place)
        return places.filter { !moving.contains($0.key) }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .prefix(Self.mostOfAKind).map { place, promises in
                .init(
                    .promisesPending(count: promises.count, place: place), .notice,
                    seconds: process.window)
            }
    }

    /// The long waits that `stuck` can't judge, without those that have a finding. They are no suspicion: a service
    /// may wait for a thing all its life.
    func unjudgedWaits() -> [DoctorAnswer.Finding] {
        let named = Set(findings.flatMap(\.allParties).compactMap(\.thread))
        return (stuck.unjudged?.first ?? []).filter { wait in
            guard let party = wait.parties.first else { return false }
            if let thread = party.thread { return !named.contains(thread) }
            return !findings.flatMap(\.allParties).contains {
                $0.function == party.function && $0.line == party.line
            }
        }.map { .init(.stuck(finding: $0), .notice, seconds: $0.seconds) }
    }

    /// A sentence, if not all tasks were looked at for their places.
    var crowdsCut: String? {
        let count = process.later.tasks.count
        guard count > Self.mostTasks else { return nil }
        return
            "the places of \(Quantity.count(Self.mostTasks)) of \(Quantity.count(count)) tasks were compared"
    }

    private static func mayBelong(_ task: TaskFacts) -> Bool {
        task.waitsFor == .continuation && !task.isCancelled && !task.isMoving
    }

    private func place(of address: UInt) -> Place? {
        let party = process.party(task: address)
        guard let function = party.function, party.isForeign != true else { return nil }
        guard !party.isExpectedToLast else { return nil }
        return Place(function: function, file: party.file, line: party.line)
    }

    /// Indicates that a finding of `stuck` has tasks at a place.
    private func isNamed(_ place: Place) -> Bool {
        stuck.findings.flatMap(\.parties).contains {
            $0.function == place.function && $0.line == place.line
        }
    }

    private func finding(
        of tasks: [UInt], _ grade: DoctorAnswer.Grade
    ) -> DoctorAnswer.Finding {
        .init(
            .tasksWait(count: tasks.count), grade, parties: [process.party(task: tasks[0])],
            seconds: age(of: tasks))
    }

    /// The minimum time that each of some tasks has waited, in seconds.
    private func age(of tasks: [UInt]) -> Double {
        let since = tasks.compactMap { process.history.since(.task($0)) }.max()
        return max(process.window, since.map { (process.later.time - $0).inSeconds } ?? 0)
    }
}
#endif
