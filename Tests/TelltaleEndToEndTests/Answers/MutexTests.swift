import TelltaleSystem
import TelltaleTestSupport
import Testing

/// The state of a service in a `Mutex`, from outside.
@Suite(.timeLimit(.minutes(2)))
struct MutexTests {
    @Test("it is shown, read and set without an owner, in its lock")
    func state() throws {
        let host = try TestHost(["actors"])
        let shown = try host.telltale(["\(host.pid)", "show", "service"]).output
        #expect(shown.contains("state: State"), "\(shown)")
        #expect(shown.contains("in its Mutex"), "\(shown)")
        #expect(shown.contains("[\"first\"]: 1"), "\(shown)")
        #expect(shown.contains("(in place)"), "\(shown)")
        #expect(try host.telltale(["\(host.pid)", "get", "service.state.total"]).output == "3\n")
        let set = try host.telltale(["\(host.pid)", "set", "service.state.total", "5"])
        #expect(set.output.contains("3 -> 5"), "\(set)")
        #expect(try host.telltale(["\(host.pid)", "get", "service.state.total"]).output == "5\n")
        let undone = try host.telltale(["\(host.pid)", "undo", "1"])
        #expect(undone.output.contains("5 -> 3"), "\(undone)")
        let refused = try host.telltale(["\(host.pid)", "set", "service.name", "x"])
        #expect(refused.status == 1)
        #expect((refused.output + refused.errors).contains("without an owner"), "\(refused)")
        let frozen = try host.telltale(["\(host.pid)", "show", "service", "--snapshot"]).output
        #expect(frozen.contains("total: 3") && frozen.contains("in a snapshot"), "\(frozen)")
    }

    @Test("a lock that is held for good: the rest is shown, its holder is said, nothing waits")
    func held() throws {
        let host = try TestHost(["actors"])
        #expect(try host.telltale(["\(host.pid)", "call", "service.hang()"]).status == 0)
        try waitUntil("the lock is held") {
            try host.telltale(["\(host.pid)", "show", "service"]).output.contains("holds its lock")
        }
        let shown = try host.telltale(["\(host.pid)", "show", "service"])
        #expect(shown.output.contains("name: \"service\""), "\(shown)")
        let set = try host.telltale(["\(host.pid)", "set", "service.state.total", "5"])
        #expect(set.status == 5, "\(set)")
        #expect((set.output + set.errors).contains("held its lock for 200 ms"), "\(set)")
        let frozen = try host.telltale(["\(host.pid)", "show", "service", "--snapshot"]).output
        #expect(frozen.contains("held its lock: it may be half changed"), "\(frozen)")
        #expect(frozen.contains("total: 3"), "\(frozen)")
    }

    @Test("without symbols its type can't be found, which is said")
    func stripped() throws {
        let folder = try TemporaryFolder("telltale-stripped")
        let program = "'\(folder.path)/telltale-test-host'"
        let host = try TestHost(
            ["actors"], shell: "strip -o \(program) \"$0\"; exec \(program) \"$@\"")
        let shown = try host.telltale(["\(host.pid)", "show", "service"]).output
        #expect(shown.contains("not readable: symbols were stripped"), "\(shown)")
        #expect(shown.contains("name: \"service\""), "\(shown)")
    }
}
