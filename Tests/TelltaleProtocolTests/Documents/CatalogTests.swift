import Foundation
import TelltaleTestSupport
import Testing

/// The catalogs of DocC name every public type, and nothing that there isn't.
struct CatalogTests {
    /// A module's sources and the pages of its catalog.
    private static func read(_ module: String) throws -> (sources: String, pages: String) {
        let root = "\(RepositoryFile.root)/Sources/\(module)"
        let files = try #require(FileManager.default.enumerator(atPath: root))
        var (sources, pages) = ("", "")
        for case let file as String in files {
            let text = { try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8) }
            if file.hasSuffix(".swift") { sources += try text() + "\n" }
            if file.hasPrefix("\(module).docc/"), file.hasSuffix(".md") { pages += try text() }
        }
        return (sources, pages)
    }

    @Test(
        "every public type, and every call of the agent's",
        arguments: ["TelltaleAgent", "TelltaleProtocol"])
    func complete(module: String) throws {
        let (sources, pages) = try Self.read(module)
        let types = sources.matches(
            of: /(?m)^public (?:final |indirect )?(?:class|struct|enum|protocol|actor) (\w+)/
        )
        .map { String($0.output.1) }
        #expect(types.count >= 9)
        let links = pages.matches(of: /``(\w[\w\/]*)[^`\n]*``/).map { String($0.output.1) }
        for type in Set(types) {
            #expect(
                links.contains { $0 == type || $0.hasPrefix("\(type)/") }, "\(module): \(type)")
        }
        guard module == "TelltaleAgent" else { return }
        let calls = sources.matches(of: /(?m)^    public static (?:func|var) (\w+)/)
            .map { String($0.output.1) }
            .filter { !$0.hasPrefix("telltale") }
        #expect(calls.count >= 10)
        for call in Set(calls) { #expect(links.contains("Telltale/\(call)"), "\(call)") }
    }

    @Test("nothing that isn't declared", arguments: ["TelltaleAgent", "TelltaleProtocol"])
    func current(module: String) throws {
        let (sources, pages) = try Self.read(module)
        let words = Set(
            sources.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        for link in pages.matches(of: /``(\w[\w\/]*)[^`\n]*``/) where link.output.1 != module {
            for name in link.output.1.split(separator: "/") {
                #expect(words.contains(String(name)), "\(link.output.1)")
            }
        }
    }
}
