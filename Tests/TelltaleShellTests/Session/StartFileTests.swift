import TelltaleSystem
import Testing

@testable import TelltaleShell

#if canImport(Glibc)
import Glibc

/// The start file of a session may start programs, so no other user may have written it.
struct StartFileTests {
    @Test(
        "one's own file is run; one that others can write, a folder and a pipe are not, and that is said"
    )
    func trust() throws {
        let folder = try TemporaryFolder("telltale-rc")
        let path = "\(folder.path)/rc"
        var said: [String] = []
        #expect(StartFile.lines(of: path) { said.append($0) } == [])
        #expect(said.isEmpty)
        let file = try #require(fopen(path, "w"))
        fputs("status\n \nalias q = queues\n", file)
        fclose(file)
        chmod(path, 0o600)
        #expect(StartFile.lines(of: path) { said.append($0) } == ["status", "alias q = queues"])
        #expect(said.isEmpty)
        chmod(path, 0o622)
        #expect(StartFile.lines(of: path) { said.append($0) } == [])
        unlink(path)
        mkfifo(path, 0o600)
        #expect(StartFile.lines(of: path) { said.append($0) } == [])
        #expect(StartFile.lines(of: folder.path) { said.append($0) } == [])
        #expect(said.count == 3)
    }
}
#endif
