#if TELLTALE_AGENT
import TelltaleRuntime
import TelltaleSystem

/// The type names offered for completion: the types the program declares, and the classes with objects on the
/// heap.
struct TypeCompletion {
    let context: CommandContext

    /// The maximum number of classes named.
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
