#if TELLTALE_AGENT
import CTelltaleSystem
package import TelltaleProtocol
package import TelltaleRuntime
package import TelltaleSystem

/// The callbacks from a walk in C to Swift.
package protocol TreeWalkReader: AnyObject {
    func shape(of type: Any.Type) -> PlanShape
    /// Returns the node of a value. `view` is nil if the value can't be read.
    func value(_ view: ValueView?, _ type: Any.Type, label: String?, level: Int) -> ValueNode
    /// Returns the node of a part of a value, by its index in the type's shape.
    func part(_ index: Int, of type: Any.Type, in view: ValueView?, level: Int) -> ValueNode
}

/// One walk through the host's memory along plans, in C.
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

    let plans: TypePlans
    private let pool: PlanPool
    private let source: MemorySource
    private let base: [UInt8]
    let state: UnsafeMutablePointer<CTelltaleWalk>
    private weak var reader: (any TreeWalkReader)?

    /// Creates a walk at the end of a path of `steps` steps, given as bytes; nil if there is no memory.
    package init?(
        plans: TypePlans, pool: PlanPool, bounds: Bounds, source: MemorySource, steps: Int,
        path: [UInt8]
    ) {
        // A placeholder: the context is set when the walk runs.
        let none = UnsafeMutableRawPointer(plans.plans)
        guard let state = ctelltale_walk_make(plans.plans, Self.calls, none) else { return nil }
        self.plans = plans
        self.pool = pool
        self.source = source
        self.state = state
        base = path
        state.pointee.depth = UInt32(clamping: bounds.depth)
        state.pointee.elements = UInt64(clamping: bounds.elements)
        state.pointee.bytes = UInt64(clamping: bounds.bytes)
        state.pointee.string_bytes = UInt64(clamping: bounds.stringBytes)
        state.pointee.deadline = bounds.deadline.nanoseconds
        state.pointee.masks = bounds.masks
        state.pointee.gives_handles = bounds.givesHandles
        state.pointee.repeats = bounds.repeats
        state.pointee.base_steps = UInt32(clamping: steps)
        if case .copy(let copy) = source { state.pointee.copy = copy.pointer }
    }

    deinit { ctelltale_walk_free(state) }

    /// Runs a body that adds the tree's root, or returns false if it can't. Nil also if there was no
    /// memory.
    package func tree(
        by reader: any TreeWalkReader, spent: Int, isLate: Bool, _ body: (TreeWalk) -> Bool
    ) -> ReadTree? {
        self.reader = reader
        state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        self.spent = spent
        self.isLate = isLate
        let isDone = base.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                state.pointee.base = bytes.baseAddress
                state.pointee.base_size = bytes.count
                defer { state.pointee.base = nil }
                return body(self)
            }
        }
        guard isDone, !state.pointee.tree.has_failed, !plans.lacksNames,
            state.pointee.tree.count > 0
        else {
            pool.giveBack(plans)
            return nil
        }
        let tree = state.pointee.tree
        state.pointee.tree = CTelltaleTree()
        return ReadTree(tree, plans: plans, pool: pool)
    }

    // MARK: Roots

    /// Adds a value.
    package func add(_ view: ValueView) -> Bool {
        guard let plan = plans.plan(of: view.type) else { return false }
        return withExtendedLifetime(view.block) {
            let bytes = view.block.bytes(at: 0, count: view.block.count)?.baseAddress
            var block = CTelltaleBlock(
                bytes: bytes?.assumingMemoryBound(to: UInt8.self), size: view.block.count,
                object: view.block.object ?? 0)
            ctelltale_walk_value(state, plan, &block, view.offset, CTELLTALE_NO_NAME, 0, 0)
            return true
        }
    }

    /// Adds an object.
    package func add(objectAt address: UInt) -> Bool {
        ctelltale_walk_object(state, address, CTELLTALE_NO_NAME, 0, 0)
    }

    /// Adds a range of an array's elements, at most `most` of them. Only for arrays, not for other
    /// collections.
    package func add(
        _ range: Range<Int>, most: Int, of storage: ArrayStorage, _ type: Any.Type
    ) -> Bool {
        guard let start = storage.start, range.upperBound <= Int(UInt32.max),
            let plan = plans.plan(of: type)
        else { return false }
        if plan.pointee.kind == .unmade { make(plan) }
        guard plan.pointee.kind == .array else { return false }
        ctelltale_walk_elements(
            state, plan, start, UInt64(range.lowerBound),
            UInt64(min(range.count, most)), UInt64(range.count),
            UInt64(storage.count), CTELLTALE_NO_NAME, 0, 0)
        return true
    }

    // MARK: State

    package var spent: Int {
        get { Int(clamping: state.pointee.spent) }
        set { state.pointee.spent = UInt64(clamping: newValue) }
    }

    package var isLate: Bool {
        get { state.pointee.is_late }
        set { state.pointee.is_late = newValue }
    }

    package var steps: [Step] {
        let first = UnsafeRawPointer(state).advanced(by: Self.stepsOffset)
            .assumingMemoryBound(to: CTelltaleStep.self)
        return (0..<Int(state.pointee.step_count)).map { index in
            let step = first[index]
            return step.is_element ? .position(Int(step.value)) : .property(plans.text(step.value))
        }
    }

    private static let stepsOffset = MemoryLayout<CTelltaleWalk>.offset(of: \.steps) ?? 0

    /// Returns the number of an object that is already in the answer; an outer nil if it isn't.
    package func known(_ address: UInt) -> Int?? {
        var handle: Int32 = 0
        guard ctelltale_walk_is_shown(state, address, &handle) else { return nil }
        return .some(handle == 0 ? nil : Int(handle))
    }

    /// Records that an object is in the answer.
    package func shows(_ address: UInt, _ handle: Int?) {
        ctelltale_walk_shows(state, address, Int32(clamping: handle ?? 0))
    }

    /// Assigns a provisional number to an object at the end of a path.
    package func handle(of address: UInt, typeName: String, path: [UInt8]) -> Int? {
        let handle = path.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                ctelltale_walk_place(
                    state, address, plans.name(typeName), $0.baseAddress, $0.count)
            }
        }
        return handle == 0 ? nil : Int(handle)
    }

    // MARK: Calls

    /// Fills in a plan that is still empty.
    func make(_ plan: TypePlans.Plan) {
        plans.fill(plan, reader?.shape(of: Self.type(plan)) ?? .other)
    }

    private func add(_ node: ValueNode?) {
        guard let node else {
            state.pointee.tree.has_failed = true
            return
        }
        TreeFilling(plans: plans, state: state).add(node)
    }

    private func label(_ label: UInt32, _ flags: UInt8) -> String? {
        if flags & UInt8(CTelltaleNodeIsElement) != 0 { return "[\(label)]" }
        return label == CTELLTALE_NO_NAME ? nil : plans.text(label)
    }

    /// A view of the bytes at an offset, or of a whole object.
    private func view(
        _ type: Any.Type, _ block: CTelltaleBlock, _ offset: Int, count: Int
    ) -> ValueView? {
        let isObject = block.object != 0
        guard let bytes = block.bytes, offset >= 0, count >= 0, offset <= block.size - count,
            let copy = MemoryBlock(
                copying: UnsafeRawBufferPointer(
                    start: bytes + (isObject ? 0 : offset), count: isObject ? block.size : count),
                source: source, object: isObject ? block.object : nil)
        else { return nil }
        return ValueView(
            block: copy, offset: isObject ? offset : 0, type: type, isStable: false)
    }

    private static func walk(_ context: UnsafeMutableRawPointer) -> TreeWalk {
        Unmanaged<TreeWalk>.fromOpaque(context).takeUnretainedValue()
    }

    private static func type(_ plan: UnsafePointer<CTelltalePlan>) -> Any.Type {
        unsafeBitCast(plan.pointee.metadata, to: Any.Type.self)
    }

    private static let calls = CTelltaleWalkCalls(
        make: { context, plan in walk(context).make(plan) },
        find_class: { context, metadata in
            guard let type = MetadataCheck.type(at: metadata),
                TypeMetadata(type).kind == .classType
            else { return nil }
            return walk(context).plans.plan(of: type)
        },
        read_other: { context, plan, block, offset, label, flags, level in
            let walk = walk(context)
            var block = block
            // An object's address is needed only to read the object's own properties.
            block.object = 0
            let view = walk.view(type(plan), block, offset, count: Int(plan.pointee.size))
            walk.add(
                walk.reader?.value(
                    view, type(plan), label: walk.label(label, flags), level: Int(level)))
        },
        read_part: { context, plan, part, block, offset, level in
            let walk = walk(context)
            let count = block.object != 0 ? 0 : Int(plan.pointee.size)
            let view = walk.view(type(plan), block, offset, count: count)
            walk.add(walk.reader?.part(Int(part), of: type(plan), in: view, level: Int(level)))
        },
        write_number: { context, plan, bytes, out, room in
            walk(context).write(type(plan), bytes, out, room)
        })

    private func write(
        _ type: Any.Type, _ bytes: UnsafeRawPointer, _ out: UnsafeMutablePointer<CChar>, _ room: Int
    ) -> Int {
        var text: String?
        if type == Double.self {
            text = bytes.loadUnaligned(as: Double.self).description
        } else if type == Float.self {
            text = bytes.loadUnaligned(as: Float.self).description
        } else if case .scalar(let kind) = TypeShape.of(type) {
            let raw = UnsafeRawBufferPointer(start: bytes, count: TypeMetadata(type).size)
            text = MemoryBlock(copying: raw, source: source, object: nil).flatMap {
                kind.text(of: ValueView(block: $0, offset: 0, type: type, isStable: false))
            }
        }
        guard var text else { return 0 }
        return text.withUTF8 { utf8 in
            guard let start = utf8.baseAddress, utf8.count <= room else { return 0 }
            UnsafeMutableRawPointer(out).copyMemory(from: start, byteCount: utf8.count)
            return utf8.count
        }
    }
}
#endif
