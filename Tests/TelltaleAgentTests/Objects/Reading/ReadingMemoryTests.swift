#if TELLTALE_AGENT
import Synchronization
import TelltaleProtocol
import TelltaleSystem
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private final class Held: Sendable {
    let number: UInt32 = 0x0403_0201
    let token = "hush"
    let name = "short"
    let login = Login()
    let state = Mutex(Login())
    let pair = (name: "password", value: "hunter2")
    let way = Way.password("hunter2")
    let address = "a:b@c"
    let number8: UInt64 = 0x0807_0605_0403_0201
    let any: any Sendable = Login()
}

private final class Holder {
    var all = [Held()]
    weak var first: Held?
    weak var second: Held?
    unowned var other: Held?
}

private struct Login: Sendable {
    var user = "anna"
    var password = "hunter2"
}

private enum Lone: Sendable { case only }

private final class Timed: Sendable {
    let clock = ContinuousClock()
    let apiToken = "short"
    let lone = Lone.only
    let inner = TimedLogin()
}

private struct TimedLogin: Sendable {
    let lone = Lone.only
    let password = "short"
    let user = "anna"
}

private enum Way: Sendable {
    case password(String)
    case none
}

@Suite("What a value is in memory") struct ReadingMemoryTests {
    private func detail(
        _ object: AnyObject, _ path: String = "x", _ asked: MemoryReading.Asked,
        masks: MaskPolicy = MaskPolicy(additionalNames: [])
    ) throws -> ValueDetail {
        var limits = ReadLimits(deadline: .now.advanced(by: .seconds(60)))
        limits.asked = asked
        let content = try ValueReader(limits: limits, masks: masks, handles: nil).readContent(
            .object(object), rootName: "x", path: ValuePath(parsing: path).components)
        guard case .detailed(_, let detail) = content else { return ValueDetail() }
        return detail
    }

    private func detail(
        _ object: AnyObject, _ asked: MemoryReading.Asked
    ) throws -> ValueDetail { try detail(object, "x", asked) }

    @Test("the counts of an object are the references that there are")
    func counts() throws {
        _ = HeapLayout.calibration.known(by: .now.advanced(by: .seconds(20)))
        let holder = Holder()
        func memory() throws -> ValueMemory {
            try #require(try detail(holder, "x.all[0]", .memory).memory)
        }
        let before = try memory()
        #expect(before.strong == 1 && before.unowned == 0 && before.weak == 0)
        #expect(!before.hasSideTable)
        #expect(before.size == TypeMetadata(Held.self).instanceSize)
        #expect(try #require(before.block) >= before.size)
        #expect(try #require(before.block) < before.size + 32)
        for _ in 0..<5 { holder.all.append(holder.all[0]) }
        holder.other = holder.all[0]
        #expect(try memory().strong == 6)
        #expect(try memory().unowned == 1)
        holder.first = holder.all[0]
        holder.second = holder.all[0]
        let weakened = try memory()
        #expect(weakened.weak == 2 && weakened.hasSideTable)
        #expect(weakened.strong == 6 && weakened.unowned == 1)
        holder.all.removeLast(5)
        holder.first = nil
        #expect(try memory().strong == 1)
        #expect(try memory().weak == 1)
    }

    @Test("bytes are those of the value; what is secret in them is not shown")
    func bytes() throws {
        let object = Held()
        #expect(try detail(object, "x.number", .bytes).bytes?.hexadecimal == "01020304")
        #expect(try detail(object, "x.number8", .bytes).bytes?.hexadecimal == "0102030405060708")
        let name = try #require(try detail(object, "x.name", .bytes).bytes)
        #expect(name.size == 16 && name.hexadecimal.hasPrefix("73686f7274"))
        let whole = try #require(try detail(object, .bytes).bytes)
        #expect(whole.size == TypeMetadata(Held.self).instanceSize)
        #expect(whole.hexadecimal.count == whole.size * 2)
        // "anna" is there, "hush" and "hunter2" are nowhere.
        #expect(whole.hexadecimal.contains("616e6e61"))
        #expect(whole.hexadecimal.contains("----"))
        for path in ["x", "x.login", "x.pair", "x.any", "x.state"] {
            let bytes = try #require(try detail(object, path, .bytes).bytes, "\(path)")
            #expect(!bytes.hexadecimal.contains("68756e746572"), "\(path)")
            #expect(!bytes.hexadecimal.contains("68757368"), "\(path)")
        }
        let login = try #require(try detail(object, "x.login", .bytes).bytes)
        #expect(login.hexadecimal.hasSuffix(String(repeating: "--", count: 16)))
        // A host that masks nothing sees them.
        let open = try detail(object, "x", .bytes, masks: .none)
        #expect(open.bytes?.hexadecimal.contains("68756e746572") == true)
    }

    @Test(
        "the bytes of a masked value are refused",
        arguments: ["x.token", "x.login.password", "x.way"])
    func refused(_ path: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try detail(Held(), path, .bytes)
        }
        #expect(failure?.code == .denied)
    }

    @Test("a property without a size is no other one that stands at its place")
    func sameOffset() throws {
        for path in ["x", "x.inner"] {
            let bytes = try #require(try detail(Timed(), path, .bytes).bytes)
            #expect(!bytes.hexadecimal.contains("73686f7274"), "\(path): \(bytes.hexadecimal)")
            #expect(bytes.hexadecimal.contains("616e6e61"), "\(path)")
        }
    }

    @Test("the lines that are shown")
    func lines() throws {
        let bytes = ValueBytes(size: 20, hexadecimal: "48656c6c6f00--ff")
        #expect(
            bytes.lines == [
                "  bytes: 20",
                "    0000  48 65 6c 6c 6f 00 -- ff" + String(repeating: " ", count: 24)
                    + "  Hello...",
                "    … 12 more",
            ])
        let memory = ValueMemory(
            address: "0x1000", size: 48, block: 56, strong: 2, unowned: 0, weak: 1,
            hasSideTable: true)
        #expect(
            memory.lines == [
                "  memory: 0x1000: 48 bytes, in a block of 56",
                "  references: 2 strong, 0 unowned, 1 weak; counted in a side table",
            ])
    }
}
#endif
