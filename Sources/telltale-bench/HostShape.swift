/// How the child process is to be that plays the host, as one word: `12,heartbeat,0`.
struct HostShape: Equatable, CustomStringConvertible {
    /// The option that makes this program the host.
    static let option = "--as-host"

    /// How many photos it has.
    var photos = 12
    /// Whether the agent's thread looks for pauses.
    var hasHeartbeat = true
    /// How many objects it registers besides the photos.
    var registrations = 0

    init(photos: Int = 12, hasHeartbeat: Bool = true, registrations: Int = 0) {
        self.photos = photos
        self.hasHeartbeat = hasHeartbeat
        self.registrations = registrations
    }

    /// Reads what ``description`` wrote.
    ///
    /// - Parameter text: The option's argument.
    /// - Throws: ``BenchmarkFailure``.
    init(_ text: String) throws(BenchmarkFailure) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let counts = [words.first, words.last].compactMap { $0.flatMap { Int($0) } }
        guard words.count == 3, counts.count == 2, counts.allSatisfy((0...1_000_000).contains)
        else {
            throw BenchmarkFailure(
                "\(Self.option) takes a shape such as \(HostShape()), not '\(text)'")
        }
        self.init(
            photos: counts[0], hasHeartbeat: words[1] == "heartbeat", registrations: counts[1])
    }

    var description: String {
        "\(photos),\(hasHeartbeat ? "heartbeat" : "no-heartbeat"),\(registrations)"
    }
}
