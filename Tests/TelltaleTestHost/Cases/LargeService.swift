import Dispatch
import Foundation
import Synchronization

extension Shape {
    /// A service of a size that few have: 10,000 descriptors, 200,000 tasks, a heap of 1 GB.
    static let largeService = [
        Shape("case-large-service") {
            LargeService.openDescriptors(10_000)
            LargeService.fillHeap(objects: 1_000_000, bytesEach: 1000)
            LargeService.startTasks(200_000)
        }
    ]
}

enum LargeService {
    private static let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    private static let objects = Mutex<[[UInt8]]>([])

    static func openDescriptors(_ count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        for index in 0..<count {
            if index % 2 == 0 {
                _ = open("/dev/null", O_RDONLY)
            } else {
                _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            }
        }
    }

    static func fillHeap(objects count: Int, bytesEach size: Int) {
        objects.withLock { objects in
            for _ in 0..<count { objects.append([UInt8](repeating: 1, count: size)) }
        }
    }

    static func startTasks(_ count: Int) {
        for _ in 0..<count { Task { await wait() } }
        while waiting.withLock({ $0.count }) < count { Thread.sleep(forTimeInterval: 0.1) }
    }

    private static func wait() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
        }
    }
}
