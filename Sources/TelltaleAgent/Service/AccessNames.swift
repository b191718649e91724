#if TELLTALE_AGENT
import TelltaleProtocol

/// The names that a rule of access may have for a place: a place can be reached on many ways, by handles, by
/// variables of the program, through other objects, and be spelt in many.
struct AccessNames {
    let context: CommandContext

    /// Of a path: as it was typed, and from each registered object that it leads to or goes through.
    func names(of text: String) -> [String] {
        guard context.agent.access.hasPatterns else { return [text] }
        guard let target = try? PathReading(context: context).resolve(text) else {
            // Whose an address is can't be told.
            return text.hasPrefix("0x") ? [text, AccessRules.unknown] : [text]
        }
        var names = [text, Self.name(target.entry, target.path[...])]
        if target.entry.isFound {
            switch FoundOwner(context: context).finding(of: target) {
            case .target(let owned): names.append(Self.name(owned.entry, owned.path[...]))
            case .nobody: break
            case .unknown: names.append(AccessRules.unknown)
            }
        }
        return names + passed(by: target)
    }

    /// Of what is called: an action's own, and a method's from each name of its object.
    func names(ofCall text: String) -> [String] {
        guard context.agent.access.hasPatterns else { return [text] }
        guard var path = try? ValuePath(parsing: text), let method = path.components.popLast()
        else {
            return [text]
        }
        let type = (try? NamedType.find(path.description)) ?? nil
        let ofType = type.map(Self.names(of:)) ?? []
        return [text] + ofType.map { $0 + method.description }
            + names(of: path.description).map {
                $0 == AccessRules.unknown ? $0 : $0 + method.description
            }
    }

    /// A type's, and those of the classes above it, whose methods it has: each as it may be written.
    private static func names(of type: DescriptorSearch.Declared) -> [String] {
        var names = spellings("\(type.module).\(type.name)")
        var next = type.descriptor.metadata.flatMap { TypeMetadata($0).superclass }
        for _ in 0..<64 {
            guard let current = next else { break }
            names += spellings(_typeName(current, qualified: true))
            next = TypeMetadata(current).superclass
        }
        return names
    }

    /// `Shop.Album.Cover`, `Album.Cover` and `Cover`.
    private static func spellings(_ name: String) -> [String] {
        let parts = name.split(separator: ".")
        return parts.indices.map { parts[$0...].joined(separator: ".") }
    }

    private static func name(
        _ entry: RegistryEntry, _ path: ArraySlice<ValuePath.Component>
    ) -> String {
        // Not as a path is written: that has a name with a dot in backquotes.
        entry.name + path.map(\.description).joined()
    }

    /// From the registered objects that are gone through. One turn of the owner, for services with rules for
    /// paths only.
    private func passed(by target: PathReading.Target) -> [String] {
        let entry = target.entry
        let path = target.path
        var known: [UInt: [RegistryEntry]] = [:]
        for other in context.agent.shared.objects.all {
            guard let address = other.held?.address, other.identifier != entry.identifier else {
                continue
            }
            known[address, default: []].append(other)
        }
        guard !known.isEmpty, !entry.isMade else { return [] }
        let registered = known
        let time = OwnerTime(in: context)
        let reader = ValueReader(
            limits: context.agent.readLimits(until: time.turnEnd), masks: context.agent.masks,
            handles: nil)
        let call = HostCall<[String]>.on(
            entry.owner, .read, in: entry.bulkhead(for: .read), workers: context.agent.workers,
            until: time.deadline, unless: context.isClientGone
        ) {
            var names: [String] = []
            for end in 0...path.count {
                let address = try? entry.withRoot { root throws(CommandFailure) -> UInt? in
                    try reader.object(
                        root, rootName: entry.name, path: Array(path[..<end]))?.address
                }
                guard let address = address ?? nil else { continue }
                for other in registered[address] ?? [] {
                    names.append(Self.name(other, path[end...]))
                }
            }
            return names
        }
        guard case .finished(let names) = call else { return [AccessRules.unknown] }
        return names
    }
}

extension CommandContext {
    /// See ``AccessNames/names(of:)``.
    func names(ofPath text: String) -> [String] { AccessNames(context: self).names(of: text) }

    /// See ``AccessNames/names(ofCall:)``.
    func names(ofCall text: String) -> [String] { AccessNames(context: self).names(ofCall: text) }
}
#endif
