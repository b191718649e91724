#if TELLTALE_AGENT
/// A word to be found in texts, where the case of ASCII letters does not count.
///
/// The algorithm of Knuth, Morris and Pratt: its time grows with the text, whatever the word.
package struct FoldedWord {
    private let bytes: [UInt8]
    /// For each prefix, the length of its longest proper prefix that is also its suffix.
    private let borders: [Int]

    package init(_ word: String) {
        bytes = word.utf8.map(Self.fold)
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[length] != bytes[index] { length = borders[length - 1] }
            if bytes[length] == bytes[index] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// Returns true if a text contains the word; never for a word without letters.
    package func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { isIn(UnsafeRawBufferPointer($0)) }
    }

    func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard !bytes.isEmpty, bytes.count <= text.count else { return false }
        var length = 0
        for byte in text {
            let byte = Self.fold(byte)
            while length > 0, bytes[length] != byte { length = borders[length - 1] }
            if bytes[length] == byte { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
#endif
