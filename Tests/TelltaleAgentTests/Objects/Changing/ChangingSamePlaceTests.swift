#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleAgent

@Suite("A path means the same place for reading and for changing")
struct ChangingSamePlaceTests {
    private class Base { private var level = 1 }
    private final class Derived: Base { private var level = 2 }

    @Test("a private property of a subclass hides the superclass's")
    func hidden() throws {
        let object = Derived()
        let reader = ValueReader.usual()
        #expect(try reader.read(object, "x.level").text == "2")
        #expect(try change(object, ".level", "5").oldText == "2")
        #expect(try reader.read(object, "x.level").text == "5")
    }

    private struct Entry {
        var key = "colour"
        var value = "red"
    }
    private final class Entries { var entry = Entry() }

    @Test("the name in a pair is masked in neither or in both")
    func pairs() throws {
        let object = Entries()
        #expect(try ValueReader.usual().read(object, "x.entry.key").text == "\"colour\"")
        #expect(try change(object, ".entry.key", "\"size\"").oldText == "\"colour\"")
        object.entry.key = "Authorization"
        #expect(refusal(object, ".entry.key", "\"size\"")?.code == .denied)
        #expect(try ValueReader.usual().read(object, "x.entry.value").kind == .masked)
        #expect(try change(object, ".entry.value", "\"blue\"").oldText == MaskPolicy.text)
    }

    private final class Labelled { var size = (width: 1, height: 2) }

    @Test("a tuple's elements have labels and numbers")
    func tuples() throws {
        let object = Labelled()
        for path in ["size.height", "size.1"] {
            #expect(try ValueReader.usual().read(object, "x.\(path)").text == "2")
            #expect(try change(object, ".\(path)", "2").newText == "2")
        }
    }
}
#endif
