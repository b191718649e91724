import Testing

@testable import TelltaleProtocol

@Suite("The order of candidates")
struct NaturalOrderTests {
    @Test("numbers are compared as numbers, and equal ones in one order only")
    func order() {
        let words = [
            "b", "a[10].x", "a[2]", "a", "a[1]", "a[002]", "a[10]", "a[9999999999999999999999]", "",
        ]
        let sorted = words.sorted(by: NaturalOrder.isBefore)
        #expect(
            sorted == [
                "", "a", "a[1]", "a[002]", "a[2]", "a[10]", "a[10].x", "a[9999999999999999999999]",
                "b",
            ])
        for one in words {
            #expect(!NaturalOrder.isBefore(one, one))
            for other in words where one != other {
                #expect(NaturalOrder.isBefore(one, other) != NaturalOrder.isBefore(other, one))
            }
        }
    }
}
