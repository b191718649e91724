import CTelltaleSystem
import TelltaleProtocol
import TelltaleSystem

/// The cost of counting the heap: of the C function, and of an answer of a host's agent.
struct HeapBenchmark: Benchmark {
    let name = "heap"
    let summary = "the count of a heap with 150,000 objects, by itself and as the answer of `heap`"

    private final class Counted {
        var number: Int
        var next: Counted?
        init(_ number: Int) { self.number = number }
    }

    private let count = 150_000

    func run(_ effort: Effort) throws -> [Measurement] {
        #if TELLTALE_AGENT
        let objects = (0..<count).map { Counted($0) }
        var counts = Series()
        for _ in 0..<effort.rounds(15) { counts.add(try time(of: Counted.self)) }
        withExtendedLifetime(objects) {}
        var shape = HostShape()
        shape.objects = count
        let host = try HostProcess(shape)
        let agent = try LineConnection(to: host)
        var answers = Series()
        for _ in 0..<effort.rounds(15) {
            answers.add(
                try timed { _ = try agent.ask(LineConnection.request("heap", #"{"top":20}"#)) })
        }
        var found = Series()
        let request = LineConnection.request(
            "instances", #"{"type":"HostObject","where":"number=149999"}"#)
        for _ in 0..<effort.rounds(15) {
            found.add(try timed { _ = try agent.ask(request) })
        }
        return try [
            held(effort),
            Measurement(name: "\(name).count", series: counts, bound: 0.020),
            Measurement(name: "\(name).answer", series: answers, bound: 0.040),
            Measurement(name: "\(name).instances", series: found, bound: 0.080),
        ]
        #else
        throw BenchmarkFailure("the agent is not in this build")
        #endif
    }

    #if TELLTALE_AGENT
    /// The referrers of an object in a host with a gigabyte.
    private func held(_ effort: Effort) throws -> Measurement {
        let host = try HostProcess(HostShape(\.heap, 1024))
        let agent = try LineConnection(to: host)
        let request = LineConnection.request("holders", #"{"path":"photos"}"#)
        var times = Series()
        for _ in 0..<effort.rounds(9) { times.add(try timed { _ = try agent.ask(request) }) }
        return Measurement(name: "\(name).holders-1-GB", series: times, bound: 0.5)
    }

    private func time(of type: Counted.Type) throws -> Duration {
        var layout = ctelltale_heap_layout
        if let reason = ctelltale_heap_calibrate(&layout) {
            throw BenchmarkFailure(String(cString: reason))
        }
        let deadline = MonotonicTime.now.advanced(by: .seconds(60))
        guard let images = ctelltale_images_read(nil) else {
            throw BenchmarkFailure("the loaded images can't be read")
        }
        defer { ctelltale_images_release(images) }
        var counted = 0
        let time = try timed {
            guard let census = ctelltale_heap_make(&layout, deadline.nanoseconds) else {
                throw BenchmarkFailure("there is no memory for a count")
            }
            defer { ctelltale_heap_free(census) }
            for index in 0..<ctelltale_images_count(images) {
                guard let image = ctelltale_images_at(images, index)?.pointee else { continue }
                ctelltale_heap_image(census, image.low, image.high)
            }
            ctelltale_heap_count(census)
            var rows = 0
            let all = ctelltale_heap_rows(census, &rows)
            for index in 0..<rows {
                guard let row = all[index]?.pointee else { continue }
                if row.word == unsafeBitCast(type, to: UInt.self) { counted = Int(row.count) }
            }
        }
        guard counted == count else {
            throw BenchmarkFailure("\(counted) of \(count) objects were counted")
        }
        return time
    }
    #endif
}
