#if TELLTALE_COMPILED
    /// A coding key that can be any member's name or any index.
    struct JSONCodingKey: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(_ string: String) {
            stringValue = string
            intValue = Int(string)
        }

        init(index: Int) {
            stringValue = "\(index)"
            intValue = index
        }

        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { self.init(index: intValue) }
    }
#endif
