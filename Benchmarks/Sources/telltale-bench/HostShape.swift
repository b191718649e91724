import TelltaleProtocol

/// The shape of the child process that plays the host, as JSON on its command line.
struct HostShape: Codable, Equatable, CustomStringConvertible {
    /// The option that makes this program the host.
    static let option = "--as-host"

    var photos = 12
    /// Indicates that the agent's thread watches for pauses.
    var hasHeartbeat = true
    /// The number of objects it registers besides the photos.
    var registrations = 0
    /// Indicates that it has a service of its own, and beside it an echo that may be attacked.
    var hasService = false
    /// The number of threads that wait at the end of a chain of functions.
    var parked = 0
    /// The number of threads that wait in a library with much debug information.
    var large = 0
    /// The number of threads that compute without end.
    var spinning = 0
    /// The number of threads that wait in calls that a signal would end; it counts the interrupted
    /// ones.
    var polling = 0
    var queues = 0
    /// The size of its heap in megabytes.
    var heap = 0
    var items = 0
    var tasks = 0
    /// Indicates that the objects waited for by parked threads and tasks are unreachable; else a
    /// timer would end the waits.
    var isLost = false
    /// The number of small objects it keeps, in a list of its own that is registered.
    var objects = 0
    /// The number of objects of twelve fields it keeps, registered likewise.
    var wide = 0
    /// The number of items it submits, one after another, before it is ready; it reports the time
    /// that took.
    var asyncs = 0

    /// The name of the service's socket, in the folder of the agent's socket.
    static let service = "service"
    /// The name of the echo's socket, which may be attacked.
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
