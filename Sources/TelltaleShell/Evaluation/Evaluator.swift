import TelltaleClient
import TelltaleProtocol
import TelltaleSystem

/// Compiles the code of `eval` for one service after another, and keeps what a session declares.
final class Evaluator {
    /// A service that code is compiled for.
    private struct Service {
        let pid: Int32
        let startTicks: UInt64
        let program: HostProgram
        let compilation: Compilation
    }

    /// An earlier evaluation whose declarations can be used.
    private struct Declared {
        let module: String
        let names: Set<String>
    }

    private var service: Service?
    private var declared: [Declared] = []
    /// The types of the results that the agent keeps, by their numbers.
    private var results: [Int: String] = [:]
    private var session: UInt64 = 0
    private var folder: TemporaryFolder?
    private var number = 0

    /// Compiles the request's code and has the agent run it.
    func answer(
        to request: Request, on connection: AgentConnection, limit: Duration?, interrupt: Int32?,
        progress: ProgressLine?
    ) throws(CommandFailure) -> any CommandAnswer {
        let parameters = try parameters(of: request)
        if parameters.compiled != nil {
            return try connection.answer(to: request, limit: limit, interrupt: interrupt)
        }
        let began = MonotonicTime.now
        defer { progress?.clear() }
        let asked = try connection.answer(to: EvalCommand.self, .init(code: ""), limit: limit)
        guard let host = asked.host else {
            throw CommandFailure(
                .unsupported, "this agent can't evaluate: it is of an earlier version")
        }
        // A new connection has none of the results of an earlier one.
        if host.session != session { results = [:] }
        session = host.session
        let service = try service(of: connection, host, interrupt, progress)
        if parameters.isCheck == true { return check(service, host) }
        let (compiled, source) = try compile(parameters, for: service, host, progress)
        var run = parameters
        run.compiled = compiled
        if source.isOnMainActor, run.on == nil, !compiled.isAsync { run.on = "main" }
        let compileTime = MonotonicTime.now.since(began).microseconds
        let answer = try connection.answer(
            to: Request(EvalCommand.self, run), limit: limit, interrupt: interrupt)
        if case .declarations = source.form {
            let names = source.declaredNames
            declared.removeAll { $0.names.isSubset(of: names) }
            declared.append(Declared(module: source.module, names: names))
        }
        guard var result = answer as? EvalAnswer else { return answer }
        if let number = result.number { results[number] = result.resultType }
        result.compileMicroseconds = compileTime
        return result
    }

    /// Returns whether an evaluation of the session has declared the name.
    func declares(_ name: String) -> Bool { declared.contains { $0.names.contains(name) } }

    private func parameters(
        of request: Request
    ) throws(CommandFailure) -> EvalCommand.Parameters {
        var parameters: EvalCommand.Parameters
        do {
            parameters = try EvalCommand.Parameters(json: request.parameters)
        } catch {
            throw CommandFailure(.usage, "the parameters of eval can't be read: \(error)")
        }
        if let file = parameters.file {
            guard let text = SmallFile.text(of: file, limit: Self.longest) else {
                throw CommandFailure(
                    .notFound, "\(file) can't be read: \(SystemError(file).description)")
            }
            parameters.code = text
            parameters.file = nil
        } else if parameters.code == "-" {
            parameters.code = SmallFile.streamed(0, limit: Self.longest)
        }
        return parameters
    }

    /// The bytes that are read of a file with source.
    private static let longest = 1 << 20

    // MARK: The service

    private func service(
        of connection: AgentConnection, _ host: EvalHost, _ interrupt: Int32?,
        _ progress: ProgressLine?
    ) throws(CommandFailure) -> Service {
        let (pid, ticks) = (connection.pid, connection.hello.startTicks)
        if let service, service.pid == pid, service.startTicks == ticks { return service }
        progress?.show("reading the service's modules")
        let program = try HostProgram(pid: pid, buildID: host.buildID)
        let own: TemporaryFolder
        do throws(SystemError) {
            if let folder { own = folder } else { own = try TemporaryFolder("telltale-eval") }
        } catch {
            throw CommandFailure(.unsupported, "code can't be compiled: \(error)")
        }
        folder = own
        let cache = Self.cacheFolder() ?? own.path
        let modules = "\(cache)/modules-\(host.buildID)"
        do throws(SystemError) {
            try PrivateFile.makeDirectory(modules)
        } catch {
            throw CommandFailure(
                .unsupported, "the service's modules can't be kept: \(error)",
                hint: "XDG_CACHE_HOME names another folder")
        }
        try program.writeModules(to: modules)
        let made = Service(
            pid: pid, startTicks: ticks, program: program,
            compilation: Compilation(
                toolchain: try Toolchain.find(), modules: modules,
                moduleMaps: program.moduleMaps, headerFolders: program.headerFolders,
                folder: own.path, cache: "\(cache)/clang",
                interrupt: interrupt))
        (declared, results) = ([], [:])
        service = made
        return made
    }

