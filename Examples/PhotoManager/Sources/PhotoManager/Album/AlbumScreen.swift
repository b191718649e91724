import Observation
import Synchronization

/// Draws title and prompt of a model for the page, each time that one of them was changed by its setter. What
/// is written past the setter tells no observer, and so is not drawn.
final class AlbumScreen: Sendable {
    /// The header as last drawn.
    struct Header: Sendable, Equatable {
        var title = ""
        var prompt: String?
    }

    private let drawn = Mutex(Header())
    private let drawings = Counter()

    /// The header as last drawn; may be read from any thread.
    var header: Header { drawn.withLock { $0 } }

    /// The number of drawings.
    var drawingCount: Int { drawings.value }

    /// Draws, and continues as long as the model lives.
    ///
    /// - Parameter model: What is drawn.
    @MainActor
    func follow(_ model: AlbumModel) {
        let header = withObservationTracking {
            Header(title: model.title, prompt: model.prompt)
        } onChange: { [weak self, weak model] in
            // Called before the change: the new value is there in the main actor's next job.
            Task { @MainActor in
                guard let self, let model else { return }
                self.follow(model)
            }
        }
        drawn.withLock { $0 = header }
        drawings.increment()
    }
}
