import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The agent's C functions are linked into the host's program, beside C functions of the host's own.
struct ExportedNamesTests {
    @Test("each name that the linker sees has the prefix that no host's own function has")
    func prefix() throws {
        let tests = try BuiltProgram.path(of: "telltale-test-host")
        let folder = tests.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        let program = try StartedProgram(
            "/bin/sh",
            [
                "-c", #"nm -g --defined-only --format=just-symbols "$0"/CTelltaleSystem.build/*.o"#,
                folder,
            ])
        let bytes = try #require(program.readToEnd(until: .now.advanced(by: .seconds(20))))
        let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasSuffix(":") }
        #expect(program.waitUntilExit() == 0)
        #expect(names.count > 100)
        #expect(names.filter { !$0.hasPrefix("ctelltale_") } == [])
    }
}
