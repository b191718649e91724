#if TELLTALE_AGENT
import TelltaleSystem

/// The names of types, for completion: those of the program, and of classes that have objects.
struct TypeCompletion {
    let context: CommandContext

    /// At most so many classes are named.
    private static let most = 4096

    var names: [String] {
        let declared = LoadedImages.read().map { ProgramTypes.all($0).map(\.name) } ?? []
        guard let census = try? HeapCensus.counted(until: context.answerDeadline) else {
            return declared
        }
        let names = HeapNames(census)
        let counted = census.rows.prefix(Self.most).compactMap { row -> String? in
            guard let name = names.name(of: row), name.kind == "class", !name.isAgents else {
                return nil
            }
            return name.text
        }
        return declared + counted
    }
}
#endif
