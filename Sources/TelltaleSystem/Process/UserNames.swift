#if TELLTALE_COMPILED
/// The names of users, from `/etc/passwd` alone: a static executable can't load the modules by which
/// glibc's `getpwuid` asks other sources.
package enum UserNames {
    /// The name of the user with `uid`; nil where the file has none.
    package static func name(of uid: UInt32) -> String? {
        guard let text = SmallFile.text(of: "/etc/passwd", limit: 1 << 20) else { return nil }
        return name(of: uid, in: text)
    }

    /// `uid 1000 (app)`, or without the name where the file has none.
    package static func label(_ uid: UInt32) -> String {
        "uid \(uid)" + (name(of: uid).map { " (\($0))" } ?? "")
    }

    /// The number of the user with this name; nil where the file has none.
    package static func uid(of name: String) -> UInt32? {
        guard let text = SmallFile.text(of: "/etc/passwd", limit: 1 << 20) else { return nil }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, fields[0] == name { return UInt32(fields[2]) }
        }
        return nil
    }

    /// The name of the user with `uid` in the text of a passwd file.
    package static func name(of uid: UInt32, in text: String) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, UInt32(fields[2]) == uid { return String(fields[0]) }
        }
        return nil
    }
}
#endif
