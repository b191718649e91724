import Dispatch
import Glibc
import TelltaleSystem

/// A library with 25 MB of debug information, which `.ci/large-library` and `make bench` make, and
/// threads that wait in it.
enum LargeLibrary {
    /// Names the library's file for the host.
    static let variable = "TELLTALE_BENCH_LIBRARY"

    /// The library beside this program.
    static func path() throws -> String {
        let path = try HostProcess.neighbour("liblarge.so")
        guard access(path, R_OK) == 0 else {
            throw BenchmarkFailure("\(path) is not there; `make bench` makes it")
        }
        return path
    }

    /// Loads it where the environment names it, and has threads wait in it, each 60 calls deep.
    static func park(_ threads: Int) {
        guard let path = ProcessIdentity.environment(variable),
            let library = dlopen(path, RTLD_NOW), let symbol = dlsym(library, "large_park")
        else { return }
        typealias Park = @convention(c) (Int, @convention(c) (Int) -> Void) -> Int
        let park = unsafeBitCast(symbol, to: Park.self)
        for number in 0..<threads {
            HostThread.start(stackBytes: 512 << 10) {
                _ = park(number) { _ in DispatchSemaphore(value: 0).wait() }
            }
        }
    }
}
