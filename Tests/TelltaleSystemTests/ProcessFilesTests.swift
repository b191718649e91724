import Testing

@testable import TelltaleSystem

struct ProcessFilesTests {
    @Test("a program's name with spaces and parentheses doesn't shift the fields behind it")
    func hostileProgramName() throws {
        let text =
            "42 (a) b (c d) S 7 42 42 0 -1 4194560 1 0 0 0 11 12 0 0 20 0 19 0 5555 1000 84 0"
        let stat = try #require(ProcessFiles.Stat(parsing: text))
        #expect(stat.state == "S")
        #expect(stat.parent == 7)
        #expect(stat.threads == 19)
        #expect(stat.startTicks == 5555)
        #expect(stat.residentPages == 84)
    }

    @Test("the last field, a zombie's exit status, is read before the newline")
    func exitStatus() throws {
        let fields = (["Z", "7"] + (2..<49).map { _ in "0" } + ["4"]).joined(separator: " ")
        #expect(try #require(ProcessFiles.Stat(parsing: "42 (a) \(fields)\n")).exitStatus == 4)
    }

    @Test(
        "the terminal is named as below /dev",
        arguments: [
            (34_819, "pts/3"), (1_083_396, "pts/260"), (1_025, "tty1"), (1_088, "ttyS0"),
            (0, nil), (1_281, nil),
        ] as [(Int, String?)])
    func terminal(_ number: Int, _ name: String?) throws {
        let fields = (["S", "7", "1", "1", "\(number)"] + (5..<50).map { _ in "0" })
            .joined(separator: " ")
        #expect(try #require(ProcessFiles.Stat(parsing: "42 (a) \(fields)\n")).terminal == name)
    }

    @Test("half a line is no answer")
    func cutText() {
        #expect(ProcessFiles.Stat(parsing: "42 (a") == nil)
        #expect(ProcessFiles.Stat(parsing: "42 (a) S 1 2") == nil)
    }

    @Test("a value of status is found by its whole name")
    func statusValue() {
        let text = "Name:\tx\nTracerPidX:\t9\nTracerPid:\t977\n"
        #expect(ProcessFiles.value(of: "TracerPid", in: text) == "977")
        #expect(ProcessFiles.value(of: "Tracer", in: text) == nil)
    }

    #if os(Linux)
    @Test("this process's own files can be read")
    func own() throws {
        let stat = try #require(ProcessFiles.own.stat)
        #expect(stat.threads >= 1)
        #expect(stat.startTicks > 0)
        #expect(ProcessFiles.own.user == ProcessIdentity.uid)
    }

    @Test("what is open is told by number, and how many more there are")
    func open() {
        let all = OpenDescriptors(limit: 4096)
        #expect(all.rest == 0)
        #expect(all.found.map(\.number) == all.found.map(\.number).sorted())
        #expect(Set(all.found.map(\.number)).isSuperset(of: [0, 1, 2]))
        let first = OpenDescriptors(limit: 2)
        #expect(first.found.map(\.number) == [0, 1])
        #expect(first.rest >= 1)
    }
    #endif
}
