import TelltaleProtocol
import TelltaleSystem

/// A large array of objects, read and sent as JSON.
struct ArrayReadBenchmark: Benchmark {
    let name = "read.photos"
    let summary = """
        10,000 photos as one answer over the socket, against Mirror and the same codec, \
        dump() and JSONEncoder
        """

    private let count = 10_000

    func run(_ effort: Effort) throws -> [Measurement] {
        let host = try HostProcess(HostShape(photos: count))
        let agent = try LineConnection(to: host)
        let request = LineConnection.request(
            "show", #"{"path":"photos.items","limit":\#(count),"depth":6}"#)
        let own = PhotoHost(photos: count)
        var answers = Series()
        var speeds = Series()
        var mirrored = Series()
        var mirroredSpeeds = Series()
        var dumped = Series()
        var encoded = Series()
        let plain = own.items.map(PlainPhoto.init)
        for _ in 0..<effort.rounds(15) {
            var bytes = 0
            let time = try timed { bytes = try agent.ask(request) }
            guard bytes > count * 100 else {
                throw BenchmarkFailure("\(bytes) bytes can't be an answer of \(count) photos")
            }
            answers.add(time)
            speeds.add(Double(bytes) / time.seconds)

            var size = 0
            let mirror = try timed { size = try mirrorAnswer(own) }
            mirrored.add(mirror)
            mirroredSpeeds.add(Double(size) / mirror.seconds)
            dumped.add(
                timed {
                    var text = ""
                    dump(own.items, to: &text)
                    size = text.utf8.count
                })
            encoded.add(try timed { size += try FoundationJSON.encode(plain) })
            guard size > count * 200 else { throw BenchmarkFailure("\(size) bytes were dumped") }
        }
        return [
            Measurement(
                name: "\(name).time", series: answers,
                baseline: .init(name: "Mirror", series: mirrored), limit: 0.05),
            Measurement(
                name: "\(name).dump", series: answers,
                baseline: .init(name: "dump()", series: dumped)),
            Measurement(
                name: "\(name).encoder", series: answers,
                baseline: .init(name: "JSONEncoder", series: encoded)),
            Measurement(
                name: "\(name).throughput", unit: .bytesPerSecond, series: speeds,
                baseline: .init(name: "Mirror", series: mirroredSpeeds)),
        ]
    }

    /// The same answer made with what the toolchain offers, and not sent anywhere.
    private func mirrorAnswer(_ host: PhotoHost) throws -> Int {
        let tree = MirrorWalk().tree(of: host.items)
        let answer = ValueAnswer(
            path: "photos.items", value: tree, owner: "none", read: "in place")
        return try answer.json().serializedBytes().count
    }
}
