import TelltaleProtocol
import Testing

@testable import TelltaleShell

struct WatchScreenTests {
    private func help(_ lines: [String]) -> HelpAnswer { HelpAnswer(lines: lines) }

    private func lines(_ screen: inout WatchScreen, _ answer: [String]) -> [String] {
        let text = screen.text(of: help(answer), TextStyle()).text
        return text.split(separator: "\n").map { line in
            String(line).replacing("\u{1B}[K", with: "").replacing("\u{1B}[J", with: "")
        }
    }

    @Test(
        "what was not there at the look before is marked, and no more lines than there is room for")
    func marks() {
        var screen = WatchScreen(line: "queues", every: .seconds(1)) { (8, 30) }
        let first = lines(&screen, ["a", "b"])
        #expect(first[0].hasPrefix("\u{1B}[2J\u{1B}[H") && first[0].contains("every 1 s"))
        #expect(first[1...2] == ["  a", "  b"])
        let second = lines(&screen, ["a", "c", "b"])
        #expect(second[0].hasPrefix("\u{1B}[H") && !second[0].contains("[2J"))
        #expect(second[1...3] == ["  a", "* c", "  b"])
        let many = lines(&screen, (0..<100).map { "line \($0)" })
        #expect(many.count == 7 && many[5].contains("… 96 more"), "\(many)")
        // A line that is wider does not push the others down.
        let wide = lines(&screen, [String(repeating: "w", count: 100)])
        #expect(wide.count > 2 && wide.dropFirst().allSatisfy { $0.count <= 30 }, "\(wide)")
    }

    @Test("a window of another width marks nothing: all its lines are laid out anew")
    func resized() {
        let sentence = "one two three four five six seven"
        var columns = 60
        var screen = WatchScreen(line: "queues", every: .seconds(1)) { (20, columns) }
        #expect(lines(&screen, [sentence])[1] == "  " + sentence)
        columns = 22
        let narrow = lines(&screen, [sentence])
        #expect(narrow.count > 3 && !narrow.contains { $0.hasPrefix("* ") }, "\(narrow)")
        let changed = lines(&screen, [sentence + " eight"])
        #expect(changed.contains { $0.hasPrefix("* ") }, "\(changed)")
    }
}
