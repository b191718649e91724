import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("Decimals are computed exactly, as Foundation computes them")
struct ExactDecimalTests {
    private func value(_ text: String) -> ExpressionValue {
        ExpressionValue(scalar: text, type: "Decimal")
    }

    private func computed(
        _ text: String, _ leaves: [String]
    ) throws -> ExpressionValue {
        try ValueExpression(parsing: text).value { number throws(ExpressionFailure) in
            value(leaves[number])
        }
    }

    @Test(
        "what is computed with a Decimal is one",
        arguments: [
            ("a + b", ["0.1", "0.2"], "0.3"), ("a - b", ["1", "0.9"], "0.1"),
            ("a * b", ["19.99", "3"], "59.97"), ("a / b", ["5", "2"], "2.5"),
            ("a % b", ["7.5", "2"], "1.5"), ("a * 1.19", ["100"], "119"),
            ("a + 1", ["0.5"], "1.5"), ("a", ["5"], "5"),
            (
                "a + b", ["12345678901234567890.12", "0.01"], "12345678901234567890.13"
            ),
            ("a / b", ["1", "3"], "0.33333333333333333333333333333333333333"),
            ("-a", ["0.10"], "-0.1"),
        ])
    func arithmetic(_ text: String, _ leaves: [String], _ result: String) throws {
        let value = try computed(text, leaves)
        #expect(value.node.type == "Decimal" && value.node.text == result, "\(value)")
    }

    @Test(
        "and compared as what was typed",
        arguments: [
            ("a == 0.1", ["0.1"]), ("a < 0.11", ["0.1"]), ("a > 0.1", ["0.10000000000000000001"]),
            ("a == 3", ["3.00"]), ("a < b", ["-2", "-1.5"]), ("a < 1e300", ["7"]),
            ("a != b", ["99999999999999999999.1", "99999999999999999999.2"]),
        ])
    func comparing(_ text: String, _ leaves: [String]) throws {
        #expect(try computed(text, leaves) == .bool(true))
    }

    @Test("a result that no Decimal holds is said, and not rounded")
    func overflow() throws {
        #expect(throws: ExpressionFailure.self) {
            try computed("a + b", ["1e100", "1"])
        }
        #expect(throws: ExpressionFailure.self) { try computed("a / b", ["1", "0"]) }
        let greatest = Decimal.greatestFiniteMagnitude.description
        #expect(try computed("a - b", [greatest, greatest]).node.text == "0")
        for product in ["a * b", "a * 2"] {
            #expect(throws: ExpressionFailure.self, "\(product)") {
                try computed(product, [greatest, greatest])
            }
        }
        #expect(throws: ExpressionFailure.self) {
            try computed("a * b", ["1" + String(repeating: "0", count: 100), "1e100"])
        }
    }

    @Test("thousand sums and products are Foundation's own")
    func foundation() throws {
        var generator = SeededGenerator(seed: 40)
        for _ in 0..<1000 {
            func random() -> Decimal {
                Decimal(Int64.random(in: -999_999_999_999...999_999_999_999, using: &generator))
                    * pow(10, Int.random(in: -8...3, using: &generator))
            }
            let (left, right) = (random(), random())
            let leaves = ["\(left)", "\(right)"]
            #expect(try computed("a + b", leaves).node.text == "\(left + right)", "\(leaves)")
            #expect(try computed("a - b", leaves).node.text == "\(left - right)", "\(leaves)")
            #expect(try computed("a * b", leaves).node.text == "\(left * right)", "\(leaves)")
            #expect(try computed("a < b", leaves) == .bool(left < right), "\(leaves)")
        }
    }
}
