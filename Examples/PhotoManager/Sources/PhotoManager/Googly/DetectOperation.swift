import Foundation
import Imaging

/// Finds the faces in a picture, once it is decoded: half of a photo's cost.
final class DetectOperation: Operation, @unchecked Sendable {  // its state is the photo's
    private let photo: PhotoInWork
    private let finder: @Sendable () -> FaceFinder?

    /// - Parameters:
    ///   - decoding: What has to be done before.
    ///   - finder: Asked when its turn has come; nil if no faces can be found.
    init(after decoding: DecodeOperation, finder: @escaping @Sendable () -> FaceFinder?) {
        photo = decoding.photo
        self.finder = finder
        super.init()
        name = "detect \(photo.url.lastPathComponent)"
        addDependency(decoding)
    }

    override func main() {
        guard let finder = finder(), let image = photo.image.take() else { return }
        let size = image.size
        photo.faces = finder.faces(in: image.grayscale(), width: size.width, height: size.height)
        photo.image = consume image
    }
}
