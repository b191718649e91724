#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("Names of queues for a half-typed one")
struct QueueNamesTests {
    private let names = QueueNames(labels: [
        "com.telltale.photos", "com.telltale.downloads", "com.other.downloads", "photo.cache",
        "",
        "ends.",
    ])

    @Test("without a letter each queue is offered once, and main")
    func all() {
        #expect(
            names.beginning(with: "") == [
                "com.other.downloads", "com.telltale.downloads", "com.telltale.photos", "ends.",
                "main", "photo.cache",
            ])
    }

    @Test("what is typed may begin a label or the end of one")
    func ends() {
        #expect(names.beginning(with: "photo") == ["photo.cache", "photos"])
        #expect(
            names.beginning(with: "telltale.") == ["telltale.downloads", "telltale.photos"])
        #expect(names.beginning(with: "com.o") == ["com.other.downloads"])
        #expect(names.beginning(with: "ma") == ["main"])
    }

    @Test("an end that several labels have is not offered, and each that is means one queue")
    func unambiguous() throws {
        #expect(names.beginning(with: "down") == [])
        let queues = names.labels.enumerated().map { index, label -> QueueFacts in
            var queue = QueueFacts(address: UInt(index + 1))
            queue.label = label
            return queue
        }
        for typed in ["", "p", "c", "t", "o", "d"] {
            for name in names.beginning(with: typed) where name != "main" {
                #expect(try QueueSearch.find(name, among: queues).label.hasSuffix(name))
            }
        }
    }
}
#endif
