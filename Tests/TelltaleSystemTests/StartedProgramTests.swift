import Testing

@testable import TelltaleSystem

struct StartedProgramTests {
    private let soon = MonotonicTime.now.advanced(by: .seconds(20))

    private func said(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("what a program writes and how it ends is told")
    func outputAndStatusAreTold() throws {
        let program = try StartedProgram("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(said(program.readToEnd(until: soon)) == "out\n")
        #expect(program.waitUntilExit() == 3)
        #expect(program.waitUntilExit() == 3)
    }

    @Test("standard error can be captured instead")
    func errorsCanBeCaptured() throws {
        let program = try StartedProgram(
            "/bin/sh", ["-c", "echo err >&2"], capturing: .errors)
        #expect(said(program.readToEnd(until: soon)) == "err\n")
    }

    @Test("a variable takes the place of the caller's, and the others stay")
    func environmentIsChanged() throws {
        let program = try StartedProgram(
            "/bin/sh", ["-c", "echo \"$HOME:${PATH:+set}\""], environment: ["HOME": "/nowhere"])
        #expect(said(program.readToEnd(until: soon)) == "/nowhere:set\n")
    }

    @Test("a signal's end is told as a shell tells it")
    func signalIsTold() throws {
        let program = try StartedProgram("/bin/sleep", ["60"])
        program.send(StartedProgram.terminate)
        #expect(program.waitUntilExit() == 143)
    }

    @Test("a program begins with no signal blocked or ignored")
    func signalsAreClean() throws {
        let program = try StartedProgram("/bin/cat", ["/proc/self/status"])
        let status = try #require(said(program.readToEnd(until: soon)))
        for name in ["SigBlk", "SigIgn"] {
            let text = try #require(ProcessFiles.value(of: name, in: status))
            // 32 and 33 are the C library's own and are left as they are.
            #expect(try #require(UInt64(text, radix: 16)) & ~(3 << 31) == 0, "\(name) \(text)")
        }
    }

    @Test("a program that is not there is an error with its path")
    func missingProgramIsNamed() {
        #expect(throws: SystemError("posix_spawn(/no/such)", code: 2)) {
            _ = try StartedProgram("/no/such", [])
        }
    }

    @Test("a program ends with its owner")
    func endsWithItsOwner() throws {
        var program: StartedProgram? = try StartedProgram("/bin/sleep", ["60"])
        let pid = try #require(program?.pid)
        #expect(ProcessFiles(pid: pid).stat != nil)
        program = nil
        #expect(ProcessFiles(pid: pid).stat == nil)
    }

    @Test("a folder goes with its owner, and with it what is in it")
    func folderGoes() throws {
        var folder: TemporaryFolder? = try TemporaryFolder("telltale-test")
        let path = try #require(folder?.path)
        let program = try StartedProgram(
            "/bin/sh", ["-c", "mkdir \"$0/in\" && : >\"$0/file\" && : >\"$0/in/file\"", path])
        #expect(program.waitUntilExit() == 0)
        #expect(Set(DirectoryListing.names(in: path)) == ["in", "file"])
        folder = nil
        #expect(SmallFile.bytes(of: "\(path)/file") == nil)
        #expect(DirectoryListing.names(in: path).isEmpty)
    }
}
