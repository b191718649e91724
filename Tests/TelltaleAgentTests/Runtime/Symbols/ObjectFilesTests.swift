#if TELLTALE_AGENT
import Foundation
import TelltalePicture
import TelltaleSystem
import Testing

@testable import TelltaleRuntime

@_silgen_name("mallopt") private func setAllocator(_ option: Int32, _ value: Int32) -> Int32

@Suite("Object files that don't have it all")
struct ObjectFilesTests {
    private let folder: TemporaryFolder
    private let program: String
    private let main: UInt

    init() throws {
        folder = try TemporaryFolder("telltale-objects")
        program = try SymbolOracle.compile(["-Onone"], in: folder, as: "sample")
        let symbols = try SymbolOracle.run("nm", [program]).split(separator: "\n")
        let line = try #require(symbols.first { $0.hasSuffix("5StoreC3sumSiyF") })
        main = try #require(line.split(separator: " ").first.flatMap { UInt($0, radix: 16) })
    }

    private func found(in path: String) -> (ObjectFiles.Found?, [String]) {
        let files = ObjectFiles()
        return (
            files.find(main, in: SymbolOracle.image(at: path)).last, files.problems
        )
    }

    @Test("a whole one gives function, file and line")
    func whole() throws {
        let found = try #require(found(in: program).0)
        #expect(SymbolName.demangled(found.name) == "sample.Store.sum() -> Swift.Int")
        #expect(found.file == "\(folder.path)/sample.swift")
        #expect(found.line == 12)
        #expect(found.offset == 0)
    }

    @Test("without debug data there is the name alone")
    func withoutDebugData() throws {
        let stripped = "\(folder.path)/stripped"
        try SymbolOracle.run("strip", ["-g", program, "-o", stripped])
        let (found, problems) = found(in: stripped)
        #expect(found?.name.hasSuffix("5StoreC3sumSiyF") == true)
        #expect(found?.line == nil)
        #expect(problems.isEmpty)
    }

    @Test("without symbols there is no name, and no wrong one")
    func stripped() throws {
        let stripped = "\(folder.path)/stripped"
        try SymbolOracle.run("strip", [program, "-o", stripped])
        #expect(found(in: stripped).0 == nil)
    }

    @Test("compressed debug data is said to be so")
    func compressed() throws {
        let compressed = "\(folder.path)/compressed"
        try SymbolOracle.run("objcopy", ["--compress-debug-sections", program, compressed])
        let (found, problems) = found(in: compressed)
        #expect(found?.name.hasSuffix("5StoreC3sumSiyF") == true)
        #expect(found?.line == nil)
        #expect(
            problems == ["lines not available: the debug data of \(compressed) is compressed"])
    }

    @Test("another file at the place of the one that was loaded gives no name")
    func replaced() throws {
        let files = ObjectFiles()
        let image = SymbolOracle.image(at: program, buildID: [1, 2, 3, 4])
        #expect(files.find(main, in: image).isEmpty)
        #expect(
            files.problems == [
                "names not available: \(program) was replaced since it was loaded"
            ])
    }

    @Test("what is no object file, or gone, gives no name")
    func nonsense() throws {
        let text = "\(folder.path)/sample.swift"
        #expect(
            found(in: text).1 == [
                "names not available: \(text) is not an object file of this machine"
            ])
        #expect(found(in: "/nowhere").1 == ["names not available: /nowhere can't be read"])
        #expect(found(in: "/dev/zero").1 == ["names not available: /dev/zero can't be read"])
    }

    /// Debian's `libc6-dbg` has one for the C library.
    @Test(
        "one that has a debug file of its own is closed without what was freed being read",
        .enabled(if: FileFacts.exists("/usr/lib/debug/.build-id")))
    func closedWithItsDebugFile() async {
        await #expect(processExitsWith: .success) {
            // Freed memory is overwritten.
            #expect(setAllocator(-6, 165) == 1)
            let address = unsafeBitCast(
                getpid as @convention(c) () -> pid_t, to: UInt.self)
            let images = try #require(LoadedImages.read())
            let image = try #require(images.image(holding: address))
            for _ in 0..<3 {
                let files = ObjectFiles()
                _ = files.find(address, in: image)
                #expect(files.bytes > 0)
            }
        }
    }

    @Test("what a line table's names take is counted, also where the table is damaged")
    func counted() throws {
        var source = ""
        for number in 0..<2000 {
            source += "#line 1 \"file\(number).h\"\nint f\(number)(void) { return 1; }\n"
        }
        let library = "\(folder.path)/many.so"
        try PrivateFile.replace("\(folder.path)/many.c", with: Array(source.utf8))
        try SymbolOracle.run(
            "clang",
            ["-gdwarf-5", "-shared", "-nostdlib", "\(folder.path)/many.c", "-o", library])
        let headers = try SymbolOracle.run("readelf", ["-SW", library]).split(separator: "\n")
        let words = try #require(headers.first { $0.contains(" .debug_line ") })
            .split { " []".contains($0) }
        let name = try #require(words.firstIndex(of: ".debug_line"))
        let start = try #require(Int(words[name + 3], radix: 16))
        let text = try SymbolOracle.text(of: library)
        func bytes(changing offset: Int?, to byte: UInt8) throws -> Int {
            let copy = "\(folder.path)/changed.so"
            var content = try #require(SmallFile.bytes(of: library, limit: 8 << 20))
            if let offset { content[start + offset] = byte }
            try PrivateFile.replace(copy, with: content)
            let files = ObjectFiles()
            _ = files.find(text.lowerBound, in: SymbolOracle.image(at: copy))
            return files.bytes
        }
        // Another version's is not read at all; one without a line range is given up behind its names.
        let without = try bytes(changing: 4, to: 9)
        #expect(try bytes(changing: nil, to: 0) > without + 32_000)
        #expect(try bytes(changing: 16, to: 0) > without + 32_000)
    }

    @Test("a file that is cut short while it is open gives what is left of it")
    func cutShort() throws {
        let copy = "\(folder.path)/copy"
        try SymbolOracle.run("cp", [program, copy])
        let files = ObjectFiles()
        let image = SymbolOracle.image(at: copy)
        #expect(files.find(main, in: image).last?.line == 12)
        try SymbolOracle.run("truncate", ["-s", "4096", copy])
        for address in stride(from: main, to: main + 4096, by: 16) {
            #expect(files.find(address, in: image).allSatisfy { $0.file == nil })
        }
    }

    @Test(
        "with the standard library linked in, its functions have names too, and are not the host's"
    )
    func staticLibrary() throws {
        let program = try SymbolOracle.compile(
            ["-O", "-static-stdlib"], in: folder, as: "static")
        let symbols = try SymbolOracle.run("nm", [program]).split(separator: "\n")
        let line = try #require(symbols.first { $0.hasSuffix(" swift_allocObject") })
        let address = try #require(
            line.split(separator: " ").first.flatMap { UInt($0, radix: 16) })
        let files = ObjectFiles()
        let found = try #require(
            files.find(address, in: SymbolOracle.image(at: program)).last)
        #expect(found.name.hasSuffix("swift_allocObject"))
        #expect(
            CodeOrigin.of(symbol: found.name, function: nil, module: "static") == .system)
    }
}
#endif
