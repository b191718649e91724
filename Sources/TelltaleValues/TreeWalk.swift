#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
package import TelltaleProtocol
package import TelltaleRuntime
package import TelltaleSystem

/// The reader of what plans can't express: the agent's reader of nodes.
package protocol TreeWalkReader: AnyObject {
    func shape(of type: Any.Type) -> PlanShape
    /// Returns the node of a value. `view` is nil if the value can't be read.
    func value(_ view: ValueView?, _ type: Any.Type, label: String?, level: Int) -> ValueNode
    /// Returns the node of a part of a value, by its index in the type's shape.
    func part(_ index: Int, of type: Any.Type, in view: ValueView?, level: Int) -> ValueNode
}

/// One walk through the host's memory along plans. A ``TreeWalkReader`` reads the types that a plan can't
/// express; without plans it gives the same nodes, which a test compares.
///
/// Not thread-safe: it belongs to one read.
package final class TreeWalk {
    /// The limits of a read.
    package struct Bounds {
        package var depth: Int
        package var elements: Int
        package var bytes: Int
        package var stringBytes: Int
        package var deadline: MonotonicTime
        /// True if texts are searched for secrets.
        package var masks: Bool
        package var givesHandles: Bool
        /// True if an object's parts are repeated at each of its occurrences.
        package var repeats = false

        package init(
            depth: Int, elements: Int, bytes: Int, stringBytes: Int, deadline: MonotonicTime,
            masks: Bool, givesHandles: Bool, repeats: Bool = false
        ) {
            self.depth = depth
            self.elements = elements
            self.bytes = bytes
            self.stringBytes = stringBytes
            self.deadline = deadline
            self.masks = masks
            self.givesHandles = givesHandles
            self.repeats = repeats
        }
    }

    /// A step of the path from the start of the walk.
    package enum Step {
        case position(Int)
        case property(String)
    }

    /// A step as it is while the walk goes on: a position, or the number of a name.
    struct FlatStep {
        let isElement: Bool
        let value: UInt32
    }

    /// A requested property, and the requested ones among its own parts.
    struct Wanted {
        let step: NameNumber
        let parts: [Wanted]
    }

    /// A copy of some bytes of the host.
    struct Block {
        /// Nil for bytes that can't be read.
        let bytes: UnsafeRawPointer?
        let size: Int
        /// The object that contains these bytes; 0 for others.
        let object: UInt
    }

    /// The label of a node, its meaning, the size of its text, and the node's note.
    struct Label {
        var number = noName
        var flags: NodeFlags = []
        var size = 0
        var note = noName
    }

    static let mostSteps = 64

    let plans: TypePlans
    let bounds: Bounds
    var tree = FlatTree()
    /// The properties of the elements that are read; nil for all. The reader reads all of its values.
    var wanted: [Wanted]?
    package var spent = 0
    package var isLate = false
    private(set) var stepCount = 0
    private let stepRoom = UnsafeMutablePointer<FlatStep>.allocate(capacity: mostSteps + 8)
    let source: MemorySource
    private let pool: PlanPool
    private let readsProcess: Bool
    private let base: [UInt8]
    private let baseSteps: Int
    private(set) weak var reader: (any TreeWalkReader)?
    /// The objects that are in the answer, with their handles: by the complements of their addresses.
    private var shown: [UInt: Int32] = [:]
    /// The work done, and the amount at which the clock is read next.
    private var ticks = 0
    private var clockTicks = 0
    let changing, depthCut, elementsCut: NameNumber
    let payloadLabel: Label
    private let bytesCut, deadlineCut: NameNumber

    /// Creates a walk at the end of a path of `steps` steps, given as bytes.
    package init(
        pool: PlanPool, bounds: Bounds, source: MemorySource, steps: Int, path: [UInt8]
    ) {
        plans = pool.take()
        self.pool = pool
        self.bounds = bounds
        self.source = source
        base = path
        baseSteps = steps
        if case .process = source { readsProcess = true } else { readsProcess = false }
        changing = plans.name("it can't be read; it may just be changing")
        depthCut = plans.name("depth")
        elementsCut = plans.name("elements")
        payloadLabel = Label(number: plans.name(".0"), size: 2)
        bytesCut = plans.name("bytes")
        deadlineCut = plans.name("deadline")
    }

    deinit {
        tree.free()
        stepRoom.deallocate()
    }

    /// Runs a body that adds the tree's root, or returns false if it can't. Nil also if there was no
    /// memory.
    package func tree(
        by reader: any TreeWalkReader, spent: Int, isLate: Bool, _ body: (TreeWalk) -> Bool
    ) -> ReadTree? {
        self.reader = reader
        self.spent = spent
        self.isLate = isLate
        guard body(self), !tree.hasFailed, !plans.lacksNames, tree.count > 0 else {
            pool.giveBack(plans)
            return nil
        }
        let read = ReadTree(tree, plans: plans, pool: pool)
        tree = FlatTree()
        return read
    }

    // MARK: Memory

    @inline(__always)
    func read(_ address: UInt, _ start: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        if readsProcess { return ctelltale_reading_copy(address, start, count) }
        return source.read(
            address: address, into: UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    /// Runs a body with a copy of some bytes of the host, which is null if they can't be read; without, if
    /// there is no memory for it. The copy is eight bytes off the alignment of objects, so that a search of
    /// the heap finds no object in it.
    @inline(__always)
    func withCopy(_ size: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        guard let room = malloc(size &+ 24) else { return fail() }
        defer { free(room) }
        body(room + 8)
    }

    // MARK: Bounds

    /// Counts the cost of a node, as `ReadSession.spend` does.
    @inline(__always)
    func spend(_ bytes: Int) {
        spent &+= bytes
        ticks &+= 1 &+ bytes >> 12
        guard ticks >= clockTicks else { return }
        clockTicks = ticks &+ 128
        if MonotonicTime.now >= bounds.deadline { isLate = true }
    }

    /// The reason why no further node is made; no name as long as there is room.
    @inline(__always)
    var stop: NameNumber {
        if isLate || tree.hasFailed { return deadlineCut }
        return spent >= bounds.bytes ? bytesCut : noName
    }

    func showsParts(at level: Int) -> Bool {
        level < bounds.depth && stepCount < Self.mostSteps
    }

    /// Runs a body with one more step on the path.
    @inline(__always)
    func within(_ step: FlatStep, _ body: () -> Void) {
        guard stepCount < Self.mostSteps + 8 else { return fail() }
        stepRoom[stepCount] = step
        stepCount &+= 1
        body()
        stepCount &-= 1
    }

    /// Runs a body for a part with its step on the path, if it is requested.
    @inline(__always)
    func within(_ name: NameNumber, _ body: () -> Void) {
        let step = FlatStep(isElement: false, value: name)
        guard let before = wanted else { return within(step, body) }
        guard let part = before.first(where: { $0.step == name }) else { return }
        wanted = part.parts
        within(step, body)
        wanted = before
    }

    private var steps: UnsafeBufferPointer<FlatStep> {
        UnsafeBufferPointer(start: stepRoom, count: stepCount)
    }

    // MARK: State

    package var path: [Step] {
        steps.map { step in
            step.isElement ? .position(Int(step.value)) : .property(plans.text(step.value))
        }
    }

    /// Returns the number of an object that is already in the answer; an outer nil if it isn't.
    package func known(_ address: UInt) -> Int?? {
        shownHandle(address).map { $0 == 0 ? nil : Int($0) }
    }

    func shownHandle(_ address: UInt) -> Int32? { shown[~address] }

    /// Records that an object is in the answer.
    package func shows(_ address: UInt, _ handle: Int?) {
        shown[~address] = Int32(clamping: handle ?? 0)
    }

    /// Assigns a provisional number to an object at the end of a path.
    package func handle(of address: UInt, typeName: String, path: [UInt8]) -> Int? {
        let handle = tree.addPlace(address, plans.name(typeName)) { $0.append(path) }
        return handle == 0 ? nil : Int(handle)
    }

    /// The same at the current place: a step is a letter, followed by the eight bytes of a position or by
    /// four bytes of a length and the text.
    func handle(of address: UInt, _ type: NameNumber) -> Int32 {
        guard bounds.givesHandles, baseSteps &+ steps.count <= Self.mostSteps else { return 0 }
        return tree.addPlace(address, type) { paths in
            guard paths.append(base) else { return false }
            for step in steps {
                let isAdded =
                    if step.isElement {
                        paths.append(UInt8(ascii: "i")) && paths.append(UInt64(step.value))
                    } else {
                        paths.append(UInt8(ascii: "p")) && append(step.value, to: &paths)
                    }
                guard isAdded else { return false }
            }
            return true
        }
    }

    private func append(_ name: NameNumber, to paths: inout OwnPages) -> Bool {
        let name = plans.name(name).bytes
        return paths.append(UInt32(truncatingIfNeeded: name.count)) && paths.append(name)
    }
}
#endif
