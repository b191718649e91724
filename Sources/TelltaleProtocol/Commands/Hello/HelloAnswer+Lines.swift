#if TELLTALE_COMPILED
extension HelloAnswer {
    func line(_ style: TextStyle) -> String {
        let facts = [
            "\(name)(\(pid))", "up \(Quantity.uptime(uptimeSeconds))", mode,
            Quantity.bytes(residentBytes, .field), "uid \(uid)",
            "build \(buildID.isEmpty ? "-" : buildID)",
            "agent \(agent)", "protocol \(protocolVersion)",
        ]
        return facts.map(\.escaped).joined(separator: ", ")
    }
}
#endif
