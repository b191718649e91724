#if TELLTALE_AGENT
import Testing

@testable import TelltaleAgent

struct LatestElementsTests {
    @Test("the last of many are kept, in their order")
    func latest() {
        for limit in 1...5 {
            var latest = LatestElements<Int>(limit: limit)
            var all: [Int] = []
            for element in 0..<17 {
                all.append(element)
                let dropped = latest.append(element)
                #expect(dropped == (element >= limit ? element - limit : nil))
                #expect(Array(latest) == all.suffix(limit))
            }
            latest[0] = -1
            #expect(latest.first == -1 && latest.count == limit)
        }
    }
}
#endif
