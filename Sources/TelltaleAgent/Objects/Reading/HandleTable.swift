#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

/// The numbers under which answers have named objects: `#7`.
///
/// It knows where an object stood and nothing of the object itself, so that it keeps nothing
/// of the host alive; whoever uses a number checks first that the object still stands there.
/// At most ``capacity`` numbers are kept: those that were used least lately go, an eighth at
/// a time. A number is never given out twice.
final class HandleTable: Sendable {
    /// Where an object stood when it was given its number.
    struct Place: Sendable {
        /// The registered object that it was reached from.
        let rootName: String
        /// The way from there.
        let path: [ValuePath.Component]
        // Not as it is: a search for holders would find this word.
        private let complement: UInt
        let typeName: String
        /// The first word of an object that was found in memory, and by no path: its ``rootName`` is its
        /// own number. 0 of one that was reached from a registered object.
        var foundWord: UInt = 0

        var address: UInt { ~complement }

        init(
            rootName: String, path: [ValuePath.Component], address: UInt, typeName: String,
            foundWord: UInt = 0
        ) {
            self.rootName = rootName
            self.path = path
            complement = ~address
            self.typeName = typeName
            self.foundWord = foundWord
        }
    }

    /// How many numbers are kept; some 200 bytes each.
    static let capacity = 4096

    private struct Entry {
        let place: Place
        var used: UInt64
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        /// The numbers of an address, by its complement; several where it was reached on several ways.
        var numbers: [UInt: [Int]] = [:]
        var lastNumber = 0
        var clock: UInt64 = 0
    }

    private let state = Locked(State())

    /// The number of an object, from 1; the same one each time for the same object at the same
    /// place.
    func handle(
        rootName: String, path: [ValuePath.Component], address: UInt, typeName: String
    ) -> Int {
        state.withLock { state in
            state.clock += 1
            for number in state.numbers[~address] ?? [] {
                guard let place = state.entries[number]?.place,
                    place.typeName == typeName, place.rootName == rootName,
                    place.path == path
                else { continue }
                state.entries[number]?.used = state.clock
                return number
            }
            if state.entries.count >= Self.capacity { Self.forgetOldest(&state) }
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(
                place: Place(
                    rootName: rootName, path: path, address: address, typeName: typeName),
                used: state.clock)
            state.numbers[~address, default: []].append(state.lastNumber)
            return state.lastNumber
        }
    }

    /// The number of an object that was found in memory: no path leads to it, and nobody says who
    /// guards it.
    func handle(found address: UInt, word: UInt, typeName: String) -> Int {
        state.withLock { state in
            state.clock += 1
            for number in state.numbers[~address] ?? []
            where
                state.entries[number]?.place.foundWord == word
            {
                state.entries[number]?.used = state.clock
                return number
            }
            if state.entries.count >= Self.capacity { Self.forgetOldest(&state) }
            state.lastNumber += 1
            let place = Place(
                rootName: "#\(state.lastNumber)", path: [], address: address, typeName: typeName,
                foundWord: word)
            state.entries[state.lastNumber] = Entry(place: place, used: state.clock)
            state.numbers[~address, default: []].append(state.lastNumber)
            return state.lastNumber
        }
    }

    /// Where the object of a number stood; nil if there was never such a number, or it has been
    /// dropped.
    func place(of handle: Int) -> Place? {
        state.withLock { state in
            state.clock += 1
            state.entries[handle]?.used = state.clock
            return state.entries[handle]?.place
        }
    }

    private static func forgetOldest(_ state: inout State) {
        // No two were used at the same tick, so what goes is all that is below one of them: the ticks
        // are sorted and not the entries, which a value of ten thousand objects does twenty times.
        let used = state.entries.values.map(\.used).sorted()
        guard used.count > capacity / 8 else { return }
        let least = used[capacity / 8]
        let oldest = state.entries.filter { $0.value.used < least }
        for (number, entry) in oldest {
            state.entries[number] = nil
            let address = ~entry.place.address
            state.numbers[address]?.removeAll { $0 == number }
            if state.numbers[address]?.isEmpty ?? false { state.numbers[address] = nil }
        }
    }
}

extension HandleTable.Place {
    /// Checks that the object still stands where it was when it was given its number, below what is
    /// registered as ``rootName`` now.
    ///
    /// To be called on the owner, before the place is read or written.
    /// - Throws: ``CommandFailure/Code/gone`` where nothing stands there any more,
    ///   ``CommandFailure/Code/conflict`` where it is another object.
    func verify(
        in root: ReadRoot, masks: MaskPolicy, source: MemorySource = .process
    ) throws(CommandFailure) {
        let rendered = ValuePath(root: .init(named: rootName), components: path).description
        let hint = "`show \(ValuePath(root: .init(named: rootName)))` gives out new numbers"
        let reader = ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(1))), masks: masks,
            handles: nil)
        let found: (address: UInt, typeName: String)?
        do throws(CommandFailure) {
            found = try reader.object(root, rootName: rootName, path: path, in: source)
        } catch {
            guard error.code == .notFound || error.code == .gone else { throw error }
            throw CommandFailure(
                .gone, "the \(typeName) at \(rendered) is gone: \(error.message)", hint: hint)
        }
        guard let found else {
            throw CommandFailure(
                .gone, "the \(typeName) is gone: no object stands at \(rendered) now", hint: hint
            )
        }
        guard found == (address, typeName) else {
            throw CommandFailure(
                .conflict, "another \(found.typeName) stands at \(rendered) by now", hint: hint)
        }
    }
}

extension ValuePath.Root {
    /// A registered name, or `#7` of an object that was found in memory.
    init(named name: String) {
        let number = name.hasPrefix("#") ? Int(name.dropFirst()) : nil
        self = number.map { .handle($0) } ?? .name(name)
    }
}
#endif
