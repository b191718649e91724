import TelltaleTestSupport
import Testing

/// The agent's C functions are linked into the host's program, beside C functions of the host's own.
struct ExportedNamesTests {
    @Test("each name that the linker sees has the prefix that no host's own function has")
    func prefix() throws {
        let names = try CObject.all().flatMap {
            try $0.names("-g --defined-only --format=just-symbols")
        }
        #expect(names.count > 100)
        // The name that a user types in a debugger.
        let typed = "telltale_breakpoint"
        #expect(names.contains(typed))
        #expect(names.filter { !$0.hasPrefix("ctelltale_") && $0 != typed } == [])
    }
}
