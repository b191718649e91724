#if DEBUG
    import Testing
    import TelltaleAgentProtocol

    @testable import TelltaleAgent

    struct ReadingSnapshotAnswerTests {
        private let path: [ValuePath.Component] = [
            .property("items"), .index(2), .key(.string("a \"b\"")),
        ]

        private func written(_ answer: SnapshotAnswer, room: Int) throws -> SnapshotAnswer {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
            defer { buffer.deallocate() }
            let count = try #require(answer.write(into: buffer))
            return try SnapshotAnswer(bytes: Array(buffer.prefix(count)))
        }

        @Test("the copy's numbers become numbers of the process's own table")
        func renumbers() throws {
            let theirs = HandleTable()
            let ours = HandleTable()
            for other in 1...5 {
                _ = ours.handle(
                    rootName: "other", path: [], address: UInt(other), typeName: "Other")
            }
            let number = theirs.handle(
                rootName: "my photos", path: path, address: 0xfeed, typeName: "Photo")
            var answer = SnapshotAnswer()
            answer.value = ValueNode(
                type: "[Photo]", kind: .array, count: 2,
                children: [
                    ValueNode(type: "Photo", kind: .object, handle: number),
                    ValueNode(type: "Photo", kind: .reference, handle: number),
                ])
            answer.places = SnapshotAnswer.places(in: try #require(answer.value), of: theirs)

            let read = try written(answer, room: 1 << 16)
            var node = try #require(read.value)
            read.renumber(&node, with: ours, rootName: "my photos")
            #expect(node.children.map(\.handle) == [6, 6])
            let place = try #require(ours.place(of: 6))
            #expect(place.rootName == "my photos")
            #expect(place.path == path)
            #expect(place.address == 0xfeed)
            #expect(place.typeName == "Photo")
        }

        @Test("a number that the copy has forgotten is left out")
        func forgotten() {
            var node = ValueNode(type: "Photo", kind: .object, handle: 9)
            SnapshotAnswer().renumber(&node, with: HandleTable(), rootName: "photos")
            #expect(node.handle == nil)
        }

        @Test("an answer over the bound becomes a failure that says both sizes")
        func tooLong() throws {
            var answer = SnapshotAnswer()
            answer.value = ValueNode(
                type: "String", kind: .string, text: String(repeating: "x", count: 2000))
            let read = try written(answer, room: 1024)
            let failure = try #require(read.failure)
            #expect(failure.code == .bound)
            #expect(failure.message.contains("1024"))
            #expect(read.value == nil)
        }

        @Test("a failure of the reading comes through as it was")
        func failures() throws {
            var answer = SnapshotAnswer()
            answer.failure = CommandFailure(.notFound, "Photo has no titel", hint: "title")
            #expect(try written(answer, room: 4096).failure == answer.failure)
        }

        @Test("what is no answer is refused")
        func garbage() {
            #expect(throws: CommandFailure.self) { try SnapshotAnswer(bytes: Array("{\"va".utf8)) }
        }
    }
#endif
