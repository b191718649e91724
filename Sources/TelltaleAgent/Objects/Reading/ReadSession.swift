#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// What one reading has used up and seen so far.
///
/// Not thread-safe: it belongs to one reading.
final class ReadSession {
    let limits: ReadLimits
    let masks: MaskPolicy
    let handles: HandleTable?
    let rootName: String
    /// The name of a root that goes by none, and is no secret's.
    static let unnamed = "value"

    /// Whether only what can't tear may be read: nobody guards the object.
    private(set) var isPlain: Bool
    let source: MemorySource

    /// The way to what is being read.
    var path: [ValuePath.Component] = []
    /// How many of the steps down to here no path can name.
    private var unnamedSteps = 0
    /// Set when a plain reading has met what it may not read.
    var needsMore = false
    /// Set when a secret was met, or a property that its type leaves out.
    var masksSomething = false
    /// Set while what stands for a name is read, of which nothing is shown. The names in it are not
    /// looked for once more: in a tree of pairs that took twice as long with each level.
    var isReadingName = false
    /// The objects whose parts are in the answer, with their numbers; those that a walk in C has met it
    /// knows itself.
    var shown: [UInt: Int?] = [:]
    /// The walk in C within which this reads, if there is one.
    weak var walk: SessionWalk?
    /// What the answer has cost so far.
    var spent = 0
    private var ticks = 0
    private var isLate = false
    /// The locks that are held, the innermost last, and whether what is in them would be read plainly.
    private var turns: [(turn: MutexTurn?, wasPlain: Bool)] = []
    private var turnEnd: MonotonicTime?
    private var isTurnLate = false
    private var secrets: [ObjectIdentifier: Bool] = [:]
    private var plans: [ObjectIdentifier: [PlannedField]] = [:]
    private(set) lazy var kinds = KindReaders(deadline: limits.deadline)

    /// Parts are gone into only as long as no more of the stack is used: a worker of the agent
    /// has a mebibyte, and a level takes up to 20 KiB in a debug build.
    private static let stackForParts: UInt = 448 << 10
    private let stackStart = StackPosition.now

    init(
        limits: ReadLimits, masks: MaskPolicy, handles: HandleTable?, rootName: String,
        isPlain: Bool, source: MemorySource
    ) {
        self.limits = limits
        self.masks = masks
        self.handles = handles
        self.rootName = rootName
        self.isPlain = isPlain
        self.source = source
    }

    /// A stored property and whether it is shown.
    struct PlannedField {
        let field: StoredField
        let isMasked: Bool
        /// What its value goes by, where another property is its name.
        let namedBy: StoredField?
    }

    private var usedStack: UInt {
        let here = StackPosition.now
        return here < stackStart ? stackStart - here : here - stackStart
    }

    /// Whether the parts of a value are shown: not at the bound of the depth, and where the stack
    /// might not be enough.
    func showsParts(at level: Int) -> Bool {
        level < limits.depth && usedStack < Self.stackForParts
    }

    /// Whether a value can't be read any more for want of stack.
    var isTooDeep: Bool { usedStack > Self.stackForParts + (128 << 10) }

    /// Counts what a node costs.
    func spend(_ bytes: Int) {
        spent += bytes
        ticks += 1
        // A look at the clock costs as much as a small node.
        guard ticks % 16 == 1 else { return }
        let now = MonotonicTime.now
        if now >= limits.deadline { isLate = true }
        if let turnEnd, now >= turnEnd { isTurnLate = true }
    }

    /// Does what makes nodes that are not a part of the answer.
    func uncounted<Result>(_ body: () -> Result) -> Result {
        let before = spent
        defer { spent = before }
        return body()
    }

    /// Why no further node is made; nil as long as there is room.
    var stop: String? {
        if needsMore { return "snapshot" }
        if isLate || isTurnLate { return "deadline" }
        return spent >= limits.bytes ? "bytes" : nil
    }

    /// Says of a collection's node how many of `count` parts it has not.
    func cut(_ node: inout ValueNode, of count: Int) {
        guard node.children.count < count else { return }
        node.cut = .init(reason: stop ?? "elements", omitted: count - node.children.count)
    }

    /// Reads with a further step on the way; nil for one that no path can name.
    func with<Result>(_ step: ValuePath.Component?, _ body: () -> Result) -> Result {
        push(step)
        defer {
            if step != nil { path.removeLast() } else { unnamedSteps -= 1 }
        }
        return body()
    }

    /// Adds a step on the way for good.
    func push(_ step: ValuePath.Component?) {
        if let step { path.append(step) } else { unnamedSteps += 1 }
    }

    /// Whether a value may be read where it stands. Of one that can't be copied the parts are asked for
    /// one by one: a lock in it is its own guard.
    func mayRead(_ view: ValueView) -> Bool {
        guard isPlain, !view.isStable else { return true }
        let metadata = TypeMetadata(view.type)
        return metadata.isPlainWord || metadata.isNoncopyable
    }

    // MARK: Locks

