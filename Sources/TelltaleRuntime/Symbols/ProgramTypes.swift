#if TELLTALE_AGENT
import TelltalePicture
package import TelltaleSystem

/// The types that the program and its libraries declare, and their functions.
package enum ProgramTypes {
    /// The maximum number of types listed.
    package static let capacity = 16_384

    /// All types, sorted by name, without those of the system, the toolchain, known packages and the agent.
    package static func all(_ images: LoadedImages) -> [DescriptorSearch.Declared] {
        let ranges = images.all.filter { image in
            let file = image.path.split(separator: "/").last.map(String.init) ?? ""
            return !CodeOrigin.isSystem(module: file)
        }.map { $0.low..<max($0.low, $0.high) }
        return DescriptorSearch.declared(
            where: { address in ranges.contains { $0.contains(address) } }, most: capacity
        ).filter {
            !CodeOrigin.agentModules.contains($0.module)
                && !PackageOrigin.isPackages(file: nil, module: $0.module)
        }.sorted { ($0.name, $0.module) < ($1.name, $1.module) }
    }

    /// A type's own functions, and the records of its async functions.
    package struct Functions: Sendable {
        /// The type's own symbol, with which the functions' symbols begin.
        var prefix: String
        package var all: [(symbol: String, address: UInt)]
        var image: LoadedImages.Image
    }

    /// The functions of a type; nil if it has no symbol, or its symbol can't be read by the deadline.
    package static func functions(
        of type: TypeDescriptor, _ images: LoadedImages, _ symbols: Symbolicator,
        until deadline: MonotonicTime
    ) -> Functions? {
        let address = UInt(bitPattern: type.pointer)
        guard let image = images.image(holding: address),
            let found = symbols.names(of: [address], deadline: deadline).first,
            // The symbol of a nominal type's descriptor is the type's own symbol with the suffix `Mn`.
            let symbol = found.symbol, found.offset == 0, symbol.hasSuffix("Mn")
        else { return nil }
        let prefix = String(symbol.dropLast(2))
        return symbols.withFiles(until: deadline) {
            Functions(
                prefix: prefix, all: $0.functions(beginning: prefix, in: image), image: image)
        }
    }
}

/// A type's functions in the syntax of the source.
package struct MethodList {
    private let prefix: String
    private let module: String
    /// The reason why each function can't be called; empty if it can.
    private var functions: [String: String] = [:]
    private var variables: [String: (type: String, canSet: Bool)] = [:]

    package init(of type: DescriptorSearch.Declared) {
        prefix = "\(type.module).\(type.name)."
        module = type.module
    }

    /// Adds a symbol, unless it is of a function that the compiler generates, or of a type nested in the
    /// type.
    package mutating func add(_ symbol: String, refusal: String?) {
        let ends = ["F", "FZ", "fC", "fc", "vg", "vgZ", "vs", "vsZ"]
        guard ends.contains(where: { symbol.hasSuffix($0) }),
            let demangled = SymbolName.demangled(symbol)
        else { return }
        var text = demangled.hasPrefix("static ") ? String(demangled.dropFirst(7)) : demangled
        let isStatic = text.utf8.count < demangled.utf8.count
        text = TypeMatch.withoutFiles(text)
        guard text.hasPrefix(prefix) else { return }
        text = TypeNames.sugared(withoutModules(String(text.dropFirst(prefix.count))))
        let name = text.prefix { $0 != "(" && $0 != "<" && $0 != " " }
        if symbol.hasSuffix("F") || symbol.hasSuffix("FZ") {
            guard !name.contains(".") else { return }
            functions[(isStatic ? "static func " : "func ") + text] = refusal ?? ""
        } else if symbol.hasSuffix("fC") || symbol.hasSuffix("fc") {
            guard !name.contains("."), let parenthesis = text.firstIndex(of: "(") else { return }
            // The result type of an initialiser is known.
            let end = text.lastIndex(of: "-").map { text.index($0, offsetBy: -1) }
            functions["init" + text[parenthesis..<(end ?? text.endIndex)]] =
                "it makes an object"
        } else {
            addVariable(text, isStatic)
        }
    }

    /// `items.getter : [Photo]`
    private mutating func addVariable(_ text: String, _ isStatic: Bool) {
        let isSetter = text.contains(".setter : ")
        guard let dot = text.firstIndex(of: "."), let colon = text.firstIndex(of: ":"),
            text[dot...].hasPrefix(".getter : ") || text[dot...].hasPrefix(".setter : ")
        else { return }
        let name = (isStatic ? "static var " : "var ") + text[..<dot]
        let type = String(text[text.index(after: colon)...].drop { $0 == " " })
        variables[name] = (type, isSetter || variables[name]?.canSet == true)
    }

    private func withoutModules(_ text: String) -> String {
        var words = ""
        var rest = text[...]
        while !rest.isEmpty {
            let isStart =
                words.last.map { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." } ?? true
            if isStart, let name = ["Swift.", module + "."].first(where: { rest.hasPrefix($0) }) {
                rest = rest.dropFirst(name.count)
            } else {
                words.append(rest.removeFirst())
            }
        }
        return words
    }

    /// All members, variables before functions, and the reason why each can't be called: nil for a
    /// variable, empty for a callable function.
    package var all: [(text: String, refusal: String?)] {
        variables.map { "\($0.key): \($0.value.type) { get\($0.value.canSet ? " set" : "") }" }
            .sorted().map { ($0, nil) }
            + functions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
#endif
