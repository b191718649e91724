#if TELLTALE_COMPILED
// Potential wakers in words.

extension StuckAnswer.Hope {
    /// The note in a finding: it concerns the first party, which is named if there are others.
    func note(of parties: [StuckAnswer.Party]) -> String {
        let isMany = parties.first?.isMany == true
        var who = isMany ? "they" : "it"
        var whom = isMany ? "them" : "it"
        if parties.count > 1, let first = parties.first {
            who = isMany ? "the first of these" : first.name
            whom = who
        }
        return switch self {
        case .itself:
            who + (isMany ? " continue by themselves" : " continues by itself") + " when "
                + (parties.first?.isInCall == true
                    ? "there is input or room for output" : "the time is up")
        case .resume(let calls):
            "the service called suspend(); nothing runs on it until it calls resume()"
                + (calls > 1 ? " as often" : "")
        case .activate: "nothing runs on it until the service calls activate()"
        case .client: "a client's `suspend` holds it, until `resume` in its session or its end"
        default: "\(words) could still wake \(whom)"
        }
    }

    /// The potential waker.
    var words: String {
        switch self {
        case .itself: "what it waits for"
        case .resume: "the service's resume()"
        case .activate: "the service's activate()"
        case .client: "a client of Telltale"
        case .timeout: "a timeout"
        case .timer: "a timer that refers to it"
        case .source(let watches): "a dispatch source that refers to it and watches \(watches)"
        case .item(let queue): "an item waiting on \(queue)"
        case .task(let name): name
        case .global(let name): "code that reads \(name ?? "a global variable"), which holds it,"
        case .object(let type):
            "code that uses \(type.map { "the \($0)" } ?? "the object") holding it"
        case .unsearched: "something unknown (the search for what refers to it was not completed)"
        case .sleepingTask: "a sleeping task"
        case .runningTask: "a running task"
        case .connection: "a new client connection"
        case .networkAnswer: "an answer over the network"
        case .unknownDescriptor: "a descriptor (they can't be listed)"
        case .resuming(let thread): "\(thread) (which is resuming it)"
        case .event(let descriptor, let epoll):
            "an event on descriptor \(descriptor) (its epoll_data in epoll \(epoll) leads to it)"
        case .ring(let descriptor):
            "a completion of io_uring \(descriptor) (its user_data can't be followed)"
        case .processTimer:
            "a POSIX timer (timer_create; its sival_ptr can't be followed)"
        case .asyncRequest:
            "a completion of asynchronous I/O (io_setup; its aio_data can't be followed)"
        case .unreadableMemory(let bytes):
            "code that uses memory without access (PROT_NONE: \(Quantity.bytes(bytes)) of it can't be "
                + "searched)"
        case .epolls(let descriptors):
            "an event on an epoll (with \(Quantity.count(descriptors)) open descriptors, "
                + "their epoll_data is not read)"
        case .thread(let name, .runs): "\(name) (running)"
        case .thread(let name, .time): "\(name) (sleeping)"
        case .thread(let name, .event(let call)), .thread(let name, .call(let call)):
            "\(name) (in \(call))"
        case .thread(let name, _): "\(name) (which ran just now)"
        }
    }
}
#endif
