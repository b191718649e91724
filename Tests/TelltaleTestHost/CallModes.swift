import Dispatch
import Foundation
import Observation
import Synchronization
import TelltaleAgent

/// Methods that were not registered: `methods`.
enum CallModes {
    /// Guarded by its queue.
    private class Album: @unchecked Sendable {
        let queue = DispatchQueue(label: "test.album", attributes: .concurrent)
        private var items = [Picture("a"), Picture("b"), Picture("c")]
        private var cover: Picture?
        private var count = 0
        private var area = Area()
        private let vault = Vault()
        private var changes = 0
        private var observed = 1 {
            didSet {
                dispatchPrecondition(condition: .onQueueAsBarrier(queue))
                changes += 1
            }
        }
        private var frame = Frame() {
            willSet { changes += newValue.width == frame.width ? 0 : 10 }
        }
        @Clamped private var level = 5
        private var ratchet = 5 { didSet { ratchet = max(ratchet, oldValue) } }
        private var name = "album"
        private let model = Model()
        private var doubled: Int {
            get { count * 2 }
            set { count = newValue / 2 }
        }

        nonisolated(unsafe) private static var made = 0
        private static func make(_ count: Int, named name: String) -> String {
            guard DispatchQueue.getSpecific(key: CallModes.isAlbums) == true else {
                return "elsewhere"
            }
            made += count
            return "\(self) \(name) \(made)"
        }
        private class func stir(_ count: Int) async -> String {
            _ = await Area.slowUnit(1)
            let isHere = DispatchQueue.getSpecific(key: CallModes.isAlbums) == true
            return "\(self) \(count) \(isHere ? "here" : "elsewhere")"
        }
        private var touched = 0
        fileprivate func touch() {
            dispatchPrecondition(condition: .onQueueAsBarrier(queue))
            touched &+= items.count
        }
        fileprivate func look() -> Int {
            dispatchPrecondition(condition: .onQueue(queue))
            return touched &+ count
        }
        private var halves: Double {
            dispatchPrecondition(condition: .onQueueAsBarrier(queue))
            return Double(count) / 2
        }
        private var latest: Picture? { items.last }
        private var apiToken: String { "never shown" }
        private var stuck: Int {
            Thread.sleep(forTimeInterval: 1.5)
            return 1
        }
        private var lister: () -> Int { { 1 } }
        private func bump(_ amount: Int) -> Int {
            dispatchPrecondition(condition: .onQueueAsBarrier(queue))
            count += amount
            return count
        }
        private func choose(_ picture: Picture?, named name: String) -> Picture? {
            dispatchPrecondition(condition: .onQueueAsBarrier(queue))
            cover = picture
            picture?.title = name
            return picture
        }
        private func fail(code: Int) throws -> Int { throw Jam(code: code) }
        private func later(_ amount: Int) async throws -> Int {
            try await Task.sleep(for: .milliseconds(5))
            count += amount
            return count
        }
        private func hang() async throws { try await Task.sleep(for: .seconds(3600)) }
        private func trap() { fatalError("album trapped") }
        private func each(_ body: () -> Int) {}
    }

    fileprivate struct Frame {
        var width = 1, name = "frame"
    }

    @propertyWrapper fileprivate struct Clamped {
        private var stored = 0
        var wrappedValue: Int {
            get { stored }
            set { stored = min(newValue, 10) }
        }
        init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    }

    @Observable fileprivate final class Model: @unchecked Sendable {
        var title = "a"
        @ObservationIgnored var told = 0
        init() {
            withObservationTracking {
                _ = title
            } onChange: { [weak self] in
                self?.told += 1
            }
        }
    }

    private enum Look: String, Codable, Sendable { case sharp, blurred }

    private struct Jam: Error { var code: Int }

    private struct Area {
        private var width = 2, height = 3
        private static func unit(_ scale: Double) -> Double { scale * 2 }
        fileprivate static func slowUnit(_ scale: Double) async -> Double {
            await Task.yield()
            return scale * 3
        }
        private var square: Int { width * height }
        private func size(times: Int) -> Int { width * height * times }
        private mutating func widen(_ by: Int) -> Int {
            width += by
            return width
        }
    }

