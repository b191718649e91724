/// One of the photos that every host of the harness has.
final class Photo {
    let id: Int
    var title: String
    var url: String
    var size: Int
    var tags: [String]

    init(id: Int) {
        self.id = id
        title = "Photo #\(id)"
        url = "https://photos.example/album/\(id % 97)/\(id).jpg"
        size = 1000 + id * 7919 % 5_000_000
        tags = ["tag\(id % 10)", "year\(1990 + id % 35)", "cam\(id % 7)"]
    }
}
