import Dispatch
import Foundation
import TelltaleAgent
import TelltaleFoundation

/// A service that keeps secrets wherever it can: in its registered names, in what its actions take and
/// throw, in what describes itself.
enum SecretModes {
    /// An error whose text repeats its input.
    struct Refused: Error, CustomStringConvertible {
        let password: String
        var description: String { "no such password: \(password)" }
    }

    /// An error that holds no secret, and says something of one.
    struct Jammed: Error, CustomStringConvertible {
        let hinge = 2
        var description: String { "hinge \(hinge) jams, see https://door.example/?token=hush-url" }
    }

    /// Decodes nothing, and reports its input.
    struct Picky: Decodable {
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            throw Refused(password: text)
        }
    }

    struct Vault: TelltaleReflectable, CustomStringConvertible {
        static var telltaleIsSecret: Bool { true }
        let bits = "hush-bits"
        var description: String { bits }
    }

    /// Nothing in it says that it is one.
    class Combination {
        let turns = "hush-turns"
        final var all: String { turns + "-all" }
    }

    final class LongCombination: Combination {
        let more = "hush-more"
        let pin = 4711
    }

    final class Holder: CustomStringConvertible, @unchecked Sendable {
        let vault = Vault()
        let password: Combination? = LongCombination()
        let title = "holder"
        var description: String { "holder of \(vault)" }
    }

    final class Chooser: CustomStringConvertible, TelltaleReflectable, @unchecked Sendable {
        static var telltaleFields: [String]? { ["title"] }
        let title = "chooser"
        let hidden = "hush-hidden"
        var description: String { "chooser of \(hidden)" }
    }

    struct Header {
        var name: String
        var value: String
    }

    /// Values that a name beside them, or the host's own words, make secrets.
    final class Wallet: CustomStringConvertible, @unchecked Sendable {
        var title = "wallet"
        var headers = [Header(name: "Authorization", value: "hush-header")]
        var members = [["name": "Authorization", "value": "hush-member"]]
        var pair = ("Cookie", "hush-pair")
        var tokens = ["hush-user": "hush-token"]
        var iban = "shown-iban"
        var description: String { "wallet of \(pair.1)" }
        var count: Int { tokens.count }
    }

    final class Open: CustomStringConvertible, @unchecked Sendable {
        let title = "open"
        var description: String { "shown-description" }
    }

    // Alive as long as the host.
    nonisolated(unsafe) private static var kept: [AnyObject] = []

    private static let label = "test.secrets https://u:hush-queue@h/?token=hush-label"

    /// The working queue is named for the URL that it fetches.
    private static func work(on queue: DispatchQueue) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 3600)
        timer.setEventHandler {}
        timer.activate()
        let operations = OperationQueue()
        operations.name = "test.operations https://u:hush-operations@h/"
        let operation = BlockOperation { sleep(3600) }
        operation.name = "get https://u:hush-operation@h/"
        operations.addOperation(operation)
        Telltale.observe(operations)
        let task = Task(name: "fetch https://u:hush-task@h/?token=hush-name") {
            try? await Task.sleep(for: .seconds(3600))
        }
        Telltale.observe(task)
        kept += [timer as AnyObject, operations]
    }

    static func register() {
        let queue = DispatchQueue(label: label)
        let (holder, chooser, open) = (Holder(), Chooser(), Open())
        let wallet = Wallet()
        kept = [holder, chooser, open, wallet]
        Telltale.register(wallet, as: "wallet", on: queue)
        Thread.detachNewThread {
            // Foundation names the kernel's thread only once its creator knows the thread.
            let name = "/proc/thread-self/comm"
            while (try? String(contentsOfFile: name, encoding: .utf8))?.hasPrefix("pw=") != true {
                Thread.current.name = "pw=hush-thread"
                usleep(1000)
            }
            sleep(3600)
        }
        work(on: queue)
        Telltale.register(holder, as: "holder", on: queue)
        Telltale.register(chooser, as: "chooser", on: queue)
        Telltale.register(open, as: "open", on: queue)
        Telltale.register("apiToken") { "hush-registered" }
        Telltale.action("door.open", on: queue) { (user: String, password: String) throws -> Bool in
            if password == "hush-wrong" { throw Refused(password: password) }
            return true
        }
        Telltale.action("door.named", arguments: ["user", "pin"], on: queue) {
            (_: String, _: Int) in true
        }
        Telltale.action("door.put", arguments: ["key", "value"], on: queue) {
            (_: String, _: String) in true
        }
        Telltale.action("door.fetch", on: queue) { () throws -> Int in
            throw Refused(password: "at https://u:hush-thrown@h/?token=hush-error")
        }
        Telltale.action("door.later") { (password: String) async throws -> Int in
            throw Refused(password: password)
        }
        Telltale.action("door.push", on: queue) { () throws in throw Jammed() }
        Telltale.action("door.pick", on: queue) { (_: Picky) -> Int in 1 }
        Telltale.action("door.newToken", on: queue) { () -> String in "hush-made" }
    }
}
