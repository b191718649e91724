import Testing

@testable import TelltaleAgent
@testable import TelltaleProtocol

/// The answers of `holders` and `cycle` for a path that doesn't end at an object.
struct SoughtObjectTests {
    @Test("an object that ended while it was looked up is gone, and not one that never was")
    func ended() {
        let unread = ValueNode(type: "Seedling", kind: .unavailable, note: NodeMaker.changing)
        let gone = SoughtObject.refusal(of: unread, at: "#13")
        #expect(gone.code == .gone && gone.message.contains("#13 is gone, or changing: it can't"))
        let unmapped = ValueNode(type: "Seedling", kind: .object)
        #expect(SoughtObject.refusal(of: unmapped, at: "#13").code == .gone)
        let number = SoughtObject.refusal(of: ValueNode(type: "Int", kind: .scalar), at: "a.b")
        #expect(number.code == .unsupported && number.message.hasPrefix("a.b is not an object"))
    }
}
