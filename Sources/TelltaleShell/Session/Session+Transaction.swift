import TelltaleProtocol

// Changes that are collected between `begin` and `commit`.
extension Session {
    /// Notes whether a transaction is open.
    func follow(_ request: Request) {
        switch request.method {
        case BeginCommand.description.name: hasTransaction = true
        case CommitCommand.description.name, RollbackCommand.description.name:
            hasTransaction = false
        default: break
        }
    }

    /// Changes that were collected and not made end with the connection.
    func sayDiscarded() {
        guard hasTransaction else { return }
        output.warn("the changes collected since `begin` were discarded: there was no `commit`")
    }
}
