#if TELLTALE_AGENT
import CTelltaleSystem

/// The calling thread's stack pointer. Signal-safe.
package enum StackPosition {
    package static var now: UInt { ctelltale_stack_position() }
}
#endif
