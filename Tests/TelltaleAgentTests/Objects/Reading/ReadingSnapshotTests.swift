#if DEBUG
import Glibc
import TelltaleProtocol
import TelltaleSystem
import TelltaleTestSupport
import Testing

@testable import TelltaleAgent
@testable import TelltaleRuntime

private final class Album {
    var name = "Holidays"
    var photos: [Photo] = [Photo(), Photo()]
    let apiToken = "planted"
}

private final class Photo {
    var title: String? = "Success Kid"
}

private final class Racing: @unchecked Sendable {
    var titles: [String: [String]] = [:]
}

struct ReadingSnapshotTests {
    private func reader(_ handles: HandleTable? = nil) -> SnapshotReader {
        SnapshotReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(20))),
            masks: MaskPolicy(additionalNames: []), handles: handles)
    }

    private func text(_ node: ValueNode) throws -> String {
        try JSONValueEncoder.encode(node).serialized()
    }

    @Test("a snapshot shows what the reader shows, with numbers that hold here")
    func sameAsInPlace() throws {
        let album = Album()
        let handles = HandleTable()
        let copied = try reader(handles).read(.object(album), rootName: "album", path: [])
        let inPlace = try ValueReader(
            limits: ReadLimits(deadline: .now.advanced(by: .seconds(20))),
            masks: MaskPolicy(additionalNames: []), handles: handles
        ).read(.object(album), rootName: "album", path: [])
        #expect(copied == inPlace)
        #expect(try !text(copied).contains("planted"))
        let photos = try #require(copied.children.first { $0.label == "photos" })
        let number = try #require(photos.children.last?.handle)
        #expect(
            handles.place(of: number)?.path == [.property("photos"), .index(1)])
    }

    @Test("memory that the kernel empties in a child is not read")
    func wiped() throws {
        let size = 2 << 20
        func map() throws -> UnsafeMutableRawPointer {
            let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            return try #require(start == MAP_FAILED ? nil : start)
        }
        let (wiped, kept) = (try map(), try map())
        defer {
            munmap(wiped, size)
            munmap(kept, size)
        }
        // MADV_WIPEONFORK
        try #require(madvise(wiped, size, 18) == 0)
        for start in [wiped, kept] { start.storeBytes(of: 0x4711, as: UInt64.self) }
        let copy = try FrozenCopy(until: .now.advanced(by: .seconds(20)))
        let source = MemorySource.copy(copy)
        func load(_ start: UnsafeMutableRawPointer, _ offset: UInt) -> UInt64? {
            source.load(UInt64.self, at: UInt(bitPattern: start) + offset)
        }
        #expect(load(kept, 0) == 0x4711)
        // Never touched, it is zero.
        #expect(load(kept, 1 << 20) == 0)
        #expect(load(wiped, 0) == nil)
        #expect(copy.end() == nil)
    }

    @Test("a failure of the reading is the one that the reader gives")
    func failure() throws {
        let album = Album()
        #expect {
            try reader().read(.object(album), rootName: "album", path: [.property("nane")])
        } throws: {
            ($0 as? CommandFailure)?.code == .notFound
        }
    }

    @Test("an object that is gone is not read, also where its memory is still there")
    func goneObject() throws {
        var album: Album? = Album()
        let reference = HostReference(try #require(album))
        let read = { () throws(CommandFailure) in
            try reference.withAddress { address throws(CommandFailure) in
                try reader().read(.object(at: address), rootName: "album", path: [])
            }
        }
        #expect(try read()?.children.first?.text == "\"Holidays\"")
        album = nil
        #expect(try read() == nil)
    }

    @Test("in a snapshot too a number stands for the object that had it, and for no other")
    func expectedObject() throws {
        let album = Album()
        let handles = HandleTable()
        let path: [ValuePath.Component] = [.property("photos"), .index(1)]
        let node = try reader(handles).read(.object(album), rootName: "album", path: path)
        let place = try #require(node.handle.flatMap(handles.place(of:)))
        let again = try reader().read(
            .object(album), rootName: "album", path: path, expecting: place)
        #expect(again.type == "Photo")
        album.photos.swapAt(0, 1)
        #expect {
            try reader().read(.object(album), rootName: "album", path: path, expecting: place)
        } throws: {
            ($0 as? CommandFailure)?.code == .conflict
        }
    }

    @Test("an object that another thread changes without pause is read, and the host lives")
    func whileChanging() throws {
        let racing = Racing()
        let goesOn = Locked(true)
        let ended = Locked(false)
        try NativeThread.start(name: "writer") {
            var round = 0
            while goesOn.withLock({ $0 }) {
                round += 1
                racing.titles["key \(round % 50)"] = [String(repeating: "t", count: 40)]
                if round % 1000 == 0 { racing.titles = [:] }
            }
            ended.withLock { $0 = true }
        }
        defer {
            goesOn.withLock { $0 = false }
            #expect(throws: Never.self) {
                try waitUntil("the writer has ended") { ended.withLock { $0 } }
            }
        }
        var read = 0
        for _ in 0..<50 {
            if (try? reader().read(.object(racing), rootName: "racing", path: [])) != nil {
                read += 1
            }
        }
        #expect(read >= 45)
    }
}
#endif
