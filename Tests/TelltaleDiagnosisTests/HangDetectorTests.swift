#if TELLTALE_AGENT
import TelltaleDiagnosis
import Testing

/// Heartbeats as the hang watch would see them every 100 ms.
struct HangDetectorTests {
    private struct Watch {
        var detector = HangDetector(threshold: 1, tick: 0.1, interval: 10)
        var time = 100.0

        mutating func judge(after seconds: Double, _ waiting: [(String, UInt64)])
            -> HangDetector.Action
        {
            time += seconds
            return detector.judge(
                at: .seconds(time),
                waiting.enumerated().map { index, owner in
                    // There are as many owners of one name as the name occurs.
                    let number = waiting[..<index].count { $0.0 == owner.0 }
                    return HangDetector.Heartbeat(
                        source: .queue(UInt(bitPattern: owner.0.hashValue) &+ UInt(number)),
                        owner: owner.0, beat: owner.1, isWaiting: true)
                })
        }

        /// Judges as long as it takes until there is something to be done.
        mutating func wait(_ waiting: [(String, UInt64)], atMost: Int = 100) -> (
            HangDetector.Action, judgements: Int
        ) {
            for count in 1...atMost {
                let action = judge(after: 0.1, waiting)
                if action != .nothing { return (action, count) }
            }
            return (.nothing, atMost)
        }
    }

    @Test("an owner that doesn't answer is reported once its time is up, with a picture half way")
    func hang() {
        var watch = Watch()
        #expect(watch.judge(after: 0.1, []) == .nothing)
        let (first, soon) = watch.wait([("photos", 1)])
        #expect(first == .prepare)
        #expect((5...7).contains(soon))
        let (second, later) = watch.wait([("photos", 1)])
        guard case .report(let owners, let seconds) = second else {
            Issue.record("\(second)")
            return
        }
        #expect(owners == ["photos"])
        #expect(seconds >= 1 && seconds < 1.2)
        #expect((4...6).contains(later))
    }

    @Test("after a report nobody is reported until he has gone on and the interval is over")
    func holdingOff() {
        var watch = Watch()
        _ = watch.wait([("photos", 1)])
        _ = watch.wait([("photos", 1)])
        #expect(watch.wait([("photos", 1)], atMost: 300).0 == .nothing)
        // It has answered and hangs again.
        #expect(watch.judge(after: 0.1, []) == .nothing)
        #expect(watch.wait([("photos", 2)]).0 == .prepare)
        guard case .report = watch.wait([("photos", 2)]).0 else {
            Issue.record("no report")
            return
        }
    }

    @Test("of several owners those that hang are named, whoever waits longest first")
    func several() {
        var watch = Watch()
        for _ in 0..<4 { _ = watch.judge(after: 0.1, [("photos", 1), ("index", 1)]) }
        // `uploads` hangs too, for too short a time to be named; `index` answers each time.
        var beat: UInt64 = 1
        var action = HangDetector.Action.nothing
        for round in 0..<20 {
            beat += 1
            var waiting = [("index", beat), ("photos", UInt64(1)), ("mail", 1)]
            if round >= 5 { waiting.append(("uploads", 1)) }
            action = watch.judge(after: 0.1, waiting)
            if case .report = action { break }
        }
        guard case .report(let owners, _) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(owners == ["photos", "mail"])
        // One of those that were named continues, another doesn't: there is no new report.
        #expect(watch.wait([("mail", 1), ("uploads", 1)], atMost: 300).0 == .nothing)
        // All have gone on but one that was never named, and which hangs by now.
        guard case .report(let others, let seconds) = watch.wait([("uploads", 1)]).0 else {
            Issue.record("no report of the other owner")
            return
        }
        #expect(others == ["uploads"])
        #expect(seconds > 10)
    }

    @Test("two queues of one label are two owners, and one that answers doesn't hide the other")
    func label() {
        var watch = Watch()
        var beat: UInt64 = 1
        var action = HangDetector.Action.nothing
        for _ in 0..<20 {
            beat += 1
            action = watch.judge(after: 0.1, [("session", 1), ("session", beat), ("session", 1)])
            if case .report = action { break }
        }
        guard case .report(let owners, _) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(owners == ["session", "session"])
    }

    @Test("answers that come, however slowly, are no hang")
    func slow() {
        var watch = Watch()
        for beat in 0..<100 {
            for _ in 0..<4 {
                #expect(watch.judge(after: 0.1, [("photos", UInt64(beat))]) == .nothing)
            }
        }
    }

    @Test("an hour in which the process was stopped is no time")
    func stopped() {
        var watch = Watch()
        #expect(watch.judge(after: 0.1, [("photos", 1)]) == .nothing)
        #expect(watch.judge(after: 3600, [("photos", 1)]) == .nothing)
        #expect(watch.judge(after: 0.1, [("photos", 2)]) == .nothing)
    }
}
#endif
