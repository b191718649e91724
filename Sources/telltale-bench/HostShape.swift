/// How the child process is to be that plays the host, as one word: `photos=12,parked=100`.
struct HostShape: Equatable, CustomStringConvertible {
    /// The option that makes this program the host.
    static let option = "--as-host"

    /// How many photos it has.
    var photos = 12
    /// Whether the agent's thread looks for pauses.
    var hasHeartbeat = true
    /// How many objects it registers besides the photos.
    var registrations = 0
    /// Whether it has a service of its own, and beside it an echo that may be attacked.
    var hasService = false
    /// How many threads wait at the end of a chain of functions.
    var parked = 0
    /// How many threads wait in a library with much debug information.
    var large = 0
    /// How many threads compute without end.
    var spinning = 0
    /// How many threads wait in calls that a signal would end; it counts those that were.
    var polling = 0
    /// How many dispatch queues it has.
    var queues = 0
    /// How many megabytes its heap has.
    var heap = 0
    /// How many items wait on a suspended queue.
    var items = 0
    /// How many Swift tasks wait.
    var tasks = 0
    /// How many items it submits, one after another, before it is ready; it tells how long that took.
    var asyncs = 0

    /// Where the service listens, in the folder of the agent's socket.
    static let service = "service"
    /// Where the echo listens that may be attacked.
    static let inert = "inert"

    private static var counts: [(name: String, path: WritableKeyPath<HostShape, Int>)] {
        [
            ("photos", \.photos), ("registrations", \.registrations), ("parked", \.parked),
            ("large", \.large), ("spinning", \.spinning), ("polling", \.polling),
            ("queues", \.queues),
            ("heap", \.heap), ("items", \.items), ("tasks", \.tasks), ("asyncs", \.asyncs),
        ]
    }
    private static var switches: [(name: String, path: WritableKeyPath<HostShape, Bool>)] {
        [("heartbeat", \.hasHeartbeat), ("service", \.hasService)]
    }

    init(
        photos: Int = 12, hasHeartbeat: Bool = true, registrations: Int = 0,
        hasService: Bool = false
    ) {
        self.photos = photos
        self.hasHeartbeat = hasHeartbeat
        self.registrations = registrations
        self.hasService = hasService
    }

    /// A usual host with one thing changed.
    init<Value>(_ path: WritableKeyPath<HostShape, Value>, _ value: Value) {
        self.init()
        self[keyPath: path] = value
    }

    /// The name of the number of calls that a signal has ended.
    static let ended = "ended"

    /// Reads what ``description`` wrote.
    ///
    /// - Parameter text: The option's argument.
    /// - Throws: ``BenchmarkFailure``.
    init(_ text: String) throws(BenchmarkFailure) {
        self.init()
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = Int(parts[1]), (0...20_000_000).contains(value)
            else { throw Self.failure(text) }
            if let count = Self.counts.first(where: { $0.name == parts[0] }) {
                self[keyPath: count.path] = value
            } else if let flag = Self.switches.first(where: { $0.name == parts[0] }) {
                self[keyPath: flag.path] = value == 1
            } else {
                throw Self.failure(text)
            }
        }
    }

    private static func failure(_ text: String) -> BenchmarkFailure {
        BenchmarkFailure("\(option) takes a shape such as \(HostShape()), not '\(text)'")
    }

    var description: String {
        let counts = Self.counts.map { "\($0.name)=\(self[keyPath: $0.path])" }
        let switches = Self.switches.map { "\($0.name)=\(self[keyPath: $0.path] ? 1 : 0)" }
        return (counts + switches).joined(separator: ",")
    }
}
