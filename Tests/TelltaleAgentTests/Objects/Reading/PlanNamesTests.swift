#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime
@testable import TelltaleValues

@Suite("Names that readings leave behind")
struct PlanNamesTests {
    private final class Sessions {
        var users: [String: Int] = [:]
    }

    @Test("keys that come and go leave nothing behind, and are read as what they are")
    func keys() throws {
        let (sessions, masks) = (Sessions(), MaskPolicy(additionalNames: []))
        let reader = ValueReader.usual(masks: masks)
        func read(_ round: Int) throws {
            sessions.users = Dictionary(
                uniqueKeysWithValues: (0..<100).map { ("session-\(round)-\($0)", $0) })
            let users = try reader.read(sessions, "x.users")
            #expect(users.children.count == 100)
            let start = "[\"session-\(round)-"
            #expect(users.children.allSatisfy { $0.label?.hasPrefix(start) == true })
        }
        // Some 70 bytes for each of 50,000 keys.
        for round in 0..<500 { try read(round) }
        for _ in 0..<3 {
            #expect(masks.plans.take().namesSize <= PlanPool.mostNamesSize)
        }
    }

    @Test("plans without a number for another name are not used again")
    func numbers() {
        let pool = PlanPool()
        let plans = pool.take()
        #expect(plans.text(plans.name("title")) == "title" && !plans.lacksNames)
        pool.giveBack(plans)
        #expect(pool.take() === plans)
        for number in 0..<1 << 20 { _ = plans.name(String(number)) }
        #expect(plans.lacksNames)
        pool.giveBack(plans)
        #expect(pool.take() !== plans)
    }
}
#endif
