#if TELLTALE_AGENT
import Dispatch
import Synchronization
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("What nobody guards is read in place only where it can't tear")
struct ReadingPlainTests {
    private enum Mode { case on, off }

    private final class Fixed: @unchecked Sendable {
        let name = "a name of more than fifteen bytes"
        let list = [1, 2, 3]
        let table = ["a": 1]
        var count = 3
        var ratio = 0.5
        var isOn = true
        var mode = Mode.off
    }

    private final class Loose: @unchecked Sendable {
        let name = "fixed"
        var text = "changes"
        var other: Fixed? = Fixed()
        var list = [1]
        weak var friend: Fixed?
        let fixed = Fixed()
        var wide = (1, 2)
    }

    private func plain(_ object: AnyObject, _ path: String = "x") throws -> ValueNode? {
        try ValueReader.usual().readPlain(
            .object(object), rootName: "x", path: ValuePath(parsing: path).components)
    }

    @Test("constants and machine words")
    func inPlace() throws {
        let fixed = Fixed()
        let node = try #require(try plain(fixed))
        #expect(ReadingOracle.text(of: node) == ReadingOracle.text(of: fixed))
        #expect(try plain(Loose(), "x.fixed.count")?.text == "3")
        #expect(try plain(Loose(), "x.fixed.list[1]")?.text == "2")
        #expect(try plain(Loose(), "x.name")?.text == "\"fixed\"")
    }

    @Test(
        "nothing else",
        arguments: [
            "x", "x.text", "x.text.count", "x.other", "x.other.name", "x.list", "x.list[0]",
            "x.list.count", "x.friend", "x.friend.name", "x.wide", "x.wide.0",
        ])
    func needsMore(_ path: String) throws {
        let loose = Loose()
        let friend = Fixed()
        loose.friend = friend
        #expect(try plain(loose, path) == nil || path == "x.wide.0")
        withExtendedLifetime(friend) {}
    }

    @Test("an unknown name is a failure and no reason for more")
    func unknown() {
        #expect(throws: CommandFailure.self) { try plain(Loose(), "x.nothing") }
    }

    /// Another thread writes without a pause what is read here, which no owner would allow:
    /// what is read may be wrong, and must never be fatal.
    @Test("a race is survived")
    func race() async throws {
        final class Racing: @unchecked Sendable {
            var text = ""
            var list: [String] = []
            var table: [String: [Int]] = [:]
            var any: Any = 1
            var object: Fixed?
            var state = Sample.State.waiting
            var tree = Sample.Tree.leaf
            var maybe: String?
            var error: any Error = Sample.Failure()
            weak var friend: Fixed?
            let isDone = Atomic(false)
        }
        let racing = Racing()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var round = 0
                while !racing.isDone.load(ordering: .relaxed) {
                    round += 1
                    let text = String(repeating: "x", count: round % 40)
                    racing.text = text
                    racing.list = Array(repeating: text, count: round % 7)
                    racing.table = round % 3 == 0 ? [:] : [text: [round], "b": [1, 2]]
                    racing.any = round % 2 == 0 ? text as Any : (1, 2, text, 4, 5)
                    let fixed = Fixed()
                    racing.object = round % 2 == 0 ? nil : fixed
                    racing.state = round % 2 == 0 ? .failed(text) : .moved(from: 1, to: 2)
                    racing.tree = round % 2 == 0 ? .leaf : .node(.leaf, round, .leaf)
                    racing.maybe = round % 2 == 0 ? nil : text
                    racing.error = Sample.Failure()
                    racing.friend = fixed
                }
            }
            group.addTask {
                let reader = ValueReader.usual()
                for _ in 0..<150 {
                    _ = try? reader.read(racing)
                    _ = try? reader.read(racing, "x.table[\"b\"][0]")
                }
                racing.isDone.store(true, ordering: .relaxed)
            }
        }
        #expect(try ValueReader.usual().read(racing).children.count == 11)
    }
}
#endif
