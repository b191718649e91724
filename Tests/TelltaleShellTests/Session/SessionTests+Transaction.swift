import Foundation
import TelltaleClient
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleShell

extension SessionTests {
    @Test("a session that ends before `commit` says that its changes are discarded")
    func discarded() throws {
        let agent = try ScriptedAgent(in: folder.path) { _ in
            .answer(ControlAnswer(action: "begin", target: "changes", result: "collected"))
        }
        let (_, output) = try session(agent, ScriptedEditor([.line("begin")]))
        #expect(output.errorText.contains("collected since `begin` were discarded"))
        let (_, ended) = try session(agent, ScriptedEditor([.line("begin"), .line("rollback")]))
        #expect(ended.errorText.isEmpty)
        let (_, quit) = try session(agent, ScriptedEditor([.line("begin"), .line("quit")]))
        #expect(quit.errorText.contains("discarded"))
    }
}
