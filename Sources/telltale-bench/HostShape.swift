/// How the child process is to be that plays the host: `12`, or `10000,without-heartbeat`.
struct HostShape: Equatable, CustomStringConvertible {
    /// The option that makes this program the host.
    static let option = "--as-host"

    /// How many photos it has.
    var photos = 12
    /// Whether the agent's thread looks for pauses.
    var hasHeartbeat = true

    init(photos: Int = 12, hasHeartbeat: Bool = true) {
        self.photos = photos
        self.hasHeartbeat = hasHeartbeat
    }

    /// Reads what ``description`` wrote.
    ///
    /// - Parameter text: The option's argument.
    /// - Throws: ``BenchmarkFailure``.
    init(_ text: String) throws(BenchmarkFailure) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let count = words.first.flatMap({ Int($0) }), (0...1_000_000).contains(count),
            words.dropFirst().allSatisfy({ $0 == "without-heartbeat" })
        else {
            throw BenchmarkFailure(
                "\(Self.option) takes a number of photos, such as 12, not '\(text)'")
        }
        self.init(photos: count, hasHeartbeat: words.count == 1)
    }

    var description: String {
        hasHeartbeat ? "\(photos)" : "\(photos),without-heartbeat"
    }
}
