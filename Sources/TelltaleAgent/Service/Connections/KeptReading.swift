#if TELLTALE_AGENT
import Dispatch
import TelltaleProtocol
import TelltaleSystem

/// A reading that is asked for again and again: all that its request's bytes and the types on its way decide, and
/// the answer around the value: a text, or an object's tree.
///
/// What decides the truth is decided each time: that the names lead where they led, the object's life, its
/// owner's turn, the deadline, and each class and bound on the way. Where any of it isn't as it was, it does
/// not answer, and the request is answered as one that was never seen.
final class KeptReading: Keepable, @unchecked Sendable {  // nothing of it changes
    private let reference: HostReference
    private let queue: DispatchQueue
    private let bulkhead: Bulkhead
    private let route: ValueRoute
    /// How often names had been registered or taken back.
    private let names: Int
    /// How long the command may take.
    private let time: Duration
    /// The answer from the id to the value, of a text to what is between its quotes, and from there on.
    private let before: [UInt8]
    private let after: [UInt8]
    /// How an object at the end of the way is read.
    private let object: KeptObject

    /// Keeps what a command has answered; nil where that can't be kept.
    init?(
        _ answer: any CommandAnswer, of asked: KeptPath, time: Duration, in context: CommandContext
    ) {
        let agent = context.agent
        names = agent.shared.objects.generation
        self.time = time
        // What a rule for paths says hangs on where others lead, too.
        guard !agent.access.hasPatterns, let direct = context.direct,
            let path = try? ValuePath(parsing: asked.path), case .name = path.root,
            let (before, after, isObject) = Self.parts(of: answer),
            let target = try? PathReading(context: context).resolve(path), target.expected == nil,
            case .object(let reference) = target.entry.target, !reference.isFound,
            case .queue(let queue) = target.entry.owner
        else { return nil }
        let size = RequestLine.longestHead + before.count + ValueRoute.longestText + after.count
        guard size <= agent.configuration.maximumReplyBytes else { return nil }
        (self.before, self.after) = (before, after)
        (self.reference, self.queue) = (reference, queue)
        bulkhead = target.entry.bulkhead(for: .read)
        let limits = agent.readLimits(until: context.ownerDeadline)
        let session = ReadSession(
            limits: limits, masks: agent.masks, handles: nil, rootName: target.entry.name,
            isPlain: false, source: .process)
        let outcome = direct.run(
            on: queue, in: bulkhead, of: agent.workers, until: limits.deadline
        ) { () -> ValueRoute? in
            guard let address = reference.address else { return nil }
            return GuardedReading.during {
                ValueRoute(from: address, along: target.path, in: session)
            }
        }
        guard case .done(let found?)? = outcome, (found.end != nil) == isObject else { return nil }
        route = found
        object = KeptObject(
            rootName: target.entry.name, path: target.path, depth: asked.depth, limit: asked.limit)
    }

    func isOver(names: Int) -> Bool { names != self.names || reference.address == nil }

    enum Outcome {
        /// Sent, or the client has gone.
        case answered(isSent: Bool)
        /// To be sent, between these bytes behind the number and those.
        case read(ReadTree, before: [UInt8], after: [UInt8])
        /// Another thread has the request.
        case takenOver
        /// It isn't known to be as it was.
        case changed
    }

    /// Whether the answer is a text, and no object's tree.
    var isText: Bool { route.end == nil }

