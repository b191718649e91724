import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// `types` and `methods`, over the client.
@Suite(.timeLimit(.minutes(3)))
struct TypeTests {
    @Test("the types of the program are listed with what they are")
    func types() throws {
        let host = try TestHost()
        func types(_ word: String) throws -> [String] {
            let outcome = try host.telltale(["--json", "\(host.pid)", "types", word])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try TypesAnswer(
                result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer)
            ).types.map { "\($0.kind) \($0.name)" }
        }
        #expect(try types("PhotoL").contains("class PhotoLibrary"))
        #expect(try types("store").contains("actor Store"))
        #expect(try types("PhotoState").contains("enum PhotoState"))
        #expect(try types("secretmodes").contains("struct SecretModes.Vault"))
        // Those named so before those of a module that is.
        let hosts = try types("host")
        let first = hosts.prefix { $0.lowercased().contains("host") }
        #expect(!hosts.dropFirst(first.count).contains { $0.lowercased().contains("host") })
        #expect(hosts.count > first.count)
        #expect(try types("HandleTable") == [])
        let text = try host.telltale(["\(host.pid)", "types", "Seedl"]).output
        #expect(text.hasPrefix("TYPE ") && text.contains("telltale_test_host"))
    }

    @Test("what a type can do is said as the source has it")
    func methods() throws {
        let host = try TestHost()
        let methods = try host.telltale(["\(host.pid)", "methods", "PhotoLibrary"]).output
            .split(separator: "\n").map(String.init)
        #expect(methods.contains("func remove(Int) throws -> String  (callable)"), "\(methods)")
        #expect(methods.contains("var prompt: String? { get set }"), "\(methods)")
        #expect(methods.contains { $0.hasPrefix("init(") }, "\(methods)")
        let store = try host.telltale(["\(host.pid)", "methods", "Store"]).output
        #expect(store.contains("func refresh(Int) -> Int"), "\(store)")
        let wrong = try host.telltale(["\(host.pid)", "methods", "PhotoLibrarian"])
        #expect(wrong.status == 1 && wrong.errors.contains("did you mean PhotoLibrary"), "\(wrong)")
    }
}
