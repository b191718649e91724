#if DEBUG || TELLTALE_AGENT_IN_RELEASE
    import TelltaleAgentSystem
    import Testing

    @testable import TelltaleAgent

    @Suite("Names and lines of addresses")
    struct SymbolicatorTests {
        let symbolicator = Symbolicator(workers: nil)
        var soon: MonotonicTime { MonotonicTime.now.advanced(by: .seconds(10)) }

        @Test("a C function's address has its name and its module")
        func cFunction() throws {
            let address = try #require(SymbolSamples.address(of: "malloc"))
            let frame = try #require(symbolicator.names(of: [address], deadline: soon).first)
            #expect(frame.function?.hasSuffix("malloc") == true)
            #expect(frame.module == "libc.so.6")
            #expect(frame.offset == 0)
            #expect(frame.origin == .system)
        }

        @Test("the frames of this very call are this function and its callers")
        func ownStack() throws {
            let frames = SymbolSamples.stack()
            let resolved = symbolicator.resolve(frames, deadline: soon)
            #expect(resolved.count == frames.count)
            let names = resolved.flatMap { $0.compactMap(\.shortFunction) }
            #expect(names.contains { $0.contains("SymbolicatorTests.ownStack()") }, "\(names)")
        }

        @Test("a call has its file and line")
        func lines() throws {
            let line = #line + 1
            let frames = SymbolSamples.stack()
            let resolved = symbolicator.resolve(frames, deadline: soon).flatMap(\.self)
            let own = try #require(
                resolved.first { $0.shortFunction?.contains("SymbolicatorTests.lines()") == true })
            #expect(own.line == line)
            #expect(own.file == #filePath)
            #expect(own.origin == .program)
        }

        @Test("what isn't code has no name")
        func nowhere() throws {
            let frame = RawFrame(address: 16, kind: .returnAddress)
            let found = symbolicator.resolve([frame], deadline: soon)
            #expect(found.first?.first?.function == nil)
            #expect(found.first?.first?.module == nil)
        }
    }
#endif
