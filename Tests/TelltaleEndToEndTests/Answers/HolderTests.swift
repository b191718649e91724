import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// `holders` and `cycle`, over the client: every way in which a host holds an object.
@Suite(.timeLimit(.minutes(5)))
struct HolderTests {
    private let host: TestHost
    private let numbers: [Int: Int]

    init() throws {
        host = try TestHost()
        _ = try host.perform("hide")
        var numbers: [Int: Int] = [:]
        for number in 1...13 {
            let outcome = try host.telltale([
                "--json", "\(host.pid)", "instances", "Treasure", "--where", "number=\(number)",
            ])
            let answer = try InstancesAnswer(
                result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer))
            numbers[number] = answer.instances.first?.handle
        }
        self.numbers = numbers
    }

    private func holders(_ number: Int, _ options: String...) throws -> HoldersAnswer {
        let handle = try #require(numbers[number])
        let outcome = try host.telltale(
            ["--json", "\(host.pid)", "holders", "#\(handle)"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try HoldersAnswer(
            result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer))
    }

    private func found(_ answer: HoldersAnswer) -> [String] {
        answer.holders.map { "\($0.kind) \($0.name) \($0.place ?? "-")" }
    }

    @Test("a property, an element, a value, a capture and an Any are each said by name")
    func named() throws {
        let property = found(try holders(1))
        #expect(property.contains("property Keeper treasure"), "\(property)")
        #expect(property.contains("weak Keeper shy"), "\(property)")
        let element = found(try holders(2))
        #expect(element.contains("element [Treasure?] [1]"), "\(element)")
        let value = found(try holders(3))
        #expect(value.contains(#"value [String: Treasure] ["first"]"#), "\(value)")
        let captured = found(try holders(4))
        #expect(
            captured.contains {
                $0.hasPrefix("captured a closure, with") && $0.contains("Treasure")
            },
            "\(captured)")
        let anything = found(try holders(5))
        #expect(anything.contains("property Keeper anything"), "\(anything)")
    }

    @Test("so are a variable, a stack and a suspended task")
    func roots() throws {
        let variable = found(try holders(6))
        #expect(variable.contains { $0.hasPrefix("variable hiddenTreasure ") }, "\(variable)")
        let stack = found(try holders(7))
        #expect(stack.contains { $0.hasPrefix("stack thread ") }, "\(stack)")
        let task = found(try holders(8))
        #expect(task.contains { $0.hasPrefix("task task #") }, "\(task)")
    }

    @Test("a shortest way leads from a variable through properties and elements")
    func way() throws {
        let way = try #require(try holders(2, "--path").way)
        let steps = way.map { "\($0.kind) \($0.name) \($0.place ?? "-")" }
        #expect(steps.first?.hasPrefix("variable keeperOfTreasures ") == true, "\(steps)")
        #expect(
            steps.dropFirst() == ["property Keeper list", "element [Treasure?] [1]"], "\(steps)")
        let text = try host.telltale([
            "\(host.pid)", "holders", "#\(try #require(numbers[2]))", "--path",
        ]).output
        #expect(text.contains("a shortest way to it:\n  variable  keeperOfTreasures"), "\(text)")
    }

    @Test("an unowned reference keeps nothing, a registered object's and a closure's neither")
    func unowned() throws {
        let registered = found(try holders(12))
        #expect(
            registered.contains { $0.hasPrefix("unowned visitor, Visitor host") }, "\(registered)")
        #expect(!registered.contains { $0.hasPrefix("registered") }, "\(registered)")
        let captured = found(try holders(13))
        #expect(captured.contains { $0.hasPrefix("unowned a closure") }, "\(captured)")
        #expect(!captured.contains { $0.hasPrefix("captured") }, "\(captured)")
    }

    @Test("a key of a dictionary that is masked is a secret, wherever the dictionary is met")
    func secretKey() throws {
        for option in [[], ["--path"], ["--json"]] {
            let text = try host.telltale(["\(host.pid)", "holders", "relic"] + option).output
            #expect(text.contains("[<masked>]"), "\(text)")
            #expect(!text.contains("PLANTED"), "\(text)")
        }
    }

    @Test("none of the agent's own tables is a holder")
    func agents() throws {
        let visitor = try host.telltale(["--json", "\(host.pid)", "holders", "visitor"]).output
        let answer = try HoldersAnswer(
            result: JSONParser.parse(Array(visitor.utf8), limits: .answer))
        let names = found(answer)
        #expect(
            names.allSatisfy { $0.hasPrefix("variable ") || $0.hasPrefix("stack ") }, "\(names)")
    }

    @Test("a cycle is told by its properties; what is in none is said to be in none")
    func cycle() throws {
        func cycle(_ number: Int) throws -> CycleAnswer {
            let outcome = try host.telltale([
                "--json", "\(host.pid)", "cycle", "#\(try #require(numbers[number]))",
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try CycleAnswer(
                result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer))
        }
        let steps = try cycle(9).steps.map { "\($0.kind) \($0.name) \($0.place ?? "-")" }
        #expect(steps == ["property Treasure partner", "property Treasure partner"])
        #expect(try cycle(1).steps == [])
        let own = try cycle(11).steps.map { "\($0.kind) \($0.name) \($0.place ?? "-")" }
        #expect(own == ["property Treasure work"])
        #expect(found(try holders(11)).contains("property Treasure work"))
        let outcome = try host.telltale(["\(host.pid)", "holders", "photos"])
        #expect(outcome.status == 0 && outcome.output.contains("PhotoLibrary"), "\(outcome)")
        let value = try host.telltale(["\(host.pid)", "holders", "photos.prompt"])
        #expect(value.status == 1 && value.errors.contains("is not an object"), "\(value)")
    }
}
