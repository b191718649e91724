#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem
import TelltaleValues

/// The state of one read: its costs so far, and the objects seen.
///
/// Not thread-safe: it belongs to one read.
final class ReadSession {
    let limits: ReadLimits
    let masks: MaskPolicy
    let handles: HandleTable?
    let rootName: String
    /// The name of a root without one; it is not a secret's name.
    static let unnamed = "value"

    /// True if only values that can't tear may be read, because the object has no owner.
    private(set) var isPlain: Bool
    let source: MemorySource

    /// The path to the value being read.
    var path: [ValuePath.Component] = []
    /// The number of steps down to here that no path can name.
    private var unnamedSteps = 0
    /// Set when an unsynchronised read reached a value that could tear; the caller must fall back to a
    /// snapshot.
    var needsMore = false
    /// Set when the read met a secret, or a property that its type leaves out.
    var masksSomething = false
    /// Set while a value is read as a name, of which nothing is shown. The names inside that value are not
    /// read once more: in a tree of pairs that doubled the time with each level.
    var isReadingName = false
    /// The objects whose parts are in the answer.
    var shown = ShownObjects()
    let knownObjects = KnownObjects()
    /// The walk that is reading a value, if there is one.
    weak var walk: SessionWalk?
    /// The cost of the answer so far, in bytes.
    var spent = 0
    private var ticks = 0
    private var isLate = false
    /// The locks held, the innermost last, each with the value of ``isPlain`` to restore after it.
    private var turns: [(turn: MutexTurn?, wasPlain: Bool)] = []
    private var turnEnd: MonotonicTime?
    private var isTurnLate = false
    private var secrets: [ObjectIdentifier: Bool] = [:]
    private var plans: [ObjectIdentifier: [PlannedField]] = [:]
    private(set) lazy var kinds = KindReaders(deadline: limits.deadline)

    /// The maximum stack use up to which parts are read: a worker of the agent has a stack of 1 MiB, and a
    /// level takes up to 20 KiB in a debug build.
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

    private var usedStack: UInt {
        let here = StackPosition.now
        return here < stackStart ? stackStart - here : here - stackStart
    }

    /// Returns whether the parts of a value are shown: false at the depth limit, and if the stack might
    /// overflow.
    func showsParts(at level: Int) -> Bool {
        level < limits.depth && usedStack < Self.stackForParts
    }

    /// The depth limit for the parts of a value at a level, which are not shown if the stack might overflow.
    func depth(at level: Int) -> Int {
        usedStack < Self.stackForParts ? limits.depth : min(limits.depth, level)
    }

    /// True if no value can be read any more, for lack of stack.
    var isTooDeep: Bool { usedStack > Self.stackForParts + (128 << 10) }

    /// Adds the cost of a node.
    func spend(_ bytes: Int) {
        spent += bytes
        ticks += 1
        // Reading the clock costs as much as a small node.
        if ticks % 16 == 1 { checkTime() }
    }

    /// Notes which of its deadlines have passed.
    func checkTime() {
        let now = MonotonicTime.now
        if now >= limits.deadline { isLate = true }
        if let turnEnd, now >= turnEnd { isTurnLate = true }
    }

    /// The time until which a value may be read.
    var deadline: MonotonicTime { turnEnd.map { min($0, limits.deadline) } ?? limits.deadline }

    /// Runs a body whose nodes don't count for the answer.
    func uncounted<Result>(_ body: () -> Result) -> Result {
        let before = spent
        defer { spent = before }
        return body()
    }

    /// The reason why no further node is made; `nil` within the limits.
    var stop: String? {
        if needsMore { return "snapshot" }
        if isLate || isTurnLate { return "deadline" }
        return spent >= limits.bytes ? "bytes" : nil
    }

    /// Marks a collection's node as truncated if it has fewer than `count` parts.
    func cut(_ node: inout ValueNode, of count: Int) {
        guard node.children.count < count else { return }
        node.cut = .init(reason: stop ?? "elements", omitted: count - node.children.count)
    }

    /// Runs a body with one more path component; `nil` for a step that no path can name.
    func with<Result>(_ step: ValuePath.Component?, _ body: () -> Result) -> Result {
        push(step)
        defer {
            if step != nil { path.removeLast() } else { unnamedSteps -= 1 }
        }
        return body()
    }

