import Foundation
import TelltaleProtocol
import TelltaleTestSupport
import Testing

/// `heap` and `instances`, over the client, of a host that counts its objects itself.
@Suite(.timeLimit(.minutes(5)))
struct HeapTests {
    private func ask<Answer: CommandAnswer>(
        _ host: TestHost, _ words: String..., as answer: Answer.Type = Answer.self
    ) throws -> Answer {
        let outcome = try host.telltale(["--json", "\(host.pid)"] + words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try Answer(result: JSONParser.parse(Array(outcome.output.utf8), limits: .answer))
    }

    private func count(_ type: String, _ answer: HeapAnswer) -> Int? {
        answer.entries.first { $0.type == type }?.count
    }

    @Test("what is counted is what the host has counted, and what has grown since the mark")
    func heap() throws {
        let host = try TestHost()
        #expect(try host.perform("plant 40000") == "40000")
        let whole: HeapAnswer = try ask(host, "heap", "--top", "1000")
        #expect(count("Seedling", whole) == 30_000 && count("Sapling", whole) == 10_000)
        #expect(whole.notes == [] && whole.objects >= 80_000)
        // The agent's own types are left out, also as elements: the table of its commands is one.
        #expect(count("[CommandDescription]", whole) == nil)
        #expect(whole.entries.allSatisfy { !$0.type.contains("ValueFormat") })
        let mark: HeapAnswer = try ask(host, "heap", "--mark")
        #expect(mark.isMark == true && mark.entries.isEmpty)
        #expect(try host.perform("uproot 30000") == "10000")
        #expect(try host.perform("plant 400") == "10400")
        let grown: HeapAnswer = try ask(host, "heap", "--diff")
        #expect(grown.since?.isMark == true)
        let entry = try #require(grown.entries.first { $0.type == "Seedling" })
        #expect(entry.count == 7_800 && entry.countGrowth == -22_200)
        #expect(try #require(entry.bytesGrowth) < -22_200 * 64)
        let text = try host.telltale(["\(host.pid)", "heap", "--top", "3"]).output
        #expect(text.hasPrefix("CLASS ") && text.contains(" objects in ") && text.contains("… "))
    }

    @Test("arenas that are not where they are looked for are no empty heap")
    func otherArenas() throws {
        let host = try TestHost(environment: ["GLIBC_TUNABLES": "glibc.malloc.hugetlb=2"])
        let outcome = try host.telltale(["\(host.pid)", "heap"])
        #expect(
            outcome.status == 1 && outcome.errors.contains("glibc.malloc.hugetlb"), "\(outcome)")
    }

