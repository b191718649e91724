#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime

/// The names by which access rules may match a path. The same value can be reached by many paths (handles,
/// variables of the program, other objects), and each path has several spellings.
struct AccessNames {
    let context: CommandContext

    /// Returns the names of a path: the text as typed, and one path for each registered object that it
    /// leads to or passes through.
    func names(of text: String) -> [String] {
        guard context.agent.access.hasPatterns else { return [text] }
        guard let target = try? PathReading(context: context).resolve(text) else {
            // The owner of a raw address is unknown.
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

    /// Returns the names of a call: those of the action, or those of the method from each name of its
    /// object.
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

    /// Returns the spellings of a type and of its superclasses, whose methods it inherits.
    private static func names(of type: DescriptorSearch.Declared) -> [String] {
        let inherited = type.descriptor.metadata.map { TypeMetadata.lineage(of: $0).dropFirst() }
        return spellings("\(type.module).\(type.name)")
            + (inherited ?? []).flatMap { spellings(_typeName($0, qualified: true)) }
    }

    /// `Shop.Album.Cover`, `Album.Cover` and `Cover`.
    private static func spellings(_ name: String) -> [String] {
        let parts = name.split(separator: ".")
        return parts.indices.map { parts[$0...].joined(separator: ".") }
    }

    private static func name(
        _ entry: RegistryEntry, _ path: ArraySlice<ValuePath.Component>
    ) -> String {
        // Not the canonical spelling of a path, which puts a name with a dot in backquotes.
        entry.name + path.map(\.description).joined()
    }

    /// Returns the paths from the registered objects that the path passes through. Costs one owner access,
    /// and only in services that have rules for paths.
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
