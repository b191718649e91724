import TelltaleProtocol

/// How the child process is to be that plays the host, as JSON on its command line.
struct HostShape: Codable, Equatable, CustomStringConvertible {
    /// The option that makes this program the host.
    static let option = "--as-host"

    var photos = 12
    /// Whether the agent's thread watches for pauses.
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
    var queues = 0
    /// How many megabytes its heap has.
    var heap = 0
    var items = 0
    var tasks = 0
    /// Whether nobody has what the parked threads and the tasks wait for; else a timer would end the waits.
    var isLost = false
    /// How many small objects it keeps, in a list of its own that is registered.
    var objects = 0
    /// How many objects of twelve fields it keeps, registered likewise.
    var wide = 0
    /// How many items it submits, one after another, before it is ready; it tells how long that took.
    var asyncs = 0

    /// Where the service listens, in the folder of the agent's socket.
    static let service = "service"
    /// Where the echo listens that may be attacked.
    static let inert = "inert"

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
    init(_ text: String) throws {
        do {
            self = try JSONValueDecoder.decode(
                Self.self, from: JSONParser.parse(Array(text.utf8)))
        } catch {
            throw BenchmarkFailure(
                "\(Self.option) takes a shape such as \(HostShape()), not '\(text)'")
        }
    }

    var description: String {
        (try? JSONValueEncoder.encode(self).serialized()) ?? ""
    }
}
