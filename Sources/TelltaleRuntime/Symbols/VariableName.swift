#if TELLTALE_AGENT
package import TelltalePicture

/// The name of a variable of the program or a library, by its symbol.
package enum VariableName {
    /// The name as in the source, without its module and type: `PhotoStore.shared`.
    package static func of(_ found: ResolvedFrame) -> String? {
        found.function.map { short($0, isSwift: SymbolName.isSwift(found.symbol ?? "")) }
    }

    /// The same, from a demangled symbol.
    static func short(_ demangled: String, isSwift: Bool = true) -> String {
        var name = demangled
        if let type = name.range(of: " : ") { name = String(name[..<type.lowerBound]) }
        if name.hasPrefix("static ") { name = String(name.dropFirst(7)) }
        // `App.(cache in _0F3A)` is the name of a variable that is private to its file.
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

    /// The suffixes of symbols of the compiler's caches for metadata and witness tables, which refer to no
    /// object of the program. Other words in a block with such a cache are left over.
    private static let caches = ["MD", "ML", "MI", "Ml", "MK", "WL"]

    /// Returns true if the variable's references don't count: it belongs to a registry of Dispatch, to the
    /// agent, or to a metadata cache.
    package static func isNobodys(_ found: ResolvedFrame) -> Bool {
        guard let symbol = found.symbol else { return false }
        if registries.contains(symbol) || CodeOrigin.isAgent(symbol: symbol) { return true }
        return symbol.hasPrefix("$s") && caches.contains { symbol.hasSuffix($0) }
    }
}

extension String {
    /// The range of the first occurrence of `part`.
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
