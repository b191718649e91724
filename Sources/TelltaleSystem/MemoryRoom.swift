#if TELLTALE_COMPILED
    import CTelltaleSystem

    /// Whether there is memory left for work that takes much of it.
    package enum MemoryRoom {
        /// More than one look at threads, queues or names takes.
        private static let needed = 24 << 20

        /// Asked before such work: where Swift can't allocate the process ends. 2 µs.
        package static var isEnough: Bool { ctelltale_has_room(needed) }
    }
#endif
