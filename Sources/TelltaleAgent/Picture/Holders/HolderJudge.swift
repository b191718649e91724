#if TELLTALE_AGENT
import TelltalePicture
import TelltaleSystem

/// What something is that was found to hold another: where a way begins, or a part of one.
struct HolderJudge {
    enum Judgement: Hashable {
        case root(Holders.Root)
        /// Whoever holds it is asked in turn.
        case part
        /// The agent's own: no way at all.
        case nobody
    }

    private let images: LoadedImages
    private let dispatch: DispatchLayout
    private let tasks: TaskReader?
    private let continuation: ContinuationLayout
    private let taskWord: UInt
    /// What waits in queues, by its address.
    private var items: [UInt: UInt] = [:]
    private let queues: Set<UInt>
    /// Copies that the agent has made of stacks.
    private let copies: UInt
    private let cachedItems: Set<UInt>
    /// Whether no way goes through objects, by their first word.
    private var nobodies: [FirstWord: Bool] = [:]
    /// Storage of the Swift library's, by its type.
    private var storages: [FirstWord: StorageUse] = [:]
    /// Where other objects end, by their first word.
    private var rooms: [FirstWord: ObjectRoom] = [:]

    /// Of a block, and it may be a pointer: a type of the agent's, so that what has some of them is known to
    /// be the agent's and no way to what is waited for.
    private struct FirstWord: Hashable {
        let word: UInt
        init(_ word: UInt) { self.word = word }
    }
    /// Where the Swift runtime's own variables are.
    private let runtime: [Range<UInt>]

    /// How many items of each queue are looked at.
    private static let mostItems = 4096

    /// `cachedItems`: see ``LiveStacks/cachedItems``.
    init(
        _ picture: Picture, _ images: LoadedImages, cachedItems: Set<UInt>,
        until deadline: MonotonicTime
    ) {
        self.images = images
        self.cachedItems = cachedItems
        copies = ThreadCapture.copies
        runtime = images.all.filter { image in
            Self.runtimes.contains { image.path.hasSuffix($0) }
        }.map { $0.low..<max($0.low, $0.high) }
        dispatch = .known(by: deadline)
        continuation = .known(by: deadline)
        let layout = TaskLayout.known(by: deadline)
        taskWord = TaskRuntime.firstWord ?? 0
        tasks =
            layout.has(.tasks)
            ? TaskRuntime.known.map {
                TaskReader(runtime: $0, text: TextRanges.current, endings: layout.endings)
            } : nil
        queues = Set(picture.queues.map(\.address)).union(DispatchReader.globalQueues)
        guard dispatch.has(.items) else { return }
        let reader = DispatchReader(layout: dispatch, deadline: deadline)
        for queue in queues.union([DispatchSymbols.mainQueue]) {
            guard let facts = reader.queue(at: queue, items: Self.mostItems) else { continue }
            for item in facts.items { items[item.address] = queue }
        }
    }

    /// Whether a block is by what a checked continuation of this task is resumed.
    func isContinuation(of task: UInt, word: UInt, at start: UInt) -> Bool {
        continuation.has(.checked) && word == continuation.kind
            && GuardedReading.load(UInt.self, at: start &+ continuation.task) == task
    }

    /// Whether a block with this first word is by what some checked continuation is resumed.
    func isContinuation(word: UInt) -> Bool {
        continuation.has(.checked) && word == continuation.kind
    }

    var knowsContinuations: Bool { continuation.has(.checked) }
    /// The first word of what a checked continuation is resumed by; 0 where it isn't known.
    var continuationWord: UInt { knowsContinuations ? continuation.kind : 0 }

    mutating func block(at start: UInt, word: UInt, size: Int) -> Judgement {
        if let queue = items[start] { return .root(.item(queue: queue)) }
        if cachedItems.contains(start) || start == copies { return .nobody }
        if word == taskWord, taskWord != 0 { return task(start) }
        if dispatch.kinds[word] == .source, let state = dispatch.sourceState(at: start) {
            switch state {
            case .timer: return .root(.timer(start))
            case .watches(let what): return .root(.source(start, watches: what))
            case .waits: return .part
            }
        }
        if isNobody(word) || MetadataPool.contains(start, size: size, images) { return .nobody }
        return .part
    }

    /// What has tables of types and conformances, which refer to no object of a program's: the blocks of
    /// these tables have been others' before, and what is left over in them leads anywhere.
    private static let runtimes = ["/libswiftCore.so", "/libswift_Concurrency.so"]

    /// A word in an image's variables.
    func variable(at address: UInt) -> Judgement {
        if runtime.contains(where: { $0.contains(address) }) { return .nobody }
        // The global queues are variables of Dispatch's.
        for queue in DispatchReader.globalQueues + [DispatchSymbols.mainQueue]
        where address >= queue && address &- queue < 256 {
            return dispatch.leadsToItem(from: address &- queue)
                ? .root(.item(queue: queue)) : .nobody
        }
        return .root(.global(address, name: nil))
    }

    /// The queue at `start`, if a word at `offset` in it leads to what waits in it.
    func queue(at start: UInt, leadingFrom offset: UInt) -> UInt? {
        queues.contains(start) && dispatch.leadsToItem(from: offset) ? start : nil
    }

    /// Whether what lies in a block is left over: from a function of a task's that has ended, or from whoever
    /// had the memory before. Of a block with this first word ``block(at:word:size:)`` was asked before.
    func isLeftOver(_ word: UInt, at start: UInt, size: Int, offset: UInt) -> Bool {
        if let storage = storages[FirstWord(word)] { return storage.isUnused(offset, in: start) }
        if let room = rooms[FirstWord(word)],
            room.isNoReference(offset, in: start, size: size)
        {
            return true
        }
        return tasks?.isLeftOver(word, at: start, offset: offset) ?? false
    }

    /// One that has ended is an object like others, which has its result.
    private func task(_ start: UInt) -> Judgement {
        guard let tasks else { return .root(.task(start)) }
        let isThere = tasks.read(at: start, withFrames: false).reading != nil
        return isThere ? .root(.task(start)) : .part
    }

    // MARK: Classes

    /// Whether no way goes through objects with this first word: the agent's own, and what has data only.
    private mutating func isNobody(_ word: UInt) -> Bool {
        if let known = nobodies[FirstWord(word)] { return known }
        let type = MetadataCheck.type(at: word)
        let name = type.map { _typeName($0, qualified: true) }
        let isNobody =
            name.map { name in
                DataOnly.has(name) || CodeOrigin.agentModules.contains { name.holds("\($0).") }
            } ?? false
        guard nobodies.count < 65_536 else { return isNobody }
        nobodies[FirstWord(word)] = isNobody
        if let storage = type.flatMap({ StorageUse(of: $0) }) {
            storages[FirstWord(word)] = storage
        } else {
            rooms[FirstWord(word)] = ObjectRoom(word: word, type: type)
        }
        return isNobody
    }
}
#endif
