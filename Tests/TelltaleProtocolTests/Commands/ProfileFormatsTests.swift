import Testing

@testable import TelltaleProtocol

@Suite("A profile's table and its files")
struct ProfileFormatsTests {
    /// 72.5, 20 and 7.5 % in three functions below `work()`, and 3 s in a lock.
    static var sample: ProfileAnswer {
        var answer = ProfileAnswer(
            seconds: 10, rate: 99,
            frames: [
                .init(
                    function: "heavy()", module: "host", file: "/s/Work.swift", line: 3,
                    isHosts: true),
                .init(
                    function: "middle()", module: "host", file: "/s/Work.swift", line: 9,
                    isHosts: true),
                .init(function: "light<T>()", module: "host", isHosts: true),
                .init(
                    function: "work()", module: "host", file: "/s/Work.swift", line: 20,
                    isHosts: true),
                .init(function: "start_thread", module: "libc.so.6"),
                .init(function: "__lll_lock_wait", module: "libc.so.6"),
            ],
            stacks: [
                .init(frames: [0, 3, 4], origin: "queue a;b", cpu: 7_250_000_000, samples: 725),
                .init(frames: [1, 3, 4], origin: "queue a;b", cpu: 2_000_000_000, samples: 200),
                .init(frames: [2, 3, 4], origin: "queue a;b", cpu: 750_000_000, samples: 75),
                .init(
                    frames: [5, 3, 4], origin: "thread x", offCore: 3_000_000_000, samples: 300,
                    wait: "lock"),
            ])
        answer.looks = 990
        answer.threads = 2
        answer.cores = 2
        answer.cpuSeconds = 10
        return answer
    }

    @Test("the table has what takes time, and the waits of the service's own functions")
    func table() {
        #expect(
            Self.sample.rendered() == """
                10 s, 1,300 samples of 2 threads, 1.00 of 2 cores
                   CPU   SELF  FUNCTION    PLACE          ON
                100.0%   0.0%  work()      Work.swift:20  queue a;b
                 72.5%  72.5%  heavy()     Work.swift:3   queue a;b
                 20.0%  20.0%  middle()    Work.swift:9   queue a;b
                  7.5%   7.5%  light<T>()  in host        queue a;b
                OFF CORE, in the service's own functions
                TIME  WAIT  FUNCTION  PLACE
                  3s  lock  work()    Work.swift:20
                """)
    }

    @Test("folded stacks have no semicolon of a name")
    func folded() {
        var answer = Self.sample
        #expect(answer.folded.hasPrefix("queue a:b;start_thread;work();heavy() 7250000\n"))
        answer.time = "offCore"
        #expect(answer.folded == "thread x;start_thread;work();__lll_lock_wait;[lock] 3000000\n")
    }

    @Test("speedscope's file is as its schema says")
    func speedscope() throws {
        let file = Self.sample.speedscope
        guard case .array(let profiles)? = file["profiles"], let profile = profiles.first,
            case .array(let samples)? = profile["samples"],
            case .array(let weights)? = profile["weights"],
            case .array(let frames)? = file["shared"]?["frames"]
        else {
            Issue.record("\(file.serialized())")
            return
        }
        #expect(profile["type"] == .string("sampled"))
        #expect(samples.count == 3 && weights.count == 3)
        #expect(profile["endValue"] == .integer(10_000_000_000))
        for case .array(let sample) in samples {
            for case .integer(let index) in sample { #expect(frames.indices.contains(Int(index))) }
        }
    }

    @Test("pprof's file decodes to the same samples")
    func pprof() throws {
        let profile = try DecodedMessage(PprofWriter.bytes(of: Self.sample))
        let strings = profile.parts(6).map { String(decoding: $0, as: UTF8.self) }
        #expect(strings.first == "")
        let types = try profile.parts(1).map { strings[try DecodedMessage($0).number(1)] }
        #expect(types == ["samples", "cpu", "off-core", "ready"])
        var names: [Int: String] = [:]
        for part in profile.parts(5) {
            let function = try DecodedMessage(part)
            names[function.number(1)] = strings[function.number(2)]
        }
        var places: [Int: String] = [:]
        for part in profile.parts(4) {
            let location = try DecodedMessage(part)
            let line = try DecodedMessage(try #require(location.parts(4).first))
            places[location.number(1)] = "\(names[line.number(1)] ?? "?"):\(line.number(2))"
        }
        let samples = try profile.parts(2).map { try DecodedMessage($0) }
        let stacks = try samples.map { sample in
            let values = try DecodedMessage.packed(try #require(sample.parts(2).first))
            let ids = try DecodedMessage.packed(try #require(sample.parts(1).first))
            return "\(values[0]) \(values[1]) "
                + ids.map { places[$0] ?? "?" }.joined(separator: " ")
        }
        #expect(stacks.first == "725 7250000000 heavy():3 work():20 start_thread:0")
        #expect(stacks.count == 4)
    }

    @Test("the flame graph is well-formed, and names can't break out of it")
    func flameGraph() {
        let svg = FlameGraph.svg(of: Self.sample, title: "a & b")
        #expect(svg.contains("a &amp; b") && svg.contains("light&lt;T&gt;()"))
        #expect(!svg.contains("light<T>") && svg.contains("72.5%"))
        #expect(svg.components(of: "<g ") == svg.components(of: "</g>"))
        #expect(svg.hasSuffix("</svg>\n"))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}

/// A message of protobuf's, decoded without its schema.
private struct DecodedMessage {
    struct Malformed: Error {}
    private var fields: [(field: Int, number: Int, bytes: [UInt8])] = []

    init(_ bytes: [UInt8]) throws {
        var left = bytes[...]
        while !left.isEmpty {
            let key = try Self.number(&left)
            switch key & 7 {
            case 0: fields.append((key >> 3, try Self.number(&left), []))
            case 2:
                let count = try Self.number(&left)
                guard count <= left.count else { throw Malformed() }
                fields.append((key >> 3, 0, Array(left.prefix(count))))
                left = left.dropFirst(count)
            default: throw Malformed()
            }
        }
    }

    func number(_ field: Int) -> Int { fields.first { $0.field == field }?.number ?? 0 }
    func parts(_ field: Int) -> [[UInt8]] { fields.filter { $0.field == field }.map(\.bytes) }

    static func packed(_ bytes: [UInt8]) throws -> [Int] {
        var left = bytes[...]
        var numbers: [Int] = []
        while !left.isEmpty { numbers.append(try number(&left)) }
        return numbers
    }

    private static func number(_ left: inout ArraySlice<UInt8>) throws -> Int {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = left.popFirst() else { throw Malformed() }
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return Int(bitPattern: UInt(value)) }
        }
        throw Malformed()
    }
}