    @Test("objects that come and go all the time are found, read or gone, and nobody crashes")
    func dying() throws {
        let host = try TestHost()
        _ = try host.perform("sow 3")
        var gone = 0
        var read = 0
        for _ in 0..<Soak.count(6, soak: 200) {
            let heap = try host.telltale(["--json", "\(host.pid)", "heap"])
            #expect(heap.status == 0, "\(heap.errors)")
            let found = try host.telltale([
                "--json", "\(host.pid)", "instances", "Seedling", "--limit", "8",
            ])
            guard found.status == 0 else { continue }
            let answer = try InstancesAnswer(
                result: JSONParser.parse(Array(found.output.utf8), limits: .answer))
            for entry in answer.instances {
                let shown = try host.telltale(["\(host.pid)", "show", "#\(entry.handle)"])
                if shown.status == 1 { gone += 1 } else { read += 1 }
                // An object that ends while it is read is gone, or changes.
                #expect(
                    shown.status == 0 || shown.errors.contains("is gone")
                        || shown.errors.contains("may just be changing")
                        || shown.output.contains("no object stands at"), "\(shown)")
                #expect(!shown.output.contains("PLANTED"))
            }
            let label = try host.telltale([
                "\(host.pid)", "instances", "Sapling", "--where",
                "label=label of seedling number 3",
            ])
            #expect(label.status == 0 || label.status == 1, "\(label)")
            if let entry = answer.instances.first {
                let holders = try host.telltale(["\(host.pid)", "holders", "#\(entry.handle)"])
                #expect(
                    holders.status == 0 || holders.errors.contains("is gone")
                        || holders.errors.contains("may just be changing"), "\(holders)")
            }
        }
        #expect(gone + read > 0)
        #expect(Int(try host.perform("plant 1")) != nil)
    }

    @Test("nothing can be compared before it was counted")
    func first() throws {
        let host = try TestHost()
        let outcome = try host.telltale(["\(host.pid)", "heap", "--diff"])
        #expect(outcome.status == 1 && outcome.errors.contains("no earlier count of the heap"))
    }

    @Test("an object that is found has a number under which it is read, until it is gone")
    func found() throws {
        let host = try TestHost()
        _ = try host.perform("plant 40")
        let all: InstancesAnswer = try ask(host, "instances", "Seedling", "--limit", "100")
        #expect(all.total == 40 && all.instances.count == 40)
        #expect(all.instances.count { $0.type == "Sapling" } == 10)
        let value = try host.telltale(["\(host.pid)", "instances", "Settings"])
        #expect(value.status == 1 && value.errors.contains("Settings is a struct"), "\(value)")
        let only: InstancesAnswer = try ask(host, "instances", "Sapling")
        #expect(only.total == 10 && Set(only.instances.map(\.type)) == ["Sapling"])
        let one = try #require(
            all.instances.first { $0.values.contains("number: 37,") }, "\(all.instances)")
        #expect(one.values.contains("title: \"seedling 37\""))
        #expect(!all.instances.contains { $0.values.contains("PLANTED") })
        let shown = try host.telltale(["\(host.pid)", "show", "#\(one.handle)"])
        #expect(shown.output.contains("its owner is not known"), "\(shown)")
        #expect(shown.output.contains("label: \"label of seedling number 7\""))
        #expect(shown.output.contains("secretToken: <masked>"))
        let plain = try host.telltale(["\(host.pid)", "get", "#\(one.handle).weight"])
        #expect(plain.output == "0.5\n")
        let changed = try host.telltale(["\(host.pid)", "set", "#\(one.handle).weight", "2"])
        #expect(changed.status == 1 && changed.errors.contains("its owner is not known"))
        _ = try host.perform("uproot 40")
        let gone = try host.telltale(["\(host.pid)", "show", "#\(one.handle)"])
        #expect(gone.status == 1 && gone.errors.contains("is gone"), "\(gone)")
        let none = try host.telltale(["\(host.pid)", "instances", "Seedling"])
        #expect(none.status == 1 && none.errors.contains("no object of a class `Seedling`"))
    }

    @Test("objects are found by a number, by a text and by what is nested, and never by a secret")
    func conditions() throws {
        let host = try TestHost()
        _ = try host.perform("plant 3000")
        let number: InstancesAnswer = try ask(
            host, "instances", "Seedling", "--where", "number=1234")
        #expect(number.total == 1 && number.instances.first?.type == "Seedling")
        let weight: InstancesAnswer = try ask(
            host, "instances", "Seedling", "--where", "weight=0.5")
        #expect(weight.total == 3_000 && weight.instances.count == 20)
        let title: InstancesAnswer = try ask(
            host, "instances", "Seedling", "--where", "title=seedling 77")
        #expect(title.total == 1 && title.notes == [])
        let label: InstancesAnswer = try ask(
            host, "instances", "Sapling", "--where", "label=label of seedling number 4")
        #expect(label.total == 150)
        let several: InstancesAnswer = try ask(
            host, "instances", "Seedling", "--where", "number >= 2990 && title != \"seedling 2995\""
        )
        #expect(several.total == 9 && several.notes == [])
        for hidden in ["secretToken == \"x\"", "number == 1 || secretToken != \"x\""] {
            let refused = try host.telltale([
                "\(host.pid)", "instances", "Seedling", "--where", hidden,
            ])
            #expect(refused.status == 4 && refused.errors.contains("masked"), "\(refused)")
        }
        let truth = try host.telltale([
            "\(host.pid)", "instances", "Seedling", "--where", "number + 1",
        ])
        #expect(truth.status == 1 && truth.errors.contains("true or false"), "\(truth)")
        let secret = try host.telltale([
            "\(host.pid)", "instances", "Seedling", "--where", "secretToken=PLANTED-SECRET-heap",
        ])
        #expect(secret.status == 4 && secret.errors.contains("masked"))
        let wrong = try host.telltale([
            "\(host.pid)", "instances", "Seedling", "--where", "weigt=1",
        ])
        #expect(wrong.status == 1 && wrong.errors.contains("did you mean weight?"))
        let nobody = try host.telltale(["\(host.pid)", "instances", "Seedlin"])
        #expect(nobody.status == 1 && nobody.errors.contains("did you mean Seedling?"))
    }
}
