#if os(Linux) && arch(x86_64)
    import Foundation
    import TelltaleSystem
    import TelltaleTestSupport
    import Testing

    /// Hosts whose queues, tasks and threads are as hard to look at as can be.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct AdversityTests {
        private func ask(_ host: TestHost, _ arguments: String...) throws -> String {
            let outcome = try host.telltale(["\(host.pid)"] + arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            return outcome.output
        }

        /// The stack of the thread in whose stack `function` is.
        private func stack(_ host: TestHost, with function: String) throws -> String {
            let stacks = try ask(host, "stack", "--full").components(separatedBy: "\n\n")
            return try #require(stacks.first { $0.contains(function) }, "no \(function)")
        }

        @Test(
            "labels that are no text, have no end, or are none at all are shown so that they do no harm"
        )
        func labels() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse labels") == "staged")
            let text = try ask(host, "queues")
            let lines = text.split(separator: "\n").filter { $0.contains(" suspended ") }
            #expect(lines.count == 5, "\(text)")
            #expect(lines.contains { $0.contains("xxxx…") })
            #expect(lines.contains { $0.contains("\u{FFFD}a\u{FFFD}") }, "\(text)")
            #expect(lines.contains { $0.contains(#"adverse.\u{1B}[2J\u{202E}"#) }, "\(text)")
            #expect(!text.contains("\u{1B}"))
        }

        @Test(
            "a thread whose own filter may forbid the handler's calls is not asked, and listed so")
        func filtered() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse filtered") == "staged")
            let reason =
                "it is running, and its own seccomp filter may forbid what the handler does"
            #expect(try ask(host, "stack", "--full").contains(reason))
            for command in ["dump", "threads", "stuck"] {
                _ = try host.telltale(["\(host.pid)", command])
            }
            // Its filter would have ended the process.
            #expect(try ask(host, "stack", "--full").contains(reason))
        }

        @Test(
            "a thread that is asked twice and answers once does not end the process by the second")
        func doubled() throws {
            let shim = try PreloadedShim()
            let host = try TestHost(
                environment: shim.environment().merging(["TELLTALE_TEST_DOUBLED": "1"]) { $1 })
            #expect(try host.perform("adverse doubled") == "staged")
            for _ in 0..<3 {
                #expect(try stack(host, with: "test-doubled").contains("spinForGood"))
                usleep(400_000)
            }
            #expect(try ask(host, "status").contains("\(host.pid)"))
        }

        @Test("owners that never answer the hang watch leave workers for those who ask")
        func locks() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse locks 200") == "staged")
            let on = try host.telltale(["\(host.pid)", "watch", "stuck", "--every", "60s"])
            #expect(on.status == 0, "\(on.errors)")
            usleep(2_000_000)
            let info = try ask(host, "info")
            let workers = try #require(info.split(separator: "\n").first { $0.contains(" busy") })
            // 64 there are, of which the watch takes 16 at most.
            let busy = try #require(
                workers.split(separator: " ").dropLast().last.flatMap { Int($0) })
            #expect((8...20).contains(busy), "\(workers)")
            #expect(try ask(host, "watch", "stuck", "off").contains("off"))
        }

        @Test("more queues than anybody reads are counted, in time", .timeLimit(.minutes(2)))
        func crowd() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse queues 100000") == "staged")
            let began = MonotonicTime.now
            let text = try ask(host, "queues")
            #expect(MonotonicTime.now.since(began) < .seconds(8))
            #expect(text.contains("more queues are not listed"))
            #expect(text.contains("there is more than was counted"))
            for command in ["stuck", "timers", "dump"] { _ = try ask(host, command) }
        }

        @Test("a long chain of queues, and a million items that wait, are bounded")
        func chain() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse chain 1000") == "staged")
            #expect(try host.perform("adverse items 1000000") == "staged")
            let lines = try ask(host, "queues").split(separator: "\n")
            #expect(lines.contains { $0.contains("adverse.chain.1000") })
            #expect(try ask(host, "queue", "adverse.items").contains("more"))
            for command in ["stuck", "dump"] {
                let outcome = try host.telltale(["\(host.pid)", command])
                #expect(outcome.status == (command == "stuck" ? 7 : 0), "\(outcome.errors)")
            }
        }

        @Test("ten thousand tasks, each a child of the last, are listed in time")
        func tree() throws {
            let host = try TestHost()
            #expect(try host.perform("adverse task-names") == "staged")
            #expect(try host.perform("adverse task-tree 10000") == "staged")
            let text = try ask(host, "tasks")
            #expect(text.contains("root of the tree"))
            #expect(text.contains(String(repeating: "n", count: 100)))
            #expect(!text.contains("\u{1B}"))
            #expect(try ask(host, "tasks", "--full").contains(" more"))
        }

        @Test("stacks that are gone, too long, on another stack, or before an exec are told")
        func stacks() throws {
            let host = try TestHost()
            for name in ["thread-name", "gone-stack", "deep-stack", "signal-stack"] {
                #expect(try host.perform("adverse \(name)") == "staged")
            }
            let pipe = try host.perform("adverse vfork")
            defer { unlink(pipe) }
            let deep = try stack(host, with: "Adversity.recurse(")
            #expect(deep.contains("the stack goes on beyond the 1 MiB"), "\(deep)")
            let handler = try stack(host, with: "Adversity.adverseHandler(")
            #expect(handler.contains("Adversity.adverseOuter("), "\(handler)")
            #expect(handler.contains("start_thread"), "\(handler)")
            #expect(try stack(host, with: "Adversity.blockInSpawn(").contains("posix_spawn"))
            let threads = try ask(host, "threads")
            #expect(threads.contains(#"\u{1b}[2J"#), "\(threads)")
            #expect(!threads.contains("\u{1B}"))
            #expect(host.isRunning)
            kill(host.pid, SIGKILL)
        }

        @Test("a kernel that refuses to read memory the quick way is asked the other way")
        func refusal() throws {
            let host = try TestHost(["no-reading"])
            try host.perform("dispatch stage")
            let parked = try host.park("poll")
            let stack = try ask(host, "stack", "\(parked.first?.thread ?? 0)")
            #expect(stack.contains("parkPollOuter("), "\(stack)")
            let spinning = try host.spin(1, calling: true, optimised: true)
            let spun = try ask(host, "stack", "\(spinning.first?.thread ?? 0)")
            #expect(spun.contains("spinCallingOuter("), "\(spun)")
            try host.perform("spin-stop")
            #expect(try ask(host, "queues").contains("staged.suspended"))
        }

        @Test("a host without a descriptor is shown all the same, with names, and what is stuck")
        func descriptors() throws {
            let host = try TestHost()
            try host.perform("dispatch stage")
            let parked = try host.park("nslock")
            try host.perform("wedge descriptors")
            for _ in 0..<3 {
                let stack = try ask(host, "stack", "\(parked.last?.thread ?? 0)")
                #expect(stack.contains("parkLockInner("), "\(stack)")
                #expect(try ask(host, "threads").contains("(main)"))
                #expect(try ask(host, "queues").contains("staged.suspended"))
                let stuck = try host.telltale(["\(host.pid)", "stuck"])
                #expect(stuck.status == 7, "\(stuck.output) \(stuck.errors)")
                #expect(stuck.output.contains("staged.suspended"), "\(stuck.output)")
            }
        }
    }
#endif
