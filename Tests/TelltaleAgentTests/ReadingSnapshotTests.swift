#if DEBUG
    import Glibc
    import Testing
    import TelltaleAgentProtocol
    import TelltaleAgentSystem
    import TelltaleTestSupport

    @testable import TelltaleAgent

    /// A word that copies of the process share with it.
    private struct SharedWord: @unchecked Sendable {
        let word: UnsafeMutablePointer<Int>

        init() throws {
            let mapping = mmap(
                nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
            let address = try #require(mapping)
            try #require(address != MAP_FAILED)
            word = address.bindMemory(to: Int.self, capacity: 1)
        }
    }

    private final class Album {
        var name = "Holidays"
        var photos: [Photo] = [Photo(), Photo()]
        let apiToken = "planted"
    }

    private final class Photo {
        var title: String? = "Success Kid"
    }

    private final class Racing: @unchecked Sendable {
        var titles: [String: [String]] = [:]
    }

    struct ReadingSnapshotTests {
        private func reader(_ handles: HandleTable? = nil) -> SnapshotReader {
            SnapshotReader(
                limits: ReadLimits(deadline: .now.advanced(by: .seconds(20))),
                masks: MaskPolicy(additionalNames: []), handles: handles)
        }

        private func text(_ node: ValueNode) throws -> String {
            try JSONValueEncoder.encode(node).serialized()
        }

        @Test("a snapshot shows what the reader shows, with numbers that hold here")
        func sameAsInPlace() throws {
            let album = Album()
            let handles = HandleTable()
            let copied = try reader(handles).read(.object(album), rootName: "album", path: [])
            let inPlace = try ValueReader(
                limits: ReadLimits(deadline: .now.advanced(by: .seconds(20))),
                masks: MaskPolicy(additionalNames: []), handles: handles
            ).read(.object(album), rootName: "album", path: [])
            #expect(copied == inPlace)
            #expect(try !text(copied).contains("planted"))
            let photos = try #require(copied.children.first { $0.label == "photos" })
            let number = try #require(photos.children.last?.handle)
            #expect(
                handles.place(of: number)?.path == [.property("photos"), .index(1)])
        }

        @Test("a failure of the reading is the one that the reader gives")
        func failure() throws {
            let album = Album()
            #expect {
                try reader().read(.object(album), rootName: "album", path: [.property("nane")])
            } throws: {
                ($0 as? CommandFailure)?.code == .notFound
            }
        }

        // The reader asks a type for its fields; this one ends the first process that asks.
        private final class EndsOne: TelltaleReflectable {
            static let asked = Locked<SharedWord?>(nil)
            static let host = getpid()
            let number = 7
            static var telltaleFields: [String]? {
                guard getpid() != host, let word = asked.withLock({ $0 }) else { return nil }
                word.word.pointee += 1
                if word.word.pointee == 1 { raise(SIGSEGV) }
                return nil
            }
        }

        private final class EndsAll: TelltaleReflectable {
            static let host = getpid()
            static var telltaleFields: [String]? {
                if getpid() != host { raise(SIGBUS) }
                return nil
            }
        }

        private final class HoldsOne: TelltaleReflectable {
            static let asked = Locked<SharedWord?>(nil)
            static let host = getpid()
            let number = 8
            static var telltaleFields: [String]? {
                guard getpid() != host, let word = asked.withLock({ $0 }) else { return nil }
                word.word.pointee += 1
                while word.word.pointee == 1 { pause() }
                return nil
            }
        }

        @Test("a copy that meets another thread's lock is made once more, and the answer says so")
        func stuckCopy() throws {
            let word = try SharedWord()
            HoldsOne.asked.withLock { $0 = word }
            _ = HoldsOne.host  // made here, and not in the copy
            let node = try reader().read(.object(HoldsOne()), rootName: "one", path: [])
            #expect(node.children.first?.text == "8")
            #expect(node.note?.contains("met a lock of another thread's; this is number 2") == true)
        }

        @Test("a copy that dies is made once more, and the answer says so")
        func secondCopy() throws {
            let word = try SharedWord()
            EndsOne.asked.withLock { $0 = word }
            _ = EndsOne.host  // made here, and not in the copy
            let node = try reader().read(.object(EndsOne()), rootName: "one", path: [])
            #expect(node.children.first?.text == "7")
            #expect(node.note?.contains("died of signal 11; this is number 2") == true)
        }

        @Test("copies that all die are a failure that says how many")
        func bothDie() throws {
            _ = EndsAll.host  // made here, and not in the copy
            #expect {
                try reader().read(.object(EndsAll()), rootName: "all", path: [])
            } throws: {
                ($0 as? CommandFailure)?.message.contains(
                    "of 4 copies of the process the last died")
                    == true
            }
        }

        @Test(
            "an object that another thread changes without pause is read, and the host lives",
            .disabled(if: Sanitizer.watchesThreads))
        func whileChanging() throws {
            let racing = Racing()
            let goesOn = Locked(true)
            let ended = Locked(false)
            try NativeThread.start(name: "writer") {
                var round = 0
                while goesOn.withLock({ $0 }) {
                    round += 1
                    racing.titles["key \(round % 50)"] = [String(repeating: "t", count: 40)]
                    if round % 1000 == 0 { racing.titles = [:] }
                }
                ended.withLock { $0 = true }
            }
            defer {
                goesOn.withLock { $0 = false }
                #expect(throws: Never.self) {
                    try waitUntil("the writer has ended") { ended.withLock { $0 } }
                }
            }
            var read = 0
            for _ in 0..<50 {
                if (try? reader().read(.object(racing), rootName: "racing", path: [])) != nil {
                    read += 1
                }
            }
            #expect(read >= 45)
        }
    }
#endif
