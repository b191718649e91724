#if TELLTALE_AGENT
import Dispatch
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("The queues that are observed")
struct QueueProbesTests {
    private let probes = QueueProbes()

    private var labels: [String] { probes.all.map(\.queue.label) }

    @Test("a queue is observed as long as somebody has its probe")
    func held() {
        let queue = DispatchQueue(label: "held")
        var first: QueueProbe? = probes.probe(of: queue)
        var second: QueueProbe? = probes.probe(of: queue)
        #expect(first === second && labels == ["held"])
        first = nil
        #expect(labels == ["held"])
        second = nil
        #expect(labels == [])
        withExtendedLifetime((first, second)) {}
    }

    @Test("one that is observed twice is so until the latest token is used, whoever else has it")
    func observed() {
        let queue = DispatchQueue(label: "observed")
        probes.observe(queue, identifier: 1)
        probes.observe(queue, identifier: 2)
        #expect(labels == ["observed"])
        #expect(probes.remove(1) == nil)
        #expect(labels == ["observed"])
        let owner = probes.probe(of: queue)
        #expect(probes.remove(2) === owner)
        #expect(labels == ["observed"])
        withExtendedLifetime(owner) {}
    }

    @Test("they come in their order, and those that are gone leave nothing behind")
    func many() {
        let first = DispatchQueue(label: "first")
        probes.observe(first, identifier: 1)
        for number in 0..<1000 { _ = probes.probe(of: DispatchQueue(label: "\(number)")) }
        probes.observe(.main, identifier: 2)
        #expect(labels == ["first", DispatchQueue.main.label])
        #expect(probes.placeCount < 200)
    }

    @Test("a child of the parent's has its own probes of what the host observes")
    func child() {
        let queue = DispatchQueue(label: "parent's")
        probes.observe(queue, identifier: 1)
        let child = QueueProbes()
        #expect(child.adopt(probes))
        #expect(child.all.map(\.queue.label) == ["parent's"])
        #expect(child.all.first !== probes.all.first)
        #expect(child.remove(1) != nil)
    }
}
#endif
