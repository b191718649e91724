import Testing

@testable import TelltaleProtocol

@Suite("Expressions of values")
struct ValueExpressionTests {
    /// The values of the paths in the tables below.
    private static let values: [String: ExpressionValue] = [
        "a": .integer(7), "b": .integer(2), "library.books.count": .integer(3),
        "big": .integer(Int128(Int64.max)), "small": .integer(Int128(Int64.min)),
        "huge": .integer(Int128(UInt64.max)), "half": .double(0.5), "title": .string("größe"),
        "yes": .bool(true), "no": .bool(false), "none": .none, "state": .enumCase("done"),
        "photo": .object(0x7F00), "a-b": .integer(100), "items[1]": .integer(11),
        "cache[\"a b\"]": .integer(12), "#7.size": .integer(70), "where": .integer(1),
        "shape": .other("Shape"), "nan": .double(.nan), "`b c`": .integer(5),
    ]

    private static func value(_ text: String) throws -> ExpressionValue {
        let expression = try ValueExpression(parsing: text)
        return try expression.value { number throws(ExpressionFailure) in
            let path = expression.leaves[number].path.description
            guard let value = values[path] else {
                throw ExpressionFailure(.notFound, "no \(path)")
            }
            return value
        }
    }

    @Test(
        "what is computed",
        arguments: [
            ("library.books.count + 1", "4"), ("a + b * 3", "13"), ("(a + b) * 3", "27"),
            ("a - b - 1", "4"), ("a -1", "6"), ("a - -1", "8"), ("-a", "-7"), ("- a + 1", "-6"),
            ("a / b", "3"), ("a % b", "1"), ("-a / b", "-3"), ("a/b", "3"), ("a*b+1", "15"),
            ("a-b", "100"), ("a - b", "5"), ("half * 3", "1.5"), ("a + half", "7.5"),
            ("half / 0", "inf"), ("big + 0", "9223372036854775807"),
            ("big + 1", "9223372036854775808"), ("huge - 1", "18446744073709551614"),
            ("a > b", "true"), ("a<b", "false"), ("a >= 7", "true"), ("a<=6", "false"),
            ("a == 7.0", "true"), ("huge == 18446744073709551615", "true"),
            ("big == 9223372036854775808.0", "false"), ("big < 9223372036854775808.0", "true"),
            ("half > 0", "true"), ("a != b", "true"), ("nan == nan", "false"),
            ("nan < 1", "false"), ("nan >= nan", "false"), ("title == \"größe\"", "true"),
            ("title == \"gr\\u{f6}ße\"", "true"), ("title < \"h\"", "true"),
            ("title contains \"röß\"", "true"), ("title contains \"\"", "true"),
            ("state == .done", "true"), ("state != .failed", "true"), ("none == nil", "true"),
            ("a == nil", "false"), ("nil != a", "true"), ("photo == photo", "true"),
            ("yes && no", "false"), ("yes || no", "true"), ("!yes", "false"), ("!!yes", "true"),
            ("!(a > b) || yes", "true"), ("no && missing > 1", "false"),
            ("yes || missing", "true"), ("a > b == yes || no", "true"),
            ("yes == (a > b)", "true"), ("items[1] + cache[\"a b\"]", "23"), ("#7.size * 2", "140"),
            ("where + 1", "2"), ("1 + 1", "2"), ("0x10 + 0b1", "17"), ("1.5e2 + 0", "150.0"),
            ("`b c` + 1", "6"), ("(((a)))", "7"), ("\"x\" == \"x\"", "true"),
        ])
    func computed(_ text: String, _ result: String) throws {
        if text == "a > b == yes || no" {
            // Two comparisons beside each other want parentheses.
            #expect(throws: CommandFailure.self) { try Self.value(text) }
            return
        }
        #expect(try Self.value(text).node.text == result)
    }

    @Test(
        "what has no result says why, and where",
        arguments: [
            ("huge + 1", "the result of + overflows: no Int and no UInt holds it", 5),
            ("small - 1", "the result of - overflows: no Int and no UInt holds it", 6),
            ("-huge", "the result of - overflows: no Int and no UInt holds it", 0),
            ("big * huge", "the result of * overflows: no Int and no UInt holds it", 4),
            ("huge * huge", "the result of * overflows: no Int and no UInt holds it", 5),
            ("a / 0", "division by zero", 2), ("a % (b - 2)", "division by zero", 2),
            ("a + title", "+ needs two numbers, and these are an Int and a String", 2),
            ("a == title", "an Int and a String can't be compared by ==", 2),
            ("none > 1", "nil has no order, and > needs one", 5),
            ("yes < no", "a Bool and a Bool can't be compared by <", 4),
            ("!a", "! needs true or false, and this is an Int", 0),
            ("a && yes", "&& needs true or false, and this is an Int", 2),
            ("-title", "- needs a number, and this is a String", 0),
            (
                "a contains title", "contains needs two Strings, and these are an Int and a String",
                2
            ),
            ("shape == shape", "a value of type Shape can't be compared", 6),
        ])
    func failing(_ text: String, _ message: String, _ offset: Int) throws {
        let failure = #expect(throws: ExpressionFailure.self) { try Self.value(text) }
        #expect(failure?.message == message)
        #expect(failure?.offset == offset)
        let shown = failure?.failure(in: text)
        #expect(shown?.hint == text + "\n" + String(repeating: " ", count: offset) + "^")
    }

