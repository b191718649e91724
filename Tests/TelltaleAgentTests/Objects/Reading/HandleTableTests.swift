#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Numbers name objects by where they stood")
struct HandleTableTests {
    let table = HandleTable()

    private func number(_ address: UInt, at index: Int = 0) -> Int {
        table.handle(
            rootName: "photos", path: [.property("items"), .index(index)], address: address,
            typeName: "Photo")
    }

    @Test("the same object at the same place keeps its number")
    func same() {
        let first = number(1)
        #expect(number(1) == first)
        #expect(number(2) != first)
        #expect(number(1, at: 1) != first)
        #expect(table.place(of: first)?.address == 1)
        #expect(table.place(of: first)?.path == [.property("items"), .index(0)])
        #expect(table.place(of: 99) == nil && table.place(of: -1) == nil)
    }

    @Test("a number stands for the object that had it, and for no other")
    func verified() throws {
        let host = ChangingHost()
        let path = [ValuePath.Component.property("items"), .index(0)]
        let object = try #require(host.items.first)
        let place = HandleTable.Place(
            rootName: "host", path: path,
            address: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()),
            typeName: "Photo")
        let masks = MaskPolicy(additionalNames: [])
        try place.verify(in: .object(host), masks: masks)
        host.items.swapAt(0, 1)
        #expect(
            failure { try place.verify(in: .object(host), masks: masks) }?.code == .conflict)
        host.items = []
        #expect(failure { try place.verify(in: .object(host), masks: masks) }?.code == .gone)
    }

    private func failure(_ body: () throws -> Void) -> CommandFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test("beyond the bound those used least lately go, and no number comes twice")
    func bound() {
        let first = number(1)
        var numbers: Set<Int> = [first]
        for address in UInt(2)...UInt(HandleTable.capacity * 2) {
            #expect(numbers.insert(number(address)).inserted)
            _ = table.place(of: first)
        }
        #expect(table.place(of: first) != nil)
        #expect(numbers.filter { table.place(of: $0) != nil }.count <= HandleTable.capacity)
        #expect(table.place(of: 2) == nil)
    }
}
#endif
