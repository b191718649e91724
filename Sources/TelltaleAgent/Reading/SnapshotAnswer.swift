#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentProtocol

    /// What a copy of the process sends back: a value or a failure, and where the objects stood
    /// that it numbered, so that they get numbers that mean something here.
    struct SnapshotAnswer: Codable {
        /// An object that the copy numbered.
        struct Place: Codable {
            let handle: Int
            /// The path from the root, whose name is left out: `_.items[2]`.
            let path: String
            let address: UInt64
            let type: String
        }

        private static let rootName = "_"

        var value: ValueNode?
        var failure: CommandFailure?
        var places: [Place] = []

        init() {}

        /// Reads what ``write(into:)`` wrote.
        init(bytes: [UInt8]) throws(CommandFailure) {
            do {
                let json = try JSONParser.parse(bytes, limits: .answer)
                self = try JSONValueDecoder.decode(SnapshotAnswer.self, from: json)
            } catch {
                throw CommandFailure(
                    .internal, "the answer of a copy of the process can't be read: \(error)")
            }
        }

        /// Writes the answer as JSON, or a failure in its place where it is too long.
        ///
        /// - Returns: How many bytes it has; nil if not even the failure could be written.
        func write(into room: UnsafeMutableRawBufferPointer) -> Int? {
            guard let json = try? JSONValueEncoder.encode(self) else { return nil }
            let bytes = json.serializedBytes()
            if bytes.count <= room.count {
                room.copyBytes(from: bytes)
                return bytes.count
            }
            var short = SnapshotAnswer()
            short.failure = CommandFailure(
                .bound,
                "the value takes \(bytes.count) bytes, and a snapshot's answer may have "
                    + "\(room.count)",
                hint: "a smaller --depth or --limit, or a longer path")
            guard let json = try? JSONValueEncoder.encode(short) else { return nil }
            let failure = json.serializedBytes()
            guard failure.count <= room.count else { return nil }
            room.copyBytes(from: failure)
            return failure.count
        }

        /// Where the numbered objects below `node` stood.
        static func places(in node: ValueNode, of table: HandleTable) -> [Place] {
            var places: [Int: Place] = [:]
            func collect(_ node: ValueNode) {
                if let handle = node.handle, places[handle] == nil,
                    let place = table.place(of: handle)
                {
                    let path = ValuePath(root: .name(rootName), components: place.path)
                    places[handle] = Place(
                        handle: handle, path: path.description, address: UInt64(place.address),
                        type: place.typeName)
                }
                for child in node.children { collect(child) }
            }
            collect(node)
            return places.values.sorted { $0.handle < $1.handle }
        }

        /// Gives the objects below `node` numbers of `table`; one that it can't have loses its own.
        func renumber(_ node: inout ValueNode, with table: HandleTable, rootName: String) {
            var numbers: [Int: Int] = [:]
            for place in places {
                guard let path = try? ValuePath(parsing: place.path),
                    path.root == .name(Self.rootName)
                else { continue }
                numbers[place.handle] = table.handle(
                    rootName: rootName, path: path.components, address: UInt(place.address),
                    typeName: place.type)
            }
            func apply(_ node: inout ValueNode) {
                if let handle = node.handle { node.handle = numbers[handle] }
                for index in node.children.indices { apply(&node.children[index]) }
            }
            apply(&node)
        }
    }
#endif
