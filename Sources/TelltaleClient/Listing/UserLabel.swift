import TelltaleSystem

/// A user as people know him.
enum UserLabel {
    /// `app`, or `uid 1000` where /etc/passwd has no name.
    static func text(_ uid: UInt32) -> String { UserNames.name(of: uid) ?? "uid \(uid)" }
}
