#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The memory of a value: its address, its reference counts, and its bytes.
struct MemoryReading {
    /// The requested details.
    struct Asked: OptionSet, Sendable {
        let rawValue: Int
        static let memory = Asked(rawValue: 1)
        static let bytes = Asked(rawValue: 2)
    }

    /// The maximum number of bytes shown for one value.
    static let mostBytes = 4096

    let walk: PathWalk
    private var session: ReadSession { walk.session }

    init(_ walk: PathWalk) { self.walk = walk }

    func detail(at place: PathWalk.Place) throws(CommandFailure) -> ValueDetail {
        var detail = ValueDetail()
        if case .masked = place { throw refused() }
        if session.limits.asked.contains(.memory) { detail.memory = try memory(at: place) }
        if session.limits.asked.contains(.bytes) { detail.bytes = try bytes(at: place) }
        return detail
    }

    private func refused() -> CommandFailure {
        CommandFailure(
            .denied, "\(session.renderedPath) is masked: nothing of it is shown",
            hint: "the service decides what is masked, by names and with TelltaleReflectable")
    }

    private func memory(at place: PathWalk.Place) throws(CommandFailure) -> ValueMemory {
        let settled = try walk.settle(place)
        if case .masked = settled { throw refused() }
        guard case .object(let address, let type) = settled else {
            throw CommandFailure(
                .unsupported,
                "\(session.renderedPath) is not an object, so it has no reference count",
                hint: "`show \(session.renderedPath) --bytes` shows its bytes")
        }
        if session.isSecret(type) { throw refused() }
        guard let counts = ReferenceCounts.of(address, in: session.source) else {
            throw walk.notRead()
        }
        let size = TypeMetadata(type).instanceSize
        return ValueMemory(
            address: Quantity.address(address), size: size,
            block: ReferenceCounts.block(of: address, size: size, in: session.source),
            strong: counts?.strong, unowned: counts?.unowned, weak: counts?.weak,
            hasSideTable: counts?.hasSideTable ?? false)
    }

    // MARK: Bytes

    private func bytes(at place: PathWalk.Place) throws(CommandFailure) -> ValueBytes {
        var cover = ByteCover(session: session)
        let view: ValueView
        let count: Int
        switch place {
        case .object(let address, let type):
            return try bytes(of: address, type)
        case .spot(let spot):
            view = try content(of: spot.view)
            switch TypeShape.of(view.type) {
            case .object, .existential(.object):
                guard
                    case .object(let address, let type) = try walk.settle(
                        .spot(.init(view: view, field: nil)))
                else { throw refused() }
                return try bytes(of: address, type)
            default: break
            }
            count = TypeMetadata(view.type).size
            cover.add(view)
        case .property(let planned, let object):
            let field = planned.field
            let part = object.part(at: field.offset, type: field.type)
            guard field.isNoncopyable else {
                view = part
                count = TypeMetadata(UInt.self).size
                cover.show(part, count: count)
                break
            }
            count = cover.add(field, of: object)
            view = part
        case .masked: throw refused()
        case .elements, .made:
            throw CommandFailure(
                .unsupported,
                "\(session.renderedPath) is not a stored value, so it has no bytes of its own",
                hint: "name one element, or what it is stored in")
        }
        return try bytes(of: view, count: count, cover)
    }

    private func bytes(of address: UInt, _ type: Any.Type) throws(CommandFailure) -> ValueBytes {
        if session.isSecret(type) { throw refused() }
        guard let view = NodeMaker.instance(at: address, of: type, in: session.source) else {
            throw walk.notRead()
        }
        var cover = ByteCover(session: session)
        // The first 16 bytes are the type and the reference counts.
        cover.show(view, count: 16)
        cover.addFields(of: view)
        return try bytes(of: view, count: TypeMetadata(type).instanceSize, cover)
    }

    /// The value inside an `Any` or an `any P`, whose inline buffer is larger than many values need.
    private func content(of view: ValueView) throws(CommandFailure) -> ValueView {
        var view = view
        // The nesting of `Any` in `Any` is unbounded.
        for _ in 0..<64 {
            guard case .existential(let layout) = TypeShape.of(view.type) else { return view }
            if case .object = layout { return view }
            guard !session.isSecret(view.type) else { throw refused() }
            guard session.mayRead(view) else {
                session.needsMore = true
                throw walk.notRead()
            }
            guard MetadataLayout.current.has(.existentials),
                let content = layout.content(of: view)
            else { throw walk.notRead() }
            view = content
        }
        throw walk.notRead()
    }

    private func bytes(
        of view: ValueView, count: Int, _ cover: ByteCover
    ) throws(CommandFailure) -> ValueBytes {
        if cover.hides(view.offset..<view.offset + count) { throw refused() }
        let shown = min(count, Self.mostBytes)
        guard let bytes = view.block.bytes(at: view.offset, count: shown) else {
            throw walk.notRead()
        }
        let isShown = cover.shown(in: view.offset..<view.offset + shown)
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(shown * 2)
        for (byte, isShown) in zip(bytes, isShown) {
            text +=
                isShown
                ? [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                : [UInt8(ascii: "-"), UInt8(ascii: "-")]
        }
        withExtendedLifetime(view.block) {}
        return ValueBytes(size: count, hexadecimal: String(decoding: text, as: UTF8.self))
    }
}
#endif
