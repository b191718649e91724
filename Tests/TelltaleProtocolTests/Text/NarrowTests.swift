import Testing

@testable import TelltaleProtocol

/// Facts that a terminal of 80 columns must not lose.
@Suite("Answers on a narrow terminal")
struct NarrowTests {
    private let style = TextStyle(width: 80)

    @Test(
        "a text is broken at spaces, then behind dots, and loses nothing",
        arguments: [8, 20, 33, 79])
    func wrapping(width: Int) {
        let text =
            "closure #1 in static AlbumExport.stampDownloadsThenExportPhotos(_:_:_:) 日本語 in "
            + "libswiftDispatch.so"
        let lines = text.wrapped(to: width, indent: 4)
        #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        #expect("a b".wrapped(to: 80) == ["a b"] && "".wrapped(to: 80) == [""])
        let painted = TextStyle(color: true).painted("word", .red)
        #expect((painted + " word").wrapped(to: 9) == [painted + " word"])
        #expect((painted + " word").wrapped(to: 8) == [painted, "word"])
    }

    @Test(
        "what has no room goes on further in, between two words, and a value alone is left as it is"
    )
    func fitted() {
        let leaf = ValueNode(type: "String", kind: .string, text: "\"Aunt Tilda at the Sea\"")
        let answer = ValueAnswer(
            path: "photos.items[0].title", value: leaf,
            owner: "queue com.telltale.photos, concurrent", read: "on its owner")
        let lines = answer.rendered(style).split(separator: "\n")
        #expect(lines.count == 2 && lines[1].hasPrefix("  "), "\(lines)")
        #expect(lines.allSatisfy { $0.columns <= 80 }, "\(lines)")
        #expect(
            lines.joined(separator: " ").split(separator: " ")
                == answer.rendered(TextStyle()).split(separator: " "))
        #expect(PlainAnswer(answer).rendered(TextStyle(width: 12)) == "\"Aunt Tilda at the Sea\"")
    }

    @Test(
        "no page of help is wider than the terminal, and its paragraphs are laid out anew",
        arguments: [40, 80])
    func help(width: Int) throws {
        let style = TextStyle(width: width)
        for name in [nil] + CommandTable.all.map(\.name) {
            let help = try CommandTable.help(for: name)
            let lines = help.lines(style)
            #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
            #expect(
                lines.joined().filter { $0 != " " } == help.lines.joined().filter { $0 != " " },
                "\(name ?? "all")")
            #expect(help.lines(TextStyle()) == help.lines)
        }
        // As it was written it had `for numbers on` on a line of its own.
        let watch = try CommandTable.help(for: "watch").lines(TextStyle(width: 80))
        let short = watch.dropFirst(3).filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasSuffix(".") && !$0.contains("--")
                && $0.columns < 50
        }
        #expect(width < 80 || short.isEmpty, "\(short)")
        let all = try CommandTable.help(for: nil).lines(TextStyle(width: 80))
        // The second column is as far in on each line.
        #expect(!all.contains { $0.hasPrefix("      ") && !$0.hasPrefix("            ") }, "\(all)")
    }

    @Test("changes keep the path, the author and both values")
    func changes() {
        let record = ChangeRecord(
            number: 12, path: "photos.settings.quality",
            old: "\"" + String(repeating: "o", count: 90) + "\"", new: "7", result: "done",
            by: Peer(uid: 501, pid: 977, program: "telltale"),
            time: "2026-11-21T03:12:45.118Z")
        let lines = ChangesAnswer(changes: [record], dropped: 0).lines(style)
        #expect(lines.allSatisfy { $0.columns <= 80 && !$0.contains("…") }, "\(lines)")
        let all = lines.joined().filter { $0 != " " }
        let time = ["2026-11-21", "03:12:45Z"]
        for part in time + [record.path, record.old ?? "", record.by.text, "done"] {
            #expect(all.contains(part.filter { $0 != " " }), "\(part)")
        }
    }

    @Test("a change takes one line at 100 columns; the day is in the header if all have the same")
    func changesInOneLine() {
        var by = Peer(uid: 0, pid: 22850, program: "telltale")
        by.terminal = "pts/0"
        var changes = [10, 9].map { hour in
            ChangeRecord(
                number: 12 - hour, path: "kitchen.orders[0].size", old: ".medium", new: ".large",
                result: "done", by: by, time: "2026-11-28T1\(10 - hour):49:46.602Z")
        }
        let wide = TextStyle(width: 100)
        #expect(
            ChangesAnswer(changes: changes, dropped: 0).lines(wide) == [
                "CHANGE  2026-11-28  BY                           PATH                    OLD      NEW     RESULT",
                "     2  10:49:46Z   telltale(22850) uid=0 pts/0  kitchen.orders[0].size  .medium  .large  done",
                "     3  11:49:46Z   telltale(22850) uid=0 pts/0  kitchen.orders[0].size  .medium  .large  done",
            ])
        changes[1].time = "2026-11-29T11:49:46.602Z"
        let two = ChangesAnswer(changes: changes, dropped: 0).lines(TextStyle(width: 200))
        #expect(two[0].contains("TIME") && two[2].contains("2026-11-29T11:49:46.602Z"), "\(two)")
    }

    @Test(
        "no table of a command cuts what it has no room for", arguments: SampleAnswers.all.indices)
    func tables(index: Int) {
        let answer = SampleAnswers.all[index]
        let lines = answer.lines(style)
        #expect(lines.allSatisfy { $0.columns <= 80 }, "\(lines)")
        // An omission of complete entries begins a line.
        let isCut = lines.contains { $0.dropFirst(8).contains("…") && !$0.contains(" more") }
        #expect(!isCut, "\(lines)")
    }

    @Test("a long text in a tree says how long it is and how it is had, and a pipe gets all of it")
    func longText() {
        let text = "\"" + String(repeating: "ü", count: 10_000) + "\""
        let leaf = ValueNode(label: "text", type: "String", kind: .string, text: text)
        let item = ValueNode(label: "[3]", type: "Note", kind: .structure, children: [leaf])
        let list = ValueNode(type: "[Note]", kind: .array, count: 1, children: [item])
        let answer = ValueAnswer(path: "notes.all", value: list, owner: "none", read: "in place")
        let lines = answer.lines(style)
        #expect(lines.count == 3 && lines[2].columns < 240)
        #expect(lines[2].hasSuffix("…  (10,000 characters; get notes.all[3].text)"), "\(lines[2])")
        #expect(answer.lines()[2].contains(text))
        // A value requested by its own path is shown.
        let alone = ValueAnswer(
            path: "notes.all[3].text", value: leaf, owner: "none", read: "in place")
        #expect(alone.lines(style)[0].contains(text))
    }
}
