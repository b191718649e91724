#if TELLTALE_AGENT
import TelltaleDiagnosis
import TelltalePicture
import TelltaleProtocol

/// The border of a made process, and the answer of `doctor` about it.
extension MadeProcess {
    /// Says what is at the border, now and a moment ago.
    mutating func border(_ change: @escaping @Sendable (inout BorderFacts) -> Void) {
        now { change(&$0.madeBorder) }
    }

    /// Says what was different there a moment ago.
    mutating func earlierBorder(_ change: @escaping @Sendable (inout BorderFacts) -> Void) {
        earlier { change(&$0.madeBorder) }
    }

    /// Has a thread stand in this call with this descriptor.
    mutating func call(_ id: Int32, _ name: String, _ first: UInt, _ second: UInt = 0) {
        now { picture in
            for index in picture.threads.indices where picture.threads[index].id == id {
                picture.threads[index].state = .waiting(
                    SystemCall(number: 0, arguments: [first, second, 0, 0, 0, 0], name: name))
            }
        }
    }

    var doctor: DoctorAnswer {
        let (earlier, later) = pictures
        let doctor = Doctor(of: earlier, later, stuck: answer)
        return doctor.answer(
            of: .init(
                name: "photos", pid: 10, uptimeSeconds: 60, residentBytes: 1 << 20, usedCores: 0.5,
                cores: 2, threads: later.threads.count, tasks: later.tasks.count))
    }

    var doctorsScreen: String { doctor.lines().joined(separator: "\n") }
}

extension Picture {
    fileprivate var madeBorder: BorderFacts {
        get { border ?? BorderFacts() }
        set { border = newValue }
    }
}

extension BorderFacts {
    /// Adds both ends of a pipe that this process has.
    mutating func pipe(
        inode: UInt64, reading: Int32? = nil, writing: Int32? = nil, unread: Int = 0
    ) {
        for (number, isReading) in [(reading, true), (writing, false)] {
            guard let number else { continue }
            var end = Descriptor(
                number: number, kind: "pipe", name: "", file: File(device: 1, inode: inode))
            end.reads = isReading
            end.writes = !isReading
            end.unread = unread
            end.capacity = 65_536
            descriptors.append(end)
        }
        open = descriptors.count
    }

    /// Adds a child in a call, with an end of a pipe.
    mutating func child(
        _ pid: Int32, _ program: String, _ call: String, _ descriptor: Int32, inode: UInt64,
        writes: Bool, parent: Int32 = 10
    ) {
        var child = Process(pid: pid, parent: parent, program: program, state: "S", threads: 1)
        child.call = SystemCall(
            number: 1, arguments: [UInt(descriptor), 0, 0, 0, 0, 0], name: call)
        child.switches = 7
        child.age = 42
        children.append(child)
        ends[File(device: 1, inode: inode), default: []].append(
            End(pid: pid, program: program, descriptor: descriptor, reads: !writes, writes: writes))
    }
}
#endif