    private class Drawing {
        fileprivate var title: String
        init(_ title: String) { self.title = title }
        fileprivate func shout() -> String { title + "!" }
        fileprivate func isOwned() -> Bool {
            DispatchQueue.getSpecific(key: CallModes.isAlbums) == true
        }
        fileprivate func base(_ number: UInt8) -> UInt8 { number &+ 1 }
    }

    private final class Picture: Drawing {
        override fileprivate func shout() -> String { title.uppercased() }
    }

    private actor Vault {
        private var total = 0
        private let picture = Picture("v")
        private let guarded = Mutex(1)
        private var touched = 0
        fileprivate func touch() { touched &+= 1 }
        private func add(_ amount: Int) -> Int {
            assertIsolated()
            total += amount
            return total
        }
        private func addLater(_ amount: Int) async throws -> Int {
            await Task.yield()
            assertIsolated()
            total += amount
            return total
        }
    }

    @MainActor private final class Screen {
        private var drawn = 0
        nonisolated init() {}
        private func draw(_ factor: Double) -> Double {
            MainActor.assertIsolated()
            drawn += 1
            return Double(drawn) * factor
        }
    }

    // MARK: Load

    private static let isLoading = Atomic<Bool>(false)
    private static let gate = DispatchSemaphore(value: 0)

    /// `methods load`, `methods unload`, `methods block`, `methods open`.
    static func perform(_ words: [String]) -> String? {
        guard words.first == "methods", words.count == 2, let album = shared, let owned else {
            return nil
        }
        switch words[1] {
        case "load":
            isLoading.store(true, ordering: .relaxed)
            for _ in 0..<2 { Thread.detachNewThread { load(album, owned) } }
        case "unload": isLoading.store(false, ordering: .relaxed)
        case "block":
            let begun = DispatchSemaphore(value: 0)
            album.queue.async(flags: .barrier) {
                begun.signal()
                gate.wait()
            }
            begun.wait()
        case "open": gate.signal()
        default: return nil
        }
        return "done"
    }

    /// Uses all the owners from a thread of the service's, until it is told to stop.
    private static func load(_ album: Album, _ vault: Vault) {
        while isLoading.load(ordering: .relaxed) {
            _ = album.queue.sync { album.look() }
            album.queue.async(flags: .barrier) { album.touch() }
            let done = DispatchSemaphore(value: 0)
            Task {
                await vault.touch()
                done.signal()
            }
            DispatchQueue.main.async { MainActor.assertIsolated() }
            done.wait()
            usleep(5_000)
        }
    }

    private final class Rules: Sendable {
        private func half(_ number: Int) -> Int { number / 2 }
    }

    fileprivate static let isAlbums = DispatchSpecificKey<Bool>()
    /// Nothing that is registered leads to it.
    nonisolated(unsafe) private static var loose = Picture("loose")
    nonisolated(unsafe) private static var shared: Album?
    nonisolated(unsafe) private static var owned: Vault?
    private static let kept = Mutex<[any Sendable]>([])

    static func register() {
        let (album, vault, screen, rules) = (Album(), Vault(), Screen(), Rules())
        kept.withLock { $0 = [album, vault, screen, rules] }
        album.queue.setSpecific(key: isAlbums, value: true)
        (shared, owned, loose.title) = (album, vault, "lost")
        Telltale.register(album, as: "album", on: album.queue)
        Telltale.register(vault, as: "vault")
        Telltale.register(screen, as: "screen", on: MainActor.shared)
        Telltale.register(rules, as: "rules")
        Telltale.action("album.block", on: album.queue) { (seconds: Double) -> Void in
            Thread.sleep(forTimeInterval: seconds)
        }
        Telltale.action("album.mark", arguments: ["flag", "look"], on: album.queue) {
            (flag: Bool, look: Look?) -> String in "\(flag) \(look.map(\.rawValue) ?? "none")"
        }
        Telltale.action("album.linger") { (seconds: Double) async -> String in
            try? await Task.sleep(for: .seconds(seconds))
            return Task.isCancelled ? "was cancelled" : "has slept"
        }
    }
}
