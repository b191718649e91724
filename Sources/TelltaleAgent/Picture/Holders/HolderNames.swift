#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// The names of an object's retainers.
struct HolderNames {
    private let census: HeapCensus
    private let names: HeapNames
    private let picture: Picture
    private let agent: Agent
    /// The names of registered objects by their addresses.
    let registered: [UInt: String]

    init(_ census: HeapCensus, _ picture: Picture, _ agent: Agent) {
        self.census = census
        self.picture = picture
        self.agent = agent
        names = HeapNames(census)
        registered = Dictionary(
            agent.shared.objects.all.compactMap { entry in
                entry.reference?.address.map { ($0, entry.name) }
            }
        ) { first, _ in first }
    }

    /// A retainer's name, and facts about the reference in it.
    struct Named {
        var holder: HoldersAnswer.Holder
        /// The key of the dictionary entry, which is a secret if the dictionary is.
        var key: String?
        /// True if the reference is in a secret property; nil if the property's name is unknown.
        var isMasked: Bool?
    }

    /// Names an object or another block; nil for the agent's own.
    func object(
        at start: UInt, word: UInt, size: Int, offset: UInt
    ) -> Named? {
        let row = HeapCensus.Row(word: word, kind: census.kind(of: word), count: 1, bytes: 0)
        guard let name = names.name(of: row) else {
            var block = HoldersAnswer.Holder(
                kind: "block", name: "\(Quantity.bytes(size)) that are no object of Swift's")
            block.address = Quantity.address(start)
            block.place = "\(Quantity.count(offset)) bytes into it"
            return Named(holder: block)
        }
        guard !name.isAgents else { return nil }
        var holder = HoldersAnswer.Holder(kind: name.kind, name: name.text)
        holder.address = Quantity.address(start)
        switch name.kind {
        case "captures":
            switch ClosureCaptures(metadata: word)?.ownership(at: offset) {
            case .unowned, .unmanaged: holder.kind = "unowned"
            case .weak: holder.kind = "weak"
            case .strong, nil: holder.kind = "captured"
            }
            holder.name = "a closure, with \(name.text)"
        case "box":
            holder.kind = "boxed"
            holder.name = "a box of \(name.text)"
        default: break
        }
        guard let type = name.type else { return Named(holder: holder) }
        let place = WordPlace.of(offset, in: start, type, agent.masks)
        holder.kind = place.kind
        holder.place = place.text
        holder.isUncertain = place.isUncertain ? true : nil
        holder.handle = agent.handles.handle(
            found: start, word: word, typeName: TypeNames.name(of: type))
        return Named(
            holder: holder, key: place.key, isMasked: name.kind == "class" ? place.isMasked : nil)
    }

    /// Returns whether objects with this first word are the agent's own.
    func isAgents(_ word: UInt) -> Bool {
        let row = HeapCensus.Row(word: word, kind: census.kind(of: word), count: 1, bytes: 0)
        return names.name(of: row)?.isAgents ?? false
    }

    // MARK: Roots

    func stack(_ thread: Int32) -> HoldersAnswer.Holder {
        let facts = picture.threads.first { $0.id == thread }
        var holder = HoldersAnswer.Holder(kind: "stack", name: "thread \(thread)")
        holder.place = facts.flatMap { $0.name.isEmpty ? nil : $0.name }
        return holder
    }

    func item(of queue: UInt) -> HoldersAnswer.Holder {
        HoldersAnswer.Holder(
            kind: "item", name: "an item that waits on queue \(picture.labels[queue] ?? "")")
    }

    func task(_ address: UInt) -> HoldersAnswer.Holder {
        let facts = picture.tasks.first { $0.address == address }
        let number = facts.map { "#\($0.id)" } ?? Quantity.address(address)
        var holder = HoldersAnswer.Holder(
            kind: "task", name: "task \(number)" + (facts?.name.map { " \($0)" } ?? ""))
        holder.address = Quantity.address(address)
        return holder
    }

    func memory(_ address: UInt) -> HoldersAnswer.Holder {
        var holder = HoldersAnswer.Holder(kind: "memory", name: "memory of which nothing is known")
        holder.address = Quantity.address(address)
        return holder
    }

    /// Names a variable; nil if no code of the program follows it.
    func variable(_ address: UInt, until deadline: MonotonicTime) -> Named? {
        let found = agent.symbols.names(of: [address], deadline: deadline).first
        if let found, VariableName.isNobodys(found) { return nil }
        var holder = HoldersAnswer.Holder(
            kind: "variable", name: found.flatMap(VariableName.of) ?? "a variable without a name")
        holder.address = Quantity.address(address)
        if let module = found?.module { holder.place = "in \(module)" }
        let words = found.flatMap(VariableName.of)
        return Named(holder: holder, isMasked: words.map { agent.masks.masks(name: $0) })
    }
}
#endif
