import Testing

@testable import TelltaleProtocol

struct TextTableTests {
    private func rendered(
        _ columns: [TextTable.Column], _ rows: [[String]], width: Int
    ) -> [String] {
        var table = TextTable(columns)
        for row in rows { table.add(row) }
        var style = TextStyle()
        style.width = width
        return table.rendered(style)
    }

    @Test("a column without a value goes first, and only where there is no room")
    func emptyColumn() {
        let columns: [TextTable.Column] = [
            .init("name"), .init("target"), .init("qos", isExtra: true),
        ]
        let rows = [["photos", "", "utility"], ["downloads", "", "background"]]
        #expect(
            rendered(columns, rows, width: 30)[0].split(separator: " ")
                == ["NAME", "TARGET", "QOS"])
        #expect(
            rendered(columns, rows, width: 22) == [
                "NAME       QOS", "photos     utility", "downloads  background",
            ])
    }

    @Test("a column that alone tells two rows apart stays")
    func tellingColumn() {
        let columns: [TextTable.Column] = [
            .init("class"), .init("address", isExtra: true), .init("owner", isExtra: true),
        ]
        let rows = [["Photo", "0x7f3a10", "queue photos"], ["Photo", "0x7f3b20", "queue photos"]]
        #expect(
            rendered(columns, rows, width: 20) == [
                "CLASS  ADDRESS", "Photo  0x7f3a10", "Photo  0x7f3b20",
                "… no room for OWNER; --json has all",
            ])
    }

    @Test("`objects` keeps the owner in its row at 80 columns, `queues` the latency")
    func eightyColumns() {
        let objects = ObjectsAnswer(objects: [
            .init(
                name: "photos", type: "PhotoStore", owner: "queue com.telltale.photos, concurrent",
                state: "alive", address: "0x55d0c8a2f3a0")
        ])
        let lines = objects.lines(TextStyle(width: 80))
        #expect(lines[1].contains("PhotoStore  queue com.telltale.photos, concurrent  alive"))
        var answer = SampleAnswers.queues
        answer.queues[1].latencyMicroseconds = 180
        let queues = answer.lines(TextStyle(width: 80))
        #expect(queues[0].contains("LATENCY"), "\(queues)")
        #expect(queues.allSatisfy { $0.columns <= 80 }, "\(queues)")
    }

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
