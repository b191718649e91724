#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleProtocol
    import TelltaleSystem

    /// Reads values from a forked copy of the process, where nothing changes any more and nothing
    /// that goes wrong can hurt the host.
    ///
    /// A copy that was made while another thread was in the middle of a change may hold a torn
    /// value and die of it (19 of 1,500 under a writer in a tight loop, measured); it is made once
    /// more then, and the answer says so. One that hangs, because another thread held a lock of
    /// the runtime's in that instant, is killed at its deadline.
    struct SnapshotReader: Sendable {
        let limits: ReadLimits
        let masks: MaskPolicy
        let handles: HandleTable?

        /// How long a copy may still take to write down what it has read.
        private static let grace = Duration.seconds(1)
        /// The walk's own bound is on what it reads; as JSON it is some four times as long.
        private static let mostBytes = 256 << 20

        /// Makes a reader.
        ///
        /// - Parameters:
        ///   - limits: As for `ValueReader`. A copy is killed one second after their deadline.
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
        /// - Returns: The value. Its note says if a first copy died.
        /// - Throws: What the reading threw; `.timeout`, `.bound` or `.internal` where there was
        ///   no answer.
        func read(
            _ root: ReadRoot, rootName: String, path: [ValuePath.Component]
        ) throws(CommandFailure) -> ValueNode {
            let first = ask(root, rootName: rootName, path: path)
            guard case .died(let signal) = first else {
                return try answer(first, rootName: rootName)
            }
            let death = signal == 0 ? "ended without an answer" : "died of signal \(signal)"
            let second = ask(root, rootName: rootName, path: path)
            if case .died = second {
                throw CommandFailure(
                    .internal,
                    "\(rootName) was not read: a copy of the process \(death), and so did a second",
                    hint: "the object was being changed in both; try again, or give it an owner")
            }
            var node = try answer(second, rootName: rootName)
            let note = "a first copy \(death); this is the second"
            node.note = node.note.map { "\($0); \(note)" } ?? note
            return node
        }

        private func ask(
            _ root: ReadRoot, rootName: String, path: [ValuePath.Component]
        ) -> FrozenCopy.Outcome {
            let capacity = min(max(limits.bytes, 1 << 18), Self.mostBytes / 4) * 4
            return FrozenCopy.ask(
                capacity: capacity, until: limits.deadline.advanced(by: Self.grace)
            ) { room in
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
            case .died:
                throw CommandFailure(
                    .internal, "\(rootName) was not read: a copy of the process died")
            }
        }
    }
#endif
