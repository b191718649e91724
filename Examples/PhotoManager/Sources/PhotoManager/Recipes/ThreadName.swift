import Foundation

/// The system's name of the running thread, for lists of threads. On Linux Foundation's
/// `Thread.name` doesn't reach the system, which names a thread after the one that has made it.
var nameOfThisThread: String {
    get {
        #if os(Linux)
        let name = FileManager.default.contents(atPath: "/proc/thread-self/comm") ?? Data()
        return String(decoding: name, as: UTF8.self).trimmingCharacters(in: .newlines)
        #else
        return Thread.current.name ?? ""
        #endif
    }
    set {
        #if os(Linux)
        try? Data(newValue.utf8).write(to: URL(fileURLWithPath: "/proc/thread-self/comm"))
        #else
        Thread.current.name = newValue
        #endif
    }
}
