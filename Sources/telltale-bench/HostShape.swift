/// How the child process is to be that plays the host, as one word: `12,heartbeat,0,alone`.
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

    /// Reads what ``description`` wrote.
    ///
    /// - Parameter text: The option's argument.
    /// - Throws: ``BenchmarkFailure``.
    init(_ text: String) throws(BenchmarkFailure) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let counts = words.count == 4 ? [words[0], words[2]].compactMap { Int($0) } : []
        guard counts.count == 2, counts.allSatisfy((0...1_000_000).contains)
        else {
            throw BenchmarkFailure(
                "\(Self.option) takes a shape such as \(HostShape()), not '\(text)'")
        }
        self.init(
            photos: counts[0], hasHeartbeat: words[1] == "heartbeat", registrations: counts[1],
            hasService: words[3] == "service")
    }

    var description: String {
        "\(photos),\(hasHeartbeat ? "heartbeat" : "no-heartbeat"),\(registrations),"
            + (hasService ? "service" : "alone")
    }
}