    /// Takes the lock at an address within an object, or a variable. What it guards is stable until it is given back.
    ///
    /// While another one is held it is not waited for: whoever has it may want that one.
    func takeTurn(_ word: UInt, in object: UInt?) -> MutexTurn.Outcome {
        let end = MonotonicTime.now.advanced(by: MutexTurn.longestWait)
        let outcome = MutexTurn.take(
            word, in: object, until: turns.isEmpty ? min(end, limits.deadline) : nil)
        switch outcome {
        case .taken(let turn): turns.append((turn, isPlain))
        case .own: turns.append((nil, isPlain))
        case .held, .unfit: return outcome
        }
        if turns.count == 1 { turnEnd = MonotonicTime.now.advanced(by: MutexTurn.longest) }
        isPlain = false
        return outcome
    }

    /// Gives the last lock back that was taken.
    func endTurn() {
        guard let (turn, wasPlain) = turns.popLast() else { return }
        turn?.giveBack()
        isPlain = wasPlain
        guard turns.isEmpty else { return }
        turnEnd = nil
        isTurnLate = false
    }

    /// Gives all back: the reading has ended.
    func endTurns() { while !turns.isEmpty { endTurn() } }

    /// Whether an object is in the answer already, and its number.
    func known(_ address: UInt) -> Int?? {
        if limits.repeats { return nil }
        if let known = shown[address] { return .some(known) }
        return isReadingName ? nil : walk?.known(address)
    }

    /// Notes that an object's parts are in the answer.
    func shows(_ address: UInt, _ handle: Int?) {
        if let walk, !isReadingName {
            walk.shows(address, handle)
        } else {
            shown[address] = .some(handle)
        }
    }

    /// Whether objects at the end of the way so far get numbers.
    var givesHandles: Bool { handles != nil && unnamedSteps == 0 }

    /// The number of an object at the end of the way so far.
    func handle(of address: UInt, typeName: String) -> Int? {
        guard givesHandles, path.count <= ValuePath.maximumComponents else { return nil }
        if let walk { return walk.handle(of: address, typeName: typeName) }
        let number = handles?.handle(
            rootName: rootName, path: path, address: address, typeName: typeName)
        return number == 0 ? nil : number
    }

    /// Whether all values of a type are secrets.
    func isSecret(_ type: Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = secrets[key] { return known }
        let isSecret = masks.masks(type: type)
        secrets[key] = isSecret
        return isSecret
    }

    /// Whether what a case carries is a secret by the case's name.
    func isSecret(_ enumCase: EnumLayout.Case, of type: Any.Type) -> Bool {
        masks.masks(part: enumCase.name, of: type, isNamedSo: enumCase.isSecretByName)
    }

    /// The stored properties that are shown of a class, a struct or a tuple, whose labels are names
    /// like others.
    func plan(of type: Any.Type) -> [PlannedField] {
        let key = ObjectIdentifier(type)
        if let plan = plans[key] { return plan }
        let plan = makePlan(of: type)
        plans[key] = plan
        return plan
    }

    private func makePlan(of type: Any.Type) -> [PlannedField] {
        var fields = FieldCache.fields(of: type)
        if let names = (type as? any TelltaleReflectable.Type)?.telltaleFields {
            let all = fields.count
            fields = names.compactMap { name in
                fields.first { $0.shownName == name || $0.name == name }
            }
            if fields.count < all { masksSomething = true }
        }
        let pair = masks.isActive ? FieldCache.pair(in: fields) : nil
        return fields.enumerated().map { index, field in
            let isName = pair?.name == index && field.canNameAnother
            return PlannedField(
                field: field,
                isMasked: masks.masks(
                    part: field.shownName, of: type,
                    isNamedSo: field.isSecretByName && !isName),
                namedBy: pair.flatMap { pair in
                    pair.values.contains(index) && !masks.isLifted(field.shownName, of: type)
                        ? fields[pair.name] : nil
                })
        }
    }

    var renderedPath: String {
        ValuePath(root: .init(named: rootName), components: path).description
    }
}

extension StoredField {
    /// Whether it can be the name of another: the `key` of a pair is a text, that of a cipher are bytes.
    fileprivate var canNameAnother: Bool {
        switch TypeShape.of(type) {
        case .string, .substring, .staticString, .character, .scalar, .enumeration,
            .anyHashable,
            .existential:
            true
        case .structure: ValueFormats.format(for: type) == nil && name.hasPrefix(".")
        default: false
        }
    }
}

/// How much one reading may answer, and how long it may take.
struct ReadLimits: Sendable {
    /// How deep below the value that was asked for its parts are shown.
    var depth = 6
    var elements = 100
    /// About how many bytes the answer may have.
    var bytes = 64 << 20
    var stringBytes = 65_536
    var deadline: MonotonicTime
    /// Whether the locks of values may be taken. Not where nothing keeps the memory that they are in.
    var takesLocks = true
    /// Whether an object's parts are there each time that it is met, as deep as they are shown.
    var repeats = false
    /// Whether values that have a format are shown by it, and not by their fields.
    var usesFormats = true
    /// Whether those of the host's may be used that nothing says of that they may always.
    var runsFormats = true

    /// What of the value's memory is read besides.
    var asked: MemoryReading.Asked = []

    /// How many elements are given of a range that was asked for.
    static let longestRange = 100_000
    /// More than this is never gone down: the walk is recursive and a worker's stack is finite.
    static let deepest = 64

    init(deadline: MonotonicTime) { self.deadline = deadline }
}
#endif
