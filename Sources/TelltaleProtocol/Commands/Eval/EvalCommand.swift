#if TELLTALE_COMPILED
/// `eval`: Swift source, compiled by the client and run in the service.
package enum EvalCommand: Command {
    package struct Parameters: MemberCoded {
        /// The source as typed.
        package var code: String
        /// The executor: `main`, `none`, a registered object (its owner), or a queue.
        package var on: String?
        /// The compiled code; `nil` to ask for the ``EvalAnswer/host`` that it is compiled for.
        package var compiled: CompiledCode?
        /// Asks whether code can be evaluated here, and runs none.
        package var isCheck: Bool?
        /// The client's file with the source; not sent.
        package var file: String?

        package init(code: String, on: String? = nil) {
            self.code = code
            self.on = on
        }

        package init() { self.init(code: "") }

        package mutating func code(_ coder: inout MemberCoder) {
            coder.member("code", &code)
            coder.member("on", &on)
            coder.member("compiled", &compiled)
            coder.member("isCheck", &isCheck)
            coder.member("file", &file)
        }
    }

    package typealias Answer = EvalAnswer

    package static let description = CommandDescription(
        "eval [--on OWNER] [--file FILE] [--check] [CODE]", "run Swift source in the service",
        detail: """
            The client compiles CODE against the service's own modules, with the toolchain of its
            machine, and the agent runs it. Registered objects are variables by their names. The
            value of the last expression is the answer; a line of declarations lasts for the
            session. The code runs on the owner of the registered object that it names, or where
            --on says: main, a registered object (its owner), a queue, or none. Code with `await`
            runs as a task. A trap ends the evaluation and not the service; the locks that the code
            holds then stay held. The evaluation is listed by `changes`. --file reads the source
            from a file, `eval -` from standard input. --check says whether code can be evaluated
            here. In a session a line other than a command, path, call or assignment is evaluated.
            """,
        example: "eval photos.items.filter { $0.attempts > 0 }.map(\\.title)", effect: .changes,
        timeout: .seconds(30), history: .keptWithoutSecrets, takesRawRest: true, completes: .path)

    package static func parameters(
        of arguments: inout CommandArguments
    ) throws(CommandFailure) -> Parameters {
        var line = TypedLine(arguments.takeAll())
        var parameters = Parameters()
        while line.text.hasPrefix("--") {
            let (word, rest) = line.head
            line = TypedLine(rest.trimmed)
            switch word {
            case "--check": parameters.isCheck = true
            case "--file":
                guard !line.text.isEmpty else { throw usage("--file of eval needs a file") }
                parameters.file = line.text
                return parameters
            case "--on":
                guard !line.text.isEmpty else { throw usage("--on of eval needs an owner") }
                parameters.on = String(line.head.word)
                line = TypedLine(line.head.rest.trimmed)
            default: throw usage("eval has no option \(word)")
            }
        }
        parameters.code = line.text
        guard !line.text.isEmpty || parameters.isCheck == true else {
            throw usage("eval needs Swift source")
        }
        return parameters
    }
}

/// Code that a client has compiled for one process.
package struct CompiledCode: MemberCoded, Sendable {
    /// The shared object, hexadecimal.
    package var object = ""
    /// The name of its function, which hands the agent the code.
    package var entry = ""
    /// The names of the registered objects that the code names.
    package var names: [String] = []
    /// Indicates that the code awaits.
    package var isAsync = false

    package init() {}

    package mutating func code(_ coder: inout MemberCoder) {
        coder.member("object", &object)
        coder.member("entry", &entry)
        coder.member("names", &names)
        coder.member("isAsync", &isAsync)
    }

    /// Bytes as hexadecimal text.
    package static func text(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[index * 2] = digits[Int(byte >> 4)]
                buffer[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// The bytes of the object; `nil` if the text is not hexadecimal.
    package var bytes: [UInt8]? {
        let text = Array(object.utf8)
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = Self.digit(text[index]), let low = Self.digit(text[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
#endif
