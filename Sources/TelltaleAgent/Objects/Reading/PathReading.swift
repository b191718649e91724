#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// Resolves typed paths, and reads the values at them.
struct PathReading {
    let context: CommandContext
    /// True if the client has confirmed the run of host code that could not be tried first.
    var isConfirmed = false

    struct Target {
        let entry: RegistryEntry
        var path: [ValuePath.Component]
        /// The object expected at the end of the path, for a path that began with a handle.
        let expected: HandleTable.Place?
        var rendered: String
    }

    func read(
        _ text: String, limits: ReadLimits, snapshot: Bool
    ) throws(CommandFailure) -> ValueAnswer {
        // A text that parses as a path is read as one, even if it is also an expression.
        guard let path = try? ValuePath(parsing: text) else {
            guard limits.asked.isEmpty else {
                throw CommandFailure(
                    .usage, "--memory and --bytes are of a stored value, which needs a path")
            }
            return try read(
                try ValueExpression(parsing: text), as: text, limits: limits, snapshot: snapshot)
        }
        return try read(try resolve(path), query: nil, limits: limits, snapshot: snapshot)
    }

    func read(
        _ target: Target, query: ReadQuery?, limits: ReadLimits, snapshot: Bool
    ) throws(CommandFailure) -> ValueAnswer {
        let wanted = wanted(target, query: query, limits: limits)
        if target.entry.isMade { context.announce(target.entry.name) }
        let reading = ObjectReading(agent: context.agent, isConfirmed: isConfirmed)
        let result = reading.read(wanted, snapshot: snapshot)
        switch result {
        case .failed(let failure): throw failure
        case .read(let content, let how):
            var answer = ValueAnswer(
                path: target.rendered, content: content, owner: target.entry.ownerDescription,
                read: how)
            leaveOutOwn(&answer.memory)
            return answer
        }
    }

    // Subtracts the agent's references: each registration of an object, and each of its actions, has one
    // unowned reference to it.
    private func leaveOutOwn(_ memory: inout ValueMemory?) {
        guard let address = memory?.address, let unowned = memory?.unowned else { return }
        let shared = context.agent.shared
        let held = shared.objects.all.map(\.held?.address) + shared.actions.all.map(\.objectAddress)
        memory?.unowned = max(0, unowned - held.count { $0.map(Quantity.address) == address })
    }

    func wanted(
        _ target: Target, query: ReadQuery?, limits: ReadLimits
    ) -> ObjectReading.Wanted {
        var limits = limits
        if target.entry.isFound { limits.takesLocks = false }
        if query?.readsParts == true { limits.isBrief = false }
        return ObjectReading.Wanted(
            entry: target.entry, path: target.path, query: query, place: target.expected,
            limits: limits, time: OwnerTime(in: context))
    }

    /// Resolves a path to its registered object.
    func resolve(_ text: String) throws(CommandFailure) -> Target {
        try resolve(try ValuePath(parsing: text))
    }

    func resolve(_ path: ValuePath) throws(CommandFailure) -> Target {
        switch path.root {
        case .name(let name):
            return try resolve(name, path.components, rendered: path.description)
        case .handle(let number):
            guard let place = context.agent.handles.place(of: number) else {
                throw CommandFailure(
                    .notFound, "no such handle: #\(number) (it may have expired)",
                    hint: "`show` an object to get handles")
            }
            if let found = try foundObject(of: place) {
                return Target(
                    entry: RegistryEntry(found: found), path: place.path + path.components,
                    expected: place.foundWord == 0 ? place : nil, rendered: path.description)
            }
            var entry = context.agent.shared.objects.entry(place.rootName)
            if entry == nil { entry = try root(place.rootName) }
            guard let entry else {
                throw CommandFailure(
                    .gone,
                    "#\(number) stood below \(place.rootName), which is not registered "
                        + "any more")
            }
            return Target(
                entry: entry, path: place.path + path.components, expected: place,
                rendered: path.description)
        }
    }

    /// The object found in memory that a place names or starts at; `nil` for places below a registered
    /// object.
    private func foundObject(
        of place: HandleTable.Place
    ) throws(CommandFailure) -> HandleTable.Place? {
        if place.foundWord != 0 { return place }
        guard case .handle(let number) = ValuePath.Root(named: place.rootName) else { return nil }
        guard let found = context.agent.handles.place(of: number), found.foundWord != 0 else {
            throw CommandFailure(
                .gone, "it was found below #\(number), and that handle has expired")
        }
        return found
    }

    // A registered name may contain dots, so the longest matching one is used.
    private func resolve(
        _ name: String, _ components: [ValuePath.Component], rendered: String
    ) throws(CommandFailure) -> Target {
        var candidates = [(name, components)]
        var dotted = name
        var rest = components[...]
        while case .property(let next)? = rest.first {
            dotted += "." + next
            rest = rest.dropFirst()
            candidates.append((dotted, Array(rest)))
        }
        for (candidate, path) in candidates.reversed() {
            if let entry = context.agent.shared.objects.entry(candidate) {
                return Target(entry: entry, path: path, expected: nil, rendered: rendered)
            }
        }
        for (candidate, path) in candidates.reversed() {
            if let entry = try root(candidate) {
                return Target(entry: entry, path: path, expected: nil, rendered: rendered)
            }
        }
        throw unknown(name, components: components)
    }

