#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// Looks up a type of the program by its name, with or without the names of the enclosing types.
enum NamedType {
    /// - Throws: An error if several types have that name.
    static func find(_ typed: String) throws(CommandFailure) -> DescriptorSearch.Declared? {
        guard let images = LoadedImages.read() else { return nil }
        let types = ProgramTypes.all(images)
        var fitting = types.filter { $0.name == typed || "\($0.module).\($0.name)" == typed }
        if fitting.isEmpty { fitting = types.filter { $0.name.endsWithPart(typed) } }
        guard fitting.count < 2 else {
            let names = fitting.prefix(6).map { "\($0.module).\($0.name)" }
            throw CommandFailure(
                .usage, "several types are called \(typed.escaped(limit: 100))",
                hint: "write \(names.joined(separator: " or "))")
        }
        return fitting.first
    }
}

extension MethodTarget {
    /// A type as the target of its static methods, which run on `owner`.
    static func type(
        _ declared: DescriptorSearch.Declared, on owner: Owner
    ) throws(CommandFailure) -> MethodTarget {
        guard let type = declared.descriptor.metadata else {
            throw CommandFailure(
                .unsupported, "\(declared.name) is generic: its static methods are not called")
        }
        let entry = RegistryEntry(
            identifier: Registrar.makeIdentifier(), name: declared.name,
            target: .closure(HeldValue({ @Sendable in nil }, of: .none, .toOwnerOrHost), of: nil),
            owner: owner,
            type: type, isLeftOutOfDumps: true)
        return MethodTarget(
            entry: entry, path: [], expected: nil, rendered: declared.name, type: type,
            sort: .type)
    }
}
#endif
