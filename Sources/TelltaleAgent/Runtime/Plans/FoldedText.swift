#if TELLTALE_AGENT
import CTelltaleSystem

/// Texts in lower case, as far as they are ASCII.
enum FoldedText {
    /// Whether a text has a word in it that is in lower case.
    static func has(_ word: [UInt8], in text: String) -> Bool {
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
