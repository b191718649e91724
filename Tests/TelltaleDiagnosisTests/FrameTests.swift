#if TELLTALE_AGENT
import TelltalePicture
import TelltaleProtocol
import Testing

struct FrameTests {
    private func frame(_ function: String, _ short: String?) -> ResolvedFrame {
        var frame = ResolvedFrame(address: 0x40, kind: .returnAddress)
        frame.function = function
        frame.shortFunction = short
        return frame
    }

    @Test("a type's function is known with its module and without, and where the type is private")
    func methods() {
        let start = frame("Foundation.Operation.start() -> ()", "Operation.start()")
        #expect(start.isMethod(of: "Operation") && start.isMethod("start()", of: "Operation"))
        #expect(frame("Foundation.Operation.start() -> ()", nil).isMethod(of: "Operation"))
        #expect(frame("Operation.start()", nil).isMethod(of: "Operation"))
        let main = frame("shop.(Import in _8F0).main() -> ()", "Import.main()")
        #expect(main.isMethod("main()", of: "Import"))
        #expect(!main.isMethod("start()", of: "Import"))
    }

    @Test("a file that the compiler has made up is not shown", arguments: ["", "/", "/tmp/shop/"])
    func compilersFile(folder: String) {
        var made = frame("async_Main", nil)
        made.file = folder + "<compiler-generated>"
        #expect(StackFrame(made).file == nil)
        made.file = folder + "main.swift"
        #expect(StackFrame(made).file == folder + "main.swift")
    }

    @Test("one whose name ends alike is another type")
    func others() {
        let main = frame("shop.ImportOperation.main() -> ()", "ImportOperation.main()")
        #expect(!main.isMethod(of: "Operation"))
        #expect(!frame("BookStore.read()", nil).isMethod(of: "Store"))
    }
}
#endif
