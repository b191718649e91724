#if TELLTALE_COMPILED
import Glibc

package enum TerminalFacts {
    /// Returns whether `descriptor` is a terminal (`isatty`).
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Returns whether `descriptor` is open for reading; a program can be started with standard
    /// input closed.
    package static func isReadable(_ descriptor: Int32) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_WRONLY
    }

    /// Fills standard input, output and error if the program was started with one of them closed.
    ///
    /// Otherwise the next file or socket to be opened would get its number, and an answer would be
    /// written into it. Each is filled with `/dev/null` opened for the other direction, so that using
    /// it fails with `EBADF` as it would have.
    package static func fillStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// The terminal's columns and rows; `nil` if it isn't a terminal or doesn't know.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
#endif
