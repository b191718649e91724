import Foundation

// photo-samples DIRECTORY [COUNT]: real JPEG and PNG files for the demo and the tests.

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("photo-samples: \(message)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments.dropFirst()
guard let directory = arguments.first, !directory.hasPrefix("-"), arguments.count <= 2 else {
    fail("usage: photo-samples DIRECTORY [COUNT]")
}
let countText = arguments.dropFirst().first ?? "12"
guard let count = Int(countText), (0...100_000).contains(count) else {
    fail("'\(countText)' is not a number of photos from 0 to 100000")
}

do {
    let folder = URL(fileURLWithPath: directory, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 0..<count {
        let face = SampleFace(number: number)
        try Data(face.painted()).write(to: folder.appendingPathComponent(face.fileName))
    }
    print("\(count) photos in \(directory)")
} catch {
    fail("can't write the photos to \(directory): \(error)")
}
