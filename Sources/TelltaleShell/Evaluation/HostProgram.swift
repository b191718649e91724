import TelltaleProtocol
import TelltaleSystem

/// The executable of a running service, as code is compiled and linked against it.
///
/// It is read through `/proc`, which shows the one that runs, also after a new one was built. The modules are the copies
/// that a debug executable carries, so they describe the running program and no later one.
final class HostProgram {
    /// The modules, by their names.
    private let modules: [(name: String, bytes: ArraySlice<UInt8>)]
    private let file: ElfFile
    /// The module of the program itself.
    let mainModule: String?
    /// The files that name the C modules, which the compiler has written down in the modules.
    let moduleMaps: [String]

    /// Reads the executable of a process, and proves that it is the agent's own by its build id: in another pid
    /// namespace the number is another process's.
    ///
    /// - Throws: A failure that says which part an evaluation needs is missing.
    init(pid: Int32, buildID: String) throws(CommandFailure) {
        let path = "/proc/\(pid)/exe"
        guard let file = ElfFile(path) else {
            throw Self.unfit(
                "the executable of process \(pid) can't be read here",
                hint: "run the client on the service's machine, as its user")
        }
        let found = Self.buildID(of: file)
        guard !buildID.isEmpty, found == buildID else {
            throw Self.unfit(
                "the executable of process \(pid) has the build id \(found ?? "none"), and the "
                    + "service's is \(buildID.isEmpty ? "none" : buildID)",
                hint:
                    "run the client in the service's pid namespace; its linker has to write a build id"
            )
        }
        guard file.sections.contains(where: { $0.name == ".symtab" }) else {
            throw Self.unfit(
                "the executable has no symbols: it was stripped", hint: "build without `-s`")
        }
        guard let section = file.sections.first(where: { $0.name == ".swift_ast" }),
            let bytes = file.contents(of: section, limit: 1 << 29)
        else {
            throw Self.unfit(
                "the executable carries no modules",
                hint:
                    "build it with debug information (`swift build`); Swift 6.4 no longer embeds them"
            )
        }
        self.file = file
        modules = Self.modules(in: bytes)
        let program = FileFacts.realPath(path).map { String($0.split(separator: "/").last ?? "") }
        let expected = String(
            (program ?? "").map { $0.isLetter || $0.isNumber ? $0 : "_" })
        mainModule = modules.first { $0.name == expected }?.name
        moduleMaps = Self.moduleMaps(in: modules.map(\.bytes))
    }

    /// The build id in the file's note, hexadecimal.
    static func buildID(of file: ElfFile) -> String? {
        guard let note = file.sections.first(where: { $0.name == ".note.gnu.build-id" }),
            let bytes = file.contents(of: note, limit: 4096), bytes.count > 16
        else { return nil }
        // The lengths of the name and of the id, the type, and the name `GNU`.
        return CompiledCode.text(of: Array(bytes[16...].prefix(Int(bytes[4]))))
    }

    static func unfit(_ message: String, hint: String) -> CommandFailure {
        CommandFailure(.unsupported, "no code can be evaluated: " + message, hint: hint)
    }

    /// The names of the modules that the service consists of, without the agent's.
    var moduleNames: [String] {
        modules.map(\.name).filter { !$0.hasPrefix("Telltale") }
    }

    private static func modules(
        in bytes: [UInt8]
    ) -> [(name: String, bytes: ArraySlice<UInt8>)] {
        let starts = stride(from: 0, to: max(0, bytes.count - 3), by: 4).filter { at in
            bytes[at] == ModuleName.signature[0]
                && bytes[at..<(at + 4)].elementsEqual(ModuleName.signature)
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).compactMap { start, end in
            let module = bytes[start..<end]
            return ModuleName.of(module).map { ($0, module) }
        }
    }

    // The compiler notes its own options in a debug module: `-fmodule-map-file=PATH`.
    private static func moduleMaps(in modules: [ArraySlice<UInt8>]) -> [String] {
        let option = Array("-fmodule-map-file=".utf8)
        var found: [String] = []
        for module in modules {
            var rest = module.prefix(1 << 16)
            while let range = rest.firstRange(of: option) {
                let text = rest[range.upperBound...].prefix { $0 >= 0x20 && $0 < 0x7F }
                var path = String(decoding: text, as: UTF8.self)
                // The next record's bytes may look like text.
                if let end = path.firstRange(of: "modulemap") {
                    path = String(path[..<end.upperBound])
                }
                if !found.contains(path), FileFacts.exists(path) { found.append(path) }
                rest = rest[range.upperBound...]
            }
        }
        return found
    }

    /// The folders with the headers of those C modules, which include one another's.
    var headerFolders: [String] {
        var folders: [String] = []
        for map in moduleMaps {
            // `umbrella header "/PATH"` where the build has made the map, whose own folder has no headers.
            let quoted = (SmallFile.text(of: map) ?? "").split(separator: "\"")
            let isMade = quoted.count > 1 && quoted[1].hasPrefix("/")
            let isFolder = isMade && quoted[0].hasSuffix("umbrella ")
            let path = isMade ? quoted[1] : map[...]
            let end = isFolder ? path.endIndex : path.lastIndex(of: "/") ?? path.startIndex
            let folder = String(path[..<end])
            if !folders.contains(folder) { folders.append(folder) }
        }
        return folders
    }

    /// Writes the modules into a folder, where the compiler looks for them.
    func writeModules(to folder: String) throws(CommandFailure) {
        for (name, bytes) in modules {
            let path = "\(folder)/\(name).swiftmodule"
            if FileFacts.exists(path) { continue }
            do throws(SystemError) {
                try PrivateFile.replace(path, with: bytes)
            } catch {
                throw CommandFailure(.unsupported, "a module was not written: \(error)")
            }
        }
    }

    /// The addresses in the file of those symbols that the executable defines.
    func addresses(of names: Set<String>) -> [String: UInt64] {
        var found: [String: UInt64] = [:]
        let hashes = Set(names.map { Self.hash($0.utf8) })
        let symbols = file.symbols { hashes.contains(Self.hash($0)) } ?? []
        for symbol in symbols
        where symbol.isDefined && symbol.hasAddress && names.contains(symbol.name) {
            found[symbol.name] = symbol.value
        }
        return found
    }

    // Without a `String` for each of a program's symbols.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
