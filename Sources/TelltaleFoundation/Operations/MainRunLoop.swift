// Checked against swift-corelibs-foundation of swift-6.3.1-RELEASE (CFRunLoop.c).
#if TELLTALE_AGENT
import Foundation
import TelltaleAgent
import TelltaleProtocol

/// The run loop of the main thread, read from another one, whatever main does.
///
/// Never `limitDate(forMode:)`, which fires timers; and never a run loop that was not there: on Linux
/// it would cost the host four descriptors.
enum MainRunLoop {
    /// Returns its present state; `nil` if the main thread has none, as with `dispatchMain()`.
    static func read() -> OperationsAnswer.RunLoop? {
        guard let loop = existingLoop(0) else { return nil }
        return facts(
            isWaiting(loop) != 0, text(copyCurrentMode(loop)), text(copyDescription(loop)))
    }

    private static func facts(
        _ isWaiting: Bool, _ mode: String?, _ description: String?
    ) -> OperationsAnswer.RunLoop {
        let description = description ?? ""
        return OperationsAnswer.RunLoop(
            isWaiting: isWaiting, mode: mode, timers: timers(in: description),
            sources: addresses(of: "CFRunLoopSource", in: description).count)
    }

    private static let mostTimers = 50

    /// A line for each timer of a run loop's description, the next one first; of more than 50 the last line says
    /// how many others there are.
    static func timers(in description: String) -> [String] {
        var timers: [(firesIn: Double, line: String)] = []
        var known: Set<Substring> = []
        for part in description.split(separator: "<CFRunLoopTimer ").dropFirst().prefix(10_000) {
            // One that is in the common modes is described in each of them.
            guard part.hasPrefix("0x"), known.insert(part.prefix { $0 != " " }).inserted,
                let date = part.firstRange(of: "next fire date = "),
                let opening = part[date.upperBound...].firstIndex(of: "("),
                let firesIn = Double(part[part.index(after: opening)...].prefix { $0 != " " })
            else { continue }
            var line = "fires in \(Quantity.time(seconds: firesIn))"
            if let interval = part.firstRange(of: "interval = ").flatMap({
                Double(part[$0.upperBound...].prefix { $0 != "," })
            }), interval > 0 {
                line += ", every \(Quantity.time(seconds: interval))"
            }
            timers.append((firesIn, line))
        }
        let lines = timers.sorted { $0.firesIn < $1.firesIn }.map(\.line)
        guard lines.count > mostTimers else { return lines }
        return lines.prefix(mostTimers) + ["\(lines.count - mostTimers) more"]
    }

    private static func addresses(of type: String, in description: String) -> Set<Substring> {
        Set(
            description.split(separator: "<\(type) ").dropFirst().prefix(10_000)
                .map { $0.prefix { $0 != " " } }.filter { $0.hasPrefix("0x") })
    }

    // Functions of CoreFoundation, which Foundation exports and Swift doesn't import on Linux.

    /// The loop of a thread, 0 for the main one; nil where it has none yet.
    @_silgen_name("_CFRunLoopGet0b")
    private static func existingLoop(_ thread: UInt) -> UnsafeRawPointer?
    @_silgen_name("CFRunLoopIsWaiting")
    private static func isWaiting(_ loop: UnsafeRawPointer) -> UInt8
    @_silgen_name("CFRunLoopCopyCurrentMode")
    private static func copyCurrentMode(_ loop: UnsafeRawPointer) -> UnsafeRawPointer?
    @_silgen_name("CFCopyDescription")
    private static func copyDescription(_ object: UnsafeRawPointer) -> UnsafeRawPointer?
    @_silgen_name("CFStringGetCString")
    private static func copyCString(
        _ string: UnsafeRawPointer, _ buffer: UnsafeMutablePointer<CChar>, _ size: Int,
        _ encoding: UInt32
    ) -> UInt8
    @_silgen_name("CFStringGetLength")
    private static func length(_ string: UnsafeRawPointer) -> Int
    @_silgen_name("CFRelease")
    private static func release(_ object: UnsafeRawPointer)

    /// The text of a string that was copied, which is released; nil beyond 4 MB.
    private static func text(_ string: UnsafeRawPointer?) -> String? {
        guard let string else { return nil }
        defer { release(string) }
        let units = length(string)
        guard units >= 0, units <= 1 << 20 else { return nil }
        var buffer = [UInt8](repeating: 0, count: units * 4 + 1)
        let utf8: UInt32 = 0x0800_0100
        let isWhole = buffer.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map {
                copyCString(string, $0.assumingMemoryBound(to: CChar.self), bytes.count, utf8)
            } ?? 0
        }
        guard isWhole != 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
    }
}
#endif
