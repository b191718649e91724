import Foundation
import TelltaleSystem

/// The resources of a host that a client could make it lose, as the kernel counts them.
package struct HostFootprint: Sendable, CustomStringConvertible {
    package var descriptors: Int
    package var threads: Int
    /// Threads that serve a client.
    package var connections: Int
    package var residentBytes: UInt64

    /// Counts now; nil once the process has ended.
    package init?(of pid: Int32) {
        let files = ProcessFiles(pid: pid)
        let tasks = "/proc/\(pid)/task"
        guard let stat = files.stat, let open = files.descriptorCount else { return nil }
        descriptors = open - Self.objectFiles(of: pid)
        threads = stat.threads
        connections = DirectoryListing.names(in: tasks).count { task in
            SmallFile.text(of: "\(tasks)/\(task)/comm") == "telltale-conn\n"
        }
        residentBytes = stat.residentPages * ProcessFiles.pageSize
    }

    // Opened once each, and the debug file of each, the first time that a function of theirs is named, and
    // kept: no loss.
    private static func objectFiles(of pid: Int32) -> Int {
        let folder = "/proc/\(pid)/fd"
        return DirectoryListing.names(in: folder).count { name in
            var path = [CChar](repeating: 0, count: 512)
            let length = readlink("\(folder)/\(name)", &path, path.count)
            guard length > 0 else { return false }
            let target = String(
                decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return target.hasSuffix(".so") || target.contains(".so.") || target.hasSuffix(".debug")
                || target.hasSuffix("/telltale-test-host")
        }
    }

    /// The more of each.
    package func most(with other: HostFootprint) -> HostFootprint {
        var most = self
        most.descriptors = max(descriptors, other.descriptors)
        most.threads = max(threads, other.threads)
        most.connections = max(connections, other.connections)
        most.residentBytes = max(residentBytes, other.residentBytes)
        return most
    }

    package var description: String {
        "\(descriptors) descriptors, \(threads) threads (\(connections) for clients), "
            + "\(residentBytes >> 10) KiB"
    }
}

extension TestHost {
    /// Waits until no client is served any more, and returns the host's resources then.
    ///
    /// Before that it is asked for all that makes Dispatch open descriptors and start threads of its
    /// own, which it keeps.
    ///
    /// - Throws: ``TestHost/Failure`` after 30 s.
    package func footprintAtRest() throws -> HostFootprint {
        for command in ["dump", "status"] { _ = try telltale(["\(pid)", command]) }
        return try waitForFootprint { $0.connections == 0 }
    }

    /// Waits until the host has the wanted resources.
    ///
    /// - Throws: ``TestHost/Failure`` after 30 s, with its actual resources.
    @discardableResult
    package func waitForFootprint(
        _ isEnough: (HostFootprint) -> Bool
    ) throws -> HostFootprint {
        let deadline = MonotonicTime.now.advanced(by: .seconds(30))
        while true {
            guard isRunning, let now = HostFootprint(of: pid) else {
                throw Failure(description: "the host has ended")
            }
            if isEnough(now) { return now }
            guard deadline > .now else { throw Failure(description: "the host keeps \(now)") }
            usleep(2_000)
        }
    }
}
