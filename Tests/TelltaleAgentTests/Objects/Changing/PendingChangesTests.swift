#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Changes that are collected are bounded, and each connection has its own")
struct PendingChangesTests {
    private let pending = PendingChanges()

    private func change(_ text: String) -> PathChanging.Asked {
        .init(path: "a.b", edit: .assign(TypedText(text)))
    }

    @Test("they are begun once, and end with their connection")
    func connections() throws {
        #expect(throws: CommandFailure.self) { try pending.all(of: 1) }
        try pending.begin(1)
        #expect(throws: CommandFailure.self) { try pending.begin(1) }
        try pending.add(change("1"), of: 1)
        #expect(try pending.all(of: 1).count == 1)
        #expect(!pending.isOpen(2))
        pending.end(1)
        #expect(!pending.isOpen(1))
    }

    @Test("no more are kept than the bounds allow")
    func bounds() throws {
        try pending.begin(1)
        for _ in 0..<PendingChanges.limit { try pending.add(change("1"), of: 1) }
        let many = #expect(throws: CommandFailure.self) { try pending.add(change("1"), of: 1) }
        #expect(many?.code == .bound)
        try pending.begin(2)
        let half = "\"" + String(repeating: "x", count: PendingChanges.mostBytes / 2) + "\""
        try pending.add(change(half), of: 2)
        let large = #expect(throws: CommandFailure.self) { try pending.add(change(half), of: 2) }
        #expect(large?.code == .bound)
    }
}
#endif
