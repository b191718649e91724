import Foundation
import TelltaleSystem
import TelltaleTestSupport
import Testing

/// A service without a processor, or one that was stopped, has not been stuck: none of that time is
/// held against a healthy service.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ShapeStealTests {
    private static let some = [
        "poll-loop-idle", "idle-signal-continuation", "accept-server-slow-handlers",
        "queues-in-use", "worker-pool-idle",
    ]
    /// All that are well in `make soak`, but those that use the cores that the load is to have.
    private static let shapes =
        Soak.isOn ? ShapeRow.all.filter { !$0.isAccused && !$0.isHeavy }.map(\.name) : some

    private static func stage(_ names: [String]) throws -> [(String, ShapeHost)] {
        try names.compactMap { name in
            do { return (name, try ShapeHost(name)) } catch is ShapeHost.NotHere { return nil }
        }
    }

    @Test("eight busy threads on two cores: nobody is accused")
    func load() throws {
        let hosts = try Self.stage(Self.shapes)
        // A burner in another process, and one in the service itself.
        let burner = try ShapeHost("eight-busy-threads")
        try expectNoAccusation(hosts + [("eight-busy-threads", burner)], Soak.count(2, soak: 5))
    }

    @Test("stopped and continued: nobody is accused")
    func stopped() throws {
        let hosts = try Self.stage(Self.shapes)
        // Once before, as a probe would: the remembered state is older than the stop.
        try expectNoAccusation(hosts, 1)
        for host in hosts { host.1.process.send(SIGSTOP) }
        Thread.sleep(forTimeInterval: Soak.isOn ? 10 : 3)
        for host in hosts { host.1.process.send(SIGCONT) }
        try expectNoAccusation(hosts, Soak.count(2, soak: 5))
    }

    @Test(
        "a debugger comes, stays and goes: nobody is accused",
        .enabled(
            if: Soak.isOn && FileManager.default.isExecutableFile(atPath: "/usr/bin/gdb"),
            "a matter of `make soak`, with gdb"))
    func debugger() throws {
        // Each for four seconds.
        let hosts = try Self.stage(
            Self.shapes.enumerated().filter { $0.offset % 4 == 0 }.map(\.element))
        try expectNoAccusation(hosts, 1)
        for host in hosts {
            let debugger = try StartedProgram(
                "/bin/sh",
                [
                    "-c",
                    "exec gdb -nx -batch -p \"$0\" -ex 'shell sleep 4' -ex detach 2>&1",
                    "\(host.1.process.pid)",
                ])
            let said = debugger.readToEnd(until: .now.advanced(by: .seconds(60))) ?? []
            let text = String(decoding: said, as: UTF8.self)
            #expect(debugger.waitUntilExit() == 0, "\(text)")
            #expect(text.contains("detached"), "\(text)")
            try expectNoAccusation([host], 5)
        }
    }

    private func expectNoAccusation(_ hosts: [(String, ShapeHost)], _ times: Int) throws {
        for _ in 0..<times {
            for (name, host) in hosts {
                let answer = try host.ask()
                // Without a processor it may not have captured everything, and says so: that
                // accuses no party.
                #expect(
                    answer.status == 0 || answer.status == 5,
                    "\(name): \(answer.status) \(answer.title) \(answer.text.prefix(2000))")
            }
        }
    }
}
