#if TELLTALE_AGENT
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

@Suite("Names and lines as llvm-symbolizer has them")
struct SymbolOracleTests {
    @Test(
        "a compiled program's addresses, whatever its optimisation and its debug data's version",
        arguments: [
            ["-Onone"], ["-O"], ["-O", "-wmo", "-debug-info-format=dwarf", "-dwarf-version=5"],
        ])
    func compiled(_ arguments: [String]) throws {
        let folder = try TemporaryFolder("telltale-symbols")
        let program = try SymbolOracle.compile(arguments, in: folder, as: "sample")
        let text = try SymbolOracle.text(of: program)
        try compare(program, Array(stride(from: text.lowerBound, to: text.upperBound, by: 3)))
    }

    @Test("addresses of this very program, 41 MB with its debug data")
    func own() throws {
        let program = try #require(ProcessFiles.own.executable)
        let text = try SymbolOracle.text(of: program)
        let step = max(1, text.count / 3000)
        let addresses = Array(stride(from: text.lowerBound, to: text.upperBound, by: step))
        let files = try compare(program, addresses)
        #expect(files.bytes < 10 << 20)
    }

    @discardableResult
    private func compare(_ program: String, _ addresses: [UInt]) throws -> ObjectFiles {
        let theirs = try SymbolOracle.frames(of: program, at: addresses)
        let files = ObjectFiles()
        let image = SymbolOracle.image(at: program)
        var different = 0
        var withLines = 0
        for address in addresses {
            let found = files.find(address, in: image)
            let ours = SymbolOracle.ours(found)
            if found.contains(where: { $0.line != nil }) { withLines += 1 }
            guard ours != theirs[address] else { continue }
            // With several names at one address, either may be meant.
            let places = { (frames: [String]?) in
                frames?.map { $0.split(separator: " ").last }
            }
            if places(ours) == places(theirs[address]),
                ours.dropLast() == theirs[address]?.dropLast()
            {
                different += 1
                continue
            }
            Issue.record(
                "0x\(String(address, radix: 16)): \(ours), not \(theirs[address] ?? [])")
        }
        #expect(different <= addresses.count / 100)
        #expect(withLines > addresses.count / 10)
        return files
    }
}
#endif