    /// Reads the value and answers a request, of which the head and the id are given, by `send`.
    func answer(
        _ head: UnsafeRawBufferPointer, of agent: Agent, _ direct: DirectTurn, began: MonotonicTime,
        send: (UnsafeRawBufferPointer, _ until: MonotonicTime) -> Bool
    ) -> Outcome {
        TypeImages.check()
        guard agent.shared.objects.generation == names else { return .changed }
        let deadline = min(
            began.advanced(by: agent.configuration.ownerDeadline), began.advanced(by: time))
        if let type = route.end { return read(type, agent, direct, until: deadline) }
        let room = head.count + before.count + ValueRoute.longestText + after.count
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { page in
            guard let start = page.baseAddress else { return .changed }
            let text = start + head.count + before.count
            let outcome = direct.run(
                on: queue, in: bulkhead, of: agent.workers, from: began, until: deadline
            ) { read(into: text) }
            switch outcome {
            case .takenOver: return .takenOver
            case .done(let count) where count > 0:
                let size = compose(start, head, text + count)
                let line = UnsafeRawBufferPointer(start: start, count: size)
                let end = began.advanced(by: agent.configuration.commandDeadline)
                return .answered(isSent: send(line, end))
            case .done, nil: return .changed
            }
        }
    }

    private func read(
        _ type: Any.Type, _ agent: Agent, _ direct: DirectTurn, until deadline: MonotonicTime
    ) -> Outcome {
        let outcome = direct.run(on: queue, in: bulkhead, of: agent.workers, until: deadline) {
            () -> ReadTree? in
            guard let root = reference.address, let place = route.place(from: root) else {
                return nil
            }
            let tree = object.read(at: place.address, type, agent, until: deadline)
            return reference.address == nil ? nil : tree
        }
        switch outcome {
        case .takenOver: return .takenOver
        case .done(let tree?):
            agent.handles.number(tree, rootName: object.rootName)
            return .read(tree, before: before, after: after)
        case .done, nil: return .changed
        }
    }

    // On the owner. It may be freed meanwhile.
    private func read(into text: UnsafeMutableRawPointer) -> Int {
        guard let address = reference.address else { return 0 }
        let count = route.read(
            from: address, into: text.assumingMemoryBound(to: CChar.self))
        return reference.address == nil ? 0 : count
    }

    /// Puts the rest of the answer around the value's text, which ends at `end`; the size of all.
    private func compose(
        _ start: UnsafeMutableRawPointer, _ head: UnsafeRawBufferPointer,
        _ end: UnsafeMutableRawPointer
    ) -> Int {
        guard let first = head.baseAddress else { return 0 }
        start.copyMemory(from: first, byteCount: head.count)
        before.withUnsafeBytes {
            if let bytes = $0.baseAddress {
                (start + head.count).copyMemory(from: bytes, byteCount: $0.count)
            }
        }
        after.withUnsafeBytes {
            if let bytes = $0.baseAddress { end.copyMemory(from: bytes, byteCount: $0.count) }
        }
        return end - start + after.count
    }

    // MARK: The answer's parts

    /// The line of an answer without its id and its value, and whether that is an object; nil where that is not
    /// all that may be another the next time.
    private static func parts(
        of answer: any CommandAnswer
    ) -> (before: [UInt8], after: [UInt8], isObject: Bool)? {
        guard let shown = answer as? ValueAnswer ?? (answer as? PlainAnswer)?.shown,
            !shown.isSpecial, shown.memory == nil, shown.bytes == nil,
            shown.read == ValueAnswer.onOwner
        else { return nil }
        if let packed = answer.packedResult, packed.value.head.kind == .object {
            let (before, after) = RPCResponse.packed(id: id, packed)
            return (Array(before[head.count...]), after, true)
        }
        let node = shown.value
        guard node.kind == .scalar, let text = node.text, node.children.isEmpty, node.cut == nil,
            node.note == nil, node.handle == nil, node.address == nil
        else { return nil }
        let line = Array(RPCResponse(id: id, answer: answer).line.utf8) + [UInt8(ascii: "\n")]
        // Within a text its quotes would be escaped.
        let member = Array(#","text":""#.utf8)
        let whole = member + text.utf8 + [UInt8(ascii: "\"")]
        guard line.starts(with: head),
            let start = line.indices.first(where: { line[$0...].starts(with: whole) })
        else { return nil }
        let place = start + member.count
        return (Array(line[head.count..<place]), Array(line[(place + text.utf8.count)...]), false)
    }

    private static let id = JSONValue.integer(0)
    private static let head = Array(RequestLine.head.utf8) + id.serializedBytes()
}

#endif
