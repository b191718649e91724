import TelltaleProtocol

/// The source file that a compiler gets for an evaluation.
struct EvaluationSource {
    /// The place of the typed code in the file.
    enum Form {
        /// Outside of all functions: it declares, and lasts for the session.
        case declarations
        /// In a function whose result is the value of the last expression, by a result builder.
        case expressions
        /// In a function, which returns what it says.
        case statements
    }

    let code: String
    let module: String
    /// The modules that it sees with all their declarations, and those of which it sees the public ones.
    var imports: [String]
    var publicImports: [String] = []
    /// The registered objects that it names.
    let variables: [EvalHost.Variable]
    /// The numbers and types of the earlier results that it uses, which the agent keeps for this session.
    private let results: [Int: String]
    private let session: UInt64
    var form: Form
    var isOnMainActor = false

    /// Indicates that the code awaits.
    var isAsync: Bool { Self.words(of: code).contains("await") }

    /// The name of the function that hands over the code.
    var entry: String { "\(module)_entry" }

    /// The name of the file in the compiler's messages about the typed code.
    static let name = "eval"

    /// Makes the first form to try.
    init(
        _ code: String, module: String, imports: [String], host: EvalHost,
        results: [Int: String] = [:]
    ) {
        self.session = host.session
        var body = code
        while let (name, rest) = Self.importedModule(body) {
            if !imports.contains(name) { publicImports.append(name) }
            body = rest
        }
        (body, self.results) = Self.named(body, results)
        self.code = body
        self.module = module
        self.imports = imports
        let words = Self.words(of: body)
        variables = host.variables.filter {
            words.contains(Self.name(of: $0)) && Self.spelled($0.type) != nil
        }
        form = Self.declares(body) ? .declarations : .expressions
    }

    private static func importedModule(_ code: String) -> (String, String)? {
        let line = code.drop { $0.isWhitespace || $0 == ";" }
        guard line.hasPrefix("import ") else { return nil }
        let end = line.firstIndex { $0 == "\n" || $0 == ";" } ?? line.endIndex
        let name = line[..<end].dropFirst(7).filter { !$0.isWhitespace }
        return (name, String(line[end...].drop { $0 == ";" || $0 == " " }))
    }

    /// Gives earlier results their names: `$0` outside of all braces, where it is no argument of a closure, is `_0`, which
    /// moves no column of the compiler's messages.
    private static func named(
        _ code: String, _ results: [Int: String]
    ) -> (String, [Int: String]) {
        var text = ""
        var used: [Int: String] = [:]
        var depth = 0
        var rest = code[...]
        while let character = rest.popFirst() {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if character == "$", depth == 0, let number = Int(digits), let type = results[number] {
                used[number] = type
                text.append("_")
            } else {
                text.append(character)
            }
        }
        return (text, used)
    }

    // MARK: Names

