import Testing

@testable import TelltaleClient

struct NetUnixTests {
    @Test("only sockets with an agent's name count, each directory once")
    func table() {
        let line = "ffff9: 00000002 00000000 00010000 0001 01 12345 "
        let table = """
            Num       RefCount Protocol Flags    Type St Inode Path
            \(line)/run/user/0/telltale/12-345.sock
            \(line)/run/user/0/telltale/13-346.sock
            \(line)/srv/a b/telltale/14-347.sock
            \(line)/run/dbus/system_bus_socket
            \(line)/tmp/telltale-0/012-3.sock
            \(line)@/tmp/telltale-0/12-3.sock
            \(line)
            \(line)12-345.sock
            \(line)/12-345.sock
            """
        #expect(
            NetUnix.directories(in: table) == ["/run/user/0/telltale", "/srv/a b/telltale"])
        #expect(NetUnix.directories(in: "").isEmpty)
    }
}
