import TelltaleSystem
import TelltaleTestSupport
import Testing

/// Compares the bounds and times on the pages with the code: each sentence beside the declaration that it is
/// about. A change of one of them fails here until the other follows.
///
/// The grammar page has a test of its own, `WireDocumentTests`; the thresholds of `stuck` are in
/// `StuckDocumentTests`.
@Suite("Facts in the documents")
struct DocumentFactsTests {
    private static let attacks = "Docs/Attacks.md"
    private static let configuration = "Docs/Configuration.md"
    private static let dispatch = "Docs/Dispatch.md"
    private static let eventLoops = "Docs/EventLoops.md"
    private static let holders = "Docs/Holders.md"
    private static let intruders = "Docs/Intruders.md"
    private static let robustness = "Docs/Robustness.md"
    private static let signals = "Docs/Signals.md"
    private static let stacks = "Docs/Stacks.md"
    private static let stuck = "Docs/Stuck.md"
    private static let wire = RepositoryFile.grammarPage

    /// A page, its sentence, and the file with the declaration that the sentence is about.
    static let facts: [(page: String, sentence: String, file: String, code: String)] = [
        (
            configuration, "the last ten of the service's own are kept",
            "AgentConfiguration.swift", "var keptFiles = 10"
        ),
        (
            configuration, "the length of a stop is known; default: 500",
            "AgentConfiguration.swift", "heartbeat: Duration? = .milliseconds(500)"
        ),
        (
            configuration, "a queue, an actor or a lock may take; default: 1000",
            "AgentConfiguration.swift", "ownerDeadline: Duration = .seconds(1)"
        ),
        (
            configuration, "may make no progress before a dump is written; default: 0",
            "AgentConfiguration.swift", "var hangWatch: Duration?"
        ),
        (
            configuration, "`maximumConnections` | 16 | 2 to 256",
            "AgentConfiguration.swift", "maximumConnections = 16"
        ),
        (
            configuration, "`maximumConnections` | 16 | 2 to 256",
            "EnvironmentTable.swift", "clamp(\\.maximumConnections, 2...256,"
        ),
        (
            configuration, "| 1 MiB, 64 MiB | 4 KiB to 64 MiB, 64 KiB to 1 GiB",
            "AgentConfiguration.swift", "maximumRequestBytes = 1 << 20"
        ),
        (
            configuration, "| 1 MiB, 64 MiB | 4 KiB to 64 MiB, 64 KiB to 1 GiB",
            "AgentConfiguration.swift", "maximumReplyBytes = 64 << 20"
        ),
        (
            configuration, "| 1 MiB, 64 MiB | 4 KiB to 64 MiB, 64 KiB to 1 GiB",
            "EnvironmentTable.swift", "clamp(\\.maximumRequestBytes, 4096...(64 << 20),"
        ),
        (
            configuration, "| 1 MiB, 64 MiB | 4 KiB to 64 MiB, 64 KiB to 1 GiB",
            "EnvironmentTable.swift", "clamp(\\.maximumReplyBytes, 65_536...(1 << 30),"
        ),
        (
            configuration, "| 6 levels, 100 elements of each collection |",
            "AgentConfiguration.swift", "var depth = 6"
        ),
        (
            configuration, "| 6 levels, 100 elements of each collection |",
            "AgentConfiguration.swift", "var elements = 100"
        ),
        (
            configuration, "| 1 to 64, 1 to 1,000,000 |",
            "EnvironmentTable.swift", "clamp(\\.depth, 1...64,"
        ),
        (
            configuration, "| 1 to 64, 1 to 1,000,000 |",
            "EnvironmentTable.swift", "clamp(\\.elements, 1...1_000_000,"
        ),
        (
            configuration, "| 5 s, 30 s | at least 100 ms |",
            "AgentConfiguration.swift", "dumpDeadline: Duration = .seconds(30)"
        ),
        (
            configuration, "| 5 s, 30 s | at least 100 ms |",
            "AgentConfiguration.swift", "commandDeadline: Duration = .seconds(5)"
        ),
        (
            configuration, "`maximumWorkers` | 64 | 2 to 256 threads",
            "EnvironmentTable.swift", "clamp(\\.maximumWorkers, 2...256,"
        ),
        (
            configuration, "| 1,000, 8 | 1 to 100,000, 0 to 64 |",
            "AgentConfiguration.swift", "keptChanges = 1000"
        ),
        (
            configuration, "| 1,000, 8 | 1 to 100,000, 0 to 64 |",
            "AgentConfiguration.swift", "keptDumps = 8"
        ),
        (
            configuration, "`keptBytes` | 64 MiB | 64 KiB to 1 GiB",
            "AgentConfiguration.swift", "keptBytes = 64 << 20"
        ),
        (
            configuration, "`keptBytes` | 64 MiB | 64 KiB to 1 GiB",
            "EnvironmentTable.swift", "clamp(\\.keptBytes, 65_536...(1 << 30),"
        ),
        (
            configuration, "| 10, 256 MiB | 1 to 10,000, 1 byte to 1 TiB |",
            "AgentConfiguration.swift", "keptFileBytes = 256 << 20"
        ),
        (
            configuration, "| 200 lines of each dump | 20 to 100,000 |",
            "AgentConfiguration.swift", "standardErrorLines = 200"
        ),
        (
            configuration, "| 1 s between two dumps that signals ask for",
            "AgentConfiguration.swift", "dumpInterval: Duration = .seconds(1)"
        ),
        (
            "README.md", "kept for later commands take 64 MiB at most",
            "AgentConfiguration.swift", "keptBytes = 64 << 20"
        ),
        (wire, "at most 64 KiB in each", "CommandContext.swift", "largestPart = 65_536"),
        (
            robustness, "Without room for 24 MiB of memory",
            "MemoryRoom.swift", "needed = 24 << 20"
        ),
        (
            robustness, "Elsewhere eight descriptors that are held in reserve",
            "Agent+Start.swift", "reservedDescriptors = 8"
        ),
        (robustness, "With all 64 workers hung", "AgentConfiguration.swift", "maximumWorkers = 64"),
        (
            robustness, "1 s by default",
            "AgentConfiguration.swift", "ownerDeadline: Duration = .seconds(1)"
        ),
        (
            attacks, "never more than 16 served",
            "AgentConfiguration.swift", "maximumConnections = 16"
        ),
        (
            attacks, "16 clients that hold on",
            "AgentConfiguration.swift", "maximumConnections = 16"
        ),
        (
            attacks, "given up 5 s after its first byte",
            "AgentConfiguration.swift", "commandDeadline: Duration = .seconds(5)"
        ),
        (robustness, "at 65 MiB", "JSONParser.swift", "maximumBytes: 65 << 20"),
        (robustness, "64 columns of the listing", "Listing.swift", "widest: 64"),
        (
            attacks, "the first 5,000 and those with something to do",
            "QueuesAnswer+Picture.swift", "mostShown = 5000"
        ),
        (
            attacks, "items counted up to 100,000",
            "DispatchReader.swift", "largestCount = 100_000"
        ),
        (attacks, "names cut at 128", "TasksAnswer+Picture.swift", "escaped(limit: 128)"),
        (
            robustness, "glibc takes 128 MiB of address space",
            "CTelltaleMemory.h", "glibc reserves 128 MiB of address"
        ),
        (
            signals, "late by more than 100 ms",
            "PauseDetector.swift", "lateness = Duration.milliseconds(100)"
        ),
        (
            signals, "After 20 reports in a row there is one in 30 s",
            "ReportBudget.swift", "most = 20"
        ),
        (
            signals, "one in 30 s, with the number",
            "ReportBudget.swift", "interval = Duration.seconds(30)"
        ),
        (
            signals, "may have been a second without the time",
            "PauseDetector.swift", "shortest = Duration.seconds(1)"
        ),
        (signals, "at most 20 ms of its own processor time", "fork.c", "LONGEST_WAIT 20000000u"),
        (signals, "and 200 ms in all", "fork.c", "LONGEST_WAIT_BUSY 200000000u"),
        (intruders, "a path of 107 bytes; of 108", "UnixSocket.swift", "longestPath"),
        (stacks, "up to four times", "stacks.c", "TRIES 4"),
        (stacks, "at most 32 of them at a time", "CTelltaleStacks.h", "CTELLTALE_INTERRUPTED 32"),
        (stacks, "512 frames; 1 MiB of stack", "ThreadCapture.swift", "mostFrames = 512"),
        (stacks, "1 MiB of stack, or", "unwind.h", "LARGEST_STACK (1u << 20)"),
        (
            stacks, "64 KiB of a thread that runs",
            "CTelltaleStacks.h", "CTELLTALE_INTERRUPTED_STACK 65536"
        ),
        (stacks, "no processor for 400 ms", "process/interrupt.c", "TIMEOUT 400000000u"),
        (
            stacks, "More than 16,384 threads are not listed",
            "ThreadCapture.swift", "mostThreads = 16_384"
        ),
        (
            stacks, "at most 16 MiB are kept altogether",
            "ObjectFiles.swift", "maximumBytes = 16 << 20"
        ),
        (
            stacks, "6 of them for the lines of one file",
            "ObjectFiles.swift", "maximumDetails = 6 << 20"
        ),
        (stacks, "the names of 8,192 addresses", "Symbolicator.swift", "maximumKnown = 8192"),
        (stuck, "ten frames of each", "StuckAnswer+Lines.swift", "shownFrames = 10"),
        (dispatch, "each of the four times that it was read", "items.c", "try < 4; try++"),
        (
            eventLoops, "at most 1,000 descriptors",
            "EventLoopReading.swift", "fewDescriptors = 1000"
        ),
        (
            eventLoops, "again after 2,000 times as long",
            "EventLoopSampling.swift", "pauseFactor = 2000"
        ),
        (
            eventLoops, "no sooner than after 2 s",
            "EventLoopSampling.swift", "least = Duration.seconds(2)"
        ),
        (
            eventLoops, "no later than after 60 s",
            "EventLoopSampling.swift", "most = Duration.seconds(60)"
        ),
        (
            eventLoops, "the first half second of the agent",
            "EventLoopSampling.swift", "first = Duration.milliseconds(500)"
        ),
        (
            eventLoops, "can be read in 200 ms",
            "EventLoopSampling.swift", "began.advanced(by: .milliseconds(200))"
        ),
        (holders, "in chunks of 256 KB", "holders.h", "HolderPiece = 256 * 1024"),
        (holders, "looked for at every 64 MB", "heap_layout.c", ".span = 64 << 20"),
        (holders, "a block of up to 1 KB wherever", "holder_level.c", "whole_reach = 1024"),
        (holders, "larger one at its first 64 bytes", "holder_level.c", "large_reach = 64"),
        (holders, "up to four times with one capture", "HolderSearch.swift", "mostPasses = 4"),
        (holders, "At most 16 levels", "HolderSearch.swift", "mostLevels = 16"),
        (holders, "262,144 blocks", "holders.h", "MostNodes = 1 << 18"),
        (holders, "1,048,576 words", "holders.h", "MostEdges = 1 << 20"),
        (holders, "512 roots of each target", "HolderSearch.swift", "mostRoots = 512"),
    ]

    /// Returns the text of the source file whose path ends with `name`, with single spaces.
    private static func source(_ name: String) throws -> String {
        func files(in folder: String) -> [String] {
            DirectoryListing.names(in: "\(RepositoryFile.root)/\(folder)").flatMap { entry in
                entry.contains(".")
                    ? ["\(folder)/\(entry)"] : files(in: "\(folder)/\(entry)")
            }
        }
        let found = files(in: "Sources").filter { $0.hasSuffix("/\(name)") }
        try #require(found.count == 1, "\(name) is \(found)")
        return oneSpaced(try RepositoryFile.text(found[0]))
    }

    private static func oneSpaced(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("each stands on its page, and its constant in its file", arguments: facts)
    func stands(page: String, sentence: String, file: String, code: String) throws {
        let text = Self.oneSpaced(try RepositoryFile.text(page))
        #expect(text.contains(sentence), "\(page) no longer says '\(sentence)' of `\(code)`")
        #expect(
            try Self.source(file).contains(code),
            "\(file) has no `\(code)`, of which \(page) says '\(sentence)'")
    }
}
