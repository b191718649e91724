#if TELLTALE_AGENT
import CTelltaleSystem

/// Case-insensitive search, for ASCII letters only.
package enum FoldedText {
    /// Returns true if a text contains a word. The word must be in lower case.
    package static func has(_ word: [UInt8], in text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            word.withUnsafeBytes { word in
                text.withMemoryRebound(to: CChar.self) { text in
                    word.withMemoryRebound(to: CChar.self) { word in
                        guard let start = word.baseAddress else { return false }
                        return ctelltale_text_has(
                            text.baseAddress, text.count, start, word.count)
                    }
                }
            }
        }
    }
}
#endif
