import Dispatch
import Foundation
import TelltaleAgent
import TelltaleFoundation

/// All that the service has to do with the agent. In a release build every call here is empty.
@MainActor
struct Introspection {
    /// Starts the agent, and shows it the service's parts.
    ///
    /// - Parameter service: Whose parts. Objects are held weakly, what actions capture is not.
    init(of service: Service) {
        Telltale.useFoundation()
        Telltale.start()
        Self.register(service)
        Self.addActions(to: service)
        // The queues of registered objects are observed already.
        Telltale.observe(service.downloader.queue)
        Telltale.observe(service.manager.itemQueue)
        Telltale.observe(service.thumbnails.operations)
        Telltale.observe(service.googly.operations)
    }

    /// Ends the agent: its socket goes, and every signal is as it was.
    func end() {
        Telltale.stop()
    }

    /// Each object with the one that guards it, so that it is read and changed as the service does.
    private static func register(_ service: Service) {
        let (manager, cache, started) = (service.manager, service.cache, service.started)
        Telltale.register(manager, as: "photos", on: manager.queue)
        Telltale.register(service.store, as: "store")
        Telltale.register(cache, as: "cache", under: { body in cache.withLock { body() } })
        Telltale.register(service.wall, as: "wall", on: MainActor.shared)
        Telltale.register(service.library, as: "library")
        Telltale.register("uptime") { ContinuousClock.now - started }
    }

    /// What an operator may do without a deployment.
    private static func addActions(to service: Service) {
        Telltale.action("photos.add", on: service.manager.queue) { (title: String, url: String) in
            guard let url = URL(string: url), url.host != nil else {
                throw PhotoFailure.notAnAddress(url)
            }
            let request = PhotoRequest(url: url, title: title)
            Task { @MainActor in service.download([request]) }
        }
        Telltale.action("downloads.again", on: MainActor.shared) { (way: String) throws in
            try service.downloadAgain(by: way)
        }
        Telltale.action("store.refresh") { () async throws in
            try await service.refresh()
        }
        guard service.options.offersFaults else { return }
        let faults = service.faults
        Telltale.action("fault.stage", on: MainActor.shared) { (name: String) throws in
            try faults.stage(named: name, in: service)
        }
        // Needs no queue: whichever it would need may be the one that is stuck.
        Telltale.action("fault.clear") { () async throws in try faults.clear() }
    }
}