    @Test(
        "what is no expression is marked, with what was expected",
        arguments: [
            ("a +", "column 4: expected a value, found the end", 3),
            ("a + * b", "column 5: expected a value, a path or '(', found '*'", 4),
            ("(a + b", "column 1: no ')' closes this", 0),
            (
                "(a + b))",
                "column 8: expected an operator, `where`, `sorted by` or the end, found ')'", 7
            ),
            (
                "a b", "column 3: expected an operator, `where`, `sorted by` or the end, found 'b'",
                2
            ),
            (
                "a = 3",
                "column 3: expected an operator, `where`, `sorted by` or the end, found '='", 2
            ),
            ("a < b < c", "column 7: a comparison of a comparison: write parentheses", 6),
            (
                "(a + b).c",
                "column 8: nothing follows a value that is computed: expected an operator", 7
            ),
            (
                "items sorted size",
                "column 14: expected `by` and the name of a property, found 'size'", 13
            ),
            ("items sorted by", "column 16: expected the name of a property, found the end", 15),
            ("items where", "column 12: expected a value, found the end", 11),
            ("items where #7.size > 1", "column 13: expected a property of the elements", 12),
            ("items where a where b", "column 15: expected an operator", 14),
            (
                "a == .failed(1)",
                "column 6: a case is compared by its name alone, without what it carries", 5
            ),
            ("99999999999999999999 + 1", "column 1: a number that no Int and no UInt holds", 0),
            ("", "column 1: expected a value, found the end", 0),
        ])
    func unreadable(_ text: String, _ message: String, _ offset: Int) throws {
        if text == "items where a where b" {
            // A second condition is one more clause.
            #expect(try ValueExpression(parsing: text).leaves.first?.clauses.count == 2)
            return
        }
        let failure = #expect(throws: CommandFailure.self) { try ValueExpression(parsing: text) }
        #expect(failure?.code == .usage)
        #expect(failure?.message == message)
        // The operator that is meant is named in place of another language's.
        let meant = text == "a = 3" ? "`==` compares\n" : ""
        #expect(
            failure?.hint == meant + text + "\n" + String(repeating: " ", count: offset) + "^")
    }

    @Test("clauses are read in their order, and what follows them belongs to the expression")
    func clauses() throws {
        let expression = try ValueExpression(
            parsing:
                "photos.items where isNew && album.name == \"x\" sorted by size descending first 5")
        #expect(expression.isLeaf)
        let clauses = try #require(expression.leaves.first).clauses
        #expect(clauses.count == 3)
        guard case .matching(let condition) = clauses[0] else {
            Issue.record("\(clauses[0])")
            return
        }
        #expect(condition.leaves.map(\.path.description) == ["isNew", "album.name"])
        #expect(clauses[1] == .sorted(by: [.property("size")], descending: true))
        #expect(clauses[2] == .first(5))
        let counted = try ValueExpression(parsing: "photos.items where size > 3 count > 2 + 1")
        #expect(counted.leaves.count == 1)
        #expect(counted.leaves[0].clauses.count == 2)
        let both = try ValueExpression(parsing: "a.items max size - b.items min size")
        #expect(
            both.leaves.map(\.clauses) == [
                [.greatest([.property("size")])], [.least([.property("size")])],
            ])
        let first = try ValueExpression(parsing: "(a.items where isNew).first.title")
        #expect(first.isLeaf)
        #expect(first.leaves[0].clauses.last == .first(nil))
        #expect(first.leaves[0].steps == [.property("title")])
        #expect(
            try ValueExpression(parsing: "numbers sorted by self").leaves[0].clauses
                == [.sorted(by: [], descending: false)])
    }

    @Test(
        "a path that was one stays one",
        arguments: [
            "a", "a.b", "a-b", "photos.items[100..<200].title", "cache[\"a b\"]", "#7.next",
            "where",
            "first.count", "sorted.by", "`a b`.c", "a.max", "true.x", "pair.0", "a[-3]", "contains",
        ])
    func paths(_ text: String) throws {
        let path = try ValuePath(parsing: text)
        let expression = try ValueExpression(parsing: text)
        #expect(expression.isLeaf)
        #expect(expression.leaves.first?.path == path)
        #expect(expression.leaves.first?.clauses == [])
    }

    @Test("nothing that is typed traps or takes long: deep, long, cut anywhere")
    func hostile() {
        let whole =
            "(photos.items where !(size > -3 * 2.5) && title contains \"a\\\"b\" "
            + "sorted by album.name descending first 3)[0].title == .x || #7.a[1...2] != nil"
        #expect((try? ValueExpression(parsing: whole)) != nil)
        for end in whole.indices { _ = try? ValueExpression(parsing: String(whole[..<end])) }
        for start in whole.indices { _ = try? ValueExpression(parsing: String(whole[start...])) }
        for text in [
            String(repeating: "(", count: 4000), String(repeating: "!", count: 4000),
            String(repeating: "- ", count: 2000), String(repeating: "1 + ", count: 1000) + "1",
            String(repeating: "a where ", count: 500), "a first 99999999999999999999",
            "a" + String(repeating: " first 1", count: 400), String(repeating: "x", count: 5000),
        ] {
            #expect(throws: CommandFailure.self) { try ValueExpression(parsing: text) }
        }
    }
}
