#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol

extension Doctor {
    /// The number of tasks at one place from which they are a finding.
    private static let manyTasks = 3
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
    /// are cancelled, are not among them: servers have thousands.
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
        return crowds.filter { place, tasks in
            tasks.count >= Self.manyTasks && !moving.contains(place) && !isNamed(place)
        }.sorted { ($1.value.count, $0.key.function) < ($0.value.count, $1.key.function) }
            .prefix(Self.mostOfAKind).map { finding(of: $0.value) }
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
        let names = [function, party.waitsIn ?? ""]
        // `next()`, `Iterator.next`, `gracefulShutdown()`, `cancelWhenGracefulShutdown(_:)`
        let isForEver = names.contains { name in
            let words = name.prefix { $0 != "(" }.split { $0 == "." || $0 == " " }
            let last = words.last.map(String.init) ?? ""
            return last == "next" || last.lowercased().contains("shutdown")
                || last.lowercased().contains("cancel")
        }
        return isForEver ? nil : Place(function: function, file: party.file, line: party.line)
    }

    /// Indicates that a finding of `stuck` has tasks at a place.
    private func isNamed(_ place: Place) -> Bool {
        stuck.findings.flatMap(\.parties).contains {
            $0.function == place.function && $0.line == place.line
        }
    }

    private func finding(of tasks: [UInt]) -> DoctorAnswer.Finding {
        let since = tasks.compactMap { process.history.since(.task($0)) }.max()
        let seconds = since.map { (process.later.time - $0).inSeconds } ?? 0
        return .init(
            .tasksWait(count: tasks.count), .suspicion, parties: [process.party(task: tasks[0])],
            seconds: max(process.window, seconds))
    }
}
#endif
