// What libFuzzer calls with bytes of its own making: everything in TelltaleProtocol that reads what a
// client, a person or an agent sent. A trap is a crash, and libFuzzer keeps the input.
//
// Compiled by `run` together with the sources of TelltaleProtocol into one module, so that the
// coverage of all of them guides it.

/// Which part gets the bytes; the first byte of an input says it, so that a corpus reads as text.
private enum Target: UInt8, CaseIterable {
    case lines = 0x6C  // "l": lines of requests, as the stream brings them
    case literal = 0x76  // "v": a value as typed
    case path = 0x70  // "p"
    case expression = 0x65  // "e": a question about values, computed with made ones
    case command = 0x63  // "c": a command line
    case answer = 0x61  // "a": a line of an agent, and what is shown of it
}

/// Reads one input.
///
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = input.first else { return 0 }
    // Any other byte picks a target too: a mutation of it is not lost.
    let target =
        Target(rawValue: first) ?? Target.allCases[Int(first) % Target.allCases.count]
    let bytes = [UInt8](input.dropFirst())
    switch target {
    case .lines: readLines(bytes)
    case .answer: readAnswer(bytes)
    case .literal, .path, .command, .expression:
        guard let text = String(validating: bytes, as: UTF8.self) else { return 0 }
        switch target {
        case .literal: readLiteral(text)
        case .path: readPath(text)
        case .expression: readExpression(text)
        default: readCommand(text)
        }
    }
    return 0
}

/// What must hold: a broken promise ends the process as a trap would, so that the input is kept.
private func promise(_ holds: Bool, _ what: StaticString) {
    if !holds { fatalError("\(what)") }
}

private func readLines(_ bytes: [UInt8]) {
    // A small limit, so that lines over it are tried as well. The same stream in pieces of any
    // size gives the same lines and the same failures.
    let limit = 512
    func read(pieces size: Int) -> [[UInt8]?] {
        var splitter = LineSplitter(limit: limit)
        var read: [[UInt8]?] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            splitter.append([UInt8](rest.prefix(size)))
            rest = rest.dropFirst(size)
            while true {
                do throws(CommandFailure) {
                    guard let line = try splitter.next() else { break }
                    promise(line.count <= limit, "a line over its limit")
                    read.append(line)
                } catch {
                    read.append(nil)
                }
            }
        }
        return read
    }
    let whole = read(pieces: max(1, bytes.count))
    promise(whole == read(pieces: 1), "the pieces of a stream change its lines")
    for line in whole.compactMap({ $0 }) {
        guard let request = try? RPCRequest(parsing: line) else { continue }
        // What was read is written as a line that is read as the same.
        promise(
            (try? RPCRequest(parsing: Array(request.line.utf8))) == request,
            "a request is not read back as itself")
        decodeParameters(request)
    }
}

/// Every method's parameters, whatever the method says: the agent decodes them by its name.
private func decodeParameters(_ request: RPCRequest) {
    func decode<Asked: Command>(_ command: Asked.Type) {
        _ = try? Asked.Parameters(json: request.params)
    }
    for command in CommandTable.methods { decode(command) }
}

private func readLiteral(_ text: String) {
    if let literal = try? Literal(parsing: text) {
        let spelled = literal.description
        // A text of the full length may be spelled longer than may be typed.
        if spelled.utf8.count <= Literal.maximumBytes {
            promise((try? Literal(parsing: spelled)) == literal, "a value is not its own spelling")
        }
        decodeLiteral(literal)
    }
    _ = try? Literal.arguments(parsing: text)
}

/// As an action's argument is: the typed value for types of all kinds.
private func decodeLiteral(_ literal: Literal) {
    func decode<T: Decodable>(_ type: T.Type) {
        _ = try? JSONValueDecoder.decode(type, from: literal)
    }
    let integer = try? JSONValueDecoder.decode(Int.self, from: literal)
    let double = try? JSONValueDecoder.decode(Double.self, from: literal)
    if let integer { promise(double == Double(integer), "an Int is another number as a Double") }
    decode(UInt8.self)
    decode(Float.self)
    decode(String.self)
    decode([String: [Int?]].self)
    decode([Double].self)
    decode(JSONValue.self)
    _ = literal.jsonValue.serialized()
}

private func readPath(_ text: String) {
    guard let path = try? ValuePath(parsing: text) else { return }
    let spelled = path.description
    if spelled.utf8.count <= ValuePath.maximumBytes {
        promise((try? ValuePath(parsing: spelled)) == path, "a path is not its own spelling")
    }
}

private func readExpression(_ text: String) {
    let path = try? ValuePath(parsing: text)
    guard let expression = try? ValueExpression(parsing: text) else { return }
    // `0x10` and `true` are asked for as the paths that they may be, before they are numbers.
    if let path, !expression.leaves.isEmpty {
        promise(expression.leaves.map(\.path) == [path], "a path is no path any more")
    }
    compute(expression, text)
    for leaf in expression.leaves {
        for case .matching(let condition) in leaf.clauses { compute(condition, text) }
    }
}

private func compute(_ expression: ValueExpression, _ text: String) {
    let values: [ExpressionValue] = [
        .integer(Int128(UInt64.max)), .integer(Int128(Int64.min)), .integer(0), .double(-.infinity),
        .double(.nan), .bool(true), .string("x"), .none, .enumCase("a"), .object(1), .other("T"),
    ]
    for first in values.indices {
        do throws(ExpressionFailure) {
            let value = try expression.value { number throws(ExpressionFailure) in
                values[(number &+ first) % values.count]
            }
            if case .integer(let number) = value {
                promise(number >= Int128(Int64.min), "less than any Int")
                promise(number <= Int128(UInt64.max), "more than any UInt")
            }
            _ = value.node
        } catch {
            _ = error.failure(in: text).rendered()
        }
    }
}

private func readCommand(_ text: String) {
    do throws(CommandFailure) {
        guard let request = try CommandLineParser.parse(text) else { return }
        let sent = RPCRequest(
            id: .integer(1), method: request.method, params: request.parameters)
        promise(
            (try? RPCRequest(parsing: Array(sent.line.utf8))) == sent,
            "a typed command is not read back as itself")
    } catch {
        checkSafe(error.rendered())
    }
    _ = try? CommandLineParser.parse(words: text.split(separator: " ").map(String.init))
}

private func readAnswer(_ bytes: [UInt8]) {
    guard let incoming = try? RPCIncoming.parse(bytes) else { return }
    switch incoming {
    case .notification(let notification):
        _ = notification.line
    case .response(let response):
        _ = response.line
        switch response.result {
        case .success(let result):
            for command in CommandTable.methods {
                guard let answer = try? command.answer(from: result) else { continue }
                checkShown(answer)
            }
        case .failure(let failure): checkSafe(failure.rendered())
        }
    }
}

/// Whatever its width, and written as what is read again.
private func checkShown(_ answer: any CommandAnswer) {
    for width in [nil, 80, 7, 0] {
        checkSafe(answer.rendered(TextStyle(color: false, width: width)))
    }
    promise((try? answer.result()) != nil, "an answer that was read can't be written")
}

/// Nothing that an agent sends steers the terminal of who reads it.
private func checkSafe(_ text: String) {
    promise(
        !text.unicodeScalars.contains { $0 != "\n" && $0.steersTerminal },
        "a control character reaches the terminal")
}