    /// The entry of a global or a static property of the program.
    private func root(_ name: String) throws(CommandFailure) -> RegistryEntry? {
        try RootSearch(context: context).variable(name).map(RegistryEntry.init(root:))
    }

    private func unknown(_ name: String, components: [ValuePath.Component]) -> CommandFailure {
        let shared = context.agent.shared
        let objects = shared.objects.present.map(\.name)
        let actions = shared.actions.present.map(\.name)
        let full = ([name] + components.compactMap(\.propertyName)).joined(separator: ".")
        if actions.contains(full) || actions.contains(name) {
            let action = actions.contains(full) ? full : name
            return CommandFailure(
                .unsupported, "\(action) is an action and not a value",
                hint: "`call \(action)(…)` runs it; `actions` shows what it takes")
        }
        let commands = components.isEmpty ? CommandTable.names : []
        let registered =
            objects.isEmpty
            ? "nothing is registered; in the service: Telltale.register(object, as: \"name\")"
            : "registered objects: \(objects.listed(12))"
        let shown = "`\(name.escaped(limit: 100))`"
        let isLikeCommand =
            NearestNames.of(name, among: objects).isEmpty
            && !NearestNames.of(name, among: commands).isEmpty
        var failure = CommandFailure(
            .notFound,
            isLikeCommand
                ? "\(shown) is neither a command nor a registered object"
                : "nothing is registered as \(shown)",
            hint: NearestNames.question(name, among: objects + commands) ?? registered)
        failure.isUnknownName = true
        return failure
    }

    /// The maximum number of characters of a description that are shown.
    private static let longestDescription = 4000

    static func start(of text: String) -> String {
        let count = text.count
        guard count > longestDescription else { return text }
        return text.prefix(longestDescription)
            + "\n… (\(Quantity.count(count)) characters, the first "
            + "\(Quantity.count(longestDescription)) shown)"
    }

    /// Runs the value's own `description` on its owner. It is refused if a secret is reachable from the
    /// value, because the text is the host's own.
    ///
    /// - Important: Runs host code, on the owner and with a deadline.
    func describe(_ text: String) throws(CommandFailure) -> String {
        let target = try resolve(text)
        guard target.path.isEmpty, !target.entry.isFound,
            let reference = target.entry.reference
        else {
            throw CommandFailure(
                .unsupported, "--describe works on a registered object and not below it",
                hint: "`show \(target.entry.name) --describe`")
        }
        let (entry, name) = (target.entry, target.entry.name)
        guard context.agent.mode == .readWrite else {
            throw CommandFailure(
                .denied,
                "--describe runs code of the service, the description of \(entry.typeName), which a "
                    + "read-only agent doesn't do",
                hint: "`show \(name)` reads what is stored; TELLTALE_MODE=read-write allows it")
        }
        let time = OwnerTime(in: context)
        let reader = ValueReader(
            limits: context.agent.readLimits(until: time.deadline), masks: context.agent.masks,
            handles: nil)
        context.announce("the description of \(name)")
        try tryDescription(of: reference, entry, within: time)
        return try ObjectReading.onOwner(of: entry, within: time, in: context) {
            () throws(CommandFailure) in
            guard let object = reference.retained() else { return "description: gone" }
            let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
            if let failure = reader.refusalToDescribe(.object(at: address), rootName: name) {
                throw failure
            }
            return "description: " + Self.start(of: String(describing: object))
        }
    }

    private func tryDescription(
        of reference: HostReference, _ entry: RegistryEntry, within time: OwnerTime
    ) throws(CommandFailure) {
        let isTried = try context.agent.trials.check(
            .description(entry.identifier),
            "the description of \(entry.name)", on: entry.owner, .read,
            in: entry.bulkhead(for: .read), of: context.agent, until: time.deadline,
            isAsked: isConfirmed, hint: "`show \(entry.name)` reads what is stored"
        ) { _ = reference.retained().map { String(describing: $0) } }
        guard isTried else { throw ObjectReading.unanswered(entry, within: time) }
    }
}

extension ValuePath.Component {
    var propertyName: String? {
        if case .property(let name) = self { return name }
        return nil
    }
}

extension PathReading {
    /// The nodes of the computed properties registered for an object, each read on its owner and with a
    /// deadline.
    ///
    /// - Important: Runs host code, on workers.
    /// - Returns: No nodes for a path below the object, or for an object without registered properties.
    func computed(_ text: String, limits: ReadLimits) throws(CommandFailure) -> [ValueNode] {
        let target = try resolve(text)
        guard target.path.isEmpty else { return [] }
        var below = limits
        below.depth = max(0, limits.depth - 1)
        below.asked = []
        let reading = ObjectReading(agent: context.agent, isConfirmed: isConfirmed)
        return target.entry.properties(in: context.agent.shared.objects).map { entry in
            context.announce(entry.name)
            let result = reading.read(
                ObjectReading.Wanted(entry: entry, limits: below, time: OwnerTime(in: context)),
                snapshot: false)
            var node: ValueNode
            switch result {
            case .read(let content, _): node = content.node
            case .failed(let failure):
                node = ValueNode(
                    type: entry.typeName, kind: .unavailable, note: failure.message)
            }
            node.label = entry.propertyName
            node.note = node.note.map { "computed; \($0)" } ?? "computed"
            return node
        }
    }
}
#endif
