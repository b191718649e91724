import Foundation
import TelltaleTestSupport
import Testing

@testable import TelltaleProtocol

@Suite("The grammar page")
struct WireDocumentTests {
    private static let page = (try? RepositoryFile.text(RepositoryFile.grammarPage)) ?? ""

    private static func messages(_ prefix: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix(prefix + " {") }
            .map { String($0.dropFirst(prefix.count + 1)) }
    }

    @Test("what it says a client sends is read, and written the same")
    func requests() throws {
        let lines = Self.messages(">")
        #expect(lines.count >= 8)
        for line in lines { #expect(try RPCRequest(parsing: Array(line.utf8)).line == line) }
    }

    @Test("what it says an agent sends is read, and written the same")
    func responses() throws {
        let lines = Self.messages("<")
        #expect(lines.count >= 8)
        for line in lines {
            switch try RPCIncoming.parse(Array(line.utf8)) {
            case .response(let response):
                #expect(response.line == line)
                guard case .success(let result) = response.result else { continue }
                #expect(try AnyAnswer.read(result).result() == result)
            case .notification(let notification): #expect(notification.line == line)
            }
        }
    }

    @Test(
        "it has every code of a failure with its numbers",
        arguments: [
            CommandFailure.Code.usage, .unknownCommand, .notFound, .wrongType, .unsupported, .gone,
            .conflict, .hostError, .denied, .timeout, .unreachable, .bound, .protocolError,
            .internal,
        ])
    func codes(code: CommandFailure.Code) {
        let failure = CommandFailure(code, "")
        #expect(
            Self.page.contains(
                "| `\(code.rawValue)` | \(failure.rpcCode) | \(failure.exitStatus.rawValue) |"))
    }

    @Test("it says the current version, which its history ends with")
    func version() {
        #expect(Self.page.contains("The current version is \(ProtocolVersion.current)."))
        let history = Self.page.components(separatedBy: "## Version history").last ?? ""
        let last = history.split(separator: "\n").last { $0.hasPrefix("|") }
        #expect(last?.hasPrefix("| \(ProtocolVersion.current) |") == true)
    }

    @Test("the bounds that it names are those of the code")
    func bounds() {
        let page = Self.page.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let (request, answer) = (JSONLimits.request, JSONLimits.answer)
        for sentence in [
            "a request has at most \(Quantity.bytes(request.maximumBytes)) and "
                + "\(request.maximumDepth) levels of nesting",
            "a client takes answers of at most \(Quantity.bytes(answer.maximumBytes)) and "
                + "\(answer.maximumDepth) levels",
            "A path has at most \(ValuePath.maximumComponents) steps and "
                + "\(Quantity.count(ValuePath.maximumBytes, "byte", "bytes"))",
            "a value at most \(Literal.maximumDepth) levels and "
                + Quantity.bytes(Literal.maximumBytes),
        ] {
            #expect(page.contains(sentence), "\(sentence)")
        }
    }
}
