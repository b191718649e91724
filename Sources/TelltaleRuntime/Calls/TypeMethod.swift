#if TELLTALE_AGENT
package import TelltaleSystem

/// A method, getter or setter of a type, found by its symbol, and the reason if it can't be called.
package struct TypeMethod: Sendable {
    package let symbol: String
    package let address: UInt
    /// The address of the async function record; nil for a function that is not async.
    package let record: UInt?
    /// Nil if the symbol is not understood.
    package let signature: FunctionSignature?
    /// The base name without labels; empty if even the name is not understood.
    package let name: String
    /// True if a setter's property has a `willSet` or a `didSet` that the optimiser has not removed.
    package var hasObservers = false
    /// The calling convention, or the reason why the function can't be called.
    package let callability: Result<MethodCallability, PassedType.Refusal>

    package var refusal: String? {
        if case .failure(let refusal) = callability { return refusal.reason }
        return nil
    }
}

/// A cache of the methods of the program's types. Each type's methods are read once while the same images
/// are loaded.
package enum TypeMethods {
    package struct List: Sendable {
        package var methods: [TypeMethod] = []
        /// The type's own symbol.
        var prefix = ""
        /// True for a type of a system library, whose symbols are not parsed.
        var isSystems = false
    }

    private struct State {
        var images: LoadedImages?
        var lists: [TypeDescriptor: List] = [:]
        /// The types whose symbols a thread is reading now. Other threads that need them wait for it.
        var reading: Set<TypeDescriptor> = []
    }

    /// The maximum number of cached lists.
    private static let capacity = 128
    private static let state = TimedCondition(State())

    /// Returns a type's own methods, without those of its superclasses; nil if its symbols can't be read by
    /// the deadline.
    package static func own(
        of type: TypeDescriptor, isClass: Bool, _ symbols: Symbolicator,
        until deadline: MonotonicTime
    ) -> List? {
        guard let images = images() else { return nil }
        // The list; an inner nil if this thread must read it; an outer nil if the deadline passed first.
        let found = state.wait(until: deadline) { state -> List?? in
            if images === state.images, let list = state.lists[type] { return .some(list) }
            return state.reading.insert(type).inserted ? .some(nil) : nil
        }
        guard let found else { return nil }
        if let found { return found }
        defer { state.update { _ = $0.reading.remove(type) } }
        guard let list = read(type, isClass: isClass, images, symbols, until: deadline) else {
            return nil
        }
        state.withLock { state in
            guard state.images === images else { return }
            if state.lists.count >= capacity { state.lists = [:] }
            state.lists[type] = list
        }
        return list
    }

    private static func read(
        _ type: TypeDescriptor, isClass: Bool, _ images: LoadedImages, _ symbols: Symbolicator,
        until deadline: MonotonicTime
    ) -> List? {
        let image = images.image(holding: UInt(bitPattern: type.pointer))
        let file = image?.path.split(separator: "/").last.map(String.init) ?? ""
        guard !CodeOrigin.isSystem(module: file) else { return List(isSystems: true) }
        guard
            let functions = ProgramTypes.functions(of: type, images, symbols, until: deadline),
            let methods = symbols.withFiles(
                until: deadline,
                { methods(functions, isClass: isClass, isGeneric: type.isGeneric, $0) })
        else { return nil }
        return List(methods: methods, prefix: functions.prefix)
    }

    /// Returns the images for which lists are cached. All threads share one value. With a value per thread,
    /// each thread that asks first would drop the others' lists.
    private static func images() -> LoadedImages? {
        let previous = state.withLock { $0.images }
        guard let images = LoadedImages.loaded(after: previous) else { return nil }
        return state.withLock { state in
            guard state.images === previous else { return state.images }
            if images !== previous { (state.images, state.lists) = (images, [:]) }
            return images
        }
    }

    /// Returns the methods of a class and of its superclasses, the most derived class first. An overridden
    /// method is left out. Nil if no methods can be read, or not all by the deadline.
    package static func all(
        of type: Any.Type, _ symbols: Symbolicator, until deadline: MonotonicTime
    ) -> [TypeMethod]? {
        var found: [TypeMethod] = []
        var seen: Set<String> = []
        var isAny = false
        for current in TypeMetadata.lineage(of: type) {
            guard let descriptor = TypeMetadata(current).descriptor else { break }
            let isClass = TypeMetadata(current).kind == .classType
            let list = own(of: descriptor, isClass: isClass, symbols, until: deadline)
            guard list != nil || MonotonicTime.now < deadline else { return nil }
            if let list, !list.isSystems {
                isAny = true
                for method in list.methods where seen.insert(key(method)).inserted {
                    found.append(method)
                }
            }
        }
        return isAny ? found : nil
    }

    /// Returns the cached methods of a class and of its superclasses, including overridden ones, without
    /// reading a file. Nil if a list is not cached yet, or can't be read.
    package static func known(of type: Any.Type) -> [TypeMethod]? {
        let state = state.withLock { $0 }
        guard let images = state.images, LoadedImages.loaded(after: images) === images else {
            return nil
        }
        var found: [TypeMethod] = []
        var isAny = false
        for current in TypeMetadata.lineage(of: type) {
            guard let descriptor = TypeMetadata(current).descriptor else { break }
            guard let list = state.lists[descriptor] else { return nil }
            if !list.isSystems {
                isAny = true
                found += list.methods
            }
        }
        return isAny ? found : nil
    }

    private static func key(_ method: TypeMethod) -> String {
        guard let signature = method.signature else { return method.symbol }
        let types = signature.parameters.map { "\(ObjectIdentifier($0.type))" }
        return "\(signature.kind) \(signature.isStatic) \(signature.selector) \(types)"
    }

    // Runs on the worker that currently has exclusive use of the object files.
    private static func methods(
        _ functions: ProgramTypes.Functions, isClass: Bool, isGeneric: Bool, _ files: ObjectFiles
    ) -> [TypeMethod] {
        var records: [String: UInt] = [:]
        var observed: Set<Substring> = []
        for (symbol, _) in functions.all
        where symbol.hasSuffix("vw") || symbol.hasSuffix("vW") {
            observed.insert(symbol.dropLast(2))
        }
        for (symbol, address) in functions.all where symbol.hasSuffix("Tu") {
            records[String(symbol.dropLast(2))] = address
        }
        let ends = ["F", "FZ", "vg", "vgZ", "vs", "vsZ"]
        return functions.all.compactMap { symbol, address in
            guard ends.contains(where: { symbol.hasSuffix($0) }), address != 0 else { return nil }
            let signature = FunctionSignature(symbol: symbol, of: functions.prefix)
            let callability = Result<MethodCallability, PassedType.Refusal> {
                () throws(PassedType.Refusal) in
                guard !isGeneric else {
                    throw PassedType.Refusal(reason: "its type is generic")
                }
                guard let signature else {
                    throw PassedType.Refusal(reason: reason(for: symbol))
                }
                let callability = try MethodCallability(of: signature)
                try check(
                    signature, callability, isClass: isClass, hasRecord: records[symbol] != nil,
                    files.declaration(of: address, in: functions.image))
                return callability
            }
            return TypeMethod(
                symbol: symbol, address: address, record: records[symbol], signature: signature,
                name: signature?.name ?? "",
                hasObservers: symbol.hasSuffix("vs") && observed.contains(symbol.dropLast(2)),
                callability: callability)
        }
    }

    /// Checks a method against the debug information, for properties that the symbol does not encode.
    private static func check(
        _ signature: FunctionSignature, _ callability: MethodCallability, isClass: Bool,
        hasRecord: Bool, _ declared: (parameters: Int, isOptimised: Bool)?
    ) throws(PassedType.Refusal) {
        typealias Refusal = PassedType.Refusal
        if signature.isStatic {
            guard signature.kind == .method else {
                throw Refusal(reason: "it is a static property")
            }
        }
        let words = callability.parameters.reduce(0) { $0 + $1.elements.count }
        if let declared, declared.parameters != words + 1 {
            throw Refusal(reason: "the compiler has added arguments to it")
        }
        if signature.isPrivate, declared?.isOptimised ?? true {
            throw Refusal(
                reason:
                    "it is private and may be optimised, so that it is called in a way of its own")
        }
        guard hasRecord || signature.isAsync else { return }
        guard hasRecord else {
            throw Refusal(
                reason:
                    "it is async and the program never calls it, so that the compiler has left out how"
            )
        }
        guard signature.kind == .method else { throw Refusal(reason: "it is an async property") }
        guard isClass || signature.isStatic else {
            throw Refusal(reason: "it is an async method of a struct")
        }
        // A function that runs in its caller's isolation receives the caller's actor as its first argument.
        // The symbol does not mention that.
        guard declared != nil || words == 0 else {
            throw Refusal(reason: "it is async, and there is no debug information about it")
        }
    }

    /// The reason why a symbol has no signature, derived from its demangled text.
    private static func reason(for symbol: String) -> String {
        let words = SymbolName.demangled(symbol) ?? ""
        let parameters = words.firstIndex(of: "(").map { words[$0...] } ?? ""
        if parameters.contains("inout ") { return "it takes an inout argument" }
        if words.contains("throws(") { return "it throws a typed error" }
        if parameters.contains("-> Self") { return "it gives Self" }
        if parameters.occurrences(of: " -> ") > 1 { return "it takes or gives a closure" }
        if parameters.contains("...") { return "it takes any number of arguments" }
        if words.contains("<A") { return "it is generic" }
        return "not all of its types are known"
    }
}

extension StringProtocol {
    /// Returns the number of occurrences of a part.
    fileprivate func occurrences(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
#endif