    /// `$XDG_CACHE_HOME/telltale`, else `~/.cache/telltale`; `nil` without a home.
    private static func cacheFolder() -> String? {
        let environment = Spawn.environment()
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return cache + "/telltale"
        }
        return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache/telltale" : nil }
    }

    private func check(_ service: Service, _ host: EvalHost) -> EvalAnswer {
        var answer = EvalAnswer()
        answer.host = host
        let modules = service.program.moduleNames
        answer.remarks = [
            "code can be evaluated here",
            "modules    \(modules.joined(separator: ", ")), as the executable carries them",
            "compiler   \(service.compilation.toolchain.frontend)",
            "linker     \(service.compilation.toolchain.linker)",
            "variables  \(host.variables.map(EvaluationSource.name(of:)).joined(separator: ", "))",
        ]
        return answer
    }

    // MARK: Compiling

    private func compile(
        _ parameters: EvalCommand.Parameters, for service: Service, _ host: EvalHost,
        _ progress: ProgressLine?
    ) throws(CommandFailure) -> (CompiledCode, EvaluationSource) {
        number += 1
        let module = "Eval_\(MonotonicTime.now.nanoseconds)_\(number)"
        let imports =
            declared.map(\.module)
            + (service.program.mainModule.map { [$0] } ?? service.program.moduleNames)
        var source = EvaluationSource(
            parameters.code, module: module, imports: imports, host: host, results: results)
        let owners = Set(source.variables.map(\.owner))
        source.isOnMainActor =
            parameters.on == "main" || (parameters.on == nil && owners == ["main actor"])
        // The first one reads the compiler and the modules from the disk.
        if number == 1 { progress?.show("compiling") }
        let object = try compile(&source, with: service)
        do {
            let shared = try service.compilation.link(
                object, addresses: addresses(for: object, of: service, host),
                wrapped: Self.ending)
            service.compilation.clear(object)
            var compiled = CompiledCode()
            compiled.object = CompiledCode.text(of: shared)
            compiled.entry = source.entry
            compiled.names = source.variables.map(\.name)
            compiled.isAsync = source.isAsync
            return (compiled, source)
        } catch {
            throw error as? CommandFailure ?? CommandFailure(.internal, "\(error)")
        }
    }

    /// Tries one form of the source after another, as the compiler's refusals suggest.
    private func compile(
        _ source: inout EvaluationSource, with service: Service
    ) throws(CommandFailure) -> String {
        var hasAllImports = false
        while true {
            do {
                return try service.compilation.compile(source)
            } catch let refusal as Compilation.Refusal {
                let words = refusal.words
                if case .declarations = source.form, words.contains("at the top level") {
                    source.form = .expressions
                } else if case .expressions = source.form, words.contains("result builder") {
                    source.form = .statements
                } else if !source.isOnMainActor, words.contains("main actor-isolated") {
                    source.isOnMainActor = true
                } else if !hasAllImports, words.contains("in scope") {
                    hasAllImports = true
                    source.imports += service.program.moduleNames.filter {
                        !source.imports.contains($0)
                    }
                    source.publicImports += ["Foundation", "Dispatch"]
                } else {
                    throw CompilerWords(words).failure
                }
            } catch {
                throw error as? CommandFailure ?? CommandFailure(.internal, "\(error)")
            }
        }
    }

    /// The addresses in memory of the executable's symbols that the object needs.
    private func addresses(
        for object: String, of service: Service, _ host: EvalHost
    ) throws(CommandFailure) -> [(String, UInt64)] {
        guard let bias = UInt64(host.bias, radix: 16),
            let symbols = ElfFile(object)?.symbols(where: { _ in true })
        else { throw CommandFailure(.internal, "the compiled object can't be read") }
        var needed = Set(symbols.filter { !$0.isDefined }.map(\.name))
        let ends = needed.intersection(Self.ending)
        needed.insert(Self.exitFunction)
        let found = service.program.addresses(of: needed)
        guard let exit = found[Self.exitFunction] else {
            throw HostProgram.unfit(
                "the agent's functions are not among the executable's symbols",
                hint: "build the service with debug information, and this version of the agent")
        }
        return found.filter { !ends.contains($0.key) }.map { ($0.key, $0.value &+ bias) }
            + ends.map { ("__wrap_\($0)", exit &+ bias) }
    }

    /// The functions that would end the service; the agent's own takes their place.
    private static let ending: Set<String> = ["exit", "_exit", "_Exit", "quick_exit"]

    private static let exitFunction = "ctelltale_guard_exit"
}

/// The compiler's messages about evaluated code.
struct CompilerWords {
    private let lines: [Substring]

    init(_ words: String) { lines = words.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The first error with its line of code and its caret, and the other ones.
    var failure: CommandFailure {
        let mark = ": error: "
        guard let first = lines.firstIndex(where: { $0.contains(mark) }) else {
            return CommandFailure(
                .internal, "the compiler failed",
                hint: lines.prefix(12).joined(separator: "\n"))
        }
        let end = lines[(first + 1)...].firstIndex { $0.isEmpty } ?? lines.endIndex
        var message = String(lines[first])
        if let range = message.firstRange(of: mark) { message.replaceSubrange(range, with: ": ") }
        return CommandFailure(
            .wrongType, message,
            hint: lines[(first + 1)..<end].prefix(24).joined(separator: "\n"))
    }
}
