import Testing

@testable import TelltaleSystem

struct SocketNameTests {
    @Test("a name gives back its pid and start, and has one spelling")
    func roundTrip() throws {
        let name = try #require(SocketName(fileName: "4242-118.sock"))
        #expect(name == SocketName(pid: 4242, startTicks: 118))
        #expect(name.fileName == "4242-118.sock")
    }

    @Test(
        "what is not spelled as an agent spells it is not taken for a socket of ours",
        arguments: [
            "", "x", "1-2", "-1-2.sock", "+1-2.sock", "01-2.sock", "0-2.sock", "1-.sock",
            "1-2-3.sock", "99999999999-2.sock", "1-2.sock.tmp",
        ])
    func refused(_ fileName: String) {
        #expect(SocketName(fileName: fileName) == nil)
    }

    @Test("a directory that is no absolute path is not used: no client would find it")
    func directory() {
        func paths(_ directory: String) -> [String] {
            SocketDirectory.candidates { $0 == "TELLTALE_DIRECTORY" ? directory : nil }.map(\.path)
        }
        #expect(paths("/run/app") == ["/run/app"])
        #expect(paths("run/app") == paths(""))
        #expect(paths("").first == SocketDirectory.fallback.path)
    }
}
