#if TELLTALE_AGENT
import TelltaleDiagnosis
@testable import TelltaleProtocol
import Testing

/// A made process, and what is to be said of it.
struct DiagnosisCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable {
        /// One finding with this title, and these texts on the screen.
        case deadlock(String, [String] = [])
        case stuck(String, [String] = [])
        /// It waits long, with this title, and these texts on the screen.
        case waits(String, [String] = [])
        /// One line, and these sentences about what looks like a finding.
        case healthy([String] = [])
        /// Nothing was found, and not all was captured.
        case unknown
    }

    let name: String
    let expected: Expected
    let process: MadeProcess

    var testDescription: String { name }

    init(_ name: String, _ expected: Expected, _ make: (inout MadeProcess) -> Void) {
        self.name = name
        self.expected = expected
        var process = MadeProcess()
        make(&process)
        self.process = process
    }

    func check() {
        switch expected {
        case .deadlock(let title, let texts): checkFinding(.deadlock, title, texts)
        case .stuck(let title, let texts): checkFinding(.blocked, title, texts)
        case .waits(let title, let texts): checkWait(title, texts)
        case .healthy(let sentences): checkHealthy(sentences)
        case .unknown: #expect(process.answer.verdict == .unknown, "\(process.screen)")
        }
    }

    private func checkFinding(
        _ verdict: StuckAnswer.Verdict, _ title: String, _ texts: [String]
    ) {
        let answer = process.answer
        #expect(answer.verdict == verdict, "\(process.screen)")
        #expect(answer.findings.map(\.title) == [title], "\(process.screen)")
        #expect(answer.findings.first?.isDeadlock == (verdict == .deadlock))
        for text in texts { #expect(process.screen.contains(text), "no \(text) in") }
        // One picture never hides what two show.
        #expect(!process.isHealthyAtOnce)
    }

    private func checkWait(_ title: String, _ texts: [String]) {
        let answer = process.answer
        #expect(answer.verdict == .waiting, "\(process.screen)")
        #expect(answer.findings.map(\.title) == [title], "\(process.screen)")
        #expect(process.screen.hasPrefix("WAITS LONG"))
        #expect(!answer.isStuck && answer.blocked == nil)
        var strict = answer
        strict.isStrict = true
        #expect(strict.isStuck && strict.exitStatus == .stuck)
        for text in texts { #expect(process.screen.contains(text), "no \(text) in") }
    }

    private func checkHealthy(_ sentences: [String]) {
        let answer = process.answer
        #expect(answer.verdict == .healthy, "\(process.screen)")
        #expect(answer.notIt.map(\.sentence) == sentences)
        #expect(answer.lines().count == 1)
        let words = process.screen.lowercased()
        #expect(!words.contains("stuck") && !words.contains("deadlock"), "\(words)")
    }
}
#endif
