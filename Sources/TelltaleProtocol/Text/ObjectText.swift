#if TELLTALE_COMPILED
extension ObjectsAnswer {
    func lines(_ style: TextStyle) -> [String] {
        guard !objects.isEmpty else { return ["no objects are registered"] }
        var table = TextTable([
            .init("name"), .init("type"), .init("owner"), .init("state"), .init("address"),
        ])
        for entry in objects {
            table.add([entry.name, entry.type, entry.owner, entry.state, entry.address ?? ""])
        }
        return table.rendered(style)
    }
}

extension ValueAnswer {
    func lines(_ style: TextStyle) -> [String] {
        ValueTree(style: style).lines(of: value, label: path, remarks: [whereRead])
    }

    /// How the value was read, in the words of the root line.
    private var whereRead: String {
        guard read == "on its owner" else { return read }
        return switch owner {
        case "actor": "on its actor"
        case "main actor": "on the main actor"
        case "lock": "under its lock"
        case "closure": "made by its closure"
        case "none": "in place"
        default: "on \(owner)"
        }
    }
}
#endif
