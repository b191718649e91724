#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol
    import TelltaleAgentSystem

    /// Reads values from a forked copy of the process, where nothing changes any more and nothing
    /// that goes wrong can hurt the host.
    ///
    /// A copy that was made while another thread was in the middle of a change may hold a torn
    /// value and die of it (19 of 1,500 under a writer in a tight loop, measured); one that was made
    /// while another thread held a lock of the runtime's, as it does where it instantiates generic
    /// types (1 of 300 dumps right after a host's start, measured), makes no step any more. Both are
    /// made anew, and the answer says so.
    struct SnapshotReader: Sendable {
        let limits: ReadLimits
        let masks: MaskPolicy
        let handles: HandleTable?

        /// How long a copy may still take to write down what it has read.
        private static let grace = Duration.milliseconds(250)
        /// The walk's own bound is on what it reads; as JSON it is some four times as long.
        private static let mostBytes = 256 << 20
        /// How many copies are made at most before it is given up.
        private static let mostCopies = 4

        /// Makes a reader.
        ///
        /// - Parameters:
        ///   - limits: As for `ValueReader`. A copy is killed 250 ms after their deadline.
        ///   - masks: What is left out.
        ///   - handles: Where objects get their numbers; nil for none.
        init(limits: ReadLimits, masks: MaskPolicy, handles: HandleTable?) {
            self.limits = limits
            self.masks = masks
            self.handles = handles
        }

        /// Reads the value at `path` below `root`, as `ValueReader.read` does.
        ///
        /// The host stands still while it is copied: 0.3 ms when small, 33 ms at 2 GiB resident
        /// (measured). To be called on a thread of the agent's: it waits for the copy's end.
        ///
        /// - Parameters:
        ///   - root: Where the path begins; need not be on its owner.
        ///   - rootName: Its registered name.
        ///   - path: The way from there.
        /// - Returns: The value. Its note says if a copy before it was lost.
        /// - Throws: What the reading threw; `.timeout`, `.bound` or `.internal` where there was
        ///   no answer.
        func read(
            _ root: ReadRoot, rootName: String, path: [ValuePath.Component]
        ) throws(CommandFailure) -> ValueNode {
            _ = Self.warmUp
            var ends: [String] = []
            var outcome = ask(root, rootName: rootName, path: path)
            while let end = Self.mishap(outcome) {
                ends.append(end)
                guard ends.count < Self.mostCopies, MonotonicTime.now < limits.deadline else {
                    throw CommandFailure(
                        .internal,
                        "\(rootName) was not read: of \(ends.count) copies of the process the last "
                            + end,
                        hint: "the object was being changed in each; try again, or give it an owner"
                    )
                }
                outcome = ask(root, rootName: rootName, path: path)
            }
            var node = try answer(outcome, rootName: rootName)
            if let end = ends.last {
                let note = "a copy before this one \(end); this is number \(ends.count + 1)"
                node.note = node.note.map { "\($0); \(note)" } ?? note
            }
            return node
        }

        /// How a copy ended that is worth a second try.
        private static func mishap(_ outcome: FrozenCopy.Outcome) -> String? {
            switch outcome {
            case .died(signal: 0): "ended without an answer"
            case .died(let signal): "died of signal \(signal)"
            case .stuck: "met a lock of another thread's"
            case .answered, .late, .failed: nil
            }
        }

        // Every type that the reader makes an instance of by name is looked up once in the process
        // itself: a copy that has to do it takes a lock, and its work is lost with it.
        private static let warmUp: Void = {
            let limits = ReadLimits(deadline: MonotonicTime.now.advanced(by: .seconds(1)))
            let reader = SnapshotReader(
                limits: limits, masks: MaskPolicy(additionalNames: []), handles: HandleTable())
            withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { room in
                let warmth = Warmth()
                defer { withExtendedLifetime(warmth) {} }
                let address = UInt(bitPattern: Unmanaged.passUnretained(warmth).toOpaque())
                _ = reader.write(
                    into: room, .object(at: address), rootName: "warmth", path: [])
            }
        }()

        private final class Warmth {
            let number = 1
            let text: String? = "text"
            let list = ["a"]
            let table = ["a": 1.5]
            let nested = (1, Set(["b"]))
        }

        private func ask(
            _ root: ReadRoot, rootName: String, path: [ValuePath.Component]
        ) -> FrozenCopy.Outcome {
            let capacity = min(max(limits.bytes, 1 << 18), Self.mostBytes / 4) * 4
            return FrozenCopy.ask(
                capacity: capacity, until: limits.deadline.advanced(by: Self.grace)
            ) { room in write(into: room, root, rootName: rootName, path: path) }
        }

        // In the copy.
        private func write(
            into room: UnsafeMutableRawBufferPointer, _ root: ReadRoot, rootName: String,
            path: [ValuePath.Component]
        ) -> Int? {
            // The numbers of the process's own table would be lost with the copy.
            let numbers = handles.map { _ in HandleTable() }
            let reader = ValueReader(limits: limits, masks: masks, handles: numbers)
            var answer = SnapshotAnswer()
            do throws(CommandFailure) {
                let node = try reader.read(root, rootName: rootName, path: path)
                if let numbers { answer.places = SnapshotAnswer.places(in: node, of: numbers) }
                answer.value = node
            } catch {
                answer.failure = error
            }
            return answer.write(into: room)
        }

        private func answer(
            _ outcome: FrozenCopy.Outcome, rootName: String
        ) throws(CommandFailure) -> ValueNode {
            switch outcome {
            case .answered(let bytes):
                let answer = try SnapshotAnswer(bytes: bytes)
                if let failure = answer.failure { throw failure }
                guard var node = answer.value else {
                    throw CommandFailure(
                        .internal, "the copy of the process sent no value of \(rootName)")
                }
                if let handles {
                    answer.renumber(&node, with: handles, rootName: rootName)
                }
                return node
            case .late:
                throw CommandFailure(
                    .timeout,
                    "\(rootName) was not read: a copy of the process gave no answer by its "
                        + "deadline and was killed",
                    hint: "try again, or a smaller --depth or --limit")
            case .failed(let error):
                throw CommandFailure(
                    .unsupported, "\(rootName) was not read: no copy of the process: \(error)",
                    hint: "give the object an owner, so that it can be read there")
            case .died, .stuck:
                throw CommandFailure(
                    .internal, "\(rootName) was not read: a copy of the process died")
            }
        }
    }
#endif
