#if TELLTALE_AGENT
package import TelltalePicture
package import TelltaleSystem

/// Finds the operation that a thread waits for if the thread itself executes an operation, in any queue.
/// Foundation waits for an operation on an internal condition, which does not tell which thread must signal
/// it.
///
/// An operation's address is on the stack of the thread that executes it or waits for it. Its class, its
/// progress and its queue are read by property names (`Operation.swift` of swift-corelibs-foundation 6.0 to
/// 6.3). If one of the names differs, nothing is reported.
package struct OperationReader {
    private let threads: [ThreadFacts]
    private let deadline: MonotonicTime
    private let isAvailable: Bool

    private static let operation = "Foundation.Operation"
    private static let queue = "Foundation.OperationQueue"
    /// The size of a `pthread_cond_t`, which contains the futex word.
    private static let conditionSize: UInt = 48
    /// The maximum number of bytes searched of a stack, from its innermost end.
    private static let mostBytes = 256 << 10

    package init(_ threads: [ThreadFacts], until deadline: MonotonicTime) {
        self.threads = threads
        self.deadline = deadline
        isAvailable = MetadataLayout.known(by: deadline).has(.types)
    }

    /// Finds an operation that can't begin, or can't end, before the waiting thread itself returns.
    ///
    /// - Parameters:
    ///   - thread: The waiting thread, with its stack.
    ///   - word: The futex word on which it sleeps.
    /// - Returns: The awaited operation and the one that the thread executes, which are the same if it
    ///   waits for its own. Nil if the awaited operation can proceed without this thread.
    package func ownOperations(
        of thread: ThreadFacts, asleepOn word: UInt
    ) -> (awaited: PlacedOperation, executed: PlacedOperation)? {
        guard isAvailable, isInOperation(thread) else { return nil }
        let found = operations(on: thread)
        guard let awaited = found.first(where: { $0.condition.contains(word) }) else { return nil }
        if isExecuted(awaited, by: thread) { return (awaited.placed, awaited.placed) }
        guard awaited.progress == .before, let queue = awaited.queue, isFullWithOne(queue),
            let executed = found.first(where: { $0.queue == queue && isExecuted($0, by: thread) })
        else { return nil }
        return (awaited.placed, executed.placed)
    }

    // MARK: Operations on a stack

    private enum Progress { case before, executing, after }

    private struct Found {
        var address: UInt
        var type: Any.Type
        var progress: Progress
        var queue: UInt?
        /// The range of the condition on which its waiters sleep.
        var condition: Range<UInt>

        var placed: PlacedOperation {
            var placed = PlacedOperation(
                address: address, name: TypeNames.name(of: type), type: TypeNames.name(of: type),
                state: progress == .executing ? .executing : .ready,
                queue: PlacedOperation.unobservedQueue)
            placed.isUnobserved = true
            return placed
        }
    }

    private func isInOperation(_ thread: ThreadFacts) -> Bool {
        thread.stack.contains { $0.isMethod("start()", of: "Operation") }
    }

    private func operations(on thread: ThreadFacts) -> [Found] {
        var asked: Set<UInt> = []
        var found: [Found] = []
        for word in words(of: thread)
        where word > 0xFFFF && word & 15 == 0 && asked.insert(word).inserted {
            guard MonotonicTime.now < deadline else { return [] }
            if let type = MetadataCheck.classOfObject(at: word, in: .process),
                Self.isClass(type, Self.operation), let operation = read(word, type)
            {
                found.append(operation)
            }
        }
        return found
    }

    /// Returns true if a thread is in the operation's `main()`, and no other thread in an operation has it
    /// on its stack.
    private func isExecuted(_ operation: Found, by thread: ThreadFacts) -> Bool {
        guard operation.progress == .executing else { return false }
        let type = operation.placed.type
        return thread.stack.contains { $0.isMethod("main()", of: type) }
            && !threads.contains { other in
                other.id != thread.id && isInOperation(other)
                    && words(of: other).contains(operation.address)
            }
    }

    private func words(of thread: ThreadFacts) -> [UInt] {
        guard let stack = thread.liveStack else { return [] }
        let size = min(stack.count, Self.mostBytes) & ~7
        return [UInt](unsafeUninitializedCapacity: size / 8) { buffer, count in
            let isRead = GuardedMemory.read(
                address: stack.lowerBound, into: UnsafeMutableRawBufferPointer(buffer))
            count = isRead ? size / 8 : 0
        }
    }

    // MARK: Properties

    private func read(_ object: UInt, _ type: Any.Type) -> Found? {
        let fields = FieldCache.fields(of: type)
        guard let progress = progress(of: object, fields),
            let wait = pointer("__waitCondition", in: object, fields),
            let kind = MetadataCheck.classOfObject(at: wait, in: .process),
            let inner = FieldCache.fields(of: kind).first(where: { $0.name == "cond" }),
            let condition = GuardedMemory.load(UInt.self, at: wait &+ UInt(inner.offset))
        else { return nil }
        return Found(
            address: object, type: type, progress: progress,
            queue: pointer("__queue", in: object, fields),
            condition: condition..<(condition &+ Self.conditionSize))
    }

    /// The cases of the state enum are in the order in which an operation passes through them.
    private func progress(of object: UInt, _ fields: [StoredField]) -> Progress? {
        guard let state = fields.first(where: { $0.name == "__state" }),
            case .enumeration(let layout) = TypeShape.of(state.type),
            let starting = layout.cases.firstIndex(where: { $0.name == "starting" }),
            let executing = layout.cases.firstIndex(where: { $0.name == "executing" }),
            let byte = GuardedMemory.load(UInt8.self, at: object &+ UInt(state.offset)),
            layout.cases.indices.contains(Int(byte))
        else { return nil }
        if Int(byte) == executing { return .executing }
        return Int(byte) < starting ? .before : .after
    }

    /// Returns true if a queue runs one operation at a time, and is running one.
    private func isFullWithOne(_ queue: UInt) -> Bool {
        guard let type = MetadataCheck.classOfObject(at: queue, in: .process),
            Self.isClass(type, Self.queue)
        else { return false }
        let fields = FieldCache.fields(of: type)
        func number(_ name: String) -> Int32? {
            fields.first { $0.name == name }.flatMap {
                GuardedMemory.load(Int32.self, at: queue &+ UInt($0.offset))
            }
        }
        return number("__actualMaxNumOps") == 1 && number("__numExecOps") == 1
    }

    private func pointer(_ name: String, in object: UInt, _ fields: [StoredField]) -> UInt? {
        guard let field = fields.first(where: { $0.name == name }),
            let value = GuardedMemory.load(UInt.self, at: object &+ UInt(field.offset)), value != 0
        else { return nil }
        return value
    }

    private static func isClass(_ type: Any.Type, _ name: String) -> Bool {
        TypeMetadata.lineage(of: type).contains { _typeName($0, qualified: true) == name }
    }
}
#endif
