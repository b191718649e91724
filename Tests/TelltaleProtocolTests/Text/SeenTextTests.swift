import Testing

@testable import TelltaleProtocol

/// Text skipped by the fast scan because it is harmless is really harmless.
@Suite struct SeenTextTests {
    @Test func onlyShownASCIIIsSeen() {
        for scalar in (UInt32(0)...0x2FF).compactMap(Unicode.Scalar.init) {
            for place in 0..<10 {
                var scalars = [Unicode.Scalar](repeating: "a", count: 10)
                scalars[place] = scalar
                let text = String(String.UnicodeScalarView(scalars))
                let isSeen = Array(text.utf8).withUnsafeBytes { ByteScan.isSeen($0) }
                #expect(isSeen == (0x20..<0x7F ~= scalar.value), "\(scalar.value) at \(place)")
                let isASCII = Array(text.utf8).withUnsafeBytes { ByteScan.isASCII($0) }
                #expect(isASCII == (scalar.value < 0x80), "\(scalar.value) at \(place)")
                #expect(text.escaped.unicodeScalars.allSatisfy { !$0.steersTerminal })
            }
        }
    }

    @Test func aNodeThatDoesNotFitIsToldAsByTheCoder() throws {
        let good = ValueNode(label: "a", type: "T", kind: .array, count: 1)
        guard case .object(let members) = try good.json() else { return }
        func reason(_ members: [JSONMember]) -> String {
            do {
                _ = try ValueNode(json: .object(members))
                return "none"
            } catch {
                return "\(CommandFailure(decoding: error, "it").message)"
            }
        }
        #expect(reason(members) == "none")
        for index in members.indices {
            var wrong = members
            wrong[index].value = .bool(true)
            #expect(reason(wrong).contains(members[index].key), "\(members[index].key)")
            let missing = members.filter { $0.key != members[index].key }
            let isNeeded = ["type", "kind", "children"].contains(members[index].key)
            #expect((reason(missing) == "none") == !isNeeded, "\(members[index].key)")
        }
        // Unknown members are skipped, null is nil, and of several the last counts.
        let more = members + [JSONMember("new", .null), JSONMember("note", .null)]
        #expect(try ValueNode(json: .object(more)) == good)
        let twice = members + [JSONMember("type", .string("U"))]
        #expect(try ValueNode(json: .object(twice)).type == "U")
        let deep =
            members.filter { $0.key != "children" } + [
                JSONMember("children", .array([.object(Array(members.dropLast()) + [])]))
            ]
        #expect(reason(deep).contains("children"))
    }
}
