import Glibc
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleShell

struct EvaluationSourceTests {
    private static func host(_ variables: [(String, String)] = []) -> EvalHost {
        var host = EvalHost()
        host.session = 7
        host.variables = variables.map { name, type in
            var variable = EvalHost.Variable()
            (variable.name, variable.type) = (name, type)
            return variable
        }
        return host
    }

    private static func source(
        _ code: String, _ host: EvalHost = host(), results: [Int: String] = [:]
    ) -> EvaluationSource {
        EvaluationSource(code, module: "Eval_1", imports: ["Host"], host: host, results: results)
    }

    @Test("only the registered objects that the code names are variables of it")
    func variables() {
        let host = Self.host([
            ("photos", "Host.Photos"), ("bound.serial", "Host.Serial"), ("store", "Host.Store"),
            ("odd", "(Swift.Int, Swift.Int)"),
            ("private", "Host.(unknown context at $5581).Hidden"),
        ])
        let source = Self.source("photos.items + bound_serial.list + a.store + odd + private", host)
        #expect(source.variables.map(\.name) == ["photos", "bound.serial", "private"])
        #expect(source.text.contains("_ bound_serial: Host.Serial, _ private: Host.Hidden)"))
        #expect(source.text.contains("try __telltaleTaken(\"bound.serial\", as: Host.Serial.self)"))
        let declared = Self.source("let all = photos.items", host).text
        #expect(declared.contains("__held_photos = try __telltaleTaken(\"photos\""))
        for text in [source.text, declared] {
            #expect(!text.contains("fatalError") && !text.contains("as!"))
        }
    }

    @Test(
        "code that begins with a declaration is one, and its variables are its result",
        arguments: [
            ("let a = 1", ["a"]),
            ("var b: Int = 2; let c = { let d = 3; return d }()", ["b", "c"]),
            ("func f() {\nlet m = 1\n}", []),
        ])
    func declared(code: String, names: [String]) throws {
        let source = Self.source(code)
        guard case .declarations = source.form else {
            Issue.record("\(code) is no declaration")
            return
        }
        #expect(source.declaredVariables == names)
    }

    @Test("an import goes to the head of the file, with what follows it in place")
    func imports() {
        let source = Self.source("import Foundation; Date()")
        #expect(source.code == "Date()")
        #expect(source.text.hasPrefix("@testable import Host\nimport Foundation\n"))
    }

    @Test("an earlier result is a variable outside of closures alone")
    func results() {
        let source = Self.source(
            "$0.map { $0 + $1 } + $1 + $2", results: [0: "[Swift.Int]", 1: "Swift.Int"])
        #expect(source.code == "_0.map { $0 + $1 } + _1 + $2")
        #expect(source.text.contains("__telltaleResult(7, number)"))
        #expect(source.text.contains("_ _0: [Swift.Int], _ _1: Swift.Int)"))
    }

    @Test("code that awaits has an async body")
    func awaits() {
        #expect(Self.source("await store.count").isAsync)
        #expect(!Self.source("store.await.count").isAsync)
    }

    @Test("the compiler's first error is the failure, with its line and caret")
    func words() {
        let failure = CompilerWords(
            """
            eval:1:8: error: value of type 'A' has no member 'itms'; did you mean 'items'?
            photos.itms
                   ^~~~
                   items
            eval:2:1: error: another
            """
        ).failure
        #expect(
            failure.message
                == "eval:1:8: value of type 'A' has no member 'itms'; did you mean 'items'?")
        #expect(failure.hint?.hasPrefix("photos.itms\n       ^~~~") == true)
        #expect(CompilerWords("Stack dump:\n0. Program arguments").failure.code == .internal)
    }

    @Test(
        "the modules that this program carries are found by their names, and its functions by theirs"
    )
    func program() throws {
        let own = try #require(ElfFile("/proc/self/exe").flatMap(HostProgram.buildID(of:)))
        #expect(own == ProcessIdentity.buildID && own.count >= 32)
        #expect(throws: CommandFailure.self) {
            try HostProgram(pid: getpid(), buildID: String(own.reversed()))
        }
        let program = try HostProgram(pid: getpid(), buildID: own)
        let modules = try TemporaryFolder("telltale-modules")
        try program.writeModules(to: modules.path)
        #expect(DirectoryListing.names(in: modules.path).contains("TelltaleShell.swiftmodule"))
        let found = program.addresses(of: ["main", "no_such_function_of_ours"])
        #expect(found["main"] != nil && found.count == 1)
    }

    @Test("bytes come back from their hexadecimal text")
    func hexadecimal() {
        var code = CompiledCode()
        code.object = CompiledCode.text(of: Array(0...255))
        #expect(code.object.hasPrefix("000102") && code.object.hasSuffix("fdfeff"))
        #expect(code.bytes == Array(0...255))
        code.object = "0g"
        #expect(code.bytes == nil)
        code.object = "012"
        #expect(code.bytes == nil)
    }
}
