#if TELLTALE_COMPILED
/// Searches a text for another, by their bytes.
///
/// The time grows with the sum of both lengths: an owner waits while its texts are searched, and
/// `String.contains` compares a part of 1,800 letters at each letter anew (Knuth, Morris and Pratt
/// don't).
enum TextSearch {
    static func has(_ part: String, in text: String) -> Bool {
        var (part, text) = (part, text)
        return part.withUTF8 { part in text.withUTF8 { text in has(part, in: text) } }
    }

    private static func has(
        _ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        // The length of the longest proper prefix of the part that is also a suffix, at each end
        // (the failure function).
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: part.count) { again in
            again.initialize(repeating: 0)
            var index = 1
            var same = 0
            while index < part.count {
                while same > 0, part[same] != part[index] { same = again[same &- 1] }
                if part[same] == part[index] { same &+= 1 }
                again[index] = same
                index &+= 1
            }
            index = 0
            same = 0
            while index < text.count {
                let byte = text[index]
                index &+= 1
                if same == 0, byte != first { continue }
                while same > 0, part[same] != byte { same = again[same &- 1] }
                if part[same] == byte { same &+= 1 }
                if same == part.count { return true }
            }
            return false
        }
    }
}
#endif
