import CFaces
import Foundation
import Synchronization

/// Finds faces by OpenCV, whose library is loaded when it is wanted: a service that draws no eyes doesn't
/// have its forty libraries in memory, and one on a machine without them does all the rest.
final class FaceFinder: @unchecked Sendable {  // `lock` lets one caller in at a time
    private let lock = NSLock()
    private let finder: OpaquePointer
    private let find: photo_faces_find_function
    private let close: photo_faces_close_function

    /// The cascades of Debian's opencv-data.
    static let cascades = "/usr/share/opencv4/haarcascades"

    /// Loads the library and the cascades.
    ///
    /// - Parameters:
    ///   - library: The product PhotoFaces of this package.
    ///   - cascades: The folder of the cascades.
    /// - Throws: ``FaceFailure`` with the missing part.
    init(
        library: String = FaceFinder.library, cascades: String = FaceFinder.cascades
    ) throws(FaceFailure) {
        guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
            throw .noLibrary(library, reason: dlerror().map { String(cString: $0) } ?? "")
        }
        guard let open = dlsym(handle, "photo_faces_open"),
            let find = dlsym(handle, "photo_faces_find"),
            let close = dlsym(handle, "photo_faces_close")
        else { throw .noLibrary(library, reason: "it has not the functions of this version") }
        self.find = unsafeBitCast(find, to: photo_faces_find_function.self)
        self.close = unsafeBitCast(close, to: photo_faces_close_function.self)
        let opening = unsafeBitCast(open, to: photo_faces_open_function.self)
        guard
            let finder = opening(
                "\(cascades)/haarcascade_frontalface_default.xml",
                "\(cascades)/haarcascade_eye.xml")
        else { throw .noCascades(cascades) }
        self.finder = finder
    }

    deinit {
        close(finder)
    }

    /// Beside the program.
    static var library: String {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        let folder = program?.deletingLastPathComponent().path ?? "."
        return "\(folder)/libPhotoFaces.so"
    }

    /// Finds faces, the largest first.
    ///
    /// - Parameters:
    ///   - gray: A byte a pixel, row by row.
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    /// - Returns: At most 64 of them.
    func faces(in gray: [UInt8], width: Int, height: Int) -> [Face] {
        guard width > 0, height > 0, gray.count >= width * height,
            let columns = Int32(exactly: width), let rows = Int32(exactly: height)
        else { return [] }
        var found = [photo_face](repeating: photo_face(), count: 64)
        let count = lock.withLock { find(finder, gray, columns, rows, &found, 64) }
        return found.prefix(max(0, Int(count))).map(Face.init)
    }
}

/// A face, and where its eyes are.
struct Face: Sendable, Equatable {
    /// A part of a picture, in pixels from its upper left corner.
    struct Area: Sendable, Equatable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    var area: Area
    var eyes: [Area]

    init(area: Area, eyes: [Area]) {
        self.area = area
        self.eyes = eyes
    }

    fileprivate init(_ face: photo_face) {
        area = Area(face.face)
        eyes = [Area(face.eyes.0), Area(face.eyes.1)]
    }
}

extension Face.Area {
    fileprivate init(_ area: photo_area) {
        self.init(
            x: Int(area.x), y: Int(area.y), width: Int(area.width), height: Int(area.height))
    }
}

/// The reason that no faces are found.
enum FaceFailure: Error, Equatable, CustomStringConvertible {
    case noLibrary(String, reason: String)
    case noCascades(String)

    var description: String {
        switch self {
        case .noLibrary(let path, let reason):
            "photos keep their eyes: \(path) can't be loaded (\(reason)); install "
                + "libopencv-objdetect-dev and opencv-data, and build the product PhotoFaces"
        case .noCascades(let folder):
            "photos keep their eyes: there are no cascades in \(folder); install opencv-data"
        }
    }
}
