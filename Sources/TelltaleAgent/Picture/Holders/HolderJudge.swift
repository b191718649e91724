#if TELLTALE_AGENT
import TelltalePicture
import TelltaleRuntime
import TelltaleSystem

/// Classifies a retainer that the search has found: the root of a retaining path, or a part of one.
struct HolderJudge {
    enum Judgement: Hashable {
        case root(Holders.Root)
        /// The search continues with the part's own retainers.
        case part
        /// On no retaining path: memory of the agent, plain data, or a table of the runtime.
        case nobody
    }

    private let images: LoadedImages
    private let dispatch: DispatchLayout
    private let tasks: TaskReader?
    private let continuation: ContinuationLayout
    private let taskWord: UInt
    /// The items that wait in queues, by their addresses, with their queues.
    private var items: [UInt: UInt] = [:]
    private let queues: Set<UInt>
    /// The agent's copies of stacks.
    private let copies: UInt
    private let cachedItems: Set<UInt>
    /// True for first words whose objects are on no retaining path.
    private var nobodies: [FirstWord: Bool] = [:]
    /// Uninitialised storage of the Swift library's containers, by the first word of their objects.
    private var storages: [FirstWord: StorageUse] = [:]
    /// The end of the fields of other objects, by their first word.
    private var rooms: [FirstWord: ObjectRoom] = [:]

    /// The address ranges of the Swift runtime's own variables.
    private let runtime: [Range<UInt>]

    /// The maximum number of items that are read for each queue.
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

    /// Returns true if a block is the object that resumes this task's checked continuation.
    func isContinuation(of task: UInt, word: UInt, at start: UInt) -> Bool {
        continuation.has(.checked) && word == continuation.kind
            && GuardedReading.load(UInt.self, at: start &+ continuation.task) == task
    }

    /// Returns true if a block with this first word is the object that resumes a checked continuation.
    func isContinuation(word: UInt) -> Bool {
        continuation.has(.checked) && word == continuation.kind
    }

    var knowsContinuations: Bool { continuation.has(.checked) }
    /// The first word of the object that resumes a checked continuation; 0 if it isn't known.
    var continuationWord: UInt { knowsContinuations ? continuation.kind : 0 }

    mutating func block(at start: UInt, word: UInt, size: Int) -> Judgement {
        if let queue = items[start] { return .root(.item(queue: queue)) }
        if cachedItems.contains(start) || start == copies { return .nobody }
        if word == taskWord, taskWord != 0 { return task(start) }
        if dispatch.kinds[FirstWord(word)] == .source, let state = dispatch.sourceState(at: start) {
            switch state {
            case .timer: return .root(.timer(start))
            case .watches(let what): return .root(.source(start, watches: what))
            case .waits: return .part
            }
        }
        if isNobody(word) || MetadataPool.contains(start, size: size, images) { return .nobody }
        return .part
    }

    /// Libraries with tables of types and conformances, which refer to no object of the program. The blocks
    /// of these tables were reused, and stale words in them may point anywhere.
    private static let runtimes = ["/libswiftCore.so", "/libswift_Concurrency.so"]

    /// Classifies a word among an image's variables.
    func variable(at address: UInt) -> Judgement {
        if runtime.contains(where: { $0.contains(address) }) { return .nobody }
        // The global queues are variables of Dispatch.
        for queue in DispatchReader.globalQueues + [DispatchSymbols.mainQueue]
        where address >= queue && address &- queue < 256 {
            return dispatch.leadsToItem(from: address &- queue)
                ? .root(.item(queue: queue)) : .nobody
        }
        return .root(.global(address, name: nil))
    }

    /// Returns the queue at `start`, if a word at `offset` in it leads to its waiting items.
    func queue(at start: UInt, leadingFrom offset: UInt) -> UInt? {
        queues.contains(start) && dispatch.leadsToItem(from: offset) ? start : nil
    }

    /// Returns true if a word in a block is stale: from an async function that has ended, or from an earlier
    /// user of the memory. ``block(at:word:size:)`` must have been called before for a block with this first
    /// word.
    func isLeftOver(_ word: UInt, at start: UInt, size: Int, offset: UInt) -> Bool {
        if let storage = storages[FirstWord(word)] { return storage.isUnused(offset, in: start) }
        if let room = rooms[FirstWord(word)],
            room.isNoReference(offset, in: start, size: size)
        {
            return true
        }
        return tasks?.isLeftOver(word, at: start, offset: offset) ?? false
    }

    /// A task that has ended is an ordinary object, which retains its result.
    private func task(_ start: UInt) -> Judgement {
        guard let tasks else { return .root(.task(start)) }
        let isThere = tasks.read(at: start, withFrames: false).reading != nil
        return isThere ? .root(.task(start)) : .part
    }

    // MARK: Classes

    /// Returns true if objects with this first word are on no retaining path: the agent's own, and those
    /// that contain only data.
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

/// Foundation classes that contain only data, such as characters, numbers and dates. A word in one of their
/// objects or buffers that looks like a reference is data, or stale memory.
enum DataOnly {
    /// Returns true if objects of this class, given by its qualified name, retain nothing.
    static func has(_ name: String) -> Bool { classes.contains(name) }

    /// `NSData` is left out because it may have a deallocator, `NSError` and `NSNotification` because they
    /// hold any objects that they were given.
    private static let classes: Set<String> = Set(
        [
            "NSCharacterSet", "NSMutableCharacterSet", "_NSCFCharacterSet", "NSString",
            "NSMutableString", "NSConstantString", "NSSimpleCString", "NSNumber", "NSDecimalNumber",
            "NSDate", "NSTimeZone", "NSLocale", "NSCalendar",
            "NSDateComponents", "NSURL", "NSURLComponents", "NSUUID", "NSRegularExpression",
            "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSScanner",
        ].map { "Foundation.\($0)" })
}
#endif
