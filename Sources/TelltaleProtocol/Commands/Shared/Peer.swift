#if TELLTALE_COMPILED
/// The process at the other end of a connection, as the kernel reports it.
public struct Peer: MemberCoded {
    /// User id.
    public var uid: UInt32
    /// The process id; 0 if the peer is in a pid namespace that can't be seen.
    public var pid: Int32
    /// The name of its program, where it can be read.
    public var program: String?
    /// The id of the user that logged in, where the system keeps it and it is another one (`sudo`); set in changes.
    public var login: UInt32?
    /// The terminal of its program, below `/dev`; set in changes.
    public var terminal: String?

    package init(uid: UInt32, pid: Int32, program: String?) {
        self.uid = uid
        self.pid = pid
        self.program = program
    }

    /// Makes an empty one, to be read into.
    public init() { self.init(uid: 0, pid: 0, program: nil) }

    /// Names its members to a coder.
    public mutating func code(_ coder: inout MemberCoder) {
        coder.member("uid", &uid)
        coder.member("pid", &pid)
        coder.member("program", &program)
        coder.member("login", &login)
        coder.member("terminal", &terminal)
    }

    /// `bash(977) uid=0 login=1000 pts/3`: the author of a change, as `changes` names it.
    package var text: String {
        let process = pid == 0 ? "unseen process" : "\(program ?? "pid")(\(pid))"
        return "\(process) uid=\(uid)" + origin
    }

    /// ` login=1000 pts/3`, as far as it is known.
    package var origin: String {
        (login.map { " login=\($0)" } ?? "") + (terminal.map { " \($0)" } ?? "")
    }
}
#endif
