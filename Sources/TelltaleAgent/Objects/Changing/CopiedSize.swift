#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The size of the storage that an owner would have to copy to change a part of a value.
enum CopiedSize {
    /// The maximum number of bytes copied on an owner: copying 16 MiB takes some 5 ms.
    static let most = 16 << 20

    /// Refuses an edit that would copy more than ``most`` bytes of the storage of a string or a collection.
    static func check(_ value: Any?, _ rendered: String) throws(CommandFailure) {
        guard let value else { return }
        let bytes = withUnsafePointer(to: value) { place in
            ValueView(of: Any.self, at: UInt(bitPattern: place), in: .process, isStable: true)
                .flatMap(storage)
        }
        try check(bytes: bytes ?? 0, rendered)
    }

    /// Refuses likewise for the collection at `place`, which is written in place unless its storage is
    /// shared.
    static func check(
        at place: UnsafeMutableRawPointer, _ type: Any.Type, _ rendered: String
    ) throws(CommandFailure) {
        let view = ValueView(
            of: type, at: UInt(bitPattern: place), in: .process, isStable: true)
        guard let view, let bytes = storage(view), bytes > most, let object = view.word(),
            let counts = ReferenceCounts.of(object, in: .process) ?? nil, counts.strong > 1
        else { return }
        try check(bytes: bytes, rendered)
    }

    private static func check(bytes: Int, _ rendered: String) throws(CommandFailure) {
        guard bytes > most else { return }
        throw CommandFailure(
            .unsupported,
            "\(rendered) has \(Quantity.bytes(bytes)), which its owner would copy for this change; "
                + "\(Quantity.bytes(most)) is the most; nothing was changed",
            hint: "an action of the service's own changes it where it stands")
    }

    private static func storage(_ view: ValueView) -> Int? {
        switch TypeShape.of(view.type) {
        case .existential(let layout): layout.content(of: view).flatMap(storage)
        case .optional(let wrapped):
            view.isSome == true ? storage(view.part(type: wrapped)) : nil
        case .string: StringStorage.read(view, limit: 0)?.byteCount
        case .array(let element): bytes(ArrayStorage(array: view, element: element))
        case .slice(let element): bytes(ArrayStorage(slice: view, element: element))
        case .dictionary(let key, let value): HashStorage(view, key: key, value: value)?.byteCount
        case .set(let element): HashStorage(view, key: element, value: nil)?.byteCount
        default: nil
        }
    }

    private static func bytes(_ array: ArrayStorage?) -> Int? {
        array.map { $0.count * TypeMetadata($0.element).stride }
    }
}
#endif
