#if TELLTALE_AGENT
import TelltaleProtocol
import Testing

@testable import TelltaleValues

@Suite("Bytes of values") struct ValueBytesTests {
    private func written(_ body: (inout ByteCursor) -> Void) -> String {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { room in
            var out = ByteCursor(room.baseAddress)
            body(&out)
            let size = out.end.flatMap { room.baseAddress?.distance(to: $0) } ?? 0
            return String(decoding: UnsafeRawBufferPointer(room).prefix(size), as: UTF8.self)
        }
    }

    @Test("numbers are written as Swift writes them")
    func numbers() {
        var numbers: [UInt64] = [0, 9, 10, 99, 100, .max, 1 << 63]
        for _ in 0..<2000 { numbers.append(.random(in: 0 ... .max) >> UInt64.random(in: 0..<64)) }
        for number in numbers {
            #expect(written { $0.put(natural: number) } == String(number))
            let integer = Int64(bitPattern: number)
            #expect(written { $0.put(integer: integer) } == String(integer))
            #expect(
                written { $0.put(address: number) } == "0x" + String(number, radix: 16))
        }
    }

    @Test("a word is found in a text as a search of all its places finds it")
    func words() {
        func places(_ word: String, _ text: String) -> Bool {
            let (word, text) = (Array(word.lowercased().utf8), Array(text.lowercased().utf8))
            guard !word.isEmpty, word.count <= text.count else { return false }
            return (0...text.count - word.count).contains {
                text[$0..<$0 + word.count].elementsEqual(word)
            }
        }
        func some(_ most: Int) -> String {
            String((0..<Int.random(in: 0...most)).map { _ in "aAbB".randomElement() ?? "a" })
        }
        for _ in 0..<20_000 {
            let (word, text) = (some(5), some(20))
            #expect(FoldedWord(word).isIn(text) == places(word, text), "\(word) in \(text)")
        }
        #expect(FoldedWord("É").isIn("xÉx") && !FoldedWord("é").isIn("É"))
    }

    @Test("a text that is shown as it is, is UTF-8 without quotes and controls")
    func shown() {
        func isShown(_ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { TextScan($0).isShownAsItIs }
        }
        for text in ["", "a", "é𝄞", "a/b~", String(repeating: "x", count: 100)] {
            #expect(isShown(Array(text.utf8)), "\(text)")
        }
        for text in ["\"", "a\\", "\n", "\u{7F}", "\u{9B}", "\u{202E}", "é\u{200B}"] {
            #expect(!isShown(Array(text.utf8)), "\(text)")
        }
        #expect(!isShown([0xFF]) && !isShown([0xC3]) && !isShown([0x61, 0x80]))
    }

    @Test("forgotten numbers release their bytes, the least recently used first")
    func forgotten() {
        let numbers = PlaceNumbers(capacity: 1000)
        func place(_ address: UInt) -> PlaceNumbers.Place {
            .init(rootName: "root", path: [1, 2, 3], address: address, typeName: "T")
        }
        let all = (1...1000).map { numbers.number(of: place(UInt($0))) }
        let full = numbers.bytes
        _ = numbers.place(of: all[0])
        numbers.forget(bytes: full / 2)
        #expect(numbers.bytes <= full / 2 + 1 && numbers.bytes > full / 3)
        #expect(numbers.place(of: all[0]) != nil && numbers.place(of: all[1]) == nil)
        #expect(numbers.number(of: place(1000)) == all[999])
        #expect(numbers.number(of: place(2)) > all[999])
        numbers.forget(bytes: .max)
        #expect(numbers.bytes == 0)
    }
}
#endif
