/// `epoll`, which Swift's Glibc module leaves out.
enum Epoll {
    /// `struct epoll_event`, which is packed on x86-64: twelve bytes.
    struct Event {
        var events: UInt32 = 0
        var data: (UInt32, UInt32) = (0, 0)
        // Padded elsewhere; longer than the kernel's does no harm for one event.
        var rest: UInt32 = 0
    }

    /// Makes one that watches a descriptor for reading.
    static func make(watching descriptor: Int32) -> Int32 {
        let epoll = create(0)
        var event = Event(events: 1)
        _ = control(epoll, 1, descriptor, &event)
        return epoll
    }

    @_silgen_name("epoll_wait") static func wait(
        _ epoll: Int32, _ events: UnsafeMutablePointer<Event>, _ count: Int32, _ milliseconds: Int32
    ) -> Int32

    @_silgen_name("epoll_create1") private static func create(_ flags: Int32) -> Int32

    @_silgen_name("epoll_ctl") private static func control(
        _ epoll: Int32, _ operation: Int32, _ descriptor: Int32,
        _ event: UnsafeMutablePointer<Event>
    ) -> Int32
}
