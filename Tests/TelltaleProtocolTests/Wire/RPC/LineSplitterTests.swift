import TelltaleProtocol
import TelltaleTestSupport
import Testing

@Suite("Lines of a stream")
struct LineSplitterTests {
    /// Returns a splitter's results for chunks of a stream: lines, and messages of failures.
    private func lines(_ pieces: [[UInt8]], limit: Int) -> [String] {
        var splitter = LineSplitter(limit: limit)
        var found: [String] = []
        for piece in pieces {
            splitter.append(piece)
            drain: while true {
                do throws(CommandFailure) {
                    guard let line = try splitter.next() else { break drain }
                    found.append(String(decoding: line, as: UTF8.self))
                } catch {
                    #expect(error.code == .protocolError)
                    found.append("failure")
                }
            }
        }
        return found
    }

    private func pieces(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    @Test(
        "drop by drop, in pieces and at once give the same lines",
        arguments: [1, 2, 3, 7, 64, 9999])
    func pieces(of size: Int) {
        let text = "{}\n\r\n\na\rb\r\n" + String(repeating: "x", count: 40) + "\nlast\r\nrest"
        #expect(
            lines(pieces(Array(text.utf8), of: size), limit: 40)
                == ["{}", "", "", "a\rb", String(repeating: "x", count: 40), "last"])
    }

    @Test("any stream, cut anywhere, gives the lines that a plain split gives")
    func anything() {
        var generator = SeededGenerator(seed: 10)
        for _ in 0..<200 {
            let bytes: [UInt8] = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                [0x0A, 0x0D, 0x61, 0x62, 0xFF, 0x00].randomElement(using: &generator) ?? 0
            }
            var rest = bytes[...]
            var cut: [[UInt8]] = []
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
                cut.append(Array(piece))
                rest = rest.dropFirst(piece.count)
            }
            let limit = Int.random(in: 0...12, using: &generator)
            let expected = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                .dropLast().map { line in
                    let line = line.last == 0x0D ? line.dropLast() : line
                    return line.count > limit ? "failure" : String(decoding: line, as: UTF8.self)
                }
            let found = lines(cut, limit: limit)
            #expect(Array(found.prefix(expected.count)) == expected)
            // At most the failure of the last line, whose end did not come.
            #expect(found.count == expected.count || found.dropFirst(expected.count) == ["failure"])
        }
    }

    @Test("a line over the limit fails once with both numbers, and the next line is read")
    func limit() throws {
        var splitter = LineSplitter(limit: 4)
        splitter.append(Array("1234\r\n12345\nok\n".utf8))
        #expect(try splitter.next() == Array("1234".utf8))
        do throws(CommandFailure) {
            _ = try splitter.next()
            Issue.record("a line over the limit was read")
        } catch {
            #expect(error.code == .protocolError)
            #expect(error.message == "a line of 5 bytes, 4 are allowed")
        }
        #expect(try splitter.next() == Array("ok".utf8))
        #expect(try splitter.next() == nil)
    }

    @Test("of an endless line nothing is kept")
    func endless() throws {
        var splitter = LineSplitter(limit: 100)
        splitter.append(Array(repeating: 0x61, count: 102))
        #expect(throws: CommandFailure.self) { try splitter.next() }
        for _ in 0..<1000 {
            splitter.append(Array(repeating: 0x61, count: 1000))
            #expect(try splitter.next() == nil)
            #expect(!splitter.isEmpty)
        }
        splitter.append(Array("\nok\n".utf8))
        #expect(try splitter.next() == Array("ok".utf8))
        #expect(splitter.isEmpty)
    }

    @Test("whether it has a line is known without taking it")
    func hasLine() throws {
        var splitter = LineSplitter(limit: 8)
        #expect(!splitter.hasLine)
        splitter.append(Array("on".utf8))
        #expect(!splitter.hasLine)
        #expect(try splitter.next() == nil)
        splitter.append(Array("e\ntwo\nth".utf8))
        #expect(splitter.hasLine)
        #expect(try splitter.next() == Array("one".utf8))
        #expect(splitter.hasLine)
        #expect(try splitter.next() == Array("two".utf8))
        #expect(!splitter.hasLine)
    }

    @Test("it is empty only between lines")
    func empty() throws {
        var splitter = LineSplitter(limit: 100)
        #expect(splitter.isEmpty)
        splitter.append(Array("a".utf8))
        #expect(try splitter.next() == nil)
        #expect(!splitter.isEmpty)
        splitter.append([0x0A])
        #expect(!splitter.isEmpty)
        #expect(try splitter.next() == [0x61])
        #expect(splitter.isEmpty)
    }

    @Test(
        "many lines at once, and one long line in drops, take linear time", .timeLimit(.minutes(1)))
    func linear() throws {
        var splitter = LineSplitter(limit: 1 << 20)
        splitter.append(Array(String(repeating: "abc\n", count: 100_000).utf8))
        var count = 0
        while try splitter.next() != nil { count += 1 }
        #expect(count == 100_000)
        for _ in 0..<(1 << 14) {
            splitter.append(Array(repeating: 0x62, count: 64))
            #expect(try splitter.next() == nil)
        }
        splitter.append([0x0A])
        #expect(try splitter.next()?.count == 1 << 20)
    }
}
