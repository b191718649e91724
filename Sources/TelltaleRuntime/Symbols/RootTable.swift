#if TELLTALE_AGENT
package import TelltaleSystem

/// A global or a static property of the program, by its symbol.
package struct RootVariable: Sendable {
    /// The name as in the source, without its module: `photos`, `PhotoManager.shared`.
    package var name: String
    package var module: String
    var symbol: String
    package var address: UInt
    /// The once-token that tells if a lazy variable was initialised; nil if the variable is not lazy.
    var token: UInt?

    package enum State: Sendable { case made, notYet, beingMade }

    /// The initialisation state. The runtime's `once` stores 0 before the initialisation, and a negative
    /// `int` after it (`swift/Threading/Impl/Linux.h` of swift-6.3.1).
    package var state: State {
        guard let token, let word = GuardedMemory.load(Int32.self, at: token) else { return .made }
        return word < 0 ? .made : word == 0 ? .notYet : .beingMade
    }

    /// The variable's type; nil if the type in its symbol is not understood.
    package var type: Any.Type? { Self.types.type(of: self) }

    /// The name of the variable's type.
    package var typeName: String {
        if let type { return TypeNames.name(of: type) }
        let demangled = SymbolName.demangled(symbol) ?? ""
        guard let colon = demangled.firstIndex(of: ":") else { return "" }
        return String(demangled[demangled.index(after: colon)...].drop { $0 == " " })
    }

    private static let types = VariableTypes()
}

/// A cache of the types of variables, by address.
private final class VariableTypes: Sendable {
    private let known = Locked<[UInt: (symbol: String, word: UInt)]>([:])
    private static let capacity = 8192

    func type(of variable: RootVariable) -> Any.Type? {
        // Another image may be at this address by now.
        if let known = known.withLock({ $0[variable.address] }), known.symbol == variable.symbol {
            return known.word == 0 ? nil : MetadataCheck.type(at: known.word)
        }
        let type = MangledType.type(ofVariable: variable.symbol)
        let word = type.map { unsafeBitCast($0, to: UInt.self) } ?? 0
        known.withLock {
            if $0.count < Self.capacity { $0[variable.address] = (variable.symbol, word) }
        }
        return type
    }
}

/// The globals and static properties of the program's own modules, from the symbols of the loaded images.
///
/// Read once, and again after images were loaded or unloaded.
package final class RootTable: Sendable {
    package struct Roots: Sendable {
        package var variables: [RootVariable] = []
        /// True if there are more variables than the capacity.
        package var isCut = false
        /// The data that could not be read.
        package var problems: [String] = []
    }

    /// The maximum number of variables kept, of some 300 bytes each.
    package static let capacity = 4096

    private struct State {
        var images: LoadedImages?
        var roots = Roots()
    }

    private let state = Locked(State())

    package init() {}

    /// All variables, sorted by name; nil if the files can't be read by the deadline.
    package func roots(_ symbols: Symbolicator, until deadline: MonotonicTime) -> Roots? {
        let known = state.withLock { $0 }
        guard let images = LoadedImages.loaded(after: known.images) else { return nil }
        if images === known.images { return known.roots }
        guard let found = symbols.withFiles(until: deadline, { Self.read($0, images) }) else {
            return nil
        }
        state.withLock { $0 = State(images: images, roots: found) }
        return found
    }

    // Runs on the worker that currently has exclusive use of the object files.
    private static func read(_ files: ObjectFiles, _ images: LoadedImages) -> Roots {
        var roots = Roots()
        for image in images.all where !image.isVDSO {
            let file = image.path.split(separator: "/").last.map(String.init) ?? ""
            guard !CodeOrigin.isSystem(module: file) else { continue }
            for variable in variables(in: image, files) {
                guard roots.variables.count < capacity else {
                    roots.isCut = true
                    break
                }
                roots.variables.append(variable)
            }
        }
        roots.variables.sort { ($0.name, $0.address) < ($1.name, $1.address) }
        roots.problems = files.problems
        return roots
    }

    private static func variables(
        in image: LoadedImages.Image, _ files: ObjectFiles
    ) -> [RootVariable] {
        var tokens: [String: UInt] = [:]
        var found: [(symbol: String, address: UInt)] = []
        for (symbol, address) in files.variables(in: image) {
            if symbol.hasSuffix("_Wz") {
                tokens[String(symbol.dropLast(3))] = address
            } else {
                found.append((symbol, address))
            }
        }
        return found.compactMap { symbol, address in
            guard let module = SymbolName.module(of: symbol, nil),
                !CodeOrigin.agentModules.contains(module),
                !PackageOrigin.isPackages(file: nil, module: module),
                let demangled = SymbolName.demangled(symbol)
            else { return nil }
            return RootVariable(
                name: VariableName.short(demangled), module: module, symbol: symbol,
                address: address, token: token(of: symbol, tokens))
        }
    }

    /// The symbol of a once-token begins with the variable's symbol without its type.
    private static func token(of symbol: String, _ tokens: [String: UInt]) -> UInt? {
        guard !tokens.isEmpty else { return nil }
        var start = symbol[...]
        while start.utf8.count > 4 {
            if let token = tokens[String(start)] { return token }
            start.removeLast()
        }
        return nil
    }
}
#endif
