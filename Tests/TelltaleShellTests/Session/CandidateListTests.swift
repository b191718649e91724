import Testing

@testable import TelltaleShell

/// The contents of a candidate list, and the argument of a call at the cursor.
struct CandidateListTests {
    @Test("types stand beside their words where the whole list fits on the screen with them")
    func types() {
        let list = CandidateList(words: ["id", "title", "最後"], types: ["Int", "String", ""])
        #expect(list.shown(columns: 80, rows: 24) == ["id     Int", "title  String", "最後"])
        #expect(list.shown(columns: 80, rows: 1) == list.words)
        // Each on a line of its own.
        #expect(list.shown(columns: 12, rows: 4) == ["id     Int", "title  St…", "最後"])
        #expect(list.shown(columns: 12, rows: 3) == list.words)
        #expect(CandidateList(words: ["a"], types: [""]).shown(columns: 80, rows: 24) == ["a"])
    }

    @Test("elements beyond those that are shown are summed up, with the types of the rest in place")
    func summedUp() {
        var list = CandidateList(
            words: (0..<5).map { "a[\($0)]" } + ["a.count"],
            types: (0..<5).map { "T\($0)" } + ["Int"])
        list.sumUp(3)
        #expect(list.words == ["a[0]", "a[1]", "a.count", "a[…]  3 others"])
        #expect(list.types == ["T0", "T1", "Int", ""])
    }

    @Test("what is typed already of a path is not repeated")
    func stems() {
        for (typed, stem) in [
            ("ph", ""), ("photos.it", "photos."), ("photos.items[1", "photos.items"),
            ("photos.items[1].", "photos.items[1]."), ("cache[\"a.b", "cache"),
        ] {
            #expect(CandidateList.stem(of: typed) == stem)
        }
        var list = CandidateList(words: ["a.b[0]", "a.b[1]", "other"], types: ["T", "T", ""])
        list.stem = "a.b"
        #expect(list.shown(columns: 80, rows: 24) == ["[0]    T", "[1]    T", "other"])
        #expect(list.shown(columns: 80, rows: 1) == ["[0]", "[1]", "other"])
        #expect(list.words[0] == "a.b[0]")
    }

    @Test("a lone nil is shown, and typed only once it is begun")
    func loneNil() {
        var list = CandidateList(words: ["nil"], types: [""], hints: ["f(Int?)"])
        list.keepFromInserting("nil", after: "n")
        #expect(list.words == ["nil"])
        list.keepFromInserting("nil", after: "")
        #expect(list.words.isEmpty && list.types.isEmpty && list.hints == ["nil", "f(Int?)"])
    }

    @Test(
        "an argument, by its call, its number, and what is typed of it behind its label",
        arguments: [
            ("photos.add(", "photos.add", 0, "", 11),
            ("photos.add(\"a, (b\", .r", "photos.add", 1, ".r", 20),
            ("call --yes --on main a.b(x: [1, 2], flag: tr", "a.b", 1, "tr", 42),
            ("call a.b(c(1), ", "a.b", 1, "", 15),
            ("cache[\"a b\"].add( t", "cache[\"a b\"].add", 0, "t", 18),
        ])
    func argument(line: String, name: String, index: Int, word: String, start: Int) {
        let call = HalfTypedCall(line)
        #expect(call?.name == name && call?.index == index, "\(String(describing: call))")
        #expect(call?.word == word && call?.start == start, "\(String(describing: call))")
    }

    @Test(
        "what only looks like a call is none",
        arguments: [
            "get (1 + ", "get 1 + max(", "photos.state = .failed(", "photos.add(1)",
            "photos.add(\"a",
            "photos.items[", "photos.add([1, ", "",
        ])
    func none(line: String) {
        #expect(HalfTypedCall(line) == nil)
    }
}
