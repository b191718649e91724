import Glibc

/// `epoll`, `eventfd` and `timerfd`, which Swift's Glibc module leaves out.
package enum Epoll {
    /// `struct epoll_event`, which is packed on x86-64: twelve bytes.
    package struct Event {
        package var events: UInt32 = 0
        /// The user data: the descriptor's number.
        package var data: (Int32, UInt32) = (0, 0)
        // Padded elsewhere; longer than the kernel's does no harm for one event.
        var rest: UInt32 = 0

        package init(events: UInt32 = 0, descriptor: Int32 = 0) {
            self.events = events
            data.0 = descriptor
        }

        /// All of what it is known by.
        package var word: UInt64 {
            get { UInt64(UInt32(bitPattern: data.0)) | UInt64(data.1) << 32 }
            set {
                data.0 = Int32(truncatingIfNeeded: newValue)
                data.1 = UInt32(truncatingIfNeeded: newValue >> 32)
            }
        }
    }

    package static let readable: UInt32 = 1
    package static let edgeTriggered: UInt32 = 1 << 31
    package static let oneShot: UInt32 = 1 << 30

    /// Makes one.
    package static func make() -> Int32 { create(0) }

    /// Makes one that watches a descriptor for reading.
    package static func make(watching descriptor: Int32) -> Int32 {
        let epoll = create(0)
        add(descriptor, to: epoll)
        return epoll
    }

    /// Has a descriptor watched.
    package static func add(_ descriptor: Int32, to epoll: Int32, events: UInt32 = readable) {
        var event = Event(events: events, descriptor: descriptor)
        _ = control(epoll, 1, descriptor, &event)
    }

    /// Has a descriptor watched that is known by another word than its number.
    package static func add(_ descriptor: Int32, to epoll: Int32, data: UInt64) {
        var event = Event(events: readable)
        event.word = data
        _ = control(epoll, 1, descriptor, &event)
    }

    /// Asks anew for a descriptor that is told of once.
    package static func rearm(_ descriptor: Int32, in epoll: Int32, events: UInt32) {
        var event = Event(events: events, descriptor: descriptor)
        _ = control(epoll, 3, descriptor, &event)
    }

    @_silgen_name("epoll_wait") package static func wait(
        _ epoll: Int32, _ events: UnsafeMutablePointer<Event>, _ count: Int32, _ milliseconds: Int32
    ) -> Int32

    @_silgen_name("epoll_create1") private static func create(_ flags: Int32) -> Int32

    @_silgen_name("epoll_ctl") private static func control(
        _ epoll: Int32, _ operation: Int32, _ descriptor: Int32,
        _ event: UnsafeMutablePointer<Event>
    ) -> Int32

    /// A counter that doesn't block.
    package static func makeCounter() -> Int32 { eventfd(0, Int32(O_NONBLOCK)) }

    /// Adds one to a counter.
    package static func signal(_ counter: Int32) {
        var one: UInt64 = 1
        _ = write(counter, &one, 8)
    }

    /// Reads a counter or a timer empty.
    package static func drain(_ descriptor: Int32) {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// A timer that comes again and again, and doesn't block who reads it.
    package static func makeTimer(milliseconds: Int) -> Int32 {
        let timer = timerfd_create(1, Int32(O_NONBLOCK))
        setTimer(timer, milliseconds: milliseconds)
        return timer
    }

    /// Has a timer come anew after a time, and again and again.
    package static func setTimer(_ timer: Int32, milliseconds: Int, every interval: Int? = nil) {
        func time(_ milliseconds: Int) -> timespec {
            timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        }
        var setting = (interval: time(interval ?? milliseconds), value: time(milliseconds))
        _ = timerfd_settime(timer, 0, &setting, nil)
    }

    @_silgen_name("eventfd") private static func eventfd(_ count: UInt32, _ flags: Int32) -> Int32
    @_silgen_name("timerfd_create") private static func timerfd_create(
        _ clock: Int32, _ flags: Int32
    ) -> Int32
    @_silgen_name("timerfd_settime") private static func timerfd_settime(
        _ timer: Int32, _ flags: Int32,
        _ value: UnsafePointer<(interval: timespec, value: timespec)>, _ old: UnsafeRawPointer?
    ) -> Int32
}
