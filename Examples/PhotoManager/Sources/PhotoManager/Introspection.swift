import Dispatch
import Foundation
import TelltaleAgent
import TelltaleFoundation

/// All that the service has to do with the agent. In a release build every call here is empty.
@MainActor
struct Introspection {
    /// Starts the agent, and shows it the service's parts.
    ///
    /// - Parameter service: The service. Objects are held weakly, captures of actions are not.
    init(of service: Service) {
        Telltale.useFoundation()
        Telltale.start()
        Self.register(service)
        Self.addActions(to: service)
        Self.saveOnSignals(service)
        // The queues of registered objects are observed already.
        Telltale.observe(service.downloader.queue)
        Telltale.observe(service.manager.itemQueue)
        Telltale.observe(service.thumbnails.operations)
        Telltale.observe(service.googly.operations)
    }

    /// Protects the data: before an operator looks around in a stopped process, its photos are
    /// saved. A stop itself can't be caught; the signals that follow it can.
    private static func saveOnSignals(_ service: Service) {
        guard let path = service.options.saved else { return }
        let (manager, title) = (service.manager, service.library.name)
        let file = AlbumFile(url: URL(fileURLWithPath: path))
        for signal in [SignalName.hangup, .continue] {
            Telltale.on(signal, queue: .global(qos: .utility)) { _ in
                file.save(manager.album(titled: title))
            }
        }
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
        Telltale.register(service.albums, as: "albums")
        Telltale.register(service.model, as: "model", on: MainActor.shared)
        Telltale.register(service.library, as: "library")
        Telltale.register("uptime") { ContinuousClock.now - started }
    }

    /// Actions that an operator can run without a deployment.
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
        let recipes = service.recipes
        Telltale.action("recipe.run", on: MainActor.shared) { (name: String) throws in
            try recipes.run(named: name)
        }
        Telltale.action("recipe.stop", on: MainActor.shared) { () throws in recipes.stop() }
        guard service.options.offersFaults else { return }
        let faults = service.faults
        Telltale.action("fault.stage", on: MainActor.shared) { (name: String) throws in
            try faults.stage(named: name, in: service)
        }
        for fault in Fault.all {
            Telltale.action("fault.\(fault.name)", on: MainActor.shared) { () throws in
                faults.stage(fault, in: service)
            }
        }
        // Needs no queue: whichever it would need may be the one that is stuck.
        Telltale.action("fault.clear") { () async throws in try faults.clear() }
    }
}
