#if TELLTALE_AGENT
import CTelltaleSystem
import Glibc
package import TelltaleProtocol
package import TelltaleRuntime
package import TelltaleSystem

/// The reader of what plans can't express: the agent's reader of special kinds.
package protocol TreeWalkReader: AnyObject {
    /// `isBare` is true for the shape without the type's format.
    func shape(of type: Any.Type, isBare: Bool) -> PlanShape
    /// Returns true if some parts of a type are never shown.
    func leavesOutParts(of type: Any.Type) -> Bool
    /// Returns the node of a value. `view` is nil if the value can't be read; `isBare` is true if the value
    /// is to be shown without its format.
    func value(_ view: ValueView?, _ type: Any.Type, isBare: Bool, label: String?, level: Int)
        -> ValueNode
    /// Returns the node of an object; `declared` is the type of the reference.
    func object(at address: UInt, declared: Any.Type, label: String?, level: Int) -> ValueNode
    /// Returns the number of an object that is registered, or on the path to the value that is read, with its
    /// note; nil for others.
    func known(_ address: UInt) -> KnownObject?
    /// Returns the node of a part of a value, by its index in the type's shape.
    func part(_ index: Int, of type: Any.Type, in view: ValueView?, level: Int) -> ValueNode
    /// Judges a key of a dictionary whose values have a type.
    func key(_ view: ValueView, valueType: Any.Type) -> TreeWalk.JudgedKey
    /// Returns the positions of a dictionary's entries that are secrets by the name stored in another entry.
    func secretPositions(in dictionary: ValueView) -> Set<Int>
}

/// An object that has a number before it is met.
package struct KnownObject {
    package let handle: Int
    /// The name of a registered object, in words.
    package let note: String?

    package init(handle: Int, note: String?) { (self.handle, self.note) = (handle, note) }
}

/// One walk through the host's memory along plans. A ``TreeWalkReader`` reads the types that a plan can't
/// express, and has the walk read their parts.
///
/// Not thread-safe: it belongs to one read.
package final class TreeWalk {
    static let mostSteps = 64

    let plans: TypePlans
    private(set) var bounds: Bounds
    var tree = FlatTree()
    /// The properties of the elements that are read; nil for all. The reader reads all of its values.
    var wanted: [Wanted]?
    package var spent = 0
    package var isLate = false
    /// Set when a part was masked or left out.
    package private(set) var hidesSomething = false
    /// The number of steps down to here that no path can name.
    private var unnamedSteps = 0
    private(set) var stepCount = 0
    private var firstStep = 0
    private let stepRoom = UnsafeMutablePointer<FlatStep>.allocate(capacity: mostSteps + 8)
    let source: MemorySource
    private let pool: PlanPool
    private let readsProcess: Bool
    private var start: Start
    private(set) weak var reader: (any TreeWalkReader)?
    private var shown: ShownObjects
    /// The work done, and the amount at which the clock is read next.
    private var ticks = 0
    private var clockTicks = 0
    let changing, depthCut, elementsCut: NameNumber
    let payloadLabel: Label
    private let bytesCut, deadlineCut: NameNumber

    package init(
        pool: PlanPool, bounds: Bounds, source: MemorySource, start: Start, shown: ShownObjects
    ) {
        plans = pool.take()
        self.pool = pool
        self.bounds = bounds
        self.source = source
        self.start = start
        self.shown = shown
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

    /// Runs a body that adds a root of its own, and returns its node, whose handles are provisional. For the
    /// parts of a value that the reader reads.
    package func node(
        from start: Start, within bounds: Bounds, _ shown: ShownObjects,
        _ body: (TreeWalk) -> Bool
    ) -> ValueNode? {
        let outer = (self.start, self.bounds, self.shown, wanted, firstStep, tree)
        (self.start, self.bounds, self.shown) = (start, bounds, shown)
        (wanted, firstStep) = (nil, stepCount)
        tree = FlatTree(placesOf: outer.5)
        let isDone = body(self) && !tree.hasFailed && tree.count > 0
        let node = isDone ? TreeNodes(tree, plans) { $0 == 0 ? nil : Int($0) }.node(at: 0) : nil
        let inner = tree
        (self.start, self.bounds, self.shown, wanted, firstStep, tree) = outer
        tree.takePlaces(of: inner)
        return node
    }

    /// Notes that a part is masked or left out.
    func hides() { hidesSomething = true }

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
        let isUnnamed = step.kind == .unnamed
        stepRoom[stepCount] = step
        stepCount &+= 1
        if isUnnamed { unnamedSteps &+= 1 }
        body()
        stepCount &-= 1
        if isUnnamed { unnamedSteps &-= 1 }
    }

    /// Runs a body for a part with its step on the path, if it is requested.
    @inline(__always)
    func within(_ name: NameNumber, _ body: () -> Void) {
        let step = FlatStep(kind: .property, value: UInt(name))
        guard let before = wanted else { return within(step, body) }
        guard let part = before.first(where: { $0.step == name }) else { return }
        // The value of the last name is read with all its parts.
        wanted = part.parts.isEmpty ? nil : part.parts
        within(step, body)
        wanted = before
    }

    private var steps: UnsafeBufferPointer<FlatStep> {
        UnsafeBufferPointer(start: stepRoom + firstStep, count: stepCount &- firstStep)
    }

    // MARK: State

    package var path: [Step] {
        steps.compactMap { step in
            switch step.kind {
            case .position: .position(Int(step.value))
            case .property: .property(plans.text(NameNumber(step.value)))
            case .key: .key(plans.text(NameNumber(step.value)))
            case .unnamed: nil
            }
        }
    }

    /// True if no path names the current place.
    package var isUnnamed: Bool { unnamedSteps > 0 }

    func shownHandle(_ address: UInt) -> Int32? { shown.handles[~address] }

    /// Records that an object is in the answer.
    func shows(_ address: UInt, _ handle: Int32) { shown.handles[~address] = handle }

    /// Assigns a provisional number to an object at the end of a path.
    package func handle(of address: UInt, typeName: String, path: [UInt8]) -> Int? {
        let handle = tree.addPlace(address, plans.name(typeName)) { $0.append(path) }
        return handle == 0 ? nil : Int(handle)
    }

    /// The same at the current place: a step is a letter, followed by the eight bytes of a position or by
    /// four bytes of a length and the text.
    func handle(of address: UInt, _ type: NameNumber) -> Int32 {
        guard bounds.givesHandles, !isUnnamed, start.steps &+ steps.count <= Self.mostSteps else {
            return 0
        }
        return tree.addPlace(address, type) { paths in
            guard paths.append(start.path) else { return false }
            for step in steps {
                let isAdded =
                    switch step.kind {
                    case .position:
                        paths.append(UInt8(ascii: "i")) && paths.append(UInt64(step.value))
                    case .property:
                        paths.append(UInt8(ascii: "p")) && append(step.value, to: &paths)
                    case .key:
                        paths.append(UInt8(ascii: "k")) && append(step.value, to: &paths)
                    case .unnamed: true
                    }
                guard isAdded else { return false }
            }
            return true
        }
    }

    private func append(_ name: UInt, to paths: inout OwnPages) -> Bool {
        let name = plans.name(NameNumber(name)).bytes
        return paths.append(UInt32(truncatingIfNeeded: name.count)) && paths.append(name)
    }
}
#endif
