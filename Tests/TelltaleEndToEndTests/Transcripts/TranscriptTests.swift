import TelltaleTestSupport
import Testing

/// The differences that the replay of a page accepts, and those it doesn't.
struct TranscriptTests {
    @Test("only marked blocks are replayed, step by step")
    func markedBlocksAreFound() {
        let page = """
            ```console
            $ not this
            ```
            <!-- replayed -->
            ```console
            $ telltale
            PID NAME
            host(4242)> a.b = 1
            a.b: 0 -> 1
            ```
            """
        let transcripts = Transcript.all(in: page)
        #expect(transcripts.count == 1)
        #expect(transcripts.first?.steps.map(\.command) == ["telltale", "a.b = 1"])
        #expect(transcripts.first?.steps.map(\.isInSession) == [false, true])
        #expect(transcripts.first?.steps.map(\.answer) == [["PID NAME"], ["a.b: 0 -> 1"]])
        #expect(transcripts.first?.fault == nil)
    }

    @Test("a transcript names the fault that its service has")
    func faultIsNamed() {
        let page = """
            <!-- replayed --fault ab-ba-sync -->
            ```console
            $ telltale host stuck
            DEADLOCK
            ```
            """
        #expect(Transcript.all(in: page).map(\.fault) == ["ab-ba-sync"])
        #expect(Transcript.all(in: page).map(\.options) == [[]])
        let more = page.replacing("ab-ba-sync -->", with: "later --load --port 0 -->")
        #expect(Transcript.all(in: more).map(\.fault) == ["later"])
        #expect(Transcript.all(in: more).map(\.options) == [["--load", "--port", "0"]])
    }

    @Test(
        "times, sizes, addresses, handles, users and columns may differ",
        arguments: [
            (
                "4242  photo-manager  root  3h12m  running  84M",
                "17 photo-manager  me 2.5s running 9M"
            ),
            ("at 2026-11-21T03:12:45.118Z in 0.9 s", "at 2027-01-01T00:00:00.000Z in 1.25 s"),
            ("Photo #7 0x7f3a10", "Photo #12 0x55aa"),
            (
                "since 03:12:32Z: thread 4251 waits · stack 4251 4252",
                "since 17:00:00Z: thread 7 waits · stack 8 90"
            ),
        ])
    func whatMayDiffer(shown: String, answer: String) {
        #expect(Transcript.difference(of: [answer], from: [shown], pid: 17) == nil)
    }

    @Test(
        "every other difference is found",
        arguments: [
            (["12"], ["13"]), (["a", "b"], ["a"]), (["a"], ["a", "b"]), (["b"], ["a", "b"]),
            (["a", "...", "d"], ["a", "c"]), (["prompt: nil"], ["prompt: \"WOOT!\""]),
        ])
    func whatMayNot(shown: [String], answer: [String]) {
        #expect(Transcript.difference(of: answer, from: shown, pid: 17) != nil)
    }

    @Test("three dots stand for any number of lines")
    func dotsStandForLines() {
        let answer = ["a", "b", "c", "d"]
        #expect(Transcript.difference(of: answer, from: ["a", "...", "d"], pid: 1) == nil)
        #expect(Transcript.difference(of: answer, from: ["...", "d"], pid: 1) == nil)
        #expect(Transcript.difference(of: answer, from: ["a", "..."], pid: 1) == nil)
    }
}
