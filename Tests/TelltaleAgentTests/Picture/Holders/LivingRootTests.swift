#if TELLTALE_AGENT
import TelltalePicture
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

#if os(Linux) && arch(x86_64)
/// At whom a search ends, since he goes on by himself.
struct LivingRootTests {
    private static func lives(_ wait: ThreadWait?, isRunning: Bool = true) throws -> Bool {
        let soon = Captured.soon
        var picture = Picture(time: .zero)
        var task = TaskFacts(address: 0x1000, id: 1)
        task.state = isRunning ? .running : .suspended
        picture.tasks = [task]
        if let wait {
            var thread = ThreadFacts(id: 7, state: .running)
            thread.wait = wait
            thread.task = 0x1000
            picture.threads = [thread]
        }
        let images = try #require(LoadedImages.read())
        let ways = HolderWays(
            graph: try #require(HolderGraph(HeapLayout.known(by: soon), until: soon)),
            picture: picture,
            judge: HolderJudge(picture, images, cachedItems: [], until: soon), until: soon)
        return ways.lives(.task(0x1000), others: true)
    }

    @Test("a task that runs goes on if its thread does")
    func runner() throws {
        #expect(try Self.lives(.running))
        #expect(try Self.lives(.event("read")))
        #expect(try !Self.lives(.semaphore(0x2000)))
        #expect(try !Self.lives(.queue(0x2000)))
        // The thread's identity is unknown.
        #expect(try Self.lives(nil))
        #expect(try !Self.lives(nil, isRunning: false))
    }
}
#endif
#endif