    /// Appends a path component permanently.
    func push(_ step: ValuePath.Component?) {
        if let step { path.append(step) } else { unnamedSteps += 1 }
    }

    /// Returns whether a value may be read in place. A noncopyable value may: its parts are checked one by
    /// one, and a lock in it guards its own value.
    func mayRead(_ view: ValueView) -> Bool {
        guard isPlain, !view.isStable else { return true }
        let metadata = TypeMetadata(view.type)
        return metadata.isPlainWord || metadata.isNoncopyable
    }

    // MARK: Locks

    /// Takes the lock at an address in an object or a variable. The value it guards is stable until the lock
    /// is released.
    ///
    /// While the session holds another lock, it does not wait for this one: the thread that holds this one
    /// may be waiting for the other.
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

    /// Releases the lock taken last.
    func endTurn() {
        guard let (turn, wasPlain) = turns.popLast() else { return }
        turn?.giveBack()
        isPlain = wasPlain
        guard turns.isEmpty else { return }
        turnEnd = nil
        isTurnLate = false
    }

    /// Releases all locks at the end of the read.
    func endTurns() { while !turns.isEmpty { endTurn() } }

    /// Returns the handle of an object that is in the answer already; an outer `nil` if it is not.
    func known(_ address: UInt) -> Int?? {
        limits.repeats ? nil : shown[address]
    }

    /// Records that an object's parts are in the answer.
    func shows(_ address: UInt, _ handle: Int?) { shown[address] = .some(handle) }

    /// True if objects at the end of the current path get handles.
    var givesHandles: Bool { handles != nil && unnamedSteps == 0 }

    /// The handle of an object at the end of the current path.
    func handle(of address: UInt, typeName: String) -> Int? {
        guard givesHandles, path.count <= ValuePath.maximumComponents else { return nil }
        if let walk { return walk.handle(of: address, typeName: typeName) }
        let number = handles?.handle(
            rootName: rootName, path: path, address: address, typeName: typeName)
        return number == 0 ? nil : number
    }

    /// Returns whether all values of a type are secrets.
    func isSecret(_ type: Any.Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let known = secrets[key] { return known }
        let isSecret = masks.masks(type: type)
        secrets[key] = isSecret
        return isSecret
    }

    /// Returns whether the payload of a case is a secret by the case's name.
    func isSecret(_ enumCase: EnumLayout.Case, of type: Any.Type) -> Bool {
        masks.masks(part: enumCase.name, of: type, isNamedSo: enumCase.isSecretByName)
    }

    /// Returns true if a type leaves out some of its properties.
    func leavesOutParts(of type: Any.Type) -> Bool {
        type is any TelltaleReflectable.Type
            && plan(of: type).count < FieldCache.fields(of: type).count
    }

    /// The stored properties of a class, a struct or a tuple that are shown.
    func plan(of type: Any.Type) -> [PlannedField] {
        let key = ObjectIdentifier(type)
        if let plan = plans[key] { return plan }
        let plan = PlannedField.all(of: type, by: masks)
        if plan.count < FieldCache.fields(of: type).count { masksSomething = true }
        plans[key] = plan
        return plan
    }

    var renderedPath: String {
        ValuePath(root: .init(named: rootName), components: path).description
    }
}

/// The limits of one read: the size of its answer and its time.
struct ReadLimits: Sendable {
    /// The number of levels of parts shown below the requested value.
    var depth = 6
    var elements = 100
    /// The approximate maximum size of the answer in bytes.
    var bytes = 64 << 20
    var stringBytes = 65_536
    var deadline: MonotonicTime
    /// True if the locks of values may be taken: not if nothing keeps their memory allocated.
    var takesLocks = true
    /// True if an object's parts are repeated each time the object is met, down to the depth limit.
    var repeats = false
    /// True if the object of a weak or an unowned reference, a registered one, and one on the path to the value
    /// are shown without their parts.
    var isBrief = false
    /// True if values with a format are shown by it instead of by their fields.
    var usesFormats = true
    /// True if the host's formats may be used that are not registered for read-only mode.
    var runsFormats = true

    /// The details of the value's memory to read in addition.
    var asked: MemoryReading.Asked = []

    /// The maximum number of elements returned for a requested range.
    static let longestRange = 100_000
    /// The maximum depth of any read: the walk is recursive and a worker's stack is finite.
    static let deepest = 64

    init(deadline: MonotonicTime) { self.deadline = deadline }
}
#endif
