import TelltaleTestSupport
import Testing

/// The parts of an agent's text that other suites leave out, and those they don't.
struct StolenTimeTests {
    private static let staged = """
        telltale[17] RESUMED after 1.0 to 1.0 s; stopped by SIGSTOP or SIGTSTP, continued by pid=12(t) uid=0
        telltale[17]  lldb: plain = unsafeBitCast(0x10, to: Plain.self)
        """
    private static let machines = """
        telltale[17] RESUMED after 1.1 to 1.2 s; no SIGCONT came: a debugger's stop or a frozen cgroup
        telltale[17]  lldb: plain = unsafeBitCast(0x10, to: Plain.self)
        """

    @Test("a pause that nobody made is left out with its greetings, and nothing else is")
    func pauses() {
        let text = "a\n\(Self.machines)\nb\n\(Self.staged)\nc"
        #expect(StolenTime.removed(from: text, stoppedBy: 12) == "a\nb\n\(Self.staged)\nc")
        #expect(StolenTime.removed(from: text, stoppedBy: 1) == "a\nb\nc")
        #expect(StolenTime.removed(from: text) == "a\nb\nc")
    }

    @Test("greetings whose report was read before are left out")
    func rest() {
        let text = " lldb: store = unsafeBitCast(0x20, to: Store.self)\nhost(17) running up=1s"
        #expect(StolenTime.removed(from: text) == "host(17) running up=1s")
    }

    @Test("a minute after such a pause a service is one that runs; a stopped one is not")
    func states() {
        #expect(
            StolenTime.removed(from: "host(17) resumed up=1s memory=4M")
                == "host(17) running up=1s memory=4M")
        #expect(
            StolenTime.removed(from: "17  host  root  1s  resumed  -  4M")
                == "17  host  root  1s  running  -  4M")
        for text in ["17  host  root  1s  stopped  -  4M", "queue a: resumed", "not answering"] {
            #expect(StolenTime.removed(from: text) == text)
        }
    }
}
