#if TELLTALE_COMPILED
/// The formats that other tools read.
extension ProfileAnswer {
    /// A line for each stack, `main;a;b 1200`, in microseconds: the format of `flamegraph.pl`.
    package var folded: String {
        var sums: [String: Int] = [:]
        for stack in stacks where value(of: stack) > 0 {
            let words = path(of: stack).map { word in
                String(word.map { $0 == ";" || $0.isNewline ? ":" : $0 })
            }
            sums[words.joined(separator: ";"), default: 0] &+= value(of: stack)
        }
        return sums.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value / 1000)\n" }.joined()
    }

    /// A file of speedscope's (https://www.speedscope.app/file-format-schema.json).
    package var speedscope: JSONValue {
        var table: [String: Int64] = [:]
        var shared: [JSONValue] = []
        func index(_ name: String, _ file: String?, _ line: Int?) -> JSONValue {
            let key = "\(name)\u{0}\(file ?? "")\u{0}\(line ?? 0)"
            if let known = table[key] { return .integer(known) }
            var members = [JSONMember("name", .string(name))]
            if let file { members.append(JSONMember("file", .string(file))) }
            if let line { members.append(JSONMember("line", .integer(Int64(line)))) }
            table[key] = Int64(shared.count)
            shared.append(.object(members))
            return .integer(Int64(shared.count - 1))
        }
        var samples: [JSONValue] = []
        var weights: [JSONValue] = []
        var total = 0
        for stack in stacks where value(of: stack) > 0 {
            var places = [index(stack.origin, nil, nil)]
            places += frames(of: stack).reversed().map { index($0.function, $0.file, $0.line) }
            if let wait = stack.wait { places.append(index("[\(wait)]", nil, nil)) }
            samples.append(.array(places))
            weights.append(.integer(Int64(value(of: stack))))
            total &+= value(of: stack)
        }
        return .object([
            JSONMember("$schema", .string("https://www.speedscope.app/file-format-schema.json")),
            JSONMember("shared", .object([JSONMember("frames", .array(shared))])),
            JSONMember(
                "profiles",
                .array([
                    .object([
                        JSONMember("type", .string("sampled")),
                        JSONMember("name", .string(time ?? "cpu")),
                        JSONMember("unit", .string("nanoseconds")),
                        JSONMember("startValue", .integer(0)),
                        JSONMember("endValue", .integer(Int64(total))),
                        JSONMember("samples", .array(samples)),
                        JSONMember("weights", .array(weights)),
                    ])
                ])),
            JSONMember("exporter", .string("telltale")),
        ])
    }
}

/// A writer of pprof's `profile.proto`, not compressed.
package struct PprofWriter {
    private var strings: [String: Int] = ["": 0]
    private var list = [""]

    /// Returns the bytes of a profile.
    package static func bytes(of answer: ProfileAnswer) -> [UInt8] {
        var writer = PprofWriter()
        return writer.bytes(of: answer)
    }

    private mutating func string(_ text: String) -> Int {
        if let known = strings[text] { return known }
        strings[text] = list.count
        list.append(text)
        return list.count - 1
    }

    private mutating func bytes(of answer: ProfileAnswer) -> [UInt8] {
        var out = Message()
        for (type, unit) in [
            ("samples", "count"), ("cpu", "nanoseconds"), ("off-core", "nanoseconds"),
            ("ready", "nanoseconds"),
        ] {
            var part = Message()
            part.add(1, string(type))
            part.add(2, string(unit))
            out.add(1, part)
        }
        var functions: [[Int]: Int] = [:]
        var tables = Message()
        for (index, frame) in answer.frames.enumerated() {
            let key = [string(frame.function), string(frame.file ?? "")]
            if functions[key] == nil {
                functions[key] = functions.count + 1
                var function = Message()
                function.add(1, functions.count)
                function.add(2, key[0])
                function.add(3, key[0])
                function.add(4, key[1])
                tables.add(5, function)
            }
            var line = Message()
            line.add(1, functions[key] ?? 0)
            line.add(2, frame.line ?? 0)
            var location = Message()
            location.add(1, index + 1)
            location.add(4, line)
            tables.add(4, location)
        }
        for stack in answer.stacks {
            var sample = Message()
            sample.pack(1, stack.frames.filter(answer.frames.indices.contains).map { $0 + 1 })
            sample.pack(2, [stack.samples, stack.cpu, stack.offCore, stack.ready])
            for (key, value) in [("origin", stack.origin), ("wait", stack.wait ?? "")]
            where !value.isEmpty {
                var label = Message()
                label.add(1, string(key))
                label.add(2, string(value))
                sample.add(3, label)
            }
            out.add(2, sample)
        }
        out.bytes += tables.bytes
        out.add(10, Int(answer.seconds * 1e9))
        var period = Message()
        period.add(1, string("cpu"))
        period.add(2, string("nanoseconds"))
        out.add(11, period)
        out.add(12, 1_000_000_000 / max(1, answer.rate))
        out.add(14, string("cpu"))
        for text in list { out.add(6, Array(text.utf8)) }
        return out.bytes
    }

    private struct Message {
        var bytes: [UInt8] = []

        private mutating func number(_ value: Int) {
            var left = UInt64(bitPattern: Int64(value))
            while left >= 128 {
                bytes.append(UInt8(left & 127) | 128)
                left >>= 7
            }
            bytes.append(UInt8(left))
        }

        mutating func add(_ field: Int, _ value: Int) {
            number(field << 3)
            number(value)
        }

        mutating func add(_ field: Int, _ value: [UInt8]) {
            number(field << 3 | 2)
            number(value.count)
            bytes += value
        }

        mutating func add(_ field: Int, _ value: Message) { add(field, value.bytes) }

        mutating func pack(_ field: Int, _ values: [Int]) {
            var packed = Message()
            for value in values { packed.number(value) }
            add(field, packed)
        }
    }
}
#endif
