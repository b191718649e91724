#if TELLTALE_AGENT
import TelltalePicture

/// What a variable of the program's or a library's is called, by its symbol.
enum VariableName {
    /// As the source has it, without its module and type: `PhotoStore.shared`.
    static func of(_ found: ResolvedFrame) -> String? {
        found.function.map { short($0, isSwift: SymbolName.isSwift(found.symbol ?? "")) }
    }

    /// The same of what a symbol says in words.
    static func short(_ demangled: String, isSwift: Bool = true) -> String {
        var name = demangled
        if let type = name.range(of: " : ") { name = String(name[..<type.lowerBound]) }
        if name.hasPrefix("static ") { name = String(name.dropFirst(7)) }
        // `App.(cache in _0F3A)` of one that is private to its file.
        while let place = name.range(of: " in _") {
            let end = name[place.upperBound...].firstIndex(of: ")") ?? name.endIndex
            name.removeSubrange(place.lowerBound..<end)
        }
        name.removeAll { $0 == "(" || $0 == ")" }
        guard isSwift, let dot = name.firstIndex(of: ".") else { return name }
        return String(name[name.index(after: dot)...])
    }

    /// Dispatch's lists of all sources.
    private static let registries: Set<String> = ["_dispatch_sources", "_dispatch_timers_heap"]

    /// The ends of symbols of what the compiler keeps metadata and witness tables in, which refer to
    /// none of the program's objects: what lies beside these in a block is left over.
    private static let caches = ["MD", "ML", "MI", "Ml", "MK", "WL"]

    /// Whether what such a variable has leads nowhere that a program goes.
    static func isNobodys(_ found: ResolvedFrame) -> Bool {
        guard let symbol = found.symbol else { return false }
        if registries.contains(symbol) || CodeOrigin.isAgent(symbol: symbol) { return true }
        return symbol.hasPrefix("$s") && caches.contains { symbol.hasSuffix($0) }
    }
}

extension String {
    /// Where `part` stands first.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
#endif
