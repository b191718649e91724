import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// `roots`, over the client: variables of a host that were not registered.
@Suite(.timeLimit(.minutes(3)))
struct RootTests {
    @Test("globals and static properties are listed with their types, and whether they were made")
    func listed() throws {
        let host = try TestHost()
        _ = try host.perform("hide")
        func state(_ name: String) throws -> RootsAnswer.Entry? {
            let outcome = try host.telltale(["--json", "\(host.pid)", "roots", name])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try RootsAnswer(
                result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer)
            ).roots.first { $0.name == name }
        }
        let global = try #require(try state("hiddenTreasure"))
        #expect(global.type == "Treasure?" && global.module == "telltale_test_host")
        #expect(global.state == "made")
        #expect(try state("HeapModes.used")?.state == "made")
        #expect(try state("HeapModes.neverUsed")?.state == "not yet")
        #expect(try state("HeapModes.neverUsed")?.type == "Keeper")
        // To be looked at has not made it.
        #expect(try state("HeapModes.neverUsed")?.state == "not yet")
        let table = try host.telltale(["\(host.pid)", "roots", "treasure"]).output
        #expect(table.hasPrefix("VARIABLE ") && table.contains("keeperOfTreasures"), "\(table)")
        let none = try host.telltale(["\(host.pid)", "roots", "no-such"]).output
        #expect(none == "no such variable\n")
    }

    @Test(
        "one is read like an object whose owner is not known; a lazy one that was not made is said so"
    )
    func read() throws {
        let host = try TestHost()
        _ = try host.perform("hide")
        let shown = try host.telltale(["\(host.pid)", "show", "hiddenTreasure"]).output
        #expect(shown.contains("number: 6"), "\(shown)")
        #expect(shown.contains("its owner is not known"), "\(shown)")
        let full = try host.telltale([
            "\(host.pid)", "get", "telltale_test_host.hiddenTreasure.number",
        ])
        #expect(full.output == "6\n", "\(full)")
        let nested = try host.telltale([
            "\(host.pid)", "get", "keeperOfTreasures.table[\"first\"].number",
        ])
        #expect(nested.output == "3\n", "\(nested)")
        let lazy = try host.telltale(["\(host.pid)", "show", "HeapModes.neverUsed"])
        #expect(
            lazy.status == 1 && lazy.errors.contains("is not initialised yet (lazy)"), "\(lazy)")
        let changed = try host.telltale(["\(host.pid)", "set", "hiddenTreasure.number", "7"])
        #expect(changed.status == 1 && changed.errors.contains("its owner is not known"))
        let secret = try host.telltale(["\(host.pid)", "show", "HeapModes.apiToken"]).output
        #expect(secret.contains("<masked>") && !secret.contains("PLANTED"), "\(secret)")
        let wrong = try host.telltale(["\(host.pid)", "show", "hiddenTresure"])
        #expect(wrong.status == 1 && wrong.errors.contains("nothing is registered as"))
    }
}
