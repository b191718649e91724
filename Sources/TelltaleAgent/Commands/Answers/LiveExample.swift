#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleRuntime
import TelltaleSystem

/// An example of a command that works in this very process: with its objects, actions and queues.
struct LiveExample {
    let context: CommandContext

    /// The maximum number of properties that are tried to find one that can be set.
    private static let mostTried = 12
    private static let timeout: Duration = .milliseconds(300)

    /// Returns the example; nil if the process has nothing for the command, so that the usual example is
    /// shown.
    func text(for command: any Command.Type) -> String? {
        let description = command.description
        switch description.name {
        case SetCommand.description.name: return change
        case CallCommand.description.name: return call
        default: break
        }
        // The name in the example that belongs to the photo manager demo.
        guard
            let sample = description.example.split(separator: " ").dropFirst().first(where: {
                !$0.hasPrefix("-")
            })
        else { return nil }
        guard let own = name(for: command.completion(after: []), in: description) else {
            return nil
        }
        return description.example.replacing(sample, with: own, maxReplacements: 1)
    }

    private func name(for place: CompletionPlace, in description: CommandDescription) -> String? {
        switch place {
        case .path, .pathOr: object?.name
        case .name(.queue, _): queue
        case .name(.type, _): object?.typeName
        default: nil
        }
    }

    /// The first registered reference; without one, the first registered object.
    private var object: RegistryEntry? {
        let entries = context.agent.shared.objects.present.filter(\.isListed)
        return entries.first { $0.reference != nil } ?? entries.first
    }

    private var queue: String? { context.agent.shared.observedQueues.first?.queue.shownLabel }

    /// A property set to its current value: this changes nothing, so it can be tried.
    private var change: String? {
        let deadline = min(context.deadline, .now.advanced(by: Self.timeout))
        for entry in context.agent.shared.objects.present
        where entry.isListed && .now < deadline {
            let options = ReadingOptions(
                depth: 1, limit: 1, snapshot: false, match: nil, fields: nil, isTable: false,
                asked: [])
            let answer = try? PathReading(context: context).answer(entry.name, options)
            for child in (answer?.value.children ?? []).prefix(Self.mostTried) {
                guard let label = child.label, let text = child.text, text.utf8.count < 60,
                    [.scalar, .string, .none].contains(child.kind), child.note == nil
                else { continue }
                let path = "\(entry.name).\(label)"
                let asked = SetCommand.Parameters(path: path, value: text, preview: true)
                if (try? SetCommand.run(asked, in: context)) != nil { return "\(path) = \(text)" }
            }
        }
        return nil
    }

    private var call: String? {
        for action in context.agent.shared.actions.present {
            let arguments = action.parameters.enumerated().map { index, type -> String? in
                guard let value = Self.value(of: type) else { return nil }
                return action.argumentName(index).map { "\($0): \(value)" } ?? value
            }
            guard !arguments.contains(nil) else { continue }
            return "call \(action.name)(\(arguments.compactMap(\.self).joined(separator: ", ")))"
        }
        return nil
    }

    private static func value(of type: String) -> String? {
        switch type {
        case "String": "\"text\""
        case "Bool": "true"
        case "Double", "Float": "1.5"
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
            "UInt64":
            "1"
        case _ where type.hasSuffix("?"): "nil"
        case _ where type.hasPrefix("["): "[]"
        default: nil
        }
    }
}
#endif
