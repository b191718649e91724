#if TELLTALE_AGENT
import TelltaleSystem

/// The names of classes that have objects, for completion.
struct TypeCompletion {
    let context: CommandContext

    /// At most so many classes are named.
    private static let most = 4096

    var names: [String] {
        guard let census = try? HeapCensus.counted(until: context.answerDeadline) else { return [] }
        let names = HeapNames(census)
        return census.rows.prefix(Self.most).compactMap { row in
            guard let name = names.name(of: row), name.kind == "class", !name.isAgents else {
                return nil
            }
            return name.text
        }
    }
}
#endif
