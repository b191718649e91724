import Testing

/// Code in a signal's handler, or in a forked child, may neither allocate nor wait for a lock: the
/// thread that it interrupts may be in the middle of that.
struct SignalPathTests {
    private static let marker = "// Runs on signals."
    private static let marked = CObject.all().filter { $0.lines.first ?? "" == marker }

    /// The C library functions of these files: system calls, copies of bytes, and the registration
    /// of the fork hook, which is not part of it. `__tls_get_addr` allocates at a thread's first
    /// use of a variable: fork.c reads its own ahead of the fork, in the thread that the child has. The two of Swift's
    /// runtime move words of the calling thread's own.
    private static let allowed: Set<String> = [
        "__errno_location", "__tls_get_addr", "clock_gettime", "close", "fstat", "getpid",
        "inotify_add_watch", "inotify_init1", "raise", "lseek", "memcpy", "memset", "open", "pread",
        "process_vm_readv",
        "pthread_atfork", "pthread_once", "read", "recv", "sched_yield", "send", "sigaction",
        "siglongjmp", "socketpair", "strlen", "strstr", "swift_task_enterThreadLocalContext",
        "swift_task_exitThreadLocalContext", "syscall",
    ]

    @Test("the files of the handlers say so in their first line")
    func files() {
        let names = Set(Self.marked.map(\.source))
        #expect(
            names.isSuperset(of: [
                "signals/chain.c", "signals/trap.c", "signals/wake.c", "signals/fork.c",
                "memory/guarded.c", "process/descriptors.c", "calls/guard_signals.c",
            ]))
    }

    @Test("they call nothing but each other and what is async-signal-safe")
    func calls() throws {
        let own = Set(
            try Self.marked.flatMap { try $0.names("--defined-only --format=just-symbols") })
        for object in Self.marked {
            let called = Set(try object.names("-u --format=just-symbols"))
            #expect(called.subtracting(own).subtracting(Self.allowed) == [], "\(object.source)")
        }
    }
}
