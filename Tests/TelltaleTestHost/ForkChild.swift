import Foundation
import TelltaleAgent

@_silgen_name("fork") private func systemFork() -> Int32

/// Forks without exec. The child waits to be killed; with `starting` it calls `start()` first.
/// Unless it `isAlone` it ends with its parent, so that a test that kills its host leaves no
/// process behind.
func forkChild(_ starting: Int32, isAlone: Bool = true) -> Int32 {
    let parent = getpid()
    let pid = systemFork()
    guard pid == 0 else { return pid }
    if starting == 1 { Telltale.start() }
    while isAlone { pause() }
    while getppid() == parent { usleep(50_000) }
    _exit(0)
}
