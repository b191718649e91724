#if TELLTALE_AGENT
import TelltaleProtocol
import TelltaleSystem

extension Peer {
    /// The peer with its terminal and the user who logged in, as far as they can be read.
    ///
    /// Reads two files of `/proc`, so for changes alone, and while the client waits for the answer: its pid isn't
    /// another process's then.
    var withOrigin: Peer {
        guard pid > 0 else { return self }
        let files = ProcessFiles(pid: pid)
        var peer = self
        peer.terminal = files.stat?.terminal
        peer.login = files.loginUser.flatMap { $0 == uid ? nil : $0 }
        return peer
    }
}
#endif
