#if TELLTALE_AGENT
import TelltaleParked
import TelltaleParkedOptimised
import TelltalePicture
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("Names and lines of addresses")
struct SymbolicatorTests {
    let symbolicator = Symbolicator()
    var soon: MonotonicTime { MonotonicTime.now.advanced(by: .seconds(60)) }

    @Test("a C function's address has its name and its module")
    func cFunction() throws {
        let address = try #require(SymbolSamples.address(of: "malloc"))
        let frame = try #require(symbolicator.names(of: [address], deadline: soon).first)
        #expect(frame.function?.hasSuffix("malloc") == true)
        #expect(frame.module == "libc.so.6")
        #expect(frame.offset == 0)
        #expect(frame.origin == .system)
    }

    @Test("the frames of this very call are this function and its callers")
    func ownStack() throws {
        let frames = SymbolSamples.stack()
        let resolved = symbolicator.resolve(frames, deadline: soon)
        #expect(resolved.count == frames.count)
        let names = resolved.flatMap { $0.compactMap(\.shortFunction) }
        #expect(names.contains { $0.contains("SymbolicatorTests.ownStack()") }, "\(names)")
    }

    @Test("a call has its file and line")
    func lines() throws {
        let line = #line + 1
        let frames = SymbolSamples.stack()
        let resolved = symbolicator.resolve(frames, deadline: soon).flatMap(\.self)
        let own = try #require(
            resolved.first { $0.shortFunction?.contains("SymbolicatorTests.lines()") == true })
        #expect(own.line == line)
        #expect(own.file == #filePath)
        #expect(own.origin == .program)
    }

    // One behind the other in memory: a symbol within the first's has the first's whole size, and reaches over
    // the second's.
    class Before {
        init() {}
        func first() {}
        func second() {}
    }
    class Behind {
        init() {}
        func first() {}
        func second() {}
        func third() {}
        func fourth() {}
        func fifth() {}
    }

    @Test("a descriptor has its own type's name, whatever reaches over it")
    func overlapping() throws {
        for type in [Before.self, Behind.self] as [Any.Type] {
            let descriptor = try #require(TypeMetadata(type).descriptor)
            let address = UInt(bitPattern: descriptor.pointer)
            let frame = try #require(symbolicator.names(of: [address], deadline: soon).first)
            #expect(frame.symbol?.hasSuffix("Mn") == true, "\(frame)")
            #expect(frame.offset == 0)
        }
    }

    @Test("without time there is the module, and no name")
    func noTime() throws {
        let frames = SymbolSamples.stack()
        let workers = WorkerPool(limit: 2)
        defer { workers.close() }
        let found = Symbolicator { workers.submit($0) }.resolve(frames, deadline: .now)
        #expect(found.count == frames.count)
        #expect(found.allSatisfy { $0.count == 1 })
        #expect(found.first?.first?.module != nil)
        #expect(found.first?.first?.function == nil)
    }

    @Test("several who ask at once all get their names")
    func together() throws {
        let frames = SymbolSamples.stack()
        let workers = WorkerPool(limit: 2)
        defer { workers.close() }
        let symbolicator = Symbolicator { workers.submit($0) }
        let missing = TimedCondition(4)
        for _ in 0..<4 {
            try NativeThread.start(name: "asks") {
                let found = symbolicator.resolve(
                    frames, deadline: MonotonicTime.now.advanced(by: .seconds(20)))
                guard found.contains(where: { $0.contains { $0.line != nil } }) else { return }
                missing.update { $0 -= 1 }
            }
        }
        let all: Bool? = missing.wait(until: soon) { $0 == 0 ? true : nil }
        #expect(all == true)
    }

    @Test("a closure that is put off has its own line, in code of -O too")
    func closures() throws {
        let plain = TelltaleParked.Delayed()
        let optimised = TelltaleParkedOptimised.Delayed()
        let table = try Captured.picture([.queues, .timers])
        let queues = table.queues.filter { $0.label == TelltaleParked.Delayed.label }
        #expect(queues.count == 2)
        let addresses = Set(queues.map(\.address))
        let timers = table.timers.filter { addresses.contains($0.queue ?? 0) }
        let lines = TelltaleParked.Delayed.lines
        for (functions, lines) in [
            (timers.compactMap(\.handler), lines["after"]),
            (queues.flatMap { $0.items.compactMap(\.function) }, lines["item"]),
        ] {
            #expect(functions.count == 2)
            for body in symbolicator.bodies(of: functions, deadline: soon) {
                #expect(body.file?.hasSuffix("/Delayed.swift") == true, "\(body)")
                #expect(body.line.flatMap { lines?.contains($0) } == true, "\(body)")
                #expect(body.shortFunction?.hasPrefix("closure #") == true, "\(body)")
            }
        }
        withExtendedLifetime((plain, optimised)) {}
    }

    @Test("a C++ name that stands for megabytes is left as it is, and others are not")
    func expanding() throws {
        // Each parameter is the last one twice.
        var symbol = "_Z1f1aIiiE"
        for level in 0..<20 {
            let digit = level == 0 ? "0" : String(level, radix: 36, uppercase: true)
            symbol += "S_IS\(digit)_S\(digit)_E"
        }
        #expect(symbol.utf8.count < 300)
        #expect(SymbolName.demangled(symbol) == nil)
        #expect(
            SymbolName.demangled("_Z1f1aIiiES_IS0_S0_E")
                == "f(a<int, int>, a<a<int, int>, a<int, int> >)")
        #expect(SymbolName.demangled("_Z" + String(repeating: "S_", count: 500)) == nil)
        let map =
            "_ZNSt8_Rb_treeISsSt4pairIKSsiESt10_Select1stIS2_ESt4lessISsESaIS2_EE8_M_eraseEPSt13_Rb_tree_nodeIS2_E"
        #expect(SymbolName.demangled(map)?.hasPrefix("std::_Rb_tree<") == true)
    }

    @Test("a Swift name that stands for megabytes is left as it is, and others are not")
    func expandingTypes() {
        func symbol(_ levels: Int) -> String {
            let inner = String(repeating: "ACy", count: levels) + "SiSiG"
            let references = (0..<levels).map { level in
                level < 23
                    ? "A\(Character(UnicodeScalar(UInt8(68 + level))))G" : "A\(level - 24)_G"
            }
            return "$s1a1BVy" + inner + references.joined() + "D"
        }
        #expect(
            SymbolName.demangled(symbol(1))
                == "a.B<a.B<Swift.Int, Swift.Int>, a.B<Swift.Int, Swift.Int>>")
        #expect(SymbolName.demangled(symbol(5))?.utf8.count == 1017)
        #expect(SymbolName.demangled(symbol(22)) == nil)
        #expect(SymbolName.demangled("$s1a1B" + String(repeating: "A2000B", count: 600)) == nil)
    }

    @Test(
        "whose a function is, is told by its symbol and its module",
        arguments: [
            (
                "$s4main5StoreC3sumSiyF", "main.Store.sum() -> Swift.Int", "main",
                ResolvedFrame.Origin.program
            ),
            (
                "$sSS4mainE5shoutyyF", "(extension in main):Swift.String.shout() -> ()", "main",
                .program
            ),
            ("$sSS5countSivg", "Swift.String.count.getter : Swift.Int", "main", .system),
            ("swift_retain", "swift_retain", "main", .system),
            (
                "_ZL30task_group_wait_resume_adapterPN5swift12AsyncContextE",
                "task_group_wait_resume_adapter(swift::AsyncContext*)", "main", .system
            ),
            ("_ZN5swift9AsyncTask3runEv", "swift::AsyncTask::run()", "main", .system),
            ("_ZN4mine3runEv", "mine::run()", "main", .program),
            (
                "__DISPATCH_WAIT_FOR_QUEUE__", "__DISPATCH_WAIT_FOR_QUEUE__", "main", .system
            ),
            ("poll", "poll", "libc.so.6", .system),
            ("$s4main1fyyFTA", "partial apply forwarder for main.f() -> ()", "main", .thunk),
            (
                "$s4main1fyyYaFTQ0_",
                "(1) await resume partial function for main.f() async -> ()", "main", .program
            ),
            ("$s13TelltaleAgent0B0C3runyyF", "TelltaleAgent.Agent.run() -> ()", "main", .agent),
            ("$s18TelltaleAgentTests1fyyF", "TelltaleAgentTests.f() -> ()", "main", .program),
            ("ctelltale_peer", "ctelltale_peer", "main", .agent),
        ])
    func origin(
        symbol: String, function: String, module: String, origin: ResolvedFrame.Origin
    ) {
        #expect(CodeOrigin.of(symbol: symbol, function: function, module: module) == origin)
    }

    @Test(
        "a package's code is told by where its source lies, and by its name where nothing else tells",
        arguments: [
            ("/src/app/.build/checkouts/quick/Sources/Quick/Q.swift", "Quick", true),
            ("/a/.build-linux/checkouts/quick/Sources/Quick/Q.swift", "Quick", true),
            ("/x/SourcePackages/checkouts/quick/Sources/Quick/Q.swift", "Quick", true),
            ("checkouts/fancy-queue/Sources/FancyQueue/Q.swift", "FancyQueue", true),
            ("/src/app/Sources/App/Server.swift", "App", false),
            // A developer who works in a folder of that name has fetched no package.
            ("/home/me/checkouts/app/Sources/App/Server.swift", "App", false),
            ("/home/me/checkouts/app/.build/checkouts/a/Sources/A/A.swift", "A", true),
            ("/src/swift-nio/Sources/NIOCore/Channel.swift", "NIOCore", true),
            ("/src/app/Sources/NIOServer/Server.swift", "NIOServer", false),
            ("/src/app/Sources/Logging/Log.swift", "Logging", false),
            (nil, "NIOServer", true), (nil, "Logging", true), (nil, "HummingbirdAuth", true),
            (nil, "App", false), (nil, nil, false),
        ] as [(String?, String?, Bool)])
    func packages(file: String?, module: String?, isPackages: Bool) {
        #expect(PackageOrigin.isPackages(file: file, module: module) == isPackages)
    }

    @Test(
        "the module of a function is told by its symbol",
        arguments: [
            ("$s7NIOCore7ChannelP5writeyyF", "NIOCore.Channel.write() -> ()", "NIOCore"),
            ("$sSS1aE4loudyyF", "(extension in a):Swift.String.loud() -> ()", "a"),
            ("$sSS5countSivg", "Swift.String.count.getter : Swift.Int", nil),
            ("malloc", nil, nil), ("$s99Short", nil, nil),
        ] as [(String, String?, String?)])
    func modules(symbol: String, function: String?, module: String?) {
        #expect(SymbolName.module(of: symbol, function) == module)
    }

    @Test(
        "several functions that were merged into one are known by its symbol",
        arguments: [
            ("$s1m5firstySiAA3BoxCFTm", true), ("$s1m5firstySiAA3BoxCFTm.llvm.12", true),
            ("$s1m5firstyyYaFTmTQ0_", true), ("$s1m5firstySiAA3BoxCF", false), ("aTm", false),
        ])
    func merged(symbol: String, isMerged: Bool) {
        #expect(SymbolName.isMerged(symbol) == isMerged)
    }

    @Test(
        "the top-level code of an async program has one name, wherever it goes on",
        arguments: [
            ("async_Main", "async_Main"), ("async_MainTQ0_", "async_Main"),
            ("async_MainTY12_", "async_Main"), ("main", "main"), ("other_TQ0_", "other_TQ0_"),
        ])
    func asyncMain(symbol: String, name: String) {
        #expect(SymbolName.whole(symbol) == name)
    }

    @Test("a frame in functions that the optimiser has merged says that it may be another")
    func reallyMerged() throws {
        for which in 0..<3 {
            var frames: [RawFrame] = []
            let body = TelltaleParkedOptimised.Merged.Body { value in
                frames = SymbolSamples.stack()
                return value
            }
            _ = TelltaleParkedOptimised.Merged.call(which, body)
            let found = symbolicator.resolve(frames, deadline: soon).flatMap(\.self)
            let merged = try #require(
                found.first { $0.symbol?.contains("6MergedO5twice") == true },
                "\(found.compactMap(\.symbol))")
            #expect(merged.isMerged && merged.line == nil, "\(merged)")
            #expect(
                merged.title == "static Merged.twice(_:_:) (or one merged with it)",
                "\(merged)")
            #expect([merged].hostFrame == merged)
        }
    }

    @Test(
        "variables of every module of the agent's, and of the compiler's caches, are nobody's",
        arguments: [
            ("$s18TelltaleFoundation17OperationRegistryO3allSayAA0D0CGvpZ", true),
            ("$s15TelltalePicture0B0V5emptyACvpZ", true), ("ctelltale_layout", true),
            ("$s4main5StoreCMD", true), ("_dispatch_sources", true),
            ("$s4main5StoreC6sharedACvpZ", false), ("telltale_like", false),
        ])
    func nobodys(symbol: String, isNobodys: Bool) {
        var found = ResolvedFrame(address: 0, kind: .returnAddress)
        found.symbol = symbol
        #expect(VariableName.isNobodys(found) == isNobodys)
    }

    @Test("each library that is linked into a service is the agent's own")
    func agentModules() {
        let folders = DirectoryListing.names(in: RepositoryFile.root + "/Sources")
        let clients: Set<String> = ["TelltaleClient", "TelltaleShell"]
        let linked = folders.filter { $0.hasPrefix("Telltale") && !clients.contains($0) }
        #expect(!linked.isEmpty && Set(CodeOrigin.agentModules) == Set(linked))
    }

    @Test("what isn't code has no name")
    func nowhere() throws {
        let frame = RawFrame(address: 16, kind: .returnAddress)
        let found = symbolicator.resolve([frame], deadline: soon)
        #expect(found.first?.first?.function == nil)
        #expect(found.first?.first?.module == nil)
    }
}
#endif
