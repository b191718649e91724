package import TelltaleClient
import TelltaleProtocol
import TelltaleSystem

/// The program without its terminal: arguments in, text and an exit status out.
package final class Shell {
    private let output: any ShellOutput
    private let environment: @Sendable (String) -> String?
    private let places: SearchPlaces
    private let makeEditor: () -> any LineEditor
    private let editorLibrary: String
    private var presentation = Presentation(
        json: false, style: TextStyle(color: false, width: nil),
        errorStyle: TextStyle(color: false, width: nil))

    package init(
        output: any ShellOutput,
        environment: @escaping @Sendable (String) -> String? = ProcessIdentity.environment,
        places: SearchPlaces? = nil, editorLibrary: String,
        makeEditor: @escaping () -> any LineEditor
    ) {
        self.output = output
        self.environment = environment
        self.places = places ?? SearchPlaces(environment: environment)
        self.editorLibrary = editorLibrary
        self.makeEditor = makeEditor
    }

    /// Runs the program, with its arguments but its name; gives the exit status.
    package func run(_ arguments: [String]) -> Int32 {
        // Also a mistake in the options is reported as was asked for.
        presentation.json = arguments.contains { $0 == "--json" || $0 == "--json=lines" }
        do throws(CommandFailure) {
            let options = try Options(parsing: arguments, isCommand: Commands.isCommand)
            presentation = Presentation(options: options, environment: environment)
            return try run(options)
        } catch {
            return fail(error)
        }
    }

    private func run(_ options: Options) throws(CommandFailure) -> Int32 {
        switch options.page {
        case .help: return try show(Page(kind: "help", text: Pages.help, isRead: true))
        case .version:
            return try show(
                Page(kind: "version", text: Pages.version(editor: editorLibrary), isRead: true))
        case .manual: return try show(Page(kind: "manual", text: ManualPage.text))
        case .completion(let script):
            return try show(Page(kind: "completion-script", text: script.text))
        case .candidates: return try candidates(options)
        case nil: break
        }
        switch try Invocation(words: options.words, isCommand: Commands.isCommand) {
        case .list: return try list(options)
        case .help(let command): return try help(command)
        case .wait(let target, let time): return try wait(target, time, options)
        case .command(let target, let words): return try command(words, target, options)
        case .script(let target): return try script(target, options)
        case .session(let target):
            guard TerminalFacts.isTerminal(0) else { return try script(target, options) }
            return try session(target, options)
        }
    }

    private func connect(
        _ target: Target?, _ options: Options, interrupt: Int32? = nil, early: EarlyRequest? = nil
    ) throws(CommandFailure) -> AgentConnection {
        var resolver = TargetResolver(
            discovery: discovery(options), interrupt: interrupt, early: early)
        let connection = try resolver.connect(to: target)
        // Root may not know whose process a number is. Who named the user does.
        if let user = connection.otherUser {
            if case .named? = target { return connection }
            if !options.quiet {
                output.warn("\(connection.hello.name)(\(connection.pid)) is \(user)'s")
            }
        }
        return connection
    }

    private func discovery(_ options: Options) -> Discovery {
        Discovery(places: places, timeout: options.timeout ?? Discovery.timeout)
    }

    /// Prints the completions of a half-typed line of the shell, a word a line; nothing if no agent
    /// answers soon.
    private func candidates(_ options: Options) throws(CommandFailure) -> Int32 {
        var quiet = options
        quiet.quiet = true
        quiet.timeout = Completer.timeout
        let found = ShellCandidates(words: options.words).all(
            services: {
                Listing.make(discovery: discovery(quiet), timeout: Completer.timeout).processes
                    .map(\.name)
            },
            complete: { word, line in
                let target = word.flatMap { try? Target(parsing: $0) }
                guard let connection = try? self.connect(target, quiet) else {
                    return .words(HalfTypedPlace(line.text).commands.map { Candidate($0) })
                }
                let link = AgentLink(connection, timeout: Completer.timeout) {
                    .failure(CommandFailure(.unreachable, "it has gone"))
                }
                return Completer(link: link).complete(line)
            })
        // Names of a service's queues and keys are untrusted, and a shell would run them.
        let harmless = found.filter(\.isHarmlessInShell)
        guard !harmless.isEmpty else { return 0 }
        try output.show(TerminalText(lines: harmless))
        return 0
    }

    // MARK: Kinds of command line

    /// Tries until an agent can be reached. What it says of the last try is the failure.
    private func wait(
        _ target: Target?, _ time: Duration, _ options: Options
    ) throws(CommandFailure) -> Int32 {
        let end = MonotonicTime.now.advanced(by: time)
        while true {
            do throws(CommandFailure) {
                let connection = try connect(target, options)
                if !options.quiet || presentation.json {
                    return try show(Page(kind: "reached", text: connection.title))
                }
                return 0
            } catch {
                // A name that is not unique and the like do not change by waiting.
                guard
                    error.code == .unreachable || error.code == .timeout || error.code == .notFound
                else { throw error }
                guard .now < end else {
                    throw CommandFailure(
                        .timeout, "waited \(Quantity.time(time)): \(error.message)",
                        hint: error.hint)
                }
            }
            _ = DescriptorWait.wait(
                for: -1, interrupt: nil, until: min(end, .now.advanced(by: .milliseconds(100))))
        }
    }

    private func list(_ options: Options) throws(CommandFailure) -> Int32 {
        let listing = Listing.make(
            discovery: discovery(options), timeout: options.timeout ?? Listing.timeout,
            withAgentless: options.all)
        if presentation.json {
            try output.show(Presentation.document(kind: "listing", listing).line)
        } else {
            if !options.quiet { for problem in listing.problems { output.warn(problem) } }
            if listing.processes.isEmpty {
                output.warn("no agent was found; looked in " + listing.searched)
            } else {
                try output.show(listing.text(presentation.style))
            }
            if !options.quiet, listing.processes.isEmpty, let remark = listing.agentlessRemark {
                output.warn(remark)
            }
        }
        return 0
    }

    private func help(_ command: String?) throws(CommandFailure) -> Int32 {
        let help = try CommandTable.help(for: command)
        return try show(.answer(help), paged: Pager(self.environment))
    }

    private func command(
        _ words: [String], _ target: Target?, _ options: Options
    ) throws(CommandFailure) -> Int32 {
        // A line that can't be a command is refused before the search for an agent.
        guard let request = try CommandLineParser.parse(words: words).map(presentation.sent),
            !request.command.description.endsSession
        else {
            // Also for nothing there is one document.
            return presentation.json ? try show(Page(kind: "nothing", text: "")) : 0
        }
        try refuseEndingWithConnection(request, target)
        presentation.style.invocation = (["telltale"] + (target.map { [$0.word] } ?? []))
            .joined(separator: " ")
        let connection = try connect(
            target, options, early: EarlyRequest(request, limit: options.timeout))
        let runner = CommandRunner(
            limit: options.timeout, progress: options.quiet ? nil : .onTerminal(output),
            style: presentation.style)
        let pager = options.noPager ? nil : Pager(environment)
        var failure: CommandFailure?
        // The output of a repeated command is shown as it comes, and not in a pager.
        let isRepeated = request.command is any RepeatedCommand.Type
        let onLines: (([String]) -> Void)? =
            presentation.json || pager != nil && !isRepeated
            ? nil
            : { lines in
                if failure == nil { failure = self.write(TerminalText(lines: lines)) }
            }
        let onDocument: ((JSONValue) -> Void)? =
            presentation.jsonLines
            ? { document in
                if failure == nil { failure = self.write(document.line) }
            } : nil
        let screen: ((TerminalText) -> Void)? =
            presentation.isOnTerminal
            ? { screen in if failure == nil { failure = self.write(screen) } } : nil
        let outcome = try runner.run(
            request, on: connection,
            to: AnswerSink(lines: onLines, documents: onDocument, screen: screen))
        if let failure { throw failure }
        return try show(outcome, paged: pager)
    }

    /// Refuses a command whose effect ends with the connection, which a single command ends at once.
    private func refuseEndingWithConnection(
        _ request: Request, _ target: Target?
    ) throws(CommandFailure) {
        let description = request.command.description
        guard request.endsWithConnection else { return }
        let name = target?.word ?? "TARGET"
        throw CommandFailure(
            .usage,
            "`\(description.name)` ends with its connection, so a single command would do nothing",
            hint: (request.lineWithoutConnection.map { "`telltale \(name) \($0)`; or " } ?? "")
                + "type it in a session (`telltale \(name)`), or send several commands: "
                + "`printf '%s\\n' \(description.name) … | telltale \(name) -`")
    }

    private func script(_ target: Target?, _ options: Options) throws(CommandFailure) -> Int32 {
        guard TerminalFacts.isReadable(0) else {
            throw CommandFailure(
                .usage, "standard input is closed, and the commands should come from there",
                hint: "`telltale TARGET COMMAND` needs none")
        }
        let connection = try connect(target, options)
        var script = Script(
            runner: CommandRunner(limit: options.timeout), connection: connection,
            presentation: presentation, output: output)
        return script.run(DescriptorReader(0))
    }

    private func session(_ target: Target, _ options: Options) throws(CommandFailure) -> Int32 {
        let editor = makeEditor()
        let connection = try connect(target, options, interrupt: editor.interrupt)
        DescriptorWriter.ignoreBrokenPipes()
        let session = Session(
            connection: connection, editor: editor, output: output, presentation: presentation,
            limit: options.timeout, pager: options.noPager ? nil : Pager(environment),
            history: HistoryFile.path(environment: environment).map(HistoryFile.init(path:)),
            startFile: SessionWords.startFile(environment: environment),
            isGreeting: TerminalFacts.isTerminal(1) && !presentation.json && !options.quiet
        ) { [self] in
            Result { () throws(CommandFailure) in
                try connect(target, options, interrupt: editor.interrupt)
            }
        }
        return session.run()
    }

    // MARK: showing

    private func show(_ page: Page) throws(CommandFailure) -> Int32 {
        let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        try output.show(
            presentation.json
                ? Presentation.document(kind: page.kind, page).line
                : TerminalText(
                    lines: page.isRead ? HelpText.laidOut(lines, presentation.style) : lines))
        return 0
    }

    private func show(
        _ outcome: CommandOutcome, paged pager: Pager?
    ) throws(CommandFailure) -> Int32 {
        guard let text = presentation.text(of: outcome) else { return outcome.exitStatus.rawValue }
        if presentation.json || pager?.show(text) != true { try output.show(text) }
        presentation.remarks(of: outcome).forEach(output.warn)
        return outcome.exitStatus.rawValue
    }

    private func write(_ text: TerminalText) -> CommandFailure? {
        do throws(CommandFailure) {
            try output.show(text)
            return nil
        } catch {
            return error
        }
    }

    private func fail(_ failure: CommandFailure) -> Int32 {
        if !presentation.json || (try? output.show(Presentation.document(failure).line)) == nil {
            output.writeError(TerminalText(failure, presentation.errorStyle))
        }
        return failure.exitStatus.rawValue
    }
}
