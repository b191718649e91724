#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import TelltaleZoo
import TelltaleZooOptimised
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("What can't be copied, outside of objects") struct ZooGlobalsTests {
    private static let roots: [RootVariable] = {
        _ = TelltaleZoo.Zoo.touchGlobals() + TelltaleZooOptimised.Zoo.touchGlobals()
        let symbols = Symbolicator()
        return RootTable().roots(symbols, until: .now.advanced(by: .seconds(30)))?.variables ?? []
    }()

    private func read(_ name: String, in module: String, _ path: String = "") throws -> ValueNode {
        let found = Self.roots.first { $0.name == name && $0.module == module }
        let root = try #require(found, "\(module).\(name) was not found").readRoot()
        // As for what was found in memory.
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.takesLocks = false
        let masks = MaskPolicy(additionalNames: [])
        let reader = ValueReader(limits: limits, masks: masks, handles: nil)
        let components = try ValuePath(parsing: "x" + path).components
        let node = try reader.readPlain(root, rootName: name, path: components)
        return try #require(node, "\(module).\(name) was not read in place")
    }

    @Test(
        "a lock or an atomic in a global or a static property is read in place, in its lock",
        arguments: ["TelltaleZoo", "TelltaleZooOptimised"])
    func globals(_ module: String) throws {
        #expect(try read("zooCount", in: module).text == "41")
        #expect(try read("zooCount", in: module).note == "in its Mutex")
        #expect(try read("zooHits", in: module).text == "17")
        #expect(
            try read("zooLists", in: module).plainText == "[\"k\": [Job(name: \"a\", size: 1)]]")
        #expect(try read("zooLists", in: module, "[\"k\"][0].size").text == "1")
        #expect(try read("ZooShared.words", in: module).plainText == "[\"one\", \"two\"]")
        #expect(try read("zooStore", in: module, ".total").text == "7")
        #expect(try read("zooStore", in: module, ".inner.jobs[0].name").text == "\"deep\"")
        // Every lock was given back.
        #expect(TelltaleZoo.Zoo.touchGlobals() == TelltaleZooOptimised.Zoo.touchGlobals())
    }
}
#endif
