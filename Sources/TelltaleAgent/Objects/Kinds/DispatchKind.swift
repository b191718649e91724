#if TELLTALE_AGENT
import Dispatch
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The kinds of Dispatch objects, shown by label and state: the object that each one wraps has no Swift type.
enum DispatchKind {
    case queue, group, semaphore, source

    static func of(_ type: Any.Type) -> DispatchKind? { known[ObjectIdentifier(type)] }

    private static let known: [ObjectIdentifier: DispatchKind] = [
        ObjectIdentifier(DispatchQueue.self): .queue,
        ObjectIdentifier(DispatchGroup.self): .group,
        ObjectIdentifier(DispatchSemaphore.self): .semaphore,
        ObjectIdentifier(DispatchSource.self): .source,
    ]

    /// The address of the `libdispatch` object that a Swift Dispatch object at `address` wraps, unvalidated;
    /// `nil` if no such Swift object is at the address.
    static func wrapped(by address: UInt) -> UInt? {
        guard let type = MetadataCheck.classOfObject(at: address, in: .process), of(type) != nil,
            let field = FieldCache.fields(of: type).first(where: { $0.name == "__wrapped" })
        else { return nil }
        return GuardedMemory.load(UInt.self, at: address &+ UInt(field.offset))
    }

    /// The quoted label and the state in words; `nil` if the object can't be read or Dispatch's layout is not
    /// known yet.
    func state(of object: ValueView, by reader: DispatchReader?) -> (label: String?, state: String)?
    {
        guard let reader,
            let field = FieldCache.fields(of: object.type).first(where: { $0.name == "__wrapped" }),
            let inner = object.word(at: field.offset)
        else { return nil }
        switch self {
        case .queue:
            guard let queue = reader.queue(at: inner) else { return nil }
            return (Literal.quoted(queue.label), Self.text(of: queue))
        case .group:
            guard let group = reader.group(at: inner) else { return nil }
            return (
                nil,
                "\(Quantity.count(group.outstanding)) outstanding"
                    + (group.hasWaiters ? ", waited for" : "")
            )
        case .semaphore:
            guard let semaphore = reader.semaphore(at: inner) else { return nil }
            return (nil, "value \(semaphore.value) of \(semaphore.original)")
        case .source: return Self.source(inner, reader).map { (nil, $0) }
        }
    }

    private static func text(of queue: QueueFacts) -> String {
        var words = [queue.kind.rawValue]
        if queue.isInactive {
            words.append("inactive")
        } else if queue.suspendCount > 0 {
            words.append("suspended")
        }
        if let waiting = queue.waiting, waiting > 0 {
            words.append("\(Quantity.count(waiting)) waiting")
        }
        if let owner = queue.owner { words.append("on thread \(owner)") }
        return words.joined(separator: ", ")
    }

    private static func source(_ address: UInt, _ reader: DispatchReader) -> String? {
        if let timer = reader.timer(at: address) {
            var words = ["timer"]
            if timer.isCancelled {
                words.append("cancelled")
            } else if timer.suspendCount > 0 {
                words.append("suspended")
            } else if let seconds = timer.firesIn {
                words.append("fires in \(Quantity.time(seconds: max(0, seconds)))")
            } else {
                words.append("not set")
            }
            if let interval = timer.interval {
                words.append("every \(Quantity.time(seconds: interval))")
            }
            return words.joined(separator: ", ")
        }
        switch reader.layout.sourceState(at: address) {
        case .watches(let what)?: return "watches \(what)"
        case .waits?: return "waits to be armed, resumed or added to"
        case .timer?, nil: return nil
        }
    }
}

extension NodeMaker {
    /// Adds the label and the state of a Dispatch object to its node. Returns false if they can't be read.
    func describe(dispatch type: Any.Type, at address: UInt, in node: inout ValueNode) -> Bool {
        guard let kind = DispatchKind.of(type),
            let view = Self.instance(at: address, of: type, in: session.source),
            let (label, state) = kind.state(of: view, by: session.kinds.dispatch)
        else { return false }
        node.text = label
        node.note = state
        session.spend(state.utf8.count)
        return true
    }
}
#endif
