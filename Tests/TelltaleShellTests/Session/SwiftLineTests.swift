import TelltaleProtocol
import Testing

@testable import TelltaleShell

struct SwiftLineTests {
    private static func isSwift(_ line: String) -> Bool {
        SwiftLine.isSwift(line, SessionLine(line).parts)
    }

    @Test(
        "source code is told from commands, paths, calls and assignments",
        arguments: [
            ("let old = photos.items", true), ("for p in photos.items { p.size = 1 }", true),
            ("try await store.refresh(); await store.count", true),
            ("photos.items.filter { $0.size > 1 }", true), ("import Foundation; Date()", true),
            ("func f() { }", true), ("[1, 2].map { $0 * 2 }", true),
            ("photos.items[0]", false), ("photos.prompt = \"WOOT!\"", false),
            ("photos.add(\"x\")", false), ("photos.items where size > 2", false),
            ("stuck; doctor", false), ("dmup", false), ("dmup --output x", false),
            ("get photos.items.count", false), ("letters", false), ("let", false),
            ("threads | grep main", false), ("#7", false),
        ])
    func told(line: String, isCode: Bool) {
        #expect(Self.isSwift(line) == isCode, "\(line)")
    }

    @Test("a line that the agent can't answer is compiled if more than a path is in it")
    func afterFailure() throws {
        func isCompiled(
            _ line: String, _ code: CommandFailure.Code, declared: [String] = []
        ) throws -> Bool {
            let request = try #require(try CommandLineParser.parse(line))
            return SwiftLine.isWorthCompiling(
                request, line, after: CommandFailure(code, ""), isDeclared: declared.contains)
        }
        #expect(try isCompiled(#"photos.items.map(\.title)"#, .notFound))
        #expect(try isCompiled("photos.prompt?.count", .usage))
        #expect(try isCompiled("old + 1", .notFound))
        #expect(try isCompiled("$0.count", .usage))
        #expect(try isCompiled("old", .notFound, declared: ["old"]))
        #expect(try !isCompiled("old", .notFound))
        #expect(try !isCompiled("photos.itms", .notFound))
        #expect(try !isCompiled("photos.items.map(1)", .timeout))
        #expect(try !isCompiled("stuck", .notFound))
    }
}
