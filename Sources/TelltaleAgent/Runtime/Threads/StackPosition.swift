#if TELLTALE_AGENT
import CTelltaleSystem

/// Where the calling thread's stack stands. Signal-safe.
enum StackPosition {
    static var now: UInt { ctelltale_stack_position() }
}
#endif
