#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

@Suite("References are followed without being kept")
struct ReadingReferenceTests {
    private final class Target {
        let number = 5
    }

    private final class Holder {
        weak var weak: Target?
        weak var shape: (any AnyObject & Sample.Shape)?
        unowned var unowned: Target
        unowned var maybe: Target?
        unowned(unsafe) var unsafe: Target
        let after = 9
        init(_ target: Target) {
            weak = target
            unowned = target
            maybe = target
            unsafe = target
        }
    }

    private func part(_ holder: Holder, _ name: String) throws -> ValueNode {
        let node = try ValueReader.usual().read(holder)
        return try #require(node.children.first { $0.label == name })
    }

    @Test("while the object lives")
    func alive() throws {
        let target = Target()
        let holder = Holder(target)
        #expect(try part(holder, "weak").note == "weak")
        #expect(try part(holder, "weak").children.first?.text == "5")
        for path in ["x.weak.number", "x.unowned.number", "x.maybe.number", "x.unsafe.number"] {
            #expect(try ValueReader.usual().read(holder, path).text == "5")
        }
        #expect(try part(holder, "shape").kind == .none)
        #expect(try part(holder, "after").text == "9")
        withExtendedLifetime(target) {}
    }

    @Test("once the object is gone")
    func gone() throws {
        let holder = Holder(Target())
        let weak = try part(holder, "weak")
        #expect(weak.kind == .none)
        #expect(weak.note == "weak")
        for name in ["unowned", "maybe"] {
            let node = try part(holder, name)
            #expect(node.kind == .unavailable)
            #expect(node.note?.contains("gone") == true)
            let failure = #expect(throws: CommandFailure.self) {
                try ValueReader.usual().read(holder, "x.\(name).number")
            }
            #expect(failure?.code == .gone)
        }
        // The memory may belong to anything by now: it is read or refused, and never faults.
        _ = try part(holder, "unsafe")
        #expect(try part(holder, "after").text == "9")
    }

    @Test("a weak reference to a class behind a protocol")
    func protocols() throws {
        let round = Sample.Round()
        let holder = Holder(Target())
        holder.shape = round
        #expect(try ValueReader.usual().read(holder, "x.shape.radius").text == "2.5")
        withExtendedLifetime(round) {}
    }

    @Test("reading keeps nothing alive")
    func keepsNothing() throws {
        final class Owner {
            var target: Target? = Target()
            let text = String(repeating: "long enough ", count: 10)
            var list: [Target] = [Target()]
            let any: Any = Target()
        }
        let owner = Owner()
        weak let watched = owner.target
        weak let listed = owner.list.first
        let counts = try _getRetainCount(#require(owner.target))
        _ = try ValueReader.usual(handles: HandleTable()).read(owner)
        #expect(try _getRetainCount(#require(owner.target)) == counts)
        owner.target = nil
        owner.list = []
        #expect(watched == nil)
        #expect(listed == nil)
    }

    @Test("addresses where no object stands are told apart")
    func garbage() {
        let reader = NodeMaker(
            session: ReadSession(
                limits: ReadLimits(deadline: .distantFuture),
                masks: MaskPolicy(additionalNames: []), handles: nil, rootName: "x",
                isPlain: false, source: .process))
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
        words.initialize(repeating: 0, count: 16)
        defer { words.deallocate() }
        let addresses: [UInt] = [
            0, 1, 8, 0xFFFF, 0x10000, UInt.max, UInt.max - 7, 0x7FFF_FFFF_FFF8,
            UInt(bitPattern: words), UInt(bitPattern: TypeMetadata(Int.self).pointer),
        ]
        for address in addresses {
            #expect(MetadataCheck.classOfObject(at: address, in: .process) == nil)
            let node = reader.object(
                at: address, declared: Target.self, label: nil, level: 0)
            #expect(node.kind == .unavailable)
            #expect(node.type == "Target")
        }
    }

    @Test("bytes of every value that is none are told apart")
    func garbageValues() {
        let types: [Any.Type] = [
            String.self, [String].self, [String: Int].self, Set<Int>.self, Any.self,
            (any Error).self, Substring.self, ArraySlice<Int>.self, Sample.State.self,
            Sample.Tree.self, AnyHashable.self, Character.self, StaticString.self,
            Sample.Frame.self, Target.self, (any Sample.Shape)?.self, Any.Type.self,
        ]
        let maker = NodeMaker(
            session: ReadSession(
                limits: ReadLimits(deadline: .distantFuture),
                masks: MaskPolicy(additionalNames: []), handles: nil, rootName: "x",
                isPlain: false, source: .process))
        var random = SystemRandomNumberGenerator()
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
        defer { words.deallocate() }
        for round in 0..<60 {
            for index in 0..<64 {
                switch round % 4 {
                case 0: words[index] = random.next()
                case 1: words[index] = UInt(bitPattern: words) &+ UInt(index &* 8)
                case 2: words[index] = random.next() & 0x7FFF_FFFF_FFF8
                default: words[index] = random.next() & 0xFF
                }
            }
            for type in types {
                let view = ValueView(
                    of: type, at: UInt(bitPattern: words), in: .process, isStable: true)
                let node = view.map { maker.node(of: $0, label: nil, level: 0) }
                #expect(node != nil)
            }
        }
    }
}
#endif
