import Dispatch
import Foundation
import Synchronization
import TelltaleAgent

// States of the host for the tests of signals, forks and security.

private let interruptedCalls = Atomic<Int>(0)
private let sits = Atomic<Bool>(false)
private let isStarting = Atomic<Bool>(false)
private let waitedSignals = Atomic<Int>(0)
// Used only by the thread that performs the commands.
nonisolated(unsafe) private var lateSources: [any DispatchSourceSignal] = []

/// Prepares the host before the agent starts.
func prepareSignalModes(_ options: Set<String>) {
    // The image that this process has become by `exec`; its predecessor owes an answer.
    if options.contains("executed") { say("OK executed") }
    if options.contains("counting-handler") {
        // Restarting, so that the thread that reads the commands is not interrupted.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in earlierCalls.add(1, ordering: .relaxed) }
        action.sa_flags = SA_RESTART
        sigaction(SIGUSR1, &action, nil)
    }
    if options.contains("ignoring") {
        for number in [SIGUSR1, SIGUSR2, SIGCONT] { signal(number, SIG_IGN) }
    }
    if options.contains("umask-0") { umask(0) }
    if options.contains("deaf-pipe") { writeErrorsToADeafPipe() }
    if options.contains("deaf-terminal") { writeErrorsToADeafTerminal() }
    for option in options where option.hasPrefix("threads=") {
        startThreads(Int(option.dropFirst(8)) ?? 0)
    }
}

/// Runs a command; nil for an unknown one.
func performSignalMode(_ words: [String]) -> String? {
    let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
    switch words.first {
    case "threads":
        startThreads(number)
        return "started"
    case "sits": return "\(sits.load(ordering: .relaxed))"
    case "interrupted": return "\(interruptedCalls.load(ordering: .relaxed))"
    case "start-meanwhile":
        isStarting.store(true, ordering: .releasing)
        return Telltale.start().state.rawValue
    case "waited": return "\(waitedSignals.load(ordering: .relaxed))"
    case "late-source": return makeLateSource()
    case "starts": return startOnThreads(number)
    case "cycles": return startAndStop(number)
    case "connections": return startWithConnections(number)
    case "request-bytes": return startWithRequests(of: number)
    case "fail":
        setenv("TELLTALE_TEST_FAIL", words.count > 1 ? words[1] : "", 1)
        return "failing"
    case "execute": return execute()
    case "daemonise": return "\(daemonise(starting: words.last == "start"))"
    case "fork-restart": return forkAndRestart()
    case "forks": return forkAndWait(number)
    case "descriptors": return descriptors(of: getpid()).joined(separator: " | ")
    case "open-null": return "\(open("/dev/null", O_RDWR))"
    case "errors": return errorDescriptorFacts()
    case "bad-name":
        Telltale.register("status") { 1 }
        return "refused"
    default: return nil
    }
}

// MARK: The main thread

/// Keeps the main thread in one call, over and over, and counts how often it was interrupted.
func sitInACall(_ options: Set<String>) {
    guard let option = options.first(where: { $0.hasPrefix("sit=") }) else { return }
    let call = makeCall(String(option.dropFirst(4)))
    sits.store(true, ordering: .relaxed)
    while true {
        errno = 0
        let result = call()
        if result < 0, errno == EINTR { interruptedCalls.add(1, ordering: .relaxed) }
    }
}

@_silgen_name("epoll_create1") private func systemEpollCreate(_ flags: Int32) -> Int32
@_silgen_name("epoll_wait") private func systemEpollWait(
    _ descriptor: Int32, _ events: UnsafeMutableRawPointer?, _ count: Int32, _ timeout: Int32
) -> Int32

// Each call comes back with EINTR or, for all that the tests do, never.
private func makeCall(_ name: String) -> () -> Int {
    var ends: [Int32] = [-1, -1]
    switch name {
    case "poll": return { Int(poll(nil, 0, -1)) }
    case "select": return { Int(select(0, nil, nil, nil, nil)) }
    case "nanosleep":
        return {
            var time = timespec(tv_sec: 3600, tv_nsec: 0)
            return Int(nanosleep(&time, nil))
        }
    case "usleep": return { Int(usleep(3_600_000_000)) }
    case "epoll_wait":
        let queue = systemEpollCreate(0)
        let events = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        return { Int(systemEpollWait(queue, events, 1, -1)) }
    case "read":
        pipe(&ends)
        let end = ends[0]
        var byte: UInt8 = 0
        return { read(end, &byte, 1) }
    case "recv", "recv-timeout":
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        let end = ends[0]
        if name == "recv-timeout" {
            var time = timeval(tv_sec: 3600, tv_usec: 0)
            setsockopt(
                end, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        var byte: UInt8 = 0
        return { recv(end, &byte, 1, 0) }
    case "waitpid":
        let child = forkChild(0, isAlone: false)
        return {
            var status: Int32 = 0
            return Int(waitpid(child, &status, 0))
        }
    case "semaphore":
        let semaphore = DispatchSemaphore(value: 0)
        return {
            semaphore.wait()
            return 0
        }
    case "blocked-for-a-moment":
        var set = sigset_t()
        sigfillset(&set)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        return {
            while !isStarting.load(ordering: .acquiring) {}
            // As long as `dispatchMain()` may take, not as long as a host that means it.
            usleep(1000)
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            while true { pause() }
        }
    case "sigwait", "sigwait-late":
        return {
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGUSR1)
            // The same as `blocked` ahead of `start()`; after it without that option.
            pthread_sigmask(SIG_BLOCK, &set, nil)
            var signal: Int32 = 0
            if sigwait(&set, &signal) == 0 { waitedSignals.add(1, ordering: .relaxed) }
            return 0
        }
    default: fatalError("no call \(name)")
    }
}

// MARK: Threads

// They sleep with no signal blocked, as a service's own do.
private func startThreads(_ count: Int) {
    let started = DispatchSemaphore(value: 0)
    for _ in 0..<count {
        Thread.detachNewThread {
            started.signal()
            while true { sleep(3600) }
        }
    }
    for _ in 0..<count { started.wait() }
}

// All call `start()` at the same moment; what each was told, with how many were told it.
private func startOnThreads(_ count: Int) -> String {
    let gate = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    var all: [Told] = []
    for _ in 0..<count {
        done.enter()
        let told = Told()
        all.append(told)
        Thread.detachNewThread {
            gate.wait()
            let state = Telltale.start().state.rawValue
            told.state.withLock { $0 = state }
            done.leave()
        }
    }
    for _ in 0..<count { gate.signal() }
    done.wait()
    var counts: [String: Int] = [:]
    for told in all { counts[told.state.withLock { $0 }, default: 0] += 1 }
    return counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: " ")
}

