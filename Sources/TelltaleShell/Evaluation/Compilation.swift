import TelltaleProtocol
import TelltaleSystem

/// One run of the compiler and the linker, as children of the client.
struct Compilation {
    let toolchain: Toolchain
    /// The folder with the service's modules.
    let modules: String
    let moduleMaps: [String]
    let headerFolders: [String]
    /// The session's folder, with the modules of its earlier evaluations.
    let folder: String
    /// The compiler's own cache of C modules.
    let cache: String
    /// A descriptor that ends the work as soon as it can be read.
    let interrupt: Int32?

    /// The time that a compiler may take.
    private static let limit = Duration.seconds(60)

    /// The compiler's words, if it refuses the code.
    struct Refusal: Error {
        let words: String
    }

    /// Compiles a source file to an object file.
    ///
    /// - Throws: ``Refusal``, or a `CommandFailure`.
    func compile(_ source: EvaluationSource) throws -> String {
        let file = "\(folder)/\(source.module).swift"
        let object = "\(folder)/\(source.module).o"
        try write(source.text, to: file)
        var arguments = [
            "-frontend", "-c", "-primary-file", file, "-target", Toolchain.target,
            "-disable-objc-interop", "-Onone", "-parse-as-library", "-enable-testing",
            "-disable-access-control", "-disable-llvm-verify", "-empty-abi-descriptor",
            "-suppress-warnings", "-diagnostic-style", "llvm", "-swift-version", "5",
            "-module-name", source.module, "-I", modules, "-I", folder,
            "-module-cache-path", cache, "-plugin-path", toolchain.plugins,
            "-emit-module", "-emit-module-path", "\(folder)/\(source.module).swiftmodule",
        ]
        for folder in headerFolders { arguments += ["-Xcc", "-I", "-Xcc", folder] }
        for map in moduleMaps { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
        let (status, words) = try run(toolchain.frontend, arguments + ["-o", object])
        guard status == 0 else { throw Refusal(words: words) }
        return object
    }

    /// Links an object file to a shared one in which the host's own symbols have these addresses, and the `wrapped`
    /// ones the address of `__wrap_` and their name: the C library's own would be found before them.
    func link(
        _ object: String, addresses: [(String, UInt64)], wrapped: Set<String>
    ) throws -> [UInt8] {
        let script = object + ".ld"
        let shared = object + ".so"
        let lines = addresses.map { "\"\($0)\" = \($1);" }
        try write(lines.joined(separator: "\n") + "\n", to: script)
        let (status, words) = try run(
            toolchain.linker,
            ["-shared", toolchain.runtimeObject, object, script, "-o", shared]
                + wrapped.sorted().map { "--wrap=\($0)" })
        guard status == 0, let bytes = SmallFile.bytes(of: shared, limit: 1 << 26) else {
            throw CommandFailure(
                .internal, "the compiled code could not be linked", hint: words.escaped(limit: 2000)
            )
        }
        return bytes
    }

    /// Removes what was made for one evaluation, but for its module, which later ones may import.
    func clear(_ object: String) {
        for file in [object, object + ".ld", object + ".so", object.dropLast() + "swift"] {
            try? FileFacts.remove(String(file))
        }
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        do throws(SystemError) {
            try PrivateFile.replace(path, with: Array(text.utf8))
        } catch {
            throw CommandFailure(.unsupported, "the code was not compiled: \(error)")
        }
    }

    private func run(
        _ program: String, _ arguments: [String]
    ) throws(CommandFailure) -> (status: Int32, words: String) {
        do throws(SystemError) {
            let started = try StartedProgram(program, arguments, capturing: .errors)
            let words = started.readToEnd(
                limit: 1 << 20, until: .now.advanced(by: Self.limit), interrupt: interrupt)
            if let words {
                return (started.waitUntilExit(), String(decoding: words, as: UTF8.self))
            }
        } catch {
            throw CommandFailure(
                .unsupported, "the compiler was not started: \(error)",
                hint: "TELLTALE_TOOLCHAIN names another one")
        }
        let isInterrupted = interrupt.map {
            DescriptorWait.wait(for: -1, interrupt: $0, until: .now) == .interrupted
        }
        throw CommandFailure(
            .timeout,
            isInterrupted == true
                ? "the compilation was ended; nothing was run"
                : "\(program) did not end in \(Quantity.time(Self.limit)); nothing was run")
    }
}
