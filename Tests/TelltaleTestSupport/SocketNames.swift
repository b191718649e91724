package import TelltaleSystem

extension SocketName {
    /// The name of a process that does not run: its number is above every pid of Linux.
    package static func dead(_ number: Int32 = 1) -> SocketName {
        SocketName(pid: 4_194_304 + number, startTicks: 1)
    }
}
