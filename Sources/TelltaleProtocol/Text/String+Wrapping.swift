#if TELLTALE_COMPILED
extension StringProtocol {
    /// The text in lines of so many columns, broken at spaces; a word that is longer is broken behind a dot
    /// or a comma where it has one, and anywhere otherwise. Colour takes no room.
    ///
    /// - Parameters:
    ///   - width: Of each line, the indentation included; at least 8 are taken.
    ///   - indent: The indentation of the lines after the first.
    /// - Returns: The lines, at least one.
    package func wrapped(to width: Int, indent: Int = 0) -> [String] {
        let width = Swift.max(8, width)
        // Deep below something there is room for a word all the same.
        let indent = Swift.max(0, Swift.min(indent, width - 8))
        let space = String(repeating: " ", count: indent)
        var lines: [String] = []
        var rest = self[...]
        while let end = rest.end(within: lines.isEmpty ? width : width - indent) {
            var line = String(rest[..<end])
            while line.hasSuffix(" ") { line.removeLast() }
            lines.append((lines.isEmpty ? "" : space) + line)
            rest = rest[end...].drop { $0 == " " }
        }
        if lines.isEmpty { return [String(rest)] }
        return rest.isEmpty ? lines : lines + [space + rest]
    }

    /// Returns the best end for a line of so many columns; `nil` if all of it fits.
    private func end(within room: Int) -> Index? {
        var used = 0
        var index = startIndex
        var space: (end: Index, used: Int)?
        var mark: Index?
        var isInSequence = false
        while index < endIndex {
            let character = self[index]
            if character == "\u{1B}" { isInSequence = true }
            if isInSequence {
                if character == "m" { isInSequence = false }
                formIndex(after: &index)
                continue
            }
            used += String(character).columns
            if used > room {
                if character == " " { return index }
                // Not so near to the front that most of the line would be empty.
                if let space, space.used * 4 > room { return space.end }
                // A character may be wider than there is room.
                return mark ?? (index > startIndex ? index : self.index(after: index))
            }
            formIndex(after: &index)
            if character == " " { space = (index, used) }
            if character == "." || character == ",", used * 3 > room { mark = index }
        }
        return nil
    }
}
#endif
