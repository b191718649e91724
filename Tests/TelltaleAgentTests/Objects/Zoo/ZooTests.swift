#if TELLTALE_AGENT
import TelltaleFoundation
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import TelltaleZoo
import TelltaleZooOptimised
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

#if canImport(Glibc)
import Glibc
#endif

/// The expected text of every kind of value is in `Tests/ZooExpected`, a file of text and one of
/// JSON for each. `TELLTALE_RECORD=1 swift test --filter ZooTests` writes them anew, to be
/// reviewed.
@Suite("Every kind of value, in debug and optimised") struct ZooTests {
    private static let names = TelltaleZoo.Zoo.kinds.map(\.name)

    @Test("is shown as it was recorded", arguments: names)
    func shown(_ name: String) throws {
        Telltale.useFoundation()
        let debug = try #require(TelltaleZoo.Zoo.kinds.first { $0.name == name }).make()
        let fast = TelltaleZooOptimised.Zoo.kinds.first { $0.name == name }
        let optimised = try #require(fast).make()
        for (build, object) in [("debug", debug), ("optimised", optimised)] {
            let seen = try ZooShot(of: object, name: name)
            try ZooShot.expect(seen.text, in: "\(name).txt", build)
            try ZooShot.expect(seen.json, in: "\(name).json", build)
        }
    }

    @Test("the page on values shows what is expected here")
    func page() throws {
        let expected = try Set(
            Self.names.flatMap { name in
                try RepositoryFile.text("Tests/ZooExpected/\(name).txt").split(separator: "\n")
                    .map { $0.drop { $0 == " " } }
            })
        let page = try RepositoryFile.text("Docs/Values.md")
        let boxes = page.split(separator: "```text\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }
        #expect(boxes.count >= 4)
        for line in boxes.flatMap({ $0.split(separator: "\n") }) {
            #expect(expected.contains(line), "Docs/Values.md: \(line)")
        }
    }

    @Test(
        "a path goes on from what stands for a value",
        arguments: [
            ("foundation", "array[1]", "\"two\""), ("foundation", "array.count", "2"),
            ("foundation", "mutableDictionary.count", "1"), ("foundation", "set.count", "1"),
            ("concurrency", "stream.pending[1]", "2"), ("concurrency", "stream.pending.count", "2"),
            ("concurrency", "newest.pending[0].size", "2"),
            ("concurrency", "continuation.terminal", "false"),
            ("collections", "pairs[0].0", "\"p\""),
            ("collections", "keys.count", "1"), ("keyPaths", "stored", "\\Job.name"),
            ("locks", "boxed.value.count", "1"), ("locks", "perhaps", "8"),
            ("noncopyable", "slot.0.path", "\"/tmp/x\""), ("atomics", "made.count", "4"),
        ])
    func paths(_ kind: String, _ path: String, _ text: String) throws {
        Telltale.useFoundation()
        let object = try #require(TelltaleZoo.Zoo.kinds.first { $0.name == kind }).make()
        let node = try ValueReader.usual().read(object, "x.\(path)")
        #expect(node.text == text, "\(node)")
    }
}

/// A kind as an answer shows it, without what differs from one run to the next.
struct ZooShot {
    let text: String
    let json: String

    init(of object: AnyObject, name: String) throws {
        _ = DispatchLayout.calibration.known(by: .now.advanced(by: .seconds(20)))
        let reader = ValueReader.usual(handles: HandleTable())
        let node = try reader.read(.object(object), rootName: name, path: [])
        let answer = ValueAnswer(path: name, value: node, owner: "none", read: "on its owner")
        text = Self.settled(answer.rendered()) + "\n"
        // A node a line.
        let nodes = try answer.result().serialized().split(separator: "{\"label\"")
        json = Self.settled(nodes.joined(separator: "\n{\"label\"")) + "\n"
    }

    /// Addresses differ, and so do the names of the two modules.
    private static func settled(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "0x") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let digits = rest.prefix { $0.isHexDigit }
            result += digits.count > 6 ? "…" : digits
            rest = rest.dropFirst(digits.count)
        }
        return (result + rest).replacing("TelltaleZooOptimised", with: "TelltaleZoo")
    }

    static func expect(_ text: String, in file: String, _ build: String) throws {
        let path = "Tests/ZooExpected/\(file)"
        if getenv("TELLTALE_RECORD") != nil {
            let stream = try #require(fopen("\(RepositoryFile.root)/\(path)", "w"))
            defer { fclose(stream) }
            fputs(text, stream)
            return
        }
        let expected = try RepositoryFile.text(path).split(separator: "\n")
        let seen = text.split(separator: "\n")
        for index in 0..<max(seen.count, expected.count) {
            let line = index < seen.count ? String(seen[index]) : "nothing more"
            let wanted = index < expected.count ? String(expected[index]) : "nothing more"
            guard line == wanted else {
                Issue.record("\(path), \(build), line \(index + 1): \(line), not \(wanted)")
                return
            }
        }
    }
}
#endif
