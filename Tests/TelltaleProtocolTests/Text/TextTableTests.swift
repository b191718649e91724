import Testing

@testable import TelltaleProtocol

struct TextTableTests {
    @Test("a table takes as long as it has rows, also where a first cell stands above its row")
    func manyRows() {
        func rendered(_ count: Int) -> (lines: [String], time: Duration) {
            var table = TextTable([.init("name"), .init("state")])
            for number in 0..<count {
                table.add(["\(String(repeating: "x", count: number % 60 + 20))", "idle"])
            }
            var style = TextStyle()
            style.width = 40
            let began = ContinuousClock.now
            return (table.rendered(style), began.duration(to: .now))
        }
        let few = rendered(400)
        let many = rendered(4000)
        #expect(few.lines.contains { $0.hasSuffix("idle") })
        #expect(many.lines.count > 4000)
        // Ten times as many; a hundred times as long if each row looked at all of them.
        #expect(many.time < few.time * 40)
    }
}
