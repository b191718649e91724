#if TELLTALE_AGENT
import TelltaleSystem

@testable import TelltaleRuntime

/// The output of `llvm-symbolizer` for addresses, and ours, spelled alike.
enum SymbolOracle {
    struct Missing: Error {}

    /// Functions and lines of each address, as `function file:line` innermost first.
    static func frames(of path: String, at addresses: [UInt]) throws -> [UInt: [String]] {
        var found: [UInt: [String]] = [:]
        for start in stride(from: 0, to: addresses.count, by: 2000) {
            let some = addresses[start..<min(start + 2000, addresses.count)]
            let text = try run(
                "llvm-symbolizer",
                ["--obj=\(path)", "--inlines", "--no-demangle", "--functions=linkage", "-a"]
                    + some.map { "0x" + String($0, radix: 16) })
            var address: UInt?
            var function: Substring?
            for line in text.split(separator: "\n") {
                if line.hasPrefix("0x") {
                    address = UInt(line.dropFirst(2), radix: 16)
                } else if let name = function, let address {
                    found[address, default: []].append("\(name) \(place(line))")
                    function = nil
                } else {
                    function = line
                }
            }
        }
        return found
    }

    /// `file:line` of `file:line:column`. A line of 0 is none: without debug data, the program names
    /// the file of the nearest symbol, which is a guess.
    private static func place(_ text: Substring) -> String {
        let parts = text.split(separator: ":")
        guard parts.count >= 2, parts[parts.count - 2] != "0", parts[0] != "??" else {
            return "??"
        }
        return parts.dropLast().joined(separator: ":")
    }

    static func ours(_ found: [ObjectFiles.Found]) -> [String] {
        guard !found.isEmpty else { return ["?? ??"] }
        return found.map { function in
            let place = function.line.map { "\(function.file ?? "??"):\($0)" } ?? "??"
            return "\(function.name.isEmpty ? "??" : function.name) \(place)"
        }
    }

    /// Runs a program of the machine; its output.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        let program = try StartedProgram("/usr/bin/env", [name] + arguments)
        let soon = MonotonicTime.now.advanced(by: .seconds(600))
        guard let output = program.readToEnd(until: soon), program.waitUntilExit() == 0 else {
            throw Missing()
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A file that nothing has loaded, as an image at address 0.
    static func image(at path: String, serial: UInt64 = 1, buildID: [UInt8] = [])
        -> LoadedImages.Image
    {
        LoadedImages.Image(
            path: path, bias: 0, low: 0, high: 1 << 40, buildID: buildID, device: 0, inode: 0,
            serial: serial, isMain: false, isVDSO: false, isDeleted: false)
    }

    /// Returns the range of the file's code.
    static func text(of path: String) throws -> Range<UInt> {
        for line in try run("readelf", ["-SW", path]).split(separator: "\n") {
            let words = line.split { " []".contains($0) }
            guard let name = words.firstIndex(of: ".text"), words.count > name + 4,
                let start = UInt(words[name + 2], radix: 16),
                let size = UInt(words[name + 4], radix: 16)
            else { continue }
            return start..<(start + size)
        }
        throw Missing()
    }

    /// A small program with closures, inlined calls, generics and async functions.
    static let source = """
        struct Point { var x = 0, y = 0 }
        @inline(__always) func twice(_ number: Int) -> Int { number &* 2 }
        @inline(__always) func thrice(_ number: Int) -> Int {
            twice(number)
                &+ number
        }
        final class Store {
            private var values: [String: [Int]] = [:]
            func add(_ value: Int, to key: String) {
                values[key, default: []].append(thrice(value))
            }
            func sum() -> Int { values.values.map { $0.reduce(0) { $0 &+ twice($1) } }.reduce(0, +) }
            func refresh() async throws -> Int {
                try await Task.sleep(nanoseconds: 1)
                return await withTaskGroup(of: Int.self) { group in
                    for index in 0..<4 { group.addTask { thrice(index) } }
                    return await group.reduce(0, +)
                }
            }
        }
        @main struct Main {
            static func main() async throws {
                let store = Store()
                for index in 0..<10 { store.add(index, to: "key \\(index % 3)") }
                print(store.sum(), try await store.refresh(), Point())
            }
        }
        """

    /// Compiles ``source``.
    static func compile(_ arguments: [String], in folder: TemporaryFolder, as name: String)
        throws -> String
    {
        let file = "\(folder.path)/sample.swift"
        try run("/bin/sh", ["-c", "printf %s \"$1\" >\"$2\"", "sh", source, file])
        let program = "\(folder.path)/\(name)"
        try run("swiftc", arguments + ["-g", "-parse-as-library", file, "-o", program])
        return program
    }
}
#endif
