import Foundation
import TelltaleTestSupport
import Testing

/// `doctor` on hosts that are well: it finds no fault.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DoctorHealthyTests {
    /// Every fourth of the healthy shapes; `make soak` asks all.
    private static let shapes: [String] = {
        let all = ShapeRow.all.filter { !$0.isAccused && !$0.isHeavy }.map(\.name)
        let step = Soak.isOn ? 1 : 4
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }()

    @Test("a healthy host has no fault", arguments: shapes)
    func healthy(_ shape: String) throws {
        let host: ShapeHost
        do {
            host = try ShapeHost(shape)
        } catch let missing as ShapeHost.NotHere {
            try Test.cancel("\(missing.reason)")
        }
        for _ in 0..<Soak.count(1, soak: 20) {
            let outcome = try host.telltale(["--timeout", "30s"], ["doctor", "--for", "200ms"])
            // 5 if a busy machine leaves no time for all captures.
            #expect([0, 5].contains(outcome.status), "\(shape): \(outcome.text)")
        }
    }

    @Test("doctor answers soon after the time that it watches")
    func time() throws {
        let host = try ShapeHost("accept-server-idle")
        var times: [Double] = []
        for _ in 0..<7 {
            let began = Date()
            let outcome = try host.telltale([], ["doctor", "--for", "100ms"])
            times.append(Date().timeIntervalSince(began))
            #expect(outcome.status == 0, "\(outcome.text)")
        }
        // 500 ms on an idle machine; others compile beside the tests.
        let median = times.sorted()[times.count / 2]
        #expect(median < 2, "\(times)")
    }

    @Test(
        "10,000 descriptors, 200,000 tasks and a heap of 1 GB are answered within 20 s",
        .enabled(if: Soak.isOn, "it takes 2 GB and a quiet machine"))
    func large() throws {
        let host = try ShapeHost("case-large-service")
        var times: [Double] = []
        for _ in 0..<5 {
            let began = Date()
            let outcome = try host.telltale(["--timeout", "60s"], ["doctor", "--for", "100ms"])
            times.append(Date().timeIntervalSince(began))
            #expect([0, 5].contains(outcome.status), "\(outcome.text)")
        }
        // 11.6 s on two idle cores: most of it are two captures of the tasks, and the search for wakers.
        #expect(times.sorted()[2] < 20, "\(times)")
    }

    @Test("the time to watch has a bound, and the answer is a document too")
    func options() throws {
        let host = try ShapeHost("worker-pool-idle")
        let outcome = try host.telltale(["--json"], ["doctor", "--for", "100ms"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any])
        #expect(document["kind"] as? String == "doctor")
        #expect((document["watchedSeconds"] as? Double).map { $0 >= 0.1 } == true)
        #expect(try host.telltale([], ["doctor", "--for", "61s"]).status == 2)
    }
}
