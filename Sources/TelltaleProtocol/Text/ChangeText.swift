#if TELLTALE_COMPILED
extension ChangeAnswer {
    /// `photos.prompt: nil -> "WOOT!"      (change 1; `undo 1` puts it back)`, and a note on a line of
    /// its own.
    func lines(_ style: TextStyle) -> [String] {
        let old = change.old.map { $0.terminalSafe + " " } ?? ""
        let what = style.painted(change.path.terminalSafe, .bold) + ": " + old + "-> "
        let result = change.result.terminalSafe
        let remark =
            switch true {
            case result == "done":
                "change \(change.number); `undo \(change.number)` puts it back"
            case result.hasPrefix("undoes "):
                "change \(change.number) \(result); `undo \(change.number)` puts it back"
            default: "change \(change.number); \(result)"
            }
        return [what + change.new.terminalSafe + "      (\(remark))"]
            + (change.note.map { ["  note: \($0.terminalSafe)"] } ?? [])
    }
}

extension ChangesAnswer {
    func lines(_ style: TextStyle) -> [String] {
        let cut = dropped > 0 ? ["… \(Quantity.count(dropped)) older, no longer kept"] : []
        guard !changes.isEmpty else { return ["nothing was changed or called"] + cut }
        var table = TextTable([
            .init("change", isNumber: true), .init("time"), .init("by"), .init("path"),
            .init("old"), .init("new"), .init("result"),
        ])
        for change in changes {
            table.add([
                "\(change.number)", change.time, change.by.text, change.path, change.old ?? "",
                change.new, change.result,
            ])
        }
        return table.rendered(style) + cut
    }
}

extension Peer {
    /// `bash(977) uid=0`, as the dump names whoever sent a signal.
    package var text: String {
        let process = pid == 0 ? "unseen process" : "\(program ?? "pid")(\(pid))"
        return "\(process) uid=\(uid)"
    }
}

extension CallAnswer {
    func lines(_ style: TextStyle) -> [String] {
        let remark = "\(Quantity.duration(microseconds: microseconds)), change \(change)"
        guard let value else {
            return [style.painted(action.terminalSafe, .bold) + ": done  (\(remark))"]
        }
        return ValueTree(style: style).lines(of: value, label: action, remarks: [remark])
    }
}

extension ActionsAnswer {
    func lines(_ style: TextStyle) -> [String] {
        guard !actions.isEmpty else { return ["no actions are registered"] }
        var table = TextTable([.init("action"), .init("result"), .init("owner")])
        for entry in actions {
            let arguments = entry.parameters.joined(separator: ", ")
            table.add([
                "\(entry.name)(\(arguments))\(entry.isAsync ? " async" : "")", entry.result,
                entry.owner,
            ])
        }
        return table.rendered(style)
    }
}
#endif
