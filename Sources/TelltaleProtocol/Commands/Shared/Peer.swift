#if TELLTALE_COMPILED
/// Who is at the other end of a connection, as the kernel says.
public struct Peer: Codable, Sendable, Equatable {
    /// User id.
    public var uid: UInt32
    /// Process id; 0 where the peer is in a pid namespace that can't be seen.
    public var pid: Int32
    /// The name of its program, where it can be read.
    public var program: String?

    package init(uid: UInt32, pid: Int32, program: String?) {
        self.uid = uid
        self.pid = pid
        self.program = program
    }

    /// `bash(977) uid=0`, as `changes` names whoever made one.
    package var text: String {
        let process = pid == 0 ? "unseen process" : "\(program ?? "pid")(\(pid))"
        return "\(process) uid=\(uid)"
    }
}
#endif
