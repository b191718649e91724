#if TELLTALE_COMPILED
/// Which file of the machine it is, whatever its paths.
package struct FileIdentity: Sendable, Hashable {
    package var device: UInt64
    package var inode: UInt64
}
#endif
