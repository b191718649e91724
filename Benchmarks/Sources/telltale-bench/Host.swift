import Dispatch
import TelltaleAgent
import TelltaleSystem

/// The child that plays the host: some photos on a queue, and an agent.
enum Host {
    /// Says what starting and registering took, then that it is ready, and serves until it is killed.
    static func run(_ shape: HostShape) -> Never {
        let host = PhotoHost(photos: shape.photos)
        var configuration = AgentConfiguration()
        if !shape.hasHeartbeat { configuration.heartbeat = nil }
        let start = timed { Telltale.start(configuration) }
        let first = timed { Telltale.register(host, as: "photos", on: host.queue) }
        Telltale.observe(host.queue)
        let others = (0..<shape.registrations).map { _ in PhotoHost(photos: 0) }
        let names = others.indices.map { "other-\($0)" }
        let registrations = timed {
            for (other, name) in zip(others, names) {
                Telltale.register(other, as: name, on: other.queue)
            }
        }
        let more = others.indices.map { "more-\($0)" }
        let onOneQueue = timed {
            for (other, name) in zip(others, more) {
                Telltale.register(other, as: name, on: host.queue)
            }
        }
        let counts = others.indices.map { "count-\($0)" }
        let closures = timed {
            for name in counts { Telltale.register(name, on: host.queue) { 1 } }
        }
        let actions = timed {
            for name in counts { Telltale.action(name, on: host.queue) { (count: Int) in count } }
        }
        let took = [start, first, registrations, onOneQueue, closures, actions].map {
            "\(nanoseconds($0))"
        }
        StandardStreams.complain("took " + took.joined(separator: " "))
        let load = HostLoad(shape)
        Telltale.register(load.lists, as: "lists", on: host.queue)
        if shape.asyncs > 0 {
            StandardStreams.complain("submitted \(nanoseconds(HostLoad.submit(shape.asyncs)))")
        }
        if shape.hasService { startServices() }
        StandardStreams.complain(HostProcess.ready)
        withExtendedLifetime((host, others, load)) { dispatchMain() }
    }

    /// If they can't be had, the benchmark finds no service and reports that.
    private static func startServices() {
        guard let folder = ProcessIdentity.environment("TELLTALE_DIRECTORY") else { return }
        for name in [HostShape.service, HostShape.inert] {
            try? EchoLoop.start(at: "\(folder)/\(name)")
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        Int64(duration.seconds * 1e9)
    }
}
