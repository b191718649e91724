import TelltaleSystem

/// The cost of the agent for a host that does nothing.
struct IdleBenchmark: Benchmark {
    let name = "idle"
    let summary = """
        processor time and wake-ups of an idle host: with the agent, without its heartbeat, and \
        with TELLTALE=0
        """

    func run(_ effort: Effort) throws -> [Measurement] {
        let with = try HostProcess(HostShape())
        let quiet = try HostProcess(HostShape(hasHeartbeat: false))
        let without = try HostProcess(HostShape(), environment: ["TELLTALE": "0"])
        let hosts = [
            ("agent", with), ("agent-without-heartbeat", quiet), ("no-agent", without),
        ]
        // A pause before the first reading, so that nothing of the start is counted.
        Self.pause(.milliseconds(300), at: with)
        var shares = [Series](repeating: Series(), count: hosts.count)
        var wakeUps = shares
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let before = try Self.readings(hosts.map(\.1))
            Self.pause(effort.time(.seconds(2)), at: with)
            let after = try Self.readings(hosts.map(\.1))
            let seconds = (ContinuousClock.now - start).seconds
            for index in hosts.indices {
                let spent = after[index].since(before[index])
                shares[index].add(Double(spent.nanoseconds) / 1e7 / seconds)
                wakeUps[index].add(Double(spent.switches) / seconds)
            }
        }
        return hosts.indices.flatMap { index in
            [
                Measurement(
                    name: "\(name).processor.\(hosts[index].0)", unit: .cpuSharePercent,
                    series: shares[index]),
                Measurement(
                    name: "\(name).wake-ups.\(hosts[index].0)", unit: .perSecond,
                    series: wakeUps[index]),
            ]
        }
    }

    /// The kernel's counts for each thread of a process.
    private struct Reading {
        struct Counts {
            var nanoseconds: UInt64 = 0
            var switches: UInt64 = 0
        }
        var threads: [String: Counts] = [:]

        /// Returns the counts since then; those of a thread that has ended meanwhile are lost.
        func since(_ earlier: Reading) -> Counts {
            var sum = Counts()
            for (thread, counts) in threads {
                let before = earlier.threads[thread] ?? Counts()
                sum.nanoseconds += counts.nanoseconds &- before.nanoseconds
                sum.switches += counts.switches &- before.switches
            }
            return sum
        }
    }

    private static func readings(_ hosts: [HostProcess]) throws -> [Reading] {
        var readings: [Reading] = []
        for host in hosts {
            let tasks = "/proc/\(host.process.pid)/task"
            var reading = Reading()
            for thread in DirectoryListing.names(in: tasks) {
                let schedule = SmallFile.text(of: "\(tasks)/\(thread)/schedstat") ?? ""
                let status = SmallFile.text(of: "\(tasks)/\(thread)/status") ?? ""
                guard let time = schedule.split(separator: " ").first.flatMap({ UInt64($0) }),
                    let switches = ProcessFiles.value(of: "voluntary_ctxt_switches", in: status)
                        .flatMap({ UInt64($0) })
                else { continue }
                reading.threads[thread] = Reading.Counts(nanoseconds: time, switches: switches)
            }
            guard !reading.threads.isEmpty else {
                throw BenchmarkFailure("the host \(host.process.pid) has no counts in \(tasks)")
            }
            readings.append(reading)
        }
        return readings
    }

    /// Waits at the pipe of a host that has nothing more to say.
    private static func pause(_ time: Duration, at host: HostProcess) {
        _ = host.process.read(until: .now.advanced(by: time))
    }
}