    /// The name of a registered object as a variable: `bound.serial` is `bound_serial`.
    static func name(of variable: EvalHost.Variable) -> String {
        String(variable.name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }

    /// The type as it can be written: a private one without its file. `nil` for one that has no spelling.
    static func spelled(_ type: String) -> String? {
        var text = type
        while let start = text.firstRange(of: "(unknown context at "),
            let end = text[start.upperBound...].firstRange(of: ").")
        {
            text.removeSubrange(start.lowerBound..<end.upperBound)
        }
        return text.contains("(") ? nil : text
    }

    /// The words of the code that are no members of others.
    static func words(of code: String) -> Set<String> {
        var words: Set<String> = []
        var word = ""
        var isMember = false
        var before: Character = " "
        for character in code + " " {
            if character.isLetter || character.isNumber || character == "_" {
                if word.isEmpty { isMember = before == "." }
                word.append(character)
            } else if !word.isEmpty {
                if !isMember { words.insert(word) }
                word = ""
            }
            before = character
        }
        return words
    }

    private static let declaring: Set<String> = [
        "let", "var", "func", "struct", "class", "enum", "actor", "extension", "protocol",
        "typealias", "final", "indirect", "macro",
    ]

    /// Returns whether the code begins with a declaration.
    static func declares(_ code: String) -> Bool {
        let start = code.drop { $0.isWhitespace }
        return declaring.contains(String(start.prefix { $0.isLetter }))
    }

    /// The names that the code declares as variables outside of all braces: those behind `let` and `var`.
    var declaredVariables: [String] {
        var names: [String] = []
        for statement in Self.statements(of: code) {
            let words = statement.split { $0.isWhitespace || $0 == ":" || $0 == "=" }
            guard words.count > 1, ["let", "var"].contains(words[0]),
                words[1].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else { continue }
            names.append(String(words[1]))
        }
        return names
    }

    /// The code's lines outside of all braces.
    private static func statements(of code: String) -> [String] {
        var statements = [""]
        var depth = 0
        for character in code {
            switch character {
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            case "\n", ";": if depth == 0 { statements.append("") }
            default: if depth == 0 { statements[statements.count - 1].append(character) }
            }
        }
        return statements
    }

    /// The names of all that it declares.
    var declaredNames: Set<String> {
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        return Set(zip(words, words.dropFirst()).filter { Self.declaring.contains($0.0) }.map(\.1))
    }

    // MARK: Text

    var text: String {
        var lines = imports.map { "@testable import \($0)" }
        lines += publicImports.map { "import \($0)" }
        lines += declarations + body + [handover]
        return lines.joined(separator: "\n") + "\n"
    }

    /// An object or a result that the code uses, as it is declared and as it is taken.
    private struct Given {
        var name: String
        var type: String
        var taking: String
    }

    /// All that the agent gives the code. It is taken when the code begins, which throws if it is gone: nothing traps that
    /// the code later does on another thread.
    private var given: [Given] {
        let objects = variables.compactMap { variable in
            Self.spelled(variable.type).map { type in
                Given(
                    name: Self.name(of: variable), type: type,
                    taking: "try __telltaleTaken(\"\(variable.name)\", as: \(type).self)")
            }
        }
        return objects
            + results.sorted { $0.key < $1.key }.map { number, type in
                let type = Self.spelled(type) ?? "Any"
                return Given(
                    name: "_\(number)", type: type,
                    taking: "try __telltaleKept(\(number), as: (\(type)).self)")
            }
    }

    private var declarations: [String] {
        let sending = isAsync ? "() async throws -> Any?" : "() throws -> Any?"
        return [
            "@_silgen_name(\"telltale_eval_object\") private func __telltaleObject(",
            "_ name: StaticString) -> UnsafeMutableRawPointer?",
            "@_silgen_name(\"telltale_eval_result\") private func __telltaleResult(",
            "_ session: UInt64, _ number: Int) -> Any?",
            "@_silgen_name(\"telltale_eval_take\(isAsync ? "_async" : "")\")",
            "private func __telltaleTake(",
            "_ code: UnsafeMutableRawPointer, _ body: @escaping @Sendable \(sending))",
            """
            private struct __TelltaleGone: Error, CustomStringConvertible { let description: String }
            private func __telltaleTaken<T: AnyObject>(_ name: StaticString, as type: T.Type) throws -> T {
            guard let object = __telltaleObject(name) else {
            throw __TelltaleGone(description: "\\(name) is gone") }
            return Unmanaged<T>.fromOpaque(object).takeRetainedValue() }
            private func __telltaleKept<T>(_ number: Int, as type: T.Type) throws -> T {
            guard let result = __telltaleResult(\(session), number), let value = result as? T else {
            throw __TelltaleGone(description: "$\\(number) is no longer kept") }
            return value }
            @resultBuilder private enum __TelltaleLast {
            static func buildExpression<T>(_ x: T) -> T { x }
            static func buildBlock() -> Any? { nil }
            static func buildPartialBlock<T>(first x: T) -> T { x }
            static func buildPartialBlock<A, T>(accumulated: A, next: T) -> T { next }
            static func buildOptional<T>(_ x: T?) -> T? { x }
            static func buildOptional(_ x: Void?) {}
            static func buildEither<T>(first x: T) -> Any { x }
            static func buildEither<T>(second x: T) -> Any { x }
            static func buildArray<T>(_ x: [T]) -> [T] { x }
            static func buildArray(_ x: [Void]) {}
            static func buildFinalResult<T>(_ x: T) -> Any? { x }
            }
            """,
        ]
    }

    private var isMain: Bool { isOnMainActor && !isAsync }

    private func head(_ parameters: [String]) -> String {
        (isMain ? "@MainActor " : "")
            + "private func __telltaleBody(\(parameters.joined(separator: ", "))) "
            + "\(isAsync ? "async " : "")throws -> Any? {"
    }

    private var body: [String] {
        let source = "#sourceLocation(file: \"\(Self.name)\", line: 1)"
        let parameters = given.map { "_ \($0.name): \($0.type)" }
        switch form {
        case .declarations:
            // Declared code may use it later, so it is held.
            let held = given.map { given in
                "private var __held_\(given.name): \(given.type)?\n"
                    + "private var \(given.name): \(given.type) { __held_\(given.name).unsafelyUnwrapped }"
            }
            let taking = given.map { "__held_\($0.name) = \($0.taking)" }
            let made = declaredVariables
            return held + [source, code, "#sourceLocation()", head([])] + taking
                + made.map { "_ = \($0)" }
                + [made.count == 1 ? "return \(made[0]) }" : "return nil }"]
        case .expressions:
            return ["@__TelltaleLast \(head(parameters))", source, code, "#sourceLocation()", "}"]
        case .statements:
            return [head(parameters), source, code, "#sourceLocation()", "return nil }"]
        }
    }

    private var handover: String {
        let arguments = form == .declarations ? [] : given.map(\.taking)
        let call =
            "try \(isAsync ? "await " : "")__telltaleBody(\(arguments.joined(separator: ", ")))"
        let taking =
            isMain
            ? "let body: @MainActor () throws -> Any? = { \(call) }\n"
                + "__telltaleTake(code, unsafeBitCast(body, to: (@Sendable () throws -> Any?).self))"
            : "__telltaleTake(code, { \(call) })"
        return "@_cdecl(\"\(entry)\") public func \(entry)(_ code: UnsafeMutableRawPointer) {\n"
            + taking + "\n}"
    }
}
