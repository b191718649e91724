#if TELLTALE_AGENT
import TelltaleSystem
import Testing

@testable import TelltaleAgent

@Suite("A look before a thread sleeps")
struct EagerLookTests {
    /// How many of so many looks in a row were made, where nothing comes.
    private func made(of count: Int, by look: inout EagerLook) -> Int {
        var made = 0
        for _ in 0..<count {
            var hasLooked = false
            let hasFound = look.finds {
                hasLooked = true
                return false
            }
            #expect(!hasFound)
            made += hasLooked ? 1 : 0
        }
        return made
    }

    @Test("what is in vain is done ever more seldom, and never left out for good")
    func vain() {
        var look = EagerLook()
        // One, and one after each of 1, 2, 4 and so on that are left out.
        #expect(made(of: 1 + 2 + 3 + 5 + 9, by: &look) == 5)
        #expect(made(of: 1023 - 15 + 6, by: &look) == 6)
        #expect(made(of: 10 * 1025, by: &look) == 10)
    }

    @Test("with what comes during a look it is done again; what is there at once tells nothing")
    func found() {
        var look = EagerLook()
        #expect(made(of: 1 + 2 + 3, by: &look) == 3)
        #expect(made(of: 4, by: &look) == 0)
        var looks = 0
        #expect(look.finds { true })
        #expect(
            look.finds {
                looks += 1
                return looks == 3
            })
        #expect(made(of: 1 + 5, by: &look) == 2)
        #expect(made(of: 4, by: &look) == 0)
    }

    @Test("it takes some microseconds")
    func time() {
        var (look, looks) = (EagerLook(), 0)
        let began = MonotonicTime.now
        #expect(
            !look.finds {
                looks += 1
                return false
            })
        #expect(looks >= 2 && MonotonicTime.now.since(began) >= .microseconds(40))
    }
}
#endif
