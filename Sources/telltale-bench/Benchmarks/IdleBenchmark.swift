import TelltaleSystem

/// What a host that does nothing pays for having the agent.
struct IdleBenchmark: Benchmark {
    let name = "idle"
    let summary = """
        processor time and wake-ups of an idle host: with the agent, without its heartbeat, and \
        with TELLTALE=0
        """

    func run(_ effort: Effort) throws(BenchmarkFailure) -> [Measurement] {
        let with = try HostProcess(HostShape())
        let quiet = try HostProcess(HostShape(hasHeartbeat: false))
        let without = try HostProcess(HostShape(), environment: ["TELLTALE": "0"])
        let hosts = [
            ("agent", with), ("agent-without-heartbeat", quiet), ("no-agent", without),
        ]
        // A pause before the first look, so that nothing of the start is counted.
        Self.pause(.milliseconds(300), at: with)
        var shares = [Series](repeating: Series(), count: hosts.count)
        var wakeUps = shares
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let before = try Self.looks(hosts.map(\.1))
            Self.pause(effort.time(.seconds(2)), at: with)
            let after = try Self.looks(hosts.map(\.1))
            let seconds = (ContinuousClock.now - start).inSeconds
            for index in hosts.indices {
                shares[index].add(
                    Double(after[index].nanoseconds &- before[index].nanoseconds) / 1e7 / seconds)
                wakeUps[index].add(
                    Double(after[index].switches &- before[index].switches) / seconds)
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

    /// What the kernel has counted for all threads of a process.
    private struct Look {
        var nanoseconds: UInt64 = 0
        var switches: UInt64 = 0
    }

    private static func looks(_ hosts: [HostProcess]) throws(BenchmarkFailure) -> [Look] {
        var looks: [Look] = []
        for host in hosts {
            let tasks = "/proc/\(host.process.pid)/task"
            var look = Look()
            for thread in DirectoryListing.names(in: tasks) {
                let schedule = SmallFile.text(of: "\(tasks)/\(thread)/schedstat") ?? ""
                look.nanoseconds += schedule.split(separator: " ").first.flatMap { UInt64($0) } ?? 0
                let status = SmallFile.text(of: "\(tasks)/\(thread)/status") ?? ""
                look.switches +=
                    ProcessFiles.value(of: "voluntary_ctxt_switches", in: status)
                    .flatMap { UInt64($0) } ?? 0
            }
            guard look.nanoseconds > 0 else {
                throw BenchmarkFailure("the host \(host.process.pid) has no counts in \(tasks)")
            }
            looks.append(look)
        }
        return looks
    }

    /// Waits at the pipe of a host that has nothing more to say.
    private static func pause(_ time: Duration, at host: HostProcess) {
        _ = host.process.read(until: .now.advanced(by: time))
    }
}
