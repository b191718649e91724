#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol
import Testing

/// The cost of a diagnosis grows with the process, and not with its square.
@Suite(.serialized)
struct CostTests {
    private static func seconds(_ pictures: (Picture, Picture)) -> Double {
        (0..<3).map { _ in
            let clock = SuspendingClock()
            let took = clock.measure {
                _ = Diagnosis(of: pictures.0, pictures.1).answer(captures: 2, took: .zero)
            }
            return took.inSeconds
        }.min() ?? 0
    }

    private static func twice(_ picture: Picture) -> (Picture, Picture) {
        var earlier = picture
        earlier.time = .seconds(99)
        return (earlier, picture)
    }

    private static func operations(_ count: Int) -> (Picture, Picture) {
        var process = MadeProcess()
        for id in 11..<Int32(61) {
            process.thread(id, .runs, in: "BlockOperation.main()")
        }
        // Each waits for all that are in a queue.
        for id in 61..<Int32(81) { process.thread(id, .operations) }
        var picture = process.pictures.later
        picture.operations = (0..<count).map { number in
            var operation = PlacedOperation(
                address: UInt(0x10_0000 + number * 64), name: "resize \(number)", type: "Resize",
                state: number % 4 == 0 ? .executing : .ready, queue: "thumbnails")
            operation.dependencies = number < 100 ? [] : [UInt(0x10_0000 + (number - 100) * 64)]
            return operation
        }
        return twice(picture)
    }

    /// Tasks whose continuations are in one list, so that each of them leads to all others.
    private static func list(_ count: Int) -> (Picture, Picture) {
        var picture = MadeProcess().pictures.later
        let addresses = (0..<count).map { UInt(0x10_0000 + $0 * 64) }
        let roots = addresses.prefix(512).map { Holders.Root.task($0) }
        for (number, address) in addresses.enumerated() {
            var task = TaskFacts(address: address, id: UInt64(number))
            task.waitsFor = .continuation
            task.frames = [RawFrame(address: 0x40_0000 + UInt(number % 16), kind: .asyncResume)]
            picture.tasks.append(task)
            picture.holders[.continuation(task: address)] = Holders(roots, isWhole: false)
        }
        return twice(picture)
    }

    @Test("a thousand tasks that have each other's continuations are judged in a moment")
    func oneList() {
        // Without a bound on who is asked it was more than half a minute in a release build.
        let seconds = Self.seconds(Self.list(1000))
        #expect(seconds < 20, "\(seconds) s")
    }

    /// An actor for each task, of which every one has the next one's turn to wait for.
    private static func tasks(_ count: Int) -> (Picture, Picture) {
        var picture = MadeProcess().pictures.later
        for number in 0..<count {
            let address = UInt(0x10_0000 + number * 64)
            var task = TaskFacts(address: address, id: UInt64(number))
            task.waitsFor = .continuation
            task.frames = [RawFrame(address: 0x40_0000 + UInt(number % 16), kind: .asyncResume)]
            picture.tasks.append(task)
            var actor = ActorFacts(address: address + 32, typeName: "Room\(number % 16)")
            actor.state = .running
            actor.jobs = [address]
            picture.actors.append(actor)
            picture.holders[.continuation(task: address)] = Holders([], isWhole: true)
        }
        for index in 0..<16 {
            picture.names[0x40_0000 + UInt(index)] = [
                MadeProcess.frame("Room\(index).enter()", 40)
            ]
        }
        return twice(picture)
    }

    @Test("four times as many operations take no more than some seven times as long")
    func manyOperations() {
        let (few, many) = (
            Self.seconds(Self.operations(5000)), Self.seconds(Self.operations(20_000))
        )
        #expect(many < few * 7 + 0.05, "\(few) s for 5,000, \(many) s for 20,000")
    }

    @Test("four times as many tasks and actors take no more than some seven times as long")
    func manyTasks() {
        let (few, many) = (Self.seconds(Self.tasks(5000)), Self.seconds(Self.tasks(20_000)))
        #expect(many < few * 7 + 0.05, "\(few) s for 5,000, \(many) s for 20,000")
    }
}
#endif