private final class Told: Sendable { let state = Mutex("") }

private func startAndStop(_ count: Int) -> String {
    for _ in 0..<count {
        guard Telltale.start().state == .running else { return "not running" }
        Telltale.stop()
        guard Telltale.status.state == .stopped else { return "not stopped" }
    }
    return "done"
}

private func startWithConnections(_ count: Int) -> String {
    var configuration = AgentConfiguration()
    configuration.maximumConnections = count
    return Telltale.start(configuration).state.rawValue
}

private func startWithRequests(of bytes: Int) -> String {
    var configuration = AgentConfiguration()
    configuration.maximumRequestBytes = bytes
    return Telltale.start(configuration).state.rawValue
}

// MARK: Signals

private func makeLateSource() -> String {
    let before = sigaction.current(SIGUSR1)
    let source = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
    source.setEventHandler { earlierCalls.add(1, ordering: .relaxed) }
    source.activate()
    lateSources.append(source)
    while sigaction.current(SIGUSR1) == before { usleep(1000) }
    return "made"
}

// MARK: Forks

@_silgen_name("fork") private func systemFork() -> Int32

// This program anew, in the same process and without an agent.
private func execute() -> String {
    let names = ["telltale-test-host", "unstarted", "executed"]
    var words: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &words)
    return "errno \(errno)"
}

// As a service of old: fork, a session of its own, fork again. The middle one ends.
private func daemonise(starting: Bool) -> Int32 {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let middle = systemFork()
    if middle == 0 {
        setsid()
        var daemon = systemFork()
        if daemon == 0 {
            if starting { Telltale.start() }
            while true { pause() }
        }
        write(ends[1], &daemon, MemoryLayout<Int32>.size)
        _exit(0)
    }
    var daemon: Int32 = 0
    read(ends[0], &daemon, MemoryLayout<Int32>.size)
    var status: Int32 = 0
    waitpid(middle, &status, 0)
    close(ends[0])
    close(ends[1])
    return daemon
}

// A child that has files of its own, starts the agent and stops it: how many of its files are closed.
private func forkAndRestart() -> String {
    let child = systemFork()
    if child == 0 {
        let files = (0..<32).map { _ in open("/dev/null", O_RDWR) }
        Telltale.start()
        Telltale.stop()
        _exit(Int32(files.filter { fcntl($0, F_GETFD) < 0 }.count))
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status & 0x7f == 0 ? "\(status >> 8)" : "signal \(status & 0x7f)"
}

// Children that end at once, one after another, and how many ended well.
private func forkAndWait(_ count: Int) -> String {
    var good = 0
    for _ in 0..<count {
        let child = systemFork()
        if child == 0 { _exit(0) }
        var status: Int32 = 0
        if waitpid(child, &status, 0) == child, status == 0 { good += 1 }
    }
    return "\(good)"
}

private func descriptors(of pid: Int32) -> [String] {
    let folder = "/proc/\(pid)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
}

// MARK: Standard error

// A full pipe without a reader.
private func writeErrorsToADeafPipe() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    var bytes = [UInt8](repeating: 0x2E, count: 4096)
    while write(ends[1], &bytes, bytes.count) > 0 {}
    while write(ends[1], &bytes, 1) > 0 {}
    _ = fcntl(ends[1], F_SETFL, flags)
    dup2(ends[1], STDERR_FILENO)
    close(ends[1])
}

// A terminal in raw mode without a reader.
private func writeErrorsToADeafTerminal() {
    var controller: Int32 = -1
    var terminal: Int32 = -1
    guard openpty(&controller, &terminal, nil, nil, nil) == 0 else { fatalError("openpty") }
    var mode = termios()
    tcgetattr(terminal, &mode)
    cfmakeraw(&mode)
    tcsetattr(terminal, TCSANOW, &mode)
    dup2(terminal, STDERR_FILENO)
    close(terminal)
}

private func errorDescriptorFacts() -> String {
    var mode = termios()
    let isTerminal = tcgetattr(STDERR_FILENO, &mode) == 0
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    return "\(flags) \(fcntl(STDERR_FILENO, F_GETFD)) \(isTerminal) "
        + "\(mode.c_iflag) \(mode.c_oflag) \(mode.c_cflag) \(mode.c_lflag)"
}
