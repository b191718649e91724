import Foundation
import TelltaleAgent

@_silgen_name("fork") private func systemFork() -> Int32

/// Forks without exec. The child waits to be killed; with `starting` it calls `start()` first.
func forkChild(_ starting: Int32) -> Int32 {
    let pid = systemFork()
    guard pid == 0 else { return pid }
    if starting == 1 { Telltale.start() }
    // For good: the test ends it.
    while true { pause() }
}
