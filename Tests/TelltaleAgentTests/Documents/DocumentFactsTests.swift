import TelltaleSystem
import TelltaleTestSupport
import Testing

/// What the pages say of bounds and times is what the code has: each sentence beside the declaration that
/// it speaks of, wherever that stands. Who changes one of them is led to the other.
///
/// The grammar page has a test of its own, `WireDocumentTests`, and what `stuck` takes for stuck is in
/// `StuckDocumentTests`.
@Suite("Facts in the documents")
struct DocumentFactsTests {
    private static let dispatch = "Docs/Dispatch.md"
    private static let eventLoops = "Docs/EventLoops.md"
    private static let holders = "Docs/Holders.md"
    private static let robustness = "Docs/Robustness.md"
    private static let signals = "Docs/Signals.md"
    private static let stacks = "Docs/Stacks.md"
    private static let stuck = "Docs/Stuck.md"
    private static let readme = "README.md"
    private static let wire = RepositoryFile.grammarPage

    /// A page, what it says, and the code of which it says it.
    static let facts: [(page: String, sentence: String, code: String)] = [
        (readme, "the last ten of the service's own are kept", "var keptFiles = 10"),
        (readme, "the length of a stop is known; 500", "heartbeat: Duration? = .milliseconds(500)"),
        (
            readme, "a queue, an actor or a lock may take; 1000",
            "ownerDeadline: Duration = .seconds(1)"
        ),
        (readme, "without progress gets a dump; 0", "var hangWatch: Duration?"),
        (wire, "at most 64 KiB in each", "largestPart = 65_536"),
        (robustness, "Without room for 24 MiB of memory", "needed = 24 << 20"),
        (
            robustness, "Eight descriptors and one thread are held in reserve",
            "reservedDescriptors = 8"
        ),
        (robustness, "lent from the agent's eight", "reservedDescriptors = 8"),
        (robustness, "With all 64 workers hung", "maximumWorkers = 64"),
        (robustness, "1 s by default", "ownerDeadline: Duration = .seconds(1)"),
        (robustness, "never more than 16 served", "maximumConnections = 16"),
        (robustness, "16 clients that hold on", "maximumConnections = 16"),
        (
            robustness, "given up 5 s after its first byte",
            "commandDeadline: Duration = .seconds(5)"
        ),
        (robustness, "at 65 MiB", "maximumBytes: 65 << 20"),
        (robustness, "64 columns of the listing", "widest: 64"),
        (robustness, "the first 5,000 and those with something to do", "mostShown = 5000"),
        (robustness, "items counted up to 100,000", "largestCount = 100_000"),
        (robustness, "names cut at 128", "escaped(limit: 128)"),
        (
            robustness, "glibc takes 128 MiB of address space",
            "glibc reserves 128 MiB of address space"
        ),
        (signals, "late by more than 100 ms", "lateness = Duration.milliseconds(100)"),
        (signals, "After 20 reports in a row there is one in 30 s", "most = 20"),
        (signals, "one in 30 s, with the number", "interval = Duration.seconds(30)"),
        (signals, "may have been a second without the time", "shortest = Duration.seconds(1)"),
        (signals, "at most 20 ms of its own processor time", "LONGEST_WAIT 20000000u"),
        (signals, "and 200 ms in all", "LONGEST_WAIT_BUSY 200000000u"),
        (signals, "a path of 107 bytes; of 108", "longestPath"),
        (stacks, "up to four times", "TRIES 4"),
        (stacks, "at most 32 of them at a time", "CTELLTALE_INTERRUPTED 32"),
        (stacks, "2 KB of ours", "INTERRUPT_STACK 2048"),
        (stacks, "512 frames; 1 MiB of stack", "mostFrames = 512"),
        (stacks, "1 MiB of stack, or", "LARGEST_STACK (1u << 20)"),
        (stacks, "64 KiB of a thread that runs", "CTELLTALE_INTERRUPTED_STACK 65536"),
        (stacks, "no processor for 400 ms", "STARVED 400000000u"),
        (stacks, "More than 16,384 threads are not listed", "mostThreads = 16_384"),
        (stacks, "at most 16 MiB are kept altogether", "maximumBytes = 16 << 20"),
        (stacks, "6 of them for the lines of one file", "maximumDetails = 6 << 20"),
        (stacks, "the names of 8,192 addresses", "maximumKnown = 8192"),
        (stuck, "ten frames of each", "shownFrames = 10"),
        (dispatch, "each of the four times that it was read", "try < 4; try++"),
        (eventLoops, "at most 1,000 descriptors", "fewDescriptors = 1000"),
        (eventLoops, "again after 2,000 times as long", "pauseFactor = 2000"),
        (eventLoops, "no sooner than after 2 s", "least = Duration.seconds(2)"),
        (eventLoops, "no later than after 60 s", "most = Duration.seconds(60)"),
        (eventLoops, "the first half second of the agent", "first = Duration.milliseconds(500)"),
        (eventLoops, "can be read in 200 ms", "began.advanced(by: .milliseconds(200))"),
        (holders, "in pieces of 256 KB", "HolderPiece = 256 * 1024"),
        (holders, "looked for at every 64 MB", ".span = 64 << 20"),
        (holders, "a block of up to 1 KB wherever", "whole_reach = 1024"),
        (holders, "larger one at its first 64 bytes", "large_reach = 64"),
        (holders, "up to four times with one picture", "mostPasses = 4"),
        (holders, "At most 16 levels", "mostLevels = 16"),
        (holders, "262,144 blocks", "MostNodes = 1 << 18"),
        (holders, "1,048,576 words", "MostEdges = 1 << 20"),
        (holders, "512 beginnings of each target", "mostRoots = 512"),
    ]

    /// All sources in one, in which any white space is one space.
    private static let sources: String = {
        func files(in folder: String) -> [String] {
            DirectoryListing.names(in: "\(RepositoryFile.root)/\(folder)").flatMap { name in
                name.contains(".")
                    ? ["\(folder)/\(name)"] : files(in: "\(folder)/\(name)")
            }
        }
        return files(in: "Sources").filter {
            $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h")
        }.compactMap { try? RepositoryFile.text($0) }.map(oneSpaced).joined(separator: " ")
    }()

    private static func oneSpaced(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("each stands on its page, and its constant in the code", arguments: facts)
    func stands(page: String, sentence: String, code: String) throws {
        let text = Self.oneSpaced(try RepositoryFile.text(page))
        #expect(text.contains(sentence), "\(page) no longer says '\(sentence)' of `\(code)`")
        #expect(
            Self.sources.contains(code),
            "no source has `\(code)`, of which \(page) says '\(sentence)'")
    }
}
